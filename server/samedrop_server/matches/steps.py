"""A step: one decision of a match and all that it led to, encoded once for all receivers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from samedrop_protocol.codec import MSGPACK, Codec, Frame
from samedrop_protocol.model import SeatProgress
from samedrop_rules import Ended, Entry
from samedrop_rules import Step as Decided
from samedrop_server.storage.records import Logged

_write_move = msgspec.json.Encoder(order="sorted").encode
_read_move = msgspec.json.Decoder(dict[str, object]).decode


class Step:
    """One entry of a match's log together with what it told.

    A running match holds all its steps, so they are kept small and free of objects that the garbage collector would
    walk through again and again: what happened is kept as encoded, the move as text.

    Attributes:
        number: its place in the log, from 1.
        seat, turn: whose decision, and which of that seat's.
        move: what was decided, as JSON text; None where the run was stopped from outside the rules.
        at: milliseconds from the start of the match.
        score, digest, ended: the seat's after it (ended: None while the run goes on).
        others: where other seats stand, if it changed that: at the end of a round.
        request: the id of the request that made it; None where nobody asked.
        disclosed: the draws of chance that its events make known.
    """

    __slots__ = (
        "_packed", "_text", "at", "digest", "disclosed", "ended", "move", "number", "others", "request", "score",
        "seat", "turn",
    )  # fmt: skip

    def __init__(
        self,
        number: int,
        seat: int,
        turn: int,
        move: Mapping[str, object] | None,
        decided: Decided,
        at: int,
        score: int,
        digest: str,
        ended: Ended | None,
        request: str | None,
        others: Sequence[SeatProgress] = (),
        *,
        secret: bool = False,
    ) -> None:
        """Args: secret: nobody is told what was decided, only what became of it."""
        self.number = number
        self.seat = seat
        self.turn = turn
        self.at = at
        self.score = score
        self.digest = digest
        self.ended = ended
        self.request = request
        self.disclosed = decided.disclosed
        self.others = others
        body: dict[str, object] = {
            "seat": seat, "turn": turn, "at": at, "score": score, "digest": digest, "events": decided.events,
        }  # fmt: skip
        if move is not None:
            self.move: str | None = move_text(move)
            if not secret:
                body["move"] = move
        else:
            self.move = None
            body["stopped"] = ended
        if request is not None:
            body["id"] = request
        self._packed = MSGPACK.encode_step(body)
        self._text: Frame | None = None

    def encoded(self, codec: Codec) -> Frame:
        """The step in the codec's form (docs/protocol.md, Step)."""
        if codec is MSGPACK:
            return self._packed
        if self._text is None:
            self._text = codec.encode_step(MSGPACK.decode_step(self._packed))
        return self._text

    def progress(self) -> SeatProgress:
        """Where the seat stands after it."""
        turn = self.turn if self.move is None else self.turn + 1
        return SeatProgress(seat=self.seat, turn=turn, score=self.score, ended=self.ended)

    def logged(self, match_id: str) -> Logged:
        """The step as the journal stores it."""
        stopped = self.ended if self.move is None else None
        return Logged(
            match_id, self.number, self.seat, self.turn, self.request, self.move, stopped, self.at, self.score,
            self.digest,
        )  # fmt: skip

    def entry(self) -> Entry:
        """The step as a replay takes it."""
        stopped = self.ended if self.move is None else None
        move = None if self.move is None else _read_move(self.move)
        return Entry(self.seat, self.turn, move, stopped, self.at, self.score, self.digest)


def move_text(move: Mapping[str, object]) -> str:
    """The one JSON text of a move."""
    return _write_move(move).decode()
