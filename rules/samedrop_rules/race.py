"""The race table: own boards, own speed. Shared by every game whose pace is race.

A game brings a `Board` (one player's part); the table holds one for each seat, and adds the drop limit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from samedrop_rules.deal import Deal
from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Draws, Ended, Game, Move, Step, Table, View

STOPS = {"drop_limit": "the drop limit is reached", "time": "the time is up", "forfeit": "given up"}
"""For people: why a run was stopped from outside the rules of its game, by `cause`."""


class Board(ABC):
    """One player's part of a race.

    Attributes:
        turn: decisions made so far.
        score: points so far.
        ended: why it is over, or None.
    """

    __slots__ = ("ended", "score", "turn")

    turn: int
    score: int
    ended: Ended | None

    @property
    @abstractmethod
    def known(self) -> Draws:
        """The draws dealt to this player so far."""

    @abstractmethod
    def legal(self) -> list[Move]:
        """All moves allowed now; empty once over."""

    @abstractmethod
    def play(self, move: Move) -> Step:
        """Apply one decision of a run that is not over; raises InvalidMove or IllegalMove and changes nothing."""

    @abstractmethod
    def view(self) -> View:
        """All that the player may know."""

    @abstractmethod
    def digest(self) -> str:
        """16 hex digits over the state."""


class RaceTable(Table):
    """All boards of a race on one deal."""

    def __init__(
        self, game: Game, deal: Deal, seats: int, drop_limit: int | None, new_board: Callable[[], Board]
    ) -> None:
        super().__init__(game, deal, seats, drop_limit)
        self.boards = [new_board() for _ in range(seats)]

    def legal(self, seat: int) -> list[Move]:
        """See `Table.legal`."""
        return self.boards[seat].legal()

    def play(self, seat: int, move: Move) -> Step:
        """See `Table.play`."""
        board = self.boards[seat]
        if board.ended is not None:
            raise IllegalMove("This run is over.")
        step = board.play(move)
        if board.turn == self.drop_limit and board.ended is None:
            step.events.extend(self.stop(seat, Ended.CENSORED, "drop_limit").events)
        return step

    def stop(self, seat: int, ended: Ended, cause: str = "") -> Step:
        """See `Table.stop`."""
        board = self.boards[seat]
        nothing = (0,) * len(board.known)
        if board.ended is not None:
            return Step([], nothing)
        board.ended = ended
        return Step([{"type": "over", "ended": ended.value, "cause": cause or ended.value}], nothing)

    def view(self, seat: int) -> View:
        """See `Table.view`."""
        return self.boards[seat].view()

    def knowledge(self, seat: int) -> Draws:
        """See `Table.knowledge`."""
        return self.boards[seat].known

    def turn(self, seat: int) -> int:
        """See `Table.turn`."""
        return self.boards[seat].turn

    def score(self, seat: int) -> int:
        """See `Table.score`."""
        return self.boards[seat].score

    def ended(self, seat: int) -> Ended | None:
        """See `Table.ended`."""
        return self.boards[seat].ended

    def digest(self, seat: int) -> str:
        """See `Table.digest`."""
        return self.boards[seat].digest()
