"""Combos: whether cells are one, and which ones a grid offers (docs/rules/dice-drop.md, Combos).

A grid is rows of characters from the top: ``.`` empty, ``X``, or a digit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from samedrop_rules.dice_drop.shapes import COLUMNS, ROWS, Cell

IDENTICAL, CONSECUTIVE = KINDS = ("identical", "consecutive")
SMALLEST, GREATEST = 3, 8
LISTED = 40
"""Combos of one size and kind that are listed at most."""

Grid = Sequence[Sequence[str]]
Neighbours = Mapping[Cell, Sequence[Cell]]


class Combo(NamedTuple):
    """Cells of one combo: in row-major order, or by number where they are consecutive."""

    kind: str
    cells: tuple[Cell, ...]


def neighbours_of(cell: Cell) -> list[Cell]:
    """The cells that share a side with this one, in row-major order."""
    row, column = cell
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [(y, x) for y, x in around if 0 <= y < ROWS and 0 <= x < COLUMNS]


def read_combo(grid: Grid, used: Collection[Cell], kind: str, cells: Collection[Cell]) -> Combo | None:
    """These cells as a combo of that kind; None if they are none. They are different cells of the grid, 3 to 8."""
    if any(cell in used or not grid[cell[0]][cell[1]].isdigit() for cell in cells):
        return None
    if kind == IDENTICAL:
        same = len({grid[row][column] for row, column in cells}) == 1
        return Combo(kind, tuple(sorted(cells))) if same and _connected(set(cells)) else None
    path = sorted(cells, key=lambda cell: grid[cell[0]][cell[1]])
    steps = pairwise(path)
    follows = all(int(grid[b[0]][b[1]]) == int(grid[a[0]][a[1]]) + 1 and b in neighbours_of(a) for a, b in steps)
    return Combo(kind, tuple(path)) if follows else None


def _connected(cells: set[Cell]) -> bool:
    reached = [next(iter(cells))]
    left = cells - set(reached)
    for cell in reached:
        beside = [one for one in neighbours_of(cell) if one in left]
        reached += beside
        left -= set(beside)
    return not left


def find_combos(
    grid: Grid, used: Set[Cell], sizes: Mapping[str, Collection[int]], listed: int = LISTED
) -> tuple[list[Combo], bool]:
    """Combos of these sizes (by kind) that the grid offers: greater ones first, identical before consecutive.

    Args: listed: how many of one size and kind, at most.

    Returns:
        the combos; and whether there are others.
    """
    cells = [
        (row, column)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if grid[row][column].isdigit() and (row, column) not in used
    ]
    found: list[Combo] = []
    more = False
    number = {cell: int(grid[cell[0]][cell[1]]) for cell in cells}
    near = {cell: [one for one in neighbours_of(cell) if one in number] for cell in cells}
    same = {cell: [one for one in near[cell] if number[one] == number[cell]] for cell in cells}
    above = {cell: [one for one in near[cell] if number[one] == number[cell] + 1] for cell in cells}
    groups, lengths = list(_components(same)), _lengths(above, number)
    for size in range(GREATEST, SMALLEST - 1, -1):
        for kind, ways in ((IDENTICAL, _groups(groups, same, size)), (CONSECUTIVE, _paths(above, lengths, size))):
            if size in sizes[kind]:
                for count, way in enumerate(ways):
                    if count == listed:
                        more = True
                        break
                    found.append(Combo(kind, way))
    return found, more


def _groups(groups: Sequence[Sequence[Cell]], same: Neighbours, size: int) -> Iterator[tuple[Cell, ...]]:
    """Every connected set of so many cells, once: by its first cell in row-major order, growing from there."""
    for group in groups:
        if len(group) >= size:
            for first in group:
                later = [cell for cell in same[first] if cell > first]
                yield from _grow(same, size, first, (first,), later, {first, *later})


def _components(same: Neighbours) -> Iterator[list[Cell]]:
    """The connected groups, each in row-major order."""
    seen: set[Cell] = set()
    for start in same:
        if start not in seen:
            group = [start]
            seen.add(start)
            for cell in group:
                beside = [one for one in same[cell] if one not in seen]
                seen.update(beside)
                group += beside
            yield sorted(group)


def _grow(
    same: Neighbours, size: int, first: Cell, taken: tuple[Cell, ...], open_: list[Cell], seen: set[Cell]
) -> Iterator[tuple[Cell, ...]]:
    """Sets that hold `taken` and grow by `open_` cells; `seen` are those beside or in it. Each comes once (ESU)."""
    if len(taken) == size:
        yield tuple(sorted(taken))
        return
    waiting = list(open_)
    while waiting:
        cell = waiting.pop(0)
        fresh = [one for one in same[cell] if one > first and one not in seen]
        yield from _grow(same, size, first, (*taken, cell), waiting + fresh, seen | set(fresh))


def _lengths(above: Neighbours, number: Mapping[Cell, int]) -> dict[Cell, int]:
    """How long the longest path upwards from each cell is."""
    lengths: dict[Cell, int] = {}
    for cell in sorted(number, key=lambda cell: -number[cell]):
        lengths[cell] = 1 + max([lengths[one] for one in above[cell]], default=0)
    return lengths


def _paths(above: Neighbours, lengths: Mapping[Cell, int], size: int) -> Iterator[tuple[Cell, ...]]:
    """Every path of so many cells upwards by one, by its first cell, then the second, and so on."""

    def onwards(path: tuple[Cell, ...]) -> Iterator[tuple[Cell, ...]]:
        if len(path) == size:
            yield path
            return
        for cell in above[path[-1]]:
            if len(path) + lengths[cell] >= size:
                yield from onwards((*path, cell))

    for start in above:
        if lengths[start] >= size:
            yield from onwards((start,))


def first_of_each(combos: Iterable[Combo]) -> list[Combo]:
    """The first combo of each size and kind."""
    firsts: dict[tuple[str, int], Combo] = {}
    for combo in combos:
        firsts.setdefault((combo.kind, len(combo.cells)), combo)
    return list(firsts.values())
