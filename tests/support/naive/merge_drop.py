"""merge-drop version 1, read off docs/rules/merge-drop.md a second time: lists of lists, slow and obvious.

It shares no line with the real engine, so that the two can be held against each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.naive.deal import stream_bytes, weighted

ROWS = 12
COLUMNS = 6
EMPTY = 0
PIECES_PER_RISE = 8
MILESTONE = 2048

Cell = tuple[int, int]
Numbered = tuple[int, int, int]
Grid = list[list[int]]
Placement = tuple[int, int]
"""Column and rotation."""


@dataclass
class MergeStep:
    """One step of a chain; cells in row-major order, as the board stood before it."""

    number: int
    groups: list[tuple[Cell, list[Cell]]]
    made: list[Numbered]
    points: int
    milestone: int = 0


class NaiveMergeDrop:
    """One game.

    Attributes:
        board: values by row and column, 0 empty.
        piece, following: the current and the next piece.
        clock, score, placed: pieces to the next rise, points, pieces placed.
        over: whether the game is over; cause: ``""``, ``"rise"`` or ``"full"``.
        rested: where first and second of the last piece came to rest.
        risen: the row that rose in the last placement, or None; after_rise: the steps of the chain after it.
    """

    def __init__(self, seed: str) -> None:
        self.streams = {label: stream_bytes(seed, label) for label in ("pieces", "rows")}
        self.board: Grid = [[EMPTY] * COLUMNS for _ in range(ROWS)]
        self.dealt = 0
        self.piece = self.deal_piece()
        self.following = self.deal_piece()
        self.clock = PIECES_PER_RISE
        self.score = 0
        self.placed = 0
        self.over = False
        self.cause = ""
        self.reported = False
        self.rested: list[Numbered] = []
        self.risen: list[int] | None = None
        self.after_rise: list[MergeStep] = []

    def number(self, label: str, piece: int) -> int:
        """The next number of a stream at the stage of that piece."""
        stage = min(3, piece // 25)
        return weighted(self.streams[label], [2, 4, 8, 16], [4, 3, 2, 1]) * [1, 2, 4, 8][stage]

    def deal_piece(self) -> tuple[int, int]:
        """The next piece of the deal."""
        piece = self.number("pieces", self.dealt), self.number("pieces", self.dealt)
        self.dealt += 1
        return piece

    def targets(self, placement: Placement) -> tuple[int, int]:
        """The columns of first and second."""
        column, rotation = placement
        if rotation == 0:
            return column, column + 1
        if rotation == 2:
            return column + 1, column
        return column, column

    def legal(self) -> list[Placement]:
        """All placements that fit, by column and rotation; none once the game is over."""
        if self.over:
            return []
        room = [line.count(EMPTY) for line in zip(*self.board, strict=True)]
        found = []
        for column in range(COLUMNS):
            standing = room[column] >= 3
            lying = column + 1 < COLUMNS and room[column] >= 2 and room[column + 1] >= 2
            for rotation, fits in enumerate([lying, standing, lying, standing]):
                if fits:
                    found.append((column, rotation))
        return found

    def place(self, placement: Placement) -> list[MergeStep]:
        """One placement, in the order of the rules; returns the steps of its own chain.

        Raises:
            ValueError: it does not fit; nothing has changed.
        """
        if placement not in self.legal():
            raise ValueError(f"{placement} does not fit")
        first, second = self.targets(placement)
        if placement[1] == 1:  # first stands above second, so second falls first
            lower = self.put(second, self.piece[1])
            self.rested = [self.put(first, self.piece[0]), lower]
        else:
            self.rested = [self.put(first, self.piece[0]), self.put(second, self.piece[1])]
        self.placed += 1
        self.risen, self.after_rise = None, []
        steps = self.chain()
        self.clock -= 1
        if self.clock == 0:
            self.rise()
            if any(self.board[0]):
                self.over, self.cause = True, "rise"
                return steps
            self.after_rise = self.chain()
        if not self.legal():
            self.over, self.cause = True, "full"
            return steps
        self.piece = self.following
        self.following = self.deal_piece()
        return steps

    def put(self, column: int, value: int) -> Numbered:
        """Let a tile fall to the lowest empty cell of a column; returns where it is and what."""
        row = max(row for row in range(ROWS) if self.board[row][column] == EMPTY)
        self.board[row][column] = value
        return row, column, value

    def rise(self) -> None:
        """Everything one row up, and six numbers at the bottom."""
        self.risen = [self.number("rows", self.placed) for _ in range(COLUMNS)]
        self.board = [*self.board[1:], list(self.risen)]
        self.clock = PIECES_PER_RISE

    def chain(self) -> list[MergeStep]:
        """Steps from 1 until no equal tiles touch."""
        steps: list[MergeStep] = []
        while True:
            groups = self.groups()
            if not groups:
                return steps
            steps.append(self.step(len(steps) + 1, groups))

    def groups(self) -> list[list[Cell]]:
        """All groups of two or more, each in row-major order: pairs that touch, joined where they share a tile."""
        groups: list[set[Cell]] = []
        for pair in self.pairs():
            shared = [group for group in groups if group & pair]
            groups = [group for group in groups if not group & pair]
            groups.append(pair.union(*shared))
        return sorted(sorted(group) for group in groups)

    def pairs(self) -> list[set[Cell]]:
        """All pairs of neighbouring equal tiles."""
        board = self.board
        across = [
            {(row, column), (row, column + 1)}
            for row, line in enumerate(board)
            if any(line)
            for column in range(COLUMNS - 1)
            if line[column] == line[column + 1] != EMPTY
        ]
        down = [
            {(row, column), (row + 1, column)}
            for row in range(ROWS - 1)
            if any(board[row])
            for column in range(COLUMNS)
            if board[row][column] == board[row + 1][column] != EMPTY
        ]
        return across + down

    def step(self, number: int, groups: list[list[Cell]]) -> MergeStep:
        """Merge, score, fall."""
        step = MergeStep(number, [], [], 0)
        for group in groups:
            row, column = group[0]
            value = self.board[row][column]
            made = value
            while made < value * len(group):  # times 2 to the ceiling of log2
                made *= 2
            lowest = max(row for row, _ in group)
            leftmost = min(column for row, column in group if row == lowest)
            step.groups.append(((lowest, leftmost), group))
            step.made.append((lowest, leftmost, made))
        step.made.sort()
        for group in groups:
            for row, column in group:
                self.board[row][column] = EMPTY
        for row, column, value in step.made:
            self.board[row][column] = value
        greatest = max(value for _, _, value in step.made)
        if greatest >= MILESTONE and not self.reported:
            self.reported = True
            step.milestone = greatest
        step.points = number * sum(value for _, _, value in step.made)
        self.score += step.points
        self.fall()
        return step

    def fall(self) -> None:
        """Every column keeps its order, and loses its gaps."""
        stacks = [[value for value in column if value != EMPTY] for column in zip(*self.board, strict=True)]
        columns = [[EMPTY] * (ROWS - len(stack)) + stack for stack in stacks]
        self.board = [list(line) for line in zip(*columns, strict=True)]
