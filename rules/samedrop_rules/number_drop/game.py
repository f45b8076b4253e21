"""The game number-drop, rules version 1 (docs/rules/number-drop.md).

Version 1: the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from samedrop_rules.deal import Deal
from samedrop_rules.discs.chance import Unknown, seed_chance
from samedrop_rules.discs.game import DiscGame
from samedrop_rules.discs.grid import Wave
from samedrop_rules.discs.move import read_column
from samedrop_rules.discs.tables import SIZE
from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Event, Move, Pace, Table, View
from samedrop_rules.number_drop.board import NumberDropBoard
from samedrop_rules.number_drop.clock import MODES
from samedrop_rules.number_drop.follow import follow
from samedrop_rules.number_drop.grid import NumberDropGrid
from samedrop_rules.options import Option
from samedrop_rules.race import RaceTable


class NumberDrop(DiscGame):
    """Number-drop: discs 1 to 7 on an almost empty board of 7 by 7, where whole rows are counted."""

    id = "number-drop"
    version = 1
    title = "Number-drop"
    pace = Pace.RACE
    max_seats = 16
    options = (
        Option("mode", "when rows rise: always after 30 drops, or ever faster", "normal", choices=tuple(MODES)),
        Option("start_discs", "numbered discs at the start", 3, 0, 7),
        Option("latent", "numbers under gray discs are fixed in advance, not drawn when they open", False),
    )
    streams = ("discs", "reveals", "rows", "start")

    def table(self, deal: Deal, seats: int, drop_limit: int | None = None) -> Table:
        """See `Game.table`."""
        chance = seed_chance(deal)
        drawn = deal.stream("start", SIZE)
        start = [(drawn[2 * disc], 1 + drawn[2 * disc + 1]) for disc in range(int(deal.options["start_discs"]))]
        mode, latent = str(deal.options["mode"]), bool(deal.options["latent"])
        return RaceTable(
            self, deal, seats, drop_limit, lambda: NumberDropBoard(chance, start, mode=mode, latent=latent)
        )

    def follow(self, view: View, events: Sequence[Event]) -> View:
        """See `Game.follow`."""
        return follow(view, events)

    def outlook(self, view: View, move: Move) -> tuple[int, ...]:
        """See `Game.outlook`: points of the whole move, then the lower column, then the one further left.

        A number that opens on the way stays unknown: it fills its cell and matches nothing. What clears after a
        rise counts.

        Raises:
            InvalidMove, IllegalMove
        """
        column = read_column(move)
        grid = NumberDropGrid.from_text(str(view["board"]))
        free = grid.free[column]
        if not free or view["ended"] is not None:
            raise IllegalMove(f"Column {column + 1} is full.", "move.column")
        unknown = Unknown()
        chain: list[Wave] = []
        chain_of_rise: list[Wave] = []
        grid.settle(grid.drop(column, cast("int", view["disc"])), chain, unknown)
        if view["clock"] == 1 and not grid.masks[0]:
            grid.settle(grid.rise(), chain_of_rise, unknown)
        return sum(wave[4] for wave in chain + chain_of_rise), free, -column
