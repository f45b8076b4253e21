"""The merge-drop board: placing, merging, falling, rising.

Holds no clock, score or chance. Cells are numbered in row-major order from the top left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

COLUMNS = 6
ROWS = 12
CELLS = COLUMNS * ROWS

_BESIDE = [
    [
        COLUMNS * r + c
        for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        if 0 <= r < ROWS and 0 <= c < COLUMNS
    ]
    for row in range(ROWS)
    for column in range(COLUMNS)
]
"""By cell: its neighbours."""


class Merge(NamedTuple):
    """One step of a chain; lists are in order of their cells, as the board stood before it.

    Attributes:
        number: which step of its chain, from 1.
        merged: (cell, cell where its group's new tile stands) of every tile of every group.
        made: (cell, value) of the new tiles.
        falls: (cell, cell where it comes to rest) of every tile that falls afterwards.
    """

    number: int
    merged: list[tuple[int, int]]
    made: list[tuple[int, int]]
    falls: list[tuple[int, int]]

    @property
    def points(self) -> int:
        """What the step scores."""
        return self.number * sum(value for _, value in self.made)


class Grid:
    """A board.

    Attributes:
        tiles: the value in each cell, 0 where it is empty.
        free: by column, how many cells are empty above its highest tile.
    """

    __slots__ = ("free", "tiles")

    def __init__(self, tiles: Iterable[int] = (0,) * CELLS) -> None:
        """A board of these tiles, none of which hangs in the air."""
        self.tiles = list(tiles)
        self.free = [self.tiles[column::COLUMNS].count(0) for column in range(COLUMNS)]

    def columns(self, column: int, rotation: int) -> tuple[int, int] | None:
        """The columns of a piece's first and second tile, or None where the placement does not fit."""
        if rotation & 1:
            return (column, column) if self.free[column] >= 3 else None
        if column + 1 == COLUMNS or self.free[column] < 2 or self.free[column + 1] < 2:
            return None
        return (column, column + 1) if rotation == 0 else (column + 1, column)

    def placements(self) -> list[tuple[int, int]]:
        """Column and rotation of every placement that fits, in that order."""
        return [
            (column, rotation)
            for column in range(COLUMNS)
            for rotation in range(4)
            if self.columns(column, rotation) is not None
        ]

    @property
    def full(self) -> bool:
        """Whether no placement fits."""
        free = self.free
        return max(free) < 3 and not any(free[column] >= 2 <= free[column + 1] for column in range(COLUMNS - 1))

    @property
    def steps_apart(self) -> int:
        """How many pairs of neighbours there are of which one is twice the other."""
        tiles = self.tiles
        return sum(tiles[beside] == 2 * value for cell, value in enumerate(tiles) if value for beside in _BESIDE[cell])

    def place(self, columns: tuple[int, int], rotation: int, piece: Sequence[int]) -> list[int]:
        """Let both tiles of a piece fall into `columns` (see there); returns the cells of first and second."""
        first, second = columns
        if rotation == 1:  # the second stands below
            lower = self._put(second, piece[1])
            return [self._put(first, piece[0]), lower]
        return [self._put(first, piece[0]), self._put(second, piece[1])]

    def _put(self, column: int, value: int) -> int:
        self.free[column] = row = self.free[column] - 1
        cell = COLUMNS * row + column
        self.tiles[cell] = value
        return cell

    def rise(self, numbers: Sequence[int]) -> list[int]:
        """Move every row up by one and fill the bottom row; returns its cells. The top row must be empty."""
        self.tiles = [*self.tiles[COLUMNS:], *numbers]
        self.free = [free - 1 for free in self.free]
        return list(range(CELLS - COLUMNS, CELLS))

    def settle(self, moved: list[int]) -> list[Merge]:
        """Run a chain from the tiles in the cells `moved`; elsewhere no equal tiles touch."""
        chain: list[Merge] = []
        while groups := self._groups(moved):
            merge = self._merge(len(chain) + 1, groups)
            chain.append(merge)
            landed = dict(merge.falls)
            moved = [*landed.values(), *(cell for cell, _ in merge.made if cell not in landed)]
        return chain

    def _groups(self, moved: list[int]) -> list[list[int]]:
        """The cells of every group of two or more that one of the tiles `moved` is in."""
        tiles = self.tiles
        groups: list[list[int]] = []
        grouped: set[int] = set()
        for cell in moved:
            if cell in grouped:
                continue
            value = tiles[cell]
            group = [cell]
            for member in group:  # which grows meanwhile
                for beside in _BESIDE[member]:
                    if tiles[beside] == value and beside not in group:
                        group.append(beside)
            if len(group) > 1:
                grouped.update(group)
                groups.append(sorted(group))
        return groups

    def _merge(self, number: int, groups: list[list[int]]) -> Merge:
        tiles = self.tiles
        merged: list[tuple[int, int]] = []
        made: list[tuple[int, int]] = []
        for group in groups:
            value = tiles[group[0]] << (len(group) - 1).bit_length()
            lowest_row = group[-1] - group[-1] % COLUMNS
            stands = next(cell for cell in group if cell >= lowest_row)
            for cell in group:
                tiles[cell] = 0
                merged.append((cell, stands))
            tiles[stands] = value
            made.append((stands, value))
        merged.sort()
        made.sort()
        return Merge(number, merged, made, self._fall({cell % COLUMNS for cell, _ in merged}))

    def _fall(self, columns: Iterable[int]) -> list[tuple[int, int]]:
        tiles = self.tiles
        falls: list[tuple[int, int]] = []
        for column in columns:
            to = CELLS - COLUMNS + column
            for cell in range(to, COLUMNS * self.free[column] - 1, -COLUMNS):
                if value := tiles[cell]:
                    if cell != to:
                        tiles[to], tiles[cell] = value, 0
                        falls.append((cell, to))
                    to -= COLUMNS
            self.free[column] = to // COLUMNS + 1
        falls.sort()
        return falls
