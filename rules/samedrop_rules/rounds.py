"""The table of a game in rounds: all decide, hidden from each other, then all that was decided is done.

A game brings what a decision leads to (`plan`), the end of a round and the beginning of the next. A plan is made and
checked at once, on a copy of the seat's part, and kept until the round is resolved: until then nothing of it is in any
view, event, score or digest. (docs/protocol.md, Matches: an event with ``seat`` is about that seat, one without about
all.)
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from samedrop_rules.deal import Deal
from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Draws, Ended, Event, Game, Move, Step, Table

PlanT = TypeVar("PlanT")


class RoundsTable(Table, Generic[PlanT]):
    """The pace of a match in rounds.

    Attributes:
        turns: decisions made, by seat.
        endings: why each seat's run is over, or None.
    """

    def __init__(self, game: Game, deal: Deal, seats: int, drop_limit: int | None) -> None:
        super().__init__(game, deal, seats, drop_limit)
        self.turns = [0] * seats
        self.endings: list[Ended | None] = [None] * seats
        self._plans: dict[int, PlanT] = {}

    # What a game brings

    @abstractmethod
    def asks(self, seat: int) -> bool:
        """Whether this round asks the seat (whose run goes on) for a decision."""

    @abstractmethod
    def plan(self, seat: int, move: Move) -> PlanT:
        """What a decision leads to; raises InvalidMove or IllegalMove, and changes nothing in either case."""

    @abstractmethod
    def resolve(self, plans: dict[int, PlanT]) -> tuple[list[Event], str]:
        """Do what was planned, by seat; returns what happened, and the cause if the rules end the game for all."""

    @abstractmethod
    def begin_round(self) -> tuple[list[Event], Draws]:
        """The next round: its events, and the draws that they disclose."""

    # The pace

    @property
    def running(self) -> list[int]:
        """The seats whose runs go on."""
        return [seat for seat, ended in enumerate(self.endings) if ended is None]

    def has_decided(self, seat: int) -> bool:
        """Whether the seat has decided in the open round."""
        return seat in self._plans

    def due(self, seat: int) -> bool:
        """See `Table.due`."""
        return self.endings[seat] is None and seat not in self._plans and self.asks(seat)

    def play(self, seat: int, move: Move) -> Step:
        """See `Table.play`: tells that the seat has decided; and if nobody else is due, what all decisions led to."""
        if self.endings[seat] is not None:
            raise IllegalMove("This run is over.")
        if seat in self._plans:
            raise IllegalMove("You have decided; wait for the others.")
        if not self.asks(seat):
            raise IllegalMove("There is nothing for you to decide in this round; wait for the others.")
        self._plans[seat] = self.plan(seat, move)
        self.turns[seat] += 1
        return self._go_on([{"type": "decided", "seat": seat}])

    def stop(self, seat: int, ended: Ended, cause: str = "") -> Step:
        """See `Table.stop`. What the seat had decided in the open round is dropped."""
        if self.endings[seat] is not None:
            return Step([], self._nothing)
        self._plans.pop(seat, None)
        return self._go_on([self._end(seat, ended, cause or ended.value)])

    def turn(self, seat: int) -> int:
        """See `Table.turn`."""
        return self.turns[seat]

    def ended(self, seat: int) -> Ended | None:
        """See `Table.ended`."""
        return self.endings[seat]

    @property
    def _nothing(self) -> Draws:
        return (0,) * len(self.game.streams)

    def _go_on(self, events: list[Event]) -> Step:
        if not self.running or any(map(self.due, self.running)):
            return Step(events, self._nothing)
        plans, self._plans = self._plans, {}
        happened, cause = self.resolve(plans)
        events += happened
        for seat in self.running:
            if cause:
                events.append(self._end(seat, Ended.RULES, cause))
            elif self.drop_limit is not None and self.turns[seat] >= self.drop_limit:
                events.append(self._end(seat, Ended.CENSORED, "drop_limit"))
        if not self.running:
            return Step(events, self._nothing)
        begun, disclosed = self.begin_round()
        return Step(events + begun, disclosed)

    def _end(self, seat: int, ended: Ended, cause: str) -> Event:
        self.endings[seat] = ended
        return {"type": "over", "seat": seat, "ended": ended.value, "cause": cause}
