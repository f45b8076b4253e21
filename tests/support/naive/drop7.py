"""drop7 version 1, read off docs/rules/drop7.md a second time: lists of lists, slow and obvious.

It shares no line with the real engine, so that the two can be held against each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from tests.support.naive.deal import below, stream_bytes

SIZE = 7
EMPTY = 0
SOLID = 8
CRACKED = 9
RISE_POINTS = 17_000
CLEAR_POINTS = 70_000

Cell = tuple[int, int]
Numbered = tuple[int, int, int]
Grid = list[list[int]]


class TapeError(Exception):
    """A number is needed that the tape does not hold."""


@dataclass
class Wave:
    """One wave; cells in row-major order, as the board stood before it."""

    number: int
    cleared: list[Numbered]
    cracked: list[Cell]
    revealed: list[Numbered]
    points: int


@dataclass
class Tape:
    """Discs and hidden rows, given explicitly, and the most drops there may be."""

    discs: list[int]
    latent_rows: Grid
    maximum_moves: int | None = None


class NaiveDrop7:
    """One game.

    Attributes:
        board: what is seen, 0 empty, 1-7 numbered, 8 solid gray, 9 cracked gray.
        hidden: in `latent` games the number under each gray disc, else zeros.
        disc, clock, score, drops: the disc shown, drops to the next rise, points, drops made.
        over: whether the game is over; cause: ``""``, ``"rise"``, ``"full"``, ``"tape"`` or ``"drop_limit"``.
        laid: the numbers under every covered row so far, in order; zeros where they are not fixed in advance.
        rise_after: how many waves of the last drop came before its rise, or None.
        bonus: whether the last drop left the board empty.
    """

    def __init__(
        self,
        seed: str,
        *,
        start_rows: int = 1,
        latent: bool = False,
        drops_per_rise: int = 5,
        tape: Tape | None = None,
    ) -> None:
        self.tape = tape
        self.latent = latent or tape is not None
        self.drops_per_rise = drops_per_rise
        self.streams = {label: stream_bytes(seed, label) for label in ("discs", "reveals", "rows")}
        self.board: Grid = [[EMPTY] * SIZE for _ in range(SIZE)]
        self.hidden: Grid = [[EMPTY] * SIZE for _ in range(SIZE)]
        self.clock = drops_per_rise
        self.score = 0
        self.drops = 0
        self.over = False
        self.cause = ""
        self.laid: Grid = []
        self.rise_after: int | None = None
        self.bonus = False
        for _ in range(start_rows):
            self.lay_row()
        self.disc = self.next_disc()

    @classmethod
    def at(cls, board: str, disc: int, clock: int, hidden: list[Numbered], tape: Tape | None = None) -> NaiveDrop7:
        """A game in the middle, with these numbers hidden under its gray discs; further rows and discs from `tape`."""
        game = cls("position", start_rows=0, latent=True, tape=tape)
        game.board = [[int(cell) for cell in board[SIZE * row : SIZE * (row + 1)]] for row in range(SIZE)]
        for row, column, number in hidden:
            game.hidden[row][column] = number
        game.disc, game.clock = disc, clock
        return game

    def next_disc(self) -> int:
        """Disc number `drops` of the deal."""
        if self.tape is None:
            return 1 + below(self.streams["discs"], 7)
        if self.drops == len(self.tape.discs):
            raise TapeError
        return self.tape.discs[self.drops]

    def next_row(self) -> list[int]:
        """The numbers under the next covered row; zeros where they are drawn later, or where the tape has none."""
        if not self.latent:
            return [0] * SIZE
        if self.tape is None:
            return [1 + below(self.streams["rows"], 7) for _ in range(SIZE)]
        if len(self.laid) >= len(self.tape.latent_rows):
            return [0] * SIZE
        return list(self.tape.latent_rows[len(self.laid)])

    def lay_row(self) -> None:
        """Everything one row up, and seven solid gray discs at the bottom."""
        numbers = self.next_row()
        self.board = [*self.board[1:], [SOLID] * SIZE]
        self.hidden = [*self.hidden[1:], list(numbers)]
        self.laid.append(numbers)

    def legal(self) -> list[int]:
        """The columns whose top cell is empty; none once the game is over."""
        return [] if self.over else [column for column in range(SIZE) if self.board[0][column] == EMPTY]

    def drop(self, column: int) -> list[Wave]:
        """One drop, in the order of the rules.

        Raises:
            ValueError: that column cannot be chosen; nothing has changed.
        """
        if column not in self.legal():
            raise ValueError(f"column {column} cannot be chosen")
        row = max(row for row in range(SIZE) if self.board[row][column] == EMPTY)
        self.board[row][column] = self.disc
        self.drops += 1
        self.rise_after = None
        self.bonus = False
        waves: list[Wave] = []
        try:
            self.finish_drop(waves)
        except TapeError:
            self.end("tape")
        if self.tape is not None and self.drops == self.tape.maximum_moves and not self.over:
            self.end("drop_limit")
        return waves

    def finish_drop(self, waves: list[Wave]) -> None:
        """All that follows once the disc lies; adds what happens to `waves`."""
        self.run_waves(waves)
        self.clock -= 1
        if self.clock == 0:
            if any(cell != EMPTY for cell in self.board[0]):
                self.end("rise")
                return
            self.rise_after = len(waves)
            self.lay_row()
            self.score += RISE_POINTS
            self.clock = self.drops_per_rise
            self.run_waves(waves)
        if all(cell == EMPTY for line in self.board for cell in line):
            self.bonus = True
            self.score += CLEAR_POINTS
        if all(cell != EMPTY for cell in self.board[0]):
            self.end("full")
            return
        self.disc = self.next_disc()

    def end(self, cause: str) -> None:
        """The game is over, and why."""
        self.over = True
        self.cause = cause

    def run_waves(self, waves: list[Wave]) -> None:
        """Waves until nothing matches, counted on from those already there."""
        while matching := [(r, c) for r in range(SIZE) for c in range(SIZE) if self.matches(r, c)]:
            waves.append(self.one_wave(len(waves) + 1, matching))

    def matches(self, row: int, column: int) -> bool:
        """Whether the disc there is numbered and one of its two lines is exactly as long as its number."""
        number = self.board[row][column]
        if number in (EMPTY, SOLID, CRACKED):
            return False
        return number in (self.run_length(row, column, 0, 1), self.run_length(row, column, 1, 0))

    def run_length(self, row: int, column: int, down: int, right: int) -> int:
        """Length of the unbroken line of occupied cells through a cell, both ways along one direction."""
        length = 1
        for sign in (-1, 1):
            r, c = row + sign * down, column + sign * right
            while 0 <= r < SIZE and 0 <= c < SIZE and self.board[r][c] != EMPTY:
                length += 1
                r, c = r + sign * down, c + sign * right
        return length

    def one_wave(self, number: int, matching: list[Cell]) -> Wave:
        """Clear, hit, reveal, score, fall."""
        wave = Wave(number, [(r, c, self.board[r][c]) for r, c in matching], [], [], 0)
        wave.points = len(matching) * isqrt(49 * number**5)  # floor(7 * d ** 2.5) without rounding
        for row in range(SIZE):
            for column in range(SIZE):
                around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
                hits = sum(cell in matching for cell in around)
                if self.board[row][column] == SOLID and hits == 1:
                    wave.cracked.append((row, column))
                elif self.board[row][column] in (SOLID, CRACKED) and hits >= 1:
                    wave.revealed.append((row, column, self.number_under(row, column)))
        for row, column, _ in wave.cleared:
            self.board[row][column] = EMPTY
        for row, column in wave.cracked:
            self.board[row][column] = CRACKED
        for row, column, revealed in wave.revealed:
            self.board[row][column] = revealed
            self.hidden[row][column] = EMPTY
        self.score += wave.points
        self.fall()
        return wave

    def number_under(self, row: int, column: int) -> int:
        """What the gray disc there turns out to be."""
        if not self.latent:
            return 1 + below(self.streams["reveals"], 7)
        if self.hidden[row][column] == 0:
            raise TapeError
        return self.hidden[row][column]

    def fall(self) -> None:
        """Every disc drops one cell for as long as there is an empty cell right below any."""
        moved = True
        while moved:
            moved = False
            for row in range(SIZE - 1):
                for column in range(SIZE):
                    if self.board[row][column] != EMPTY and self.board[row + 1][column] == EMPTY:
                        for grid in (self.board, self.hidden):
                            grid[row + 1][column], grid[row][column] = grid[row][column], EMPTY
                        moved = True

    def text(self) -> str:
        """The 49-character form, row by row from the top."""
        return "".join(str(cell) for line in self.board for cell in line)
