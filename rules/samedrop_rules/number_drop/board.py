"""One player's part of a number-drop race: grid, clock, score, and the numbers dealt so far.

The order of a drop is here; links and rising are `grid`'s, spelling out what happened is `discs.events`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from samedrop_rules.discs.chance import Buried, Chance, Drawn
from samedrop_rules.discs.events import Drop, events_of
from samedrop_rules.discs.grid import Wave
from samedrop_rules.discs.move import read_column
from samedrop_rules.discs.tables import FULL_ROW, SIZE
from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Draws, Ended, Move, Step, View
from samedrop_rules.number_drop.clock import drops_between
from samedrop_rules.number_drop.grid import NumberDropGrid
from samedrop_rules.race import Board


class NumberDropBoard(Board):
    """One player's board. See `docs/rules/number-drop.md` for the rules, section A drop for their order.

    Attributes (beside those of `Board`):
        grid: the discs.
        disc: the shown disc; 0 once the rules have ended the game.
        clock: drops left until a row must rise.
        mode: the option.
    """

    __slots__ = ("_discs", "_hidden", "_rises", "_start", "clock", "disc", "grid", "mode")

    def __init__(self, chance: Chance, start: Sequence[tuple[int, int]], *, mode: str, latent: bool) -> None:
        """A board at its start.

        Args:
            start: column and number of each start disc.
            mode: the option.
            latent: whether hidden numbers are fixed in advance.
        """
        self.grid = NumberDropGrid()
        self._discs = chance.discs
        self._hidden: Drawn | Buried = Buried(chance) if latent else Drawn(chance)
        for column, number in start:
            self.grid.drop(column, number)
        self.grid.settle(self.grid.matching, [], self._hidden)
        self._start = (1 << 2 * len(start)) - 1
        self._rises = 0
        self.mode = mode
        self.clock = drops_between(mode, 0)
        self.disc = self._discs[0]
        self.turn = 0
        self.score = 0
        self.ended: Ended | None = None

    @classmethod
    def at(
        cls, text: str, discs: Sequence[int], *, clock: int = 30, reveals: Sequence[int] = (), mode: str = "normal"
    ) -> NumberDropBoard:
        """A board set up at a position, for tests and tools.

        Args:
            text: the text form of the board.
            discs: the shown disc and those that follow it; one more than drops are made, unless the last one ends it.
            clock: drops left until the rise.
            reveals: the numbers of the gray discs in the order in which they open.
            mode: the option; the board has not risen yet.

        Raises:
            ValueError: `text` is not a board.
        """
        numbers: Mapping[int, int] = dict(enumerate(discs))
        board = cls(Chance(numbers, dict(enumerate(reveals)), {}), [], mode=mode, latent=False)
        board.grid, board.clock = NumberDropGrid.from_text(text), clock
        return board

    def legal(self) -> list[Move]:
        """See `Board.legal`: from the left."""
        if self.ended is not None:
            return []
        return [{"column": column} for column, free in enumerate(self.grid.free) if free]

    def play(self, move: Move) -> Step:
        """See `Board.play`. A move is ``{"column": 0 to 6}``; other keys are ignored."""
        column, hidden = read_column(move), self._hidden
        reveals, rows = hidden.reveals, hidden.rows
        events = events_of(self.drop(column), rise_points=0, clear_points=0)
        return Step(events, (1 << self.turn if self.disc else 0, reveals ^ hidden.reveals, rows ^ hidden.rows, 0))

    def drop(self, column: int) -> Drop:
        """One drop of a run that is not over, in the order of the rules, told in compact form.

        Raises:
            IllegalMove: the column is full.
        """
        grid = self.grid
        row = grid.free[column] - 1
        if row < 0:
            raise IllegalMove(f"Column {column + 1} is full.", "move.column")
        disc, cause, risen = self.disc, "", -1
        waves: list[Wave] = []
        grid.settle(grid.drop(column, disc), waves, self._hidden)
        self.clock -= 1
        if not self.clock:
            if grid.masks[0]:
                cause = "rise"
            else:
                risen = len(waves)
                waves += self._rise()
        for wave in waves:
            self.score += wave[4]
        if grid.masks[0] == FULL_ROW and not cause:
            cause = "full"
        self.turn = turn = self.turn + 1
        self.disc = following = 0 if cause else self._discs[turn]
        if cause:
            self.ended = Ended.RULES
        return disc, SIZE * row + column, waves, risen, False, cause, following, self.clock

    def _rise(self) -> list[Wave]:
        """A row rises, and the clock is set anew; returns the links of the chain that follows."""
        self._rises += 1
        self.clock = drops_between(self.mode, self._rises)
        self._hidden.lay()
        chain: list[Wave] = []
        self.grid.settle(self.grid.rise(), chain, self._hidden)
        return chain

    @property
    def known(self) -> Draws:
        """See `Board.known`."""
        dealt = self.turn + 1 if self.disc else self.turn
        return (1 << dealt) - 1, self._hidden.reveals, self._hidden.rows, self._start

    def view(self) -> View:
        """See `Board.view`; the keys are those of docs/rules/number-drop.md, What is known."""
        return {
            "board": self.grid.text,
            "disc": 0 if self.ended else self.disc,
            "clock": self.clock,
            "score": self.score,
            "turn": self.turn,
            "ended": self.ended.value if self.ended else None,
            "mode": self.mode,
        }

    def digest(self) -> str:
        """See `Board.digest`: a hash over the view and the draws known."""
        state = b"%b %d %d %d %d %x %b" % (
            self.grid.text.encode(),
            self.turn,
            self.clock,
            self.score,
            self._hidden.reveals.bit_length(),
            self._hidden.rows,
            self.ended.encode() if self.ended else b"",
        )
        return blake2b(state, digest_size=8).hexdigest()
