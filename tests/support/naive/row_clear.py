"""A second row-clear, written from docs/rules/row-clear.md alone: slow, obvious, and sharing nothing with the engine.

The board is a set of filled cells (column letter, row from 1), each with the letter of its piece.
"""

from __future__ import annotations

from tests.support.naive.deal import below, stream_bytes

LETTERS = "ABCDEF"
PICTURES = {
    "I": ["####"],
    "O": ["##", "##"],
    "T": [".#.", "###"],
    "L": ["..#", "###"],
}
"""Rotation 0 as it looks, top line first."""


def turned(picture: list[str]) -> list[str]:
    """A quarter turn clockwise, as a picture: the first column, read upwards, becomes the first line."""
    return ["".join(line[column] for line in reversed(picture)) for column in range(len(picture[0]))]


def picture_of(piece: str, rotation: int) -> list[str]:
    picture = PICTURES[piece]
    for _ in range(rotation):
        picture = turned(picture)
    return picture


class NaiveRowClear:
    """One seat's run; in a team the caller says who decides."""

    def __init__(self, seed: str, queue: str = "fixed", pieces: int = 10, team: int = 1) -> None:
        self.queue = list("IOTLIOTLIO") if queue == "fixed" else seeded(seed, pieces)
        self.team = team
        self.attempts: list[tuple[int, int]] = []
        self.over = ""
        self.start()

    def start(self) -> None:
        self.board: dict[tuple[str, int], str] = {}
        self.used = 0
        self.rows = 0
        self.chooser = 0
        self.waiting: tuple[int, int] | None = None

    def where(self, rotation: int, column: int) -> list[tuple[str, int]] | None:
        """The cells in which the current piece comes to rest; None beyond the walls."""
        lines = list(reversed(picture_of(self.queue[self.used], rotation)))
        if column + len(lines[0]) > 6:
            return None
        bottom = 20
        while True:
            dots = [(x, y) for y, line in enumerate(lines) for x, dot in enumerate(line) if dot == "#"]
            cells = [(LETTERS[column + x], bottom + y) for x, y in dots]
            lower = [(letter, row - 1) for letter, row in cells]
            if any(row == 0 or (letter, row) in self.board for letter, row in lower):
                return cells
            bottom -= 1

    def place(self, rotation: int, column: int) -> list[int]:
        """Place the current piece; returns the rows that went. Above the board: `over`."""
        cells = self.where(rotation, column)
        assert cells is not None
        if any(row > 8 for _, row in cells):
            self.over = "too_high"
            return []
        for cell in cells:
            self.board[cell] = self.queue[self.used]
        full = [row for row in range(1, 9) if all((letter, row) in self.board for letter in LETTERS)]
        kept = {}
        for (letter, row), piece in self.board.items():
            if row not in full:
                kept[letter, row - len([gone for gone in full if gone < row])] = piece
        self.board = kept
        self.rows += len(full)
        self.used += 1
        if self.used == len(self.queue):
            self.over = "queue"
        return full

    def restart(self) -> None:
        self.attempts.append((self.used, self.rows))
        self.start()

    def wire_board(self) -> list[list[int]]:
        return [[" IOTL".find(self.board.get((letter, row), " ")) for letter in LETTERS] for row in range(8, 0, -1)]


def seeded(seed: str, pieces: int) -> list[str]:
    stream = stream_bytes(seed, "pieces")
    queue: list[str] = []
    while len(queue) < pieces:
        bag = ["I", "O", "T", "L"]
        for i in (3, 2, 1):
            j = below(stream, i + 1)
            bag[i], bag[j] = bag[j], bag[i]
        queue += bag
    return queue[:pieces]
