"""One player's part of a drop7 race: grid, clock, score, and the numbers dealt so far.

The order of a drop is here; waves and rising are `grid`'s, spelling out what happened is `events`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from samedrop_rules.discs.chance import Buried, Chance, Drawn, tape_chance
from samedrop_rules.discs.events import Drop, events_of
from samedrop_rules.discs.move import read_column
from samedrop_rules.discs.tables import CELLS, FULL_ROW, SIZE
from samedrop_rules.drop7.grid import Grid, Wave
from samedrop_rules.drop7.tables import CLEAR_POINTS, RISE_POINTS
from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Draws, Ended, Move, Step, View
from samedrop_rules.race import Board


class Drop7Board(Board):
    """One player's board. See `docs/rules/drop7.md` for the rules, section A drop for their order.

    Attributes (beside those of `Board`):
        grid: the discs.
        disc: the shown disc.
        clock: drops left until the board rises.
        drops_per_rise: what the clock is set to.
    """

    __slots__ = ("_discs", "_hidden", "clock", "disc", "drops_per_rise", "grid")

    def __init__(self, chance: Chance, *, latent: bool, start_rows: int, drops_per_rise: int) -> None:
        """A board at its start; `latent` says whether hidden numbers are fixed in advance."""
        self.grid = Grid()
        self._discs = chance.discs
        self._hidden: Drawn | Buried = Buried(chance) if latent else Drawn(chance)
        for _ in range(start_rows):
            self._hidden.lay()
            self.grid.rise()
        self.disc = self._discs[0]
        self.clock = self.drops_per_rise = drops_per_rise
        self.turn = 0
        self.score = 0
        self.ended: Ended | None = None

    @classmethod
    def at(
        cls,
        text: str,
        discs: Sequence[int],
        *,
        clock: int = 5,
        hidden: Mapping[tuple[int, int], int] | None = None,
        rows: Sequence[Sequence[int]] = (),
        drops_per_rise: int = 5,
    ) -> Drop7Board:
        """A board set up at a position, for tests and tools. It plays on as from a tape.

        Args:
            text: the text form of the board.
            discs: the shown disc and those that follow it.
            clock: drops left until the rise.
            hidden: numbers under the gray discs by (row, column); one left out is missing on the tape.
            rows: numbers of the rows that rise later.
            drops_per_rise: as the option.

        Raises:
            ValueError: `text` is not a board.
        """
        grid = Grid.from_text(text)
        columns = [
            [(hidden or {}).get((cell // SIZE, column), 0) for cell in range(column, CELLS, SIZE) if text[cell] in "89"]
            for column in range(SIZE)
        ]
        laid = [[numbers[row] if row < len(numbers) else 0 for numbers in columns] for row in range(SIZE)]
        chance = tape_chance(discs, [*laid, *rows])
        board = cls(chance, latent=True, start_rows=0, drops_per_rise=drops_per_rise)
        board.grid, board.clock = grid, clock
        board._hidden = Buried(chance, [len(numbers) for numbers in columns])
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
        events = events_of(self.drop(column), RISE_POINTS, CLEAR_POINTS)
        return Step(events, (1 << self.turn if self.disc else 0, reveals ^ hidden.reveals, rows ^ hidden.rows))

    def drop(self, column: int) -> Drop:
        """One drop of a run that is not over, in the order of the rules, told in compact form.

        Raises:
            IllegalMove: the column is full.
        """
        grid = self.grid
        row = grid.free[column] - 1
        if row < 0:
            raise IllegalMove(f"Column {column + 1} is full.", "move.column")
        disc, clock, cause, risen = self.disc, self.clock - 1, "", -1
        waves: list[Wave] = []
        matching = grid.drop(column, disc)
        if matching and not grid.settle(matching, waves, self._hidden):
            clock, cause = self.clock, "tape"
        elif not clock:
            if grid.masks[0]:
                cause = "rise"
            else:
                clock, risen = self.drops_per_rise, len(waves)
                cause = self._rise(waves)
        clear = False
        if waves:
            for wave in waves:
                self.score += wave[4]
            if grid.empty:
                clear = True
                self.score += CLEAR_POINTS
        if grid.masks[0] == FULL_ROW and not cause:
            cause = "full"
        self.clock = clock
        self.turn = turn = self.turn + 1
        self.disc = following = 0 if cause else self._discs[turn]
        if not following:
            cause = cause or "tape"
            self.ended = Ended.CENSORED if cause == "tape" else Ended.RULES
        return disc, SIZE * row + column, waves, risen, clear, cause, following, clock

    def _rise(self, waves: list[Wave]) -> str:
        """The board rises and settles; returns why the run is over, or nothing."""
        self.score += RISE_POINTS
        self._hidden.lay()
        return "" if self.grid.settle(self.grid.rise(), waves, self._hidden) else "tape"

    @property
    def known(self) -> Draws:
        """See `Board.known`."""
        dealt = self.turn + 1 if self.disc else self.turn
        return (1 << dealt) - 1, self._hidden.reveals, self._hidden.rows

    def view(self) -> View:
        """See `Board.view`; the keys are those of docs/rules/drop7.md, What is known."""
        return {
            "board": self.grid.text,
            "disc": 0 if self.ended else self.disc,
            "clock": self.clock,
            "score": self.score,
            "turn": self.turn,
            "ended": self.ended.value if self.ended else None,
            "drops_per_rise": self.drops_per_rise,
        }

    def digest(self) -> str:
        """See `Board.digest`: a hash over the view and the draws known."""
        # Formatted as bytes, which is three times as fast; a digest is made for every move.
        state = b"%b %d %d %d %d %x %b" % (
            self.grid.bytes,
            self.turn,
            self.clock,
            self.score,
            self._hidden.reveals.bit_length(),
            self._hidden.rows,
            self.ended.encode() if self.ended else b"",
        )
        return blake2b(state, digest_size=8).hexdigest()
