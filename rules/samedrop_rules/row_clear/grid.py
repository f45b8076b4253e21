"""The bare board of row-clear: pieces, where they come to rest, and full rows (docs/rules/row-clear.md, A placement).

Rows count from 0 at the bottom here; in events and views they count from the top (`wire_row`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

ROWS = 8
COLUMNS = 6
KINDS = "IOTL"
"""The pieces; on the board a cell holds its piece's number, from 1 in this order, or 0."""
_SHAPES = {
    "I": ((0, 0), (1, 0), (2, 0), (3, 0)),
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "T": ((0, 0), (1, 0), (2, 0), (1, 1)),
    "L": ((0, 0), (1, 0), (2, 0), (2, 1)),
}
ROTATIONS = {"I": (0, 1), "O": (0,), "T": (0, 1, 2, 3), "L": (0, 1, 2, 3)}
"""Rotations that lead to distinct shapes."""

Cell = tuple[int, int]
"""Row and column."""


def _turned(shape: Sequence[Cell]) -> tuple[Cell, ...]:
    """A quarter turn clockwise: right becomes down."""
    turned = [(y, -x) for x, y in shape]
    low = min(y for _, y in turned)
    return tuple((x, y - low) for x, y in turned)


def _all_shapes() -> dict[tuple[str, int], tuple[Cell, ...]]:
    shapes = {}
    for kind, cells in _SHAPES.items():
        shape: tuple[Cell, ...] = cells
        for rotation in range(4):
            shapes[kind, rotation] = tuple(sorted((y, x) for x, y in shape))
            shape = _turned(shape)
    return shapes


SHAPES = _all_shapes()
"""The cells of each piece and rotation, from its leftmost column and lowest row, in row-major order from the bottom."""


def wire_row(row: int) -> int:
    """A row as it is told: counted from the top."""
    return ROWS - 1 - row


class Grid:
    """A board.

    Attributes:
        rows: the cells, row by row from the bottom, each from the left.
    """

    __slots__ = ("rows",)

    def __init__(self, rows: Iterable[Iterable[int]] = ()) -> None:
        """Args: rows: from the bottom; those above are empty."""
        self.rows = [list(row) for row in rows]
        self.rows += [[0] * COLUMNS for _ in range(ROWS - len(self.rows))]

    def height(self, column: int) -> int:
        """The row above the highest filled cell of a column."""
        for row in range(ROWS - 1, -1, -1):
            if self.rows[row][column]:
                return row + 1
        return 0

    def landing(self, kind: str, rotation: int, column: int) -> list[Cell] | None:
        """Where the piece comes to rest, perhaps above the board; None where it reaches beyond a wall."""
        shape = SHAPES[kind, rotation]
        if column + max(x for _, x in shape) >= COLUMNS:
            return None
        lowest: dict[int, int] = {}
        for y, x in shape:
            lowest.setdefault(x, y)
        down = max(self.height(column + x) - y for x, y in lowest.items())
        down = max(down, 0)
        return [(down + y, column + x) for y, x in shape]

    def put(self, cells: Iterable[Cell], kind: str) -> None:
        """Mark the cells of a piece."""
        for row, column in cells:
            self.rows[row][column] = KINDS.index(kind) + 1

    def clear(self) -> list[int]:
        """Take out all full rows at once; returns which, from the bottom."""
        full = [row for row, cells in enumerate(self.rows) if all(cells)]
        if full:
            self.rows = [cells for cells in self.rows if not all(cells)]
            self.rows += [[0] * COLUMNS for _ in full]
        return full

    def holes(self) -> int:
        """Empty cells with a filled one above them."""
        return sum(
            not self.rows[row][column] for column in range(COLUMNS) for row in range(self.height(column))
        )  # fmt: skip


def placements(kind: str) -> list[tuple[int, int]]:
    """Column and rotation of every distinct placement, from the left, by rotation."""
    return [
        (column, rotation)
        for column in range(COLUMNS)
        for rotation in ROTATIONS[kind]
        if column + max(x for _, x in SHAPES[kind, rotation]) < COLUMNS
    ]


def falls(full: Sequence[int]) -> list[tuple[int, int]]:
    """From and to row of every row that moves down when the `full` ones go."""
    gone = set(full)
    return [
        (row, row - sum(other < row for other in full))
        for row in range(min(full, default=ROWS), ROWS)
        if row not in gone
    ]
