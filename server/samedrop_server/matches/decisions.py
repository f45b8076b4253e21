"""The decisions of a match: its table, the steps decided on it in the order of the log, and how far they are stored.

A step is told once it is stored; who asks for one again before that waits with the one who made it.
"""

from __future__ import annotations

from collections.abc import Sequence

from samedrop_protocol import from_client, model
from samedrop_rules import Ended, Entry, Move, ReplayMismatch, Table, apply
from samedrop_rules import Step as Decided
from samedrop_server.matches import refusals
from samedrop_server.matches.follow import Listener
from samedrop_server.matches.places import progress
from samedrop_server.matches.steps import Step, move_text


class Decisions:
    """See the module.

    Attributes:
        table: the state of all boards as decided so far.
        decided, stored: the numbers of the newest step, and of the newest that is stored; 0 before the first.
        by_seat: the steps of each seat, by turn.
    """

    def __init__(self, table: Table, *, in_rounds: bool) -> None:
        self.table = table
        self.decided = 0
        self.stored = 0
        self.by_seat: list[list[Step]] = [[] for _ in range(table.seats)]
        self._in_rounds = in_rounds
        self._askers: dict[Step, list[Listener]] = {}

    @property
    def all_stored(self) -> bool:
        """Whether nothing waits for being stored."""
        return self.stored == self.decided

    def play(self, seat: int, move: Move, at: int, request: str | None) -> Step:
        """Decide a move, at `at` milliseconds of the match's time.

        Raises:
            InvalidMove, IllegalMove: refused by the rules, and nothing has changed.
        """
        before, turn = self._before(), self.table.turn(seat)
        return self._add(seat, turn, move, self.table.play(seat, move), at, request, before)

    def stop(self, seat: int, ended: Ended, at: int, request: str | None) -> Step:
        """End a seat's run from outside."""
        before, turn = self._before(), self.table.turn(seat)
        return self._add(seat, turn, None, self.table.stop(seat, ended), at, request, before)

    def replay(self, entry: Entry, request: str | None) -> Step:
        """Decide again what is stored.

        Raises:
            RulesError, ReplayMismatch: it does not come out as the log says.
        """
        before = self._before()
        decided = apply(self.table, entry)
        step = self._add(entry.seat, entry.turn, entry.move, decided, entry.at, request, before)
        if (step.score, step.digest) != (entry.score, entry.digest):
            raise ReplayMismatch(step.number - 1, entry, f"replays to {step.score} points and digest {step.digest}")
        return step

    def _before(self) -> list[model.SeatProgress]:
        """Where the seats stand, in rounds: there one seat's decision may change it for all."""
        return progress(self.table) if self._in_rounds else []

    def _add(
        self,
        seat: int,
        turn: int,
        move: Move | None,
        decided: Decided,
        at: int,
        request: str | None,
        before: Sequence[model.SeatProgress],
    ) -> Step:
        table = self.table
        self.decided += 1
        score, digest, ended = table.score(seat), table.digest(seat), table.ended(seat)
        others: Sequence[model.SeatProgress] = ()
        if before:
            others = [now for now, was in zip(self._before(), before, strict=True) if now != was and now.seat != seat]
        step = Step(
            self.decided, seat, turn, move, decided, at, score, digest, ended, request, others,
            secret=self._in_rounds,
        )  # fmt: skip
        self.by_seat[seat].append(step)
        return step

    def find(self, seat: int, turn: int, message: from_client.Move, move: Move) -> Step:
        """The step that this very request made before, where it is not for the seat's present `turn`.

        Raises:
            ProtocolError: it made none.
        """
        if message.turn > turn:
            raise refusals.future(message.turn, turn)
        made = self.by_seat[seat][message.turn]
        if made.request != message.id or made.move != move_text(move):
            raise refusals.stale(message.turn, turn)
        return made

    def ask(self, step: Step, asker: Listener) -> bool:
        """Whether the step is stored; if not, the asker is given back by `store`."""
        if step.number <= self.stored:
            return True
        self._askers.setdefault(step, []).append(asker)
        return False

    def store(self, step: Step) -> Sequence[Listener]:
        """The step is stored: who asked for it again meanwhile."""
        self.stored = step.number
        return self._askers.pop(step, ()) if self._askers else ()
