"""A step: one decision of a match and all that it led to, encoded once for all receivers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from samedrop_protocol.codec import MSGPACK, Codec
from samedrop_protocol.model import SeatProgress
from samedrop_rules import Draws, Ended, Entry, Event
from samedrop_server.storage.records import Logged

_json = msgspec.json.Encoder(order="sorted")


class Step:
    """One entry of a match's log together with what it told.

    Attributes:
        number: its place in the log, from 1.
        seat, turn: whose decision, and which of that seat's.
        move: what was decided; None where the run was stopped from outside the rules.
        at: milliseconds from the start of the match.
        score, digest, ended: the seat's after it (ended: None while the run goes on).
        events: what happened, in wire form.
        disclosed: the draws of chance that the events make known.
        request: the id of the request that made it; None where nobody asked.
    """

    __slots__ = (
        "_others", "_packed", "at", "digest", "disclosed", "ended", "events", "move", "number", "request", "score",
        "seat", "turn",
    )  # fmt: skip

    def __init__(
        self,
        number: int,
        seat: int,
        turn: int,
        move: Mapping[str, object] | None,
        at: int,
        score: int,
        digest: str,
        ended: Ended | None,
        events: Sequence[Event],
        disclosed: Draws,
        request: str | None,
    ) -> None:
        self.number = number
        self.seat = seat
        self.turn = turn
        self.move = move
        self.at = at
        self.score = score
        self.digest = digest
        self.ended = ended
        self.events = events
        self.disclosed = disclosed
        self.request = request
        self._packed: bytes | str | None = None
        self._others: bytes | str | None = None

    def encoded(self, codec: Codec) -> bytes | str:
        """The step in the codec's form; made at the first call, shared afterwards."""
        if codec is MSGPACK:
            if self._packed is None:
                self._packed = codec.encode_step(self.body())
            return self._packed
        if self._others is None:
            self._others = codec.encode_step(self.body())
        return self._others

    def body(self) -> dict[str, object]:
        """The wire form (docs/protocol.md, Step)."""
        body: dict[str, object] = {
            "seat": self.seat,
            "turn": self.turn,
            "at": self.at,
            "score": self.score,
            "digest": self.digest,
            "events": self.events,
        }
        if self.move is not None:
            body["move"] = self.move
        else:
            body["stopped"] = self.ended
        if self.request is not None:
            body["id"] = self.request
        return body

    def progress(self) -> SeatProgress:
        """Where the seat stands after it."""
        turn = self.turn if self.move is None else self.turn + 1
        return SeatProgress(seat=self.seat, turn=turn, score=self.score, ended=self.ended)

    def logged(self, match_id: str) -> Logged:
        """The step as the journal stores it."""
        return Logged(
            match_id,
            self.number,
            self.seat,
            self.turn,
            self.request,
            None if self.move is None else _json.encode(self.move).decode(),
            self.ended if self.move is None else None,
            self.at,
            self.score,
            self.digest,
        )

    def entry(self) -> Entry:
        """The step as a replay takes it."""
        stopped = self.ended if self.move is None else None
        return Entry(self.seat, self.turn, self.move, stopped, self.at, self.score, self.digest)
