"""number-drop version 1, read off docs/rules/number-drop.md a second time: lists of lists, slow and obvious.

It shares no line with the real engine, so that the two can be held against each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.naive.deal import below, stream_bytes

SIZE = 7
EMPTY = 0
SOLID = 8
CRACKED = 9

Cell = tuple[int, int]
Numbered = tuple[int, int, int]
Grid = list[list[int]]


@dataclass
class Link:
    """One link of a chain; cells in row-major order, as the board stood before it."""

    number: int
    cleared: list[Numbered]
    cracked: list[Cell]
    opened: list[Numbered]
    points: int


class NaiveNumberDrop:
    """One game.

    Attributes:
        board: what is seen, 0 empty, 1-7 numbered, 8 solid gray, 9 cracked gray.
        hidden: in `latent` games the number under each gray disc, else zeros.
        disc, clock, score, drops: the disc shown, drops to the next rise, points, drops made.
        over: whether the game is over; cause: ``""``, ``"rise"`` or ``"full"``.
        laid: the numbers under every row that rose so far, in order; zeros where they are not fixed in advance.
        after_rise: the links of the last drop's second chain, or None where nothing rose.
    """

    def __init__(self, seed: str, *, mode: str = "normal", start_discs: int = 3, latent: bool = False) -> None:
        self.mode = mode
        self.latent = latent
        self.streams = {label: stream_bytes(seed, label) for label in ("start", "discs", "reveals", "rows")}
        self.board: Grid = [[EMPTY] * SIZE for _ in range(SIZE)]
        self.hidden: Grid = [[EMPTY] * SIZE for _ in range(SIZE)]
        self.laid: Grid = []
        self.drops = 0
        self.score = 0
        self.over = False
        self.cause = ""
        self.after_rise: list[Link] | None = None
        for _ in range(start_discs):
            column = below(self.streams["start"], 7)
            number = 1 + below(self.streams["start"], 7)
            self.put(column, number)
        self.chain()
        self.score = 0  # the start scores nothing
        self.clock = self.drops_to_next_rise()
        self.disc = 1 + below(self.streams["discs"], 7)

    @classmethod
    def at(cls, columns: list[list[int]], disc: int) -> NaiveNumberDrop:
        """A game in the middle: columns from left to right, each from the bottom up."""
        game = cls("position", start_discs=0)
        for column, numbers in enumerate(columns):
            for number in numbers:
                game.put(column, number)
        game.disc = disc
        return game

    def drops_to_next_rise(self) -> int:
        """What the clock is set to, after as many rises as there were."""
        if self.mode == "normal":
            return 30
        return [30, 25, 20, 15, 10][len(self.laid)] if len(self.laid) < 5 else 5

    def legal(self) -> list[int]:
        """The columns whose top cell is empty; none once the game is over."""
        return [] if self.over else [column for column in range(SIZE) if self.board[0][column] == EMPTY]

    def drop(self, column: int) -> list[Link]:
        """One drop, in the order of the rules; returns the links of its own chain.

        Raises:
            ValueError: that column cannot be chosen; nothing has changed.
        """
        if column not in self.legal():
            raise ValueError(f"column {column} cannot be chosen")
        self.put(column, self.disc)
        self.drops += 1
        self.after_rise = None
        links = self.chain()
        self.clock -= 1
        if self.clock == 0:
            if any(cell != EMPTY for cell in self.board[0]):
                self.over, self.cause = True, "rise"
                return links
            self.rise()
            self.clock = self.drops_to_next_rise()
            self.after_rise = self.chain()
        if all(cell != EMPTY for line in self.board for cell in line):
            self.over, self.cause = True, "full"
            return links
        self.disc = 1 + below(self.streams["discs"], 7)
        return links

    def put(self, column: int, number: int) -> None:
        """Let a disc fall to the lowest empty cell of a column."""
        row = max(row for row in range(SIZE) if self.board[row][column] == EMPTY)
        self.board[row][column] = number

    def rise(self) -> None:
        """Everything one row up, and seven solid gray discs at the bottom."""
        numbers = [1 + below(self.streams["rows"], 7) for _ in range(SIZE)] if self.latent else [0] * SIZE
        self.laid.append(numbers)
        self.board = [*self.board[1:], [SOLID] * SIZE]
        self.hidden = [*self.hidden[1:], list(numbers)]

    def chain(self) -> list[Link]:
        """Links from 1 until nothing matches."""
        links: list[Link] = []
        while True:
            matching = self.matching()
            if not matching:
                return links
            links.append(self.link(len(links) + 1, matching))

    def matching(self) -> list[Cell]:
        """The cells that hold a number which is the count of its whole row, or of its column."""
        in_row = [SIZE - line.count(EMPTY) for line in self.board]
        in_column = [SIZE - line.count(EMPTY) for line in zip(*self.board, strict=True)]
        return [
            (row, column)
            for row, line in enumerate(self.board)
            if in_row[row]
            for column, number in enumerate(line)
            if number in (in_row[row], in_column[column]) and 1 <= number <= SIZE
        ]

    def link(self, number: int, matching: list[Cell]) -> Link:
        """Clear, crack, score, fall."""
        cleared = [(row, column, self.board[row][column]) for row, column in matching]
        link = Link(number, cleared, [], [], len(matching) * 10 * number**2)
        beside = {cell for row, column in matching for cell in self.neighbours(row, column)}
        for row, column in sorted(beside):
            if self.board[row][column] == SOLID:
                link.cracked.append((row, column))
            elif self.board[row][column] == CRACKED:
                link.opened.append((row, column, self.number_under(row, column)))
        for row, column in matching:
            self.board[row][column] = EMPTY
        for row, column in link.cracked:
            self.board[row][column] = CRACKED
        for row, column, opened in link.opened:
            self.board[row][column] = opened
            self.hidden[row][column] = EMPTY
        self.score += link.points
        self.fall({column for _, column in matching})
        return link

    def neighbours(self, row: int, column: int) -> list[Cell]:
        """The cells on the board that share a side with that one."""
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [(r, c) for r, c in around if 0 <= r < SIZE and 0 <= c < SIZE]

    def number_under(self, row: int, column: int) -> int:
        """What the gray disc there turns out to be."""
        return self.hidden[row][column] if self.latent else 1 + below(self.streams["reveals"], 7)

    def fall(self, columns: set[int]) -> None:
        """These columns keep their order, and lose their gaps."""
        for column in columns:
            rows = [row for row in range(SIZE) if self.board[row][column] != EMPTY]
            for grid in (self.board, self.hidden):
                kept = [grid[row][column] for row in rows]
                for row, piece in enumerate([EMPTY] * (SIZE - len(kept)) + kept):
                    grid[row][column] = piece

    def text(self) -> str:
        """The 49-character form, row by row from the top."""
        return "".join("".join(map(str, line)) for line in self.board)
