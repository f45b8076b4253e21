"""The shapes of dice-drop, their orientations, and where they come to rest (docs/rules/dice-drop.md, Shapes)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

ROWS = 14
COLUMNS = 7

Cell = tuple[int, int]
"""Row from the top, and column."""

SHAPES: dict[str, tuple[tuple[int, int], ...]] = {
    "I": ((0, 0), (1, 0), (2, 0), (3, 0)),
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "T": ((0, 0), (1, 0), (2, 0), (1, 1)),
    "L": ((0, 0), (1, 0), (2, 0), (2, 1)),
    "S": ((0, 0), (1, 0), (1, 1), (2, 1)),
    "V3": ((0, 0), (1, 0), (0, 1)),
    "I3": ((0, 0), (1, 0), (2, 0)),
    "U5": ((0, 0), (1, 0), (2, 0), (0, 1), (2, 1)),
    "X5": ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2)),
    "T5": ((0, 2), (1, 2), (2, 2), (1, 1), (1, 0)),
}
"""The cells of each shape as (column, row up)."""


class Placement(NamedTuple):
    """How a shape is dropped: mirrored or not, then turned clockwise, with its leftmost column there."""

    mirror: bool
    turns: int
    column: int


class Oriented(NamedTuple):
    """A shape as mirrored and turned.

    Attributes:
        cells: (column, row up) from the leftmost column and lowest row, in the shape's order.
        bottoms: the lowest row of each of its columns.
        height: how many rows it takes.
    """

    cells: tuple[tuple[int, int], ...]
    bottoms: tuple[int, ...]
    height: int


@cache
def oriented(shape: str, mirror: bool, turns: int) -> Oriented:
    """The shape in that orientation."""
    cells = [(-x, y) if mirror else (x, y) for x, y in SHAPES[shape]]
    for _ in range(turns):
        cells = [(y, -x) for x, y in cells]
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    moved = tuple((x - left, y - low) for x, y in cells)
    width = max(x for x, _ in moved) + 1
    bottoms = tuple(min(y for at, y in moved if at == x) for x in range(width))
    return Oriented(moved, bottoms, max(y for _, y in moved) + 1)


@cache
def orientations(shape: str) -> tuple[tuple[bool, int], ...]:
    """Mirror and turns of each different orientation; of those that take the same cells the first."""
    found: dict[frozenset[tuple[int, int]], tuple[bool, int]] = {}
    for mirror in (False, True):
        for turns in range(4):
            found.setdefault(frozenset(oriented(shape, mirror, turns).cells), (mirror, turns))
    return tuple(found.values())


def landing(heights: Sequence[int], shape: str, placement: Placement) -> list[Cell] | None:
    """The cells in which the shape comes to rest, in its order; None where it does not fit.

    Args: heights: the filled height of each column.
    """
    cells, bottoms, height = oriented(shape, placement.mirror, placement.turns)
    column = placement.column
    if column + len(bottoms) > COLUMNS:
        return None
    base = 0
    for x, bottom in enumerate(bottoms, column):
        base = max(base, heights[x] - bottom)
    if base + height > ROWS:
        return None
    return [(ROWS - 1 - base - y, column + x) for x, y in cells]


def landings(heights: Sequence[int], shape: str) -> Iterator[tuple[Placement, list[Cell]]]:
    """Every different landing: by orientation, then from the left."""
    for mirror, turns in orientations(shape):
        for column in range(COLUMNS):
            placement = Placement(mirror, turns, column)
            cells = landing(heights, shape, placement)
            if cells is not None:
                yield placement, cells


def default_order(heights: Sequence[int], shape: str) -> list[Placement]:
    """All landings in the order in which the default move tries them (The default move)."""

    def key(found: tuple[Placement, list[Cell]]) -> tuple[int, bool, int, int, int]:
        placement, cells = found
        height = oriented(shape, placement.mirror, placement.turns).height
        return height, placement.mirror, placement.turns, -max(row for row, _ in cells), placement.column

    return [placement for placement, _ in sorted(landings(heights, shape), key=key)]
