"""One player's part of a dice-drop match: the grid, and what was scored (docs/rules/dice-drop.md, Rounds to Scoring).

What may be done when, and in which order, is `turn`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from samedrop_rules.dice_drop.combos import CONSECUTIVE, GREATEST, IDENTICAL, KINDS, SMALLEST, Combo
from samedrop_rules.dice_drop.shapes import COLUMNS, ROWS, Cell
from samedrop_rules.game import View

LINE = 3
"""Rows above this one, counted from the top, are above the line."""
FULL_ROW, ABOVE_LINE, ALL_SIZES = 2, -5, 10
TILE_NOTCHES = 4
COLUMN_SIZES = range(SMALLEST, GREATEST)
"""Sizes that are done once of each kind."""


class Sheet:
    """A player's grid and scores.

    Attributes:
        grid: rows from the top, each a list of characters: ``.``, ``X``, or a digit.
        used: the cells of combos.
        done: sizes 3 to 7 done, by kind.
        eight: whether size 8 is done.
        circled: letters.
        rows_scored: full rows that were counted.
        score: points.
        tiles: notches by letter; None where there are no tiles.
    """

    __slots__ = ("circled", "done", "eight", "grid", "heights", "rows_scored", "score", "tiles", "used")

    def __init__(self, tiles: Mapping[str, int] | None = None) -> None:
        self.grid = [["."] * COLUMNS for _ in range(ROWS)]
        self.heights = [0] * COLUMNS
        self.used: set[Cell] = set()
        self.done: dict[str, set[int]] = {kind: set() for kind in KINDS}
        self.eight = False
        self.circled: set[str] = set()
        self.rows_scored: set[int] = set()
        self.score = 0
        self.tiles = None if tiles is None else dict(tiles)

    def copy(self) -> Sheet:
        """A sheet of its own that is equal to this one."""
        other = Sheet(self.tiles)
        other.grid = [list(row) for row in self.grid]
        other.heights = list(self.heights)
        other.used = set(self.used)
        other.done = {kind: set(sizes) for kind, sizes in self.done.items()}
        other.eight = self.eight
        other.circled = set(self.circled)
        other.rows_scored = set(self.rows_scored)
        other.score = self.score
        return other

    @classmethod
    def seen(cls, view: View) -> Sheet:
        """The sheet that a view shows."""
        sheet = cls(cast("Mapping[str, int] | None", view["tiles"]))
        sheet.grid = [list(row) for row in cast("list[str]", view["grid"])]
        sheet.heights = [_height(sheet.grid, column) for column in range(COLUMNS)]
        sheet.used = {(row, column) for row, column in cast("list[list[int]]", view["used"])}
        sheet.done = {kind: set(cast("list[int]", view[kind])) for kind in KINDS}
        sheet.eight = bool(view["eight"])
        sheet.circled = set(cast("list[str]", view["circled"]))
        sheet.rows_scored = set(cast("list[int]", view["rows_scored"]))
        sheet.score = cast("int", view["score"])
        return sheet

    def shown(self) -> View:
        """What a view shows of it."""
        return {
            "circled": sorted(self.circled),
            "tiles": None if self.tiles is None else dict(self.tiles),
            "grid": ["".join(row) for row in self.grid],
            "used": sorted(map(list, self.used)),
            IDENTICAL: sorted(self.done[IDENTICAL]),
            CONSECUTIVE: sorted(self.done[CONSECUTIVE]),
            "eight": self.eight,
            "rows_scored": sorted(self.rows_scored),
            "score": self.score,
        }

    def fill(self, cells: Iterable[Cell], marks: Iterable[str]) -> None:
        """Write into empty cells."""
        for (row, column), mark in zip(cells, marks, strict=True):
            self.grid[row][column] = mark
            self.heights[column] = max(self.heights[column], ROWS - row)

    @property
    def open_sizes(self) -> dict[str, list[int]]:
        """The sizes of combos that can still be done, by kind."""
        eight = [] if self.eight else [GREATEST]
        return {kind: [size for size in COLUMN_SIZES if size not in self.done[kind]] + eight for kind in KINDS}

    def score_combo(self, combo: Combo) -> None:
        """Take the points of a combo, and use its cells."""
        size = len(combo.cells)
        self.used.update(combo.cells)
        self.score += size
        if size == GREATEST:
            self.eight = True
        else:
            self.done[combo.kind].add(size)

    def all_done(self, kind: str) -> bool:
        """Whether sizes 3 to 7 of a kind are done."""
        return len(self.done[kind]) == len(COLUMN_SIZES)

    def full_rows(self) -> list[int]:
        """Full rows below the line that are not counted yet."""
        rows = range(LINE, ROWS)
        return [row for row in rows if "." not in self.grid[row] and row not in self.rows_scored]

    def rows_above(self) -> list[int]:
        """Rows above the line with a filled cell."""
        return [row for row in range(LINE) if any(mark != "." for mark in self.grid[row])]

    def holes(self) -> int:
        """Empty cells with a filled one above in their column."""
        below = ((row, column) for column, height in enumerate(self.heights) for row in range(ROWS - height, ROWS))
        return sum(self.grid[row][column] == "." for row, column in below)


def _height(grid: list[list[str]], column: int) -> int:
    return next((ROWS - row for row in range(ROWS) if grid[row][column] != "."), 0)
