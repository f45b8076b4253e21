"""The game merge-drop, rules version 1 (docs/rules/merge-drop.md).

Version 1: the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from samedrop_rules.deal import Deal
from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Event, Game, Move, Pace, Table, View
from samedrop_rules.merge_drop.board import MergeDropBoard
from samedrop_rules.merge_drop.chance import seed_chance
from samedrop_rules.merge_drop.events import describe, spaced, summary
from samedrop_rules.merge_drop.follow import follow
from samedrop_rules.merge_drop.grid import CELLS, COLUMNS, Grid
from samedrop_rules.merge_drop.move import parse_placement, read_placement
from samedrop_rules.race import RaceTable


class MergeDrop(Game):
    """Merge-drop: pieces of two number tiles on a tall board, where equal ones that touch become one."""

    id = "merge-drop"
    version = 1
    title = "Merge-drop"
    pace = Pace.RACE
    max_seats = 16
    options = ()
    streams = ("pieces", "rows")

    def table(self, deal: Deal, seats: int, drop_limit: int | None = None) -> Table:
        """See `Game.table`."""
        chance = seed_chance(deal)
        return RaceTable(self, deal, seats, drop_limit, lambda: MergeDropBoard(chance))

    def legal(self, view: View) -> list[Move]:
        """See `Game.legal`: from the left, by rotation."""
        if view["ended"] is not None:
            return []
        return [{"column": column, "rotation": rotation} for column, rotation in _grid(view).placements()]

    def follow(self, view: View, events: Sequence[Event]) -> View:
        """See `Game.follow`."""
        return follow(view, events)

    def outlook(self, view: View, move: Move) -> tuple[int, ...]:
        """See `Game.outlook`: points of the chain, then fewer tiles, a lower highest column, more pairs one merge away.

        Last come the column further left and the smaller rotation. What a rise may bring is not counted.

        Raises:
            InvalidMove, IllegalMove
        """
        column, rotation = read_placement(move)
        grid = _grid(view)
        columns = grid.columns(column, rotation)
        if columns is None or view["ended"] is not None:
            raise IllegalMove("The piece does not fit there.", "move.column")
        cells = grid.place(columns, rotation, cast("list[int]", view["piece"]))
        points = sum(merge.points for merge in grid.settle(cells))
        return points, sum(grid.free), min(grid.free), grid.steps_apart, -column, -rotation

    def parse_move(self, text: str, view: View) -> Move:
        """See `Game.parse_move`: ``3``, ``3 r1`` or ``drop 3 1``, columns counted from 1."""
        return parse_placement(text)

    def render(self, view: View) -> list[str]:
        """See `Game.render`: ``.`` is empty, ``-`` the same in the top row."""
        tiles = _grid(view).tiles
        shown = [str(value) if value else "-" if cell < COLUMNS else "." for cell, value in enumerate(tiles)]
        shown += [str(column + 1) for column in range(COLUMNS)]
        cell_width = max(3, *map(len, shown))
        lines = [
            " ".join(text.rjust(cell_width) for text in shown[start : start + COLUMNS])
            for start in range(0, CELLS + COLUMNS, COLUMNS)
        ]
        lines.append("over" if view["ended"] else self.prompt(view))
        lines.append(f"score {view['score']:,}, pieces {view['turn']}")
        width = max(map(len, lines))
        return [line.ljust(width) for line in lines]

    def describe(self, events: Sequence[Event]) -> list[str]:
        """See `Game.describe`."""
        return describe(events)

    def summary(self, events: Sequence[Event]) -> str:
        """See `Game.summary`."""
        return summary(events)

    def prompt(self, view: View) -> str:
        """See `Game.prompt`."""
        piece, following = (spaced(cast("list[int]", view[key])) for key in ("piece", "next"))
        return f"piece {piece}, then {following}, rise in {view['clock']}"


def _grid(view: View) -> Grid:
    return Grid(value for row in cast("list[list[int]]", view["board"]) for value in row)
