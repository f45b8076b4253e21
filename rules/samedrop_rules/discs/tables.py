"""Constants and tables of a board of discs, computed once at import.

A set of cells, or the discs of a whole board, is one whole number of 49 bytes. Cell 0 (top left) is the highest
byte, cell 48 (bottom right) the lowest, so the order is that of the text form. In the byte of a cell, bit n - 1
stands for number n (1 to 7) and bit 7 for gray. So one bit is a disc in its place, and is named by where it stands,
counted from 1 for the lowest: the bit length of a board that holds nothing else. Tables ``..._OF`` are indexed by that.

What a position does with them is `grid`.
"""

from __future__ import annotations

from collections.abc import Callable

SIZE = 7
CELLS = SIZE * SIZE
BITS = 8 * CELLS
ROW_BITS = 8 * SIZE
"""Shifting right by so many moves everything down by one row."""
SOLID, CRACKED = 8, 9
"""The gray discs in the text form."""
FULL_ROW = 2**SIZE - 1
"""The row mask of an occupied row; bit c of a row mask stands for column c."""


def bit(cell: int, number: int) -> int:
    """The board that holds nothing but `number` (8 for gray) in `cell`."""
    return 1 << (8 * (CELLS - 1 - cell) + number - 1)


def lines_across(lengths: Callable[[int], list[int]]) -> list[list[int]]:
    """``[row][mask]``: the number that matches along the row, in each occupied cell of a row of that mask.

    Args:
        lengths: for a row mask, the number that matches in each column, 0 where it is empty.
    """
    by_mask = [lengths(mask) for mask in range(FULL_ROW + 1)]
    return [
        [sum(bit(SIZE * row + column, length) for column, length in enumerate(line) if length) for line in by_mask]
        for row in range(SIZE)
    ]


def changes_across(across: list[list[int]]) -> list[list[int]]:
    """``[cell][mask]``: the bits of `lines_across` that change when `cell` fills or empties in a row of that mask.

    It is the same for the mask before and for the mask after.
    """
    return [
        [across[cell // SIZE][mask] ^ across[cell // SIZE][mask ^ 1 << cell % SIZE] for mask in range(FULL_ROW + 1)]
        for cell in range(CELLS)
    ]


def _down(column: int, free: int) -> int:
    return sum(bit(SIZE * row + column, SIZE - free) for row in range(free, SIZE))


def _beside(cell: int) -> list[int]:
    row, column = divmod(cell, SIZE)
    beside = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [SIZE * r + c for r, c in beside if 0 <= r < SIZE and 0 <= c < SIZE]


def _falls(column: int, free: int, cleared: int) -> list[tuple[int, int, int]]:
    falls = []
    deep = 0
    for row in range(SIZE - 1, free - 1, -1):
        if cleared >> row & 1:
            deep += 1
        elif deep:
            falls.append((row, column, row + deep))
    return falls[::-1]


# Entry 0 of these is no disc.
CELL_OF = [0, *(CELLS - 1 - index // 8 for index in range(BITS))]
NUMBER_OF = [0, *(index % 8 + 1 for index in range(BITS))]
COLUMN_OF = [cell % SIZE for cell in CELL_OF]
ROW_OF = [cell // SIZE for cell in CELL_OF]

BIT_OF = [1 << disc >> 1 for disc in range(BITS + 1)]
DISC = [[0] * CELLS] + [[bit(cell, number) for cell in range(CELLS)] for number in range(1, SOLID + 1)]
"""``DISC[number][cell]``: the board of that one disc (number 8: gray)."""
SOLID_ROW = sum(bit(CELLS - SIZE + column, SOLID) for column in range(SIZE))
GRAYS = sum(DISC[SOLID])

# A match is a disc whose own bit is also set in the numbers that its two lines would match; see `grid`.
DOWN = [[_down(column, free) for free in range(SIZE + 1)] for column in range(SIZE)]
"""``DOWN[column][free]``: the number that matches the line along the column, in each of its occupied cells, when its
top `free` cells are empty."""
DOWN_CHANGE = [DOWN[cell % SIZE][cell // SIZE] ^ DOWN[cell % SIZE][cell // SIZE + 1] for cell in range(CELLS)]
"""By cell: the bits of `DOWN` that change when it fills or empties at the top of its column."""

_ABOVE = [sum(0xFF << 8 * (CELLS - 1 - above) for above in range(cell % SIZE, cell, SIZE)) for cell in range(CELLS)]
ABOVE_OF = [_ABOVE[cell] for cell in CELL_OF]
"""All bits of the cells above, in the same column."""
GRAYS_ABOVE_OF = [above & GRAYS for above in ABOVE_OF]
"""The gray bits of the cells above, in the same column."""
_GRAYS_BESIDE = [sum(DISC[SOLID][beside] for beside in _beside(cell)) for cell in range(CELLS)]
GRAYS_BESIDE_OF = [_GRAYS_BESIDE[cell] for cell in CELL_OF]
"""The gray bits of the orthogonal neighbours."""

FALLS = [
    [[_falls(column, free, cleared) for cleared in range(2**SIZE)] for free in range(SIZE + 1)]
    for column in range(SIZE)
]
"""``FALLS[column][free][cleared]``: (row, column, to row) of each disc that falls, from the top, when the rows of the
mask `cleared` clear in a column whose top `free` cells were empty."""
