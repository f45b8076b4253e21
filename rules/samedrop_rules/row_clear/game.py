"""The game row-clear, rules version 1 (docs/rules/row-clear.md).

Version 1: the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from samedrop_rules.deal import Deal
from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Event, Game, Move, Pace, Table, View
from samedrop_rules.options import Option
from samedrop_rules.race import RaceTable
from samedrop_rules.row_clear.board import RowClearBoard
from samedrop_rules.row_clear.chance import FIXED, Queue
from samedrop_rules.row_clear.events import LETTERS, describe, summary
from samedrop_rules.row_clear.follow import follow
from samedrop_rules.row_clear.grid import COLUMNS, ROWS, Grid, placements, wire_row
from samedrop_rules.row_clear.move import parse_decision, read_decision

_SIGNS = ".IOTL"


class RowClear(Game):
    """Row-clear: a queue of four-cell pieces, full rows go, one attempt after another; alone or in teams of two."""

    id = "row-clear"
    version = 1
    title = "Row-clear"
    pace = Pace.SHARED
    max_seats = 16
    options = (
        Option("queue", "the ten fixed pieces, or dealt from the seed", "fixed", choices=("fixed", "seeded")),
        Option("pieces", "length of a seeded queue", len(FIXED), 1, 100),
        Option("team", "players of a board: one, or a chooser and a checker", 1, 1, 2),
    )
    streams = ("pieces",)

    def team(self, options: Mapping[str, object]) -> int:
        """See `Game.team`."""
        return cast("int", options["team"])

    def table(self, deal: Deal, seats: int, drop_limit: int | None = None) -> Table:
        """See `Game.table`."""
        queue, team = Queue(deal), self.team(deal.options)
        return RaceTable(self, deal, seats, drop_limit, lambda: RowClearBoard(queue, team))

    def legal(self, view: View) -> list[Move]:
        """See `Game.legal`: placements from the left, by rotation; or to confirm. Not listed: reject and restart."""
        if view["ended"] is not None:
            return []
        if view["pending"] is not None:
            return [{"confirm": True, "by": 1 - cast("int", view["chooser"])}]
        moves = [{"rotation": rotation, "column": column} for column, rotation in placements(_piece(view))]
        by = {"by": view["chooser"]} if view["team"] != 1 else {}
        return [{**move, **by} for move in moves]

    def follow(self, view: View, events: Sequence[Event]) -> View:
        """See `Game.follow`."""
        return follow(view, events)

    def outlook(self, view: View, move: Move) -> tuple[int, ...]:
        """See `Game.outlook`: rows cleared, then not above the board, a lower top, fewer holes, a lower landing.

        Last come the column further left and the smaller rotation. A placement that is to be checked is confirmed.

        Raises:
            InvalidMove, IllegalMove
        """
        chosen = read_decision(move)
        if chosen.kind != "place":
            return 0, int(chosen.kind == "confirm"), 0, 0, 0, 0, 0
        grid, piece = _grid(view), _piece(view)
        cells = grid.landing(piece, chosen.rotation, chosen.column)
        if cells is None or view["ended"] is not None:
            raise IllegalMove("The piece would reach beyond the wall.", "move.column")
        last = (-chosen.column, -chosen.rotation)
        if max(row for row, _ in cells) >= ROWS:
            return 0, 0, -ROWS, -grid.holes(), -min(cells)[0], *last
        grid.put(cells, piece)
        cleared = len(grid.clear())
        top = max(map(grid.height, range(COLUMNS)))
        return cleared, 1, -top, -grid.holes(), -min(cells)[0], *last

    def advise(self, view: View, draft: Move) -> dict[str, object]:
        """See `Game.advise`: the moves, and of each placement the cells; none where it reaches above the board."""
        moves = self.legal(view)
        if view["ended"] is not None or view["pending"] is not None:
            return {"moves": moves}
        grid, piece = _grid(view), _piece(view)
        return {"moves": [{**move, "cells": _landing(grid, piece, move)} for move in moves]}

    def parse_move(self, text: str, view: View) -> Move:
        """See `Game.parse_move`: ``3``, ``C r1``, ``confirm``, ``reject too high`` or ``restart``."""
        return parse_decision(text)

    def render(self, view: View) -> list[str]:
        """See `Game.render`: rows as people count them, ``.`` is empty."""
        lines = [
            f"{ROWS - number} " + " ".join(_SIGNS[cell] for cell in row)
            for number, row in enumerate(cast("list[list[int]]", view["board"]))
        ]
        lines.append("  " + " ".join(LETTERS))
        lines.append("over" if view["ended"] else self.prompt(view))
        lines.append(f"rows {view['score']}, pieces {view['used']} of {view['pieces']}, attempt {view['attempt']}")
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
        if view["ended"]:
            return "nothing"
        queue, used = cast("list[str]", view["queue"]), cast("int", view["used"])
        following = f", then {queue[used + 1]}" if used + 1 < len(queue) else ""
        if view["pending"] is None:
            return f"piece {queue[used]}{following}"
        pending = cast("dict[str, int]", view["pending"])
        chosen = f"{queue[used]} r{pending['rotation']} from {LETTERS[pending['column']]}"
        return f"check {chosen}{following}: confirm, or reject and why"


def _grid(view: View) -> Grid:
    return Grid(reversed(cast("list[list[int]]", view["board"])))


def _piece(view: View) -> str:
    return cast("list[str]", view["queue"])[cast("int", view["used"])]


def _landing(grid: Grid, piece: str, move: Move) -> list[list[int]]:
    cells = grid.landing(piece, cast("int", move["rotation"]), cast("int", move["column"]))
    if cells is None or max(row for row, _ in cells) >= ROWS:
        return []
    return sorted([wire_row(row), column] for row, column in cells)
