"""The game drop7, rules version 1 (docs/rules/drop7.md).

Version 1: the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from samedrop_rules.deal import Deal
from samedrop_rules.discs.chance import Unknown, seed_chance, tape_chance
from samedrop_rules.discs.game import DiscGame
from samedrop_rules.discs.move import read_column
from samedrop_rules.drop7.board import Drop7Board
from samedrop_rules.drop7.follow import follow
from samedrop_rules.drop7.grid import Grid, Wave
from samedrop_rules.drop7.tables import CLEAR_POINTS, RISE_POINTS
from samedrop_rules.drop7.tape import read_tape
from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Event, Move, Pace, Table, View
from samedrop_rules.options import Option
from samedrop_rules.race import RaceTable


class Drop7(DiscGame):
    """Drop7: discs 1 to 7 on a board of 7 by 7 that keeps rising."""

    id = "drop7"
    version = 1
    title = "Drop7"
    pace = Pace.RACE
    max_seats = 16
    options = (
        Option("start_rows", "covered rows at the start", 1, 0, 6),
        Option("latent", "numbers under gray discs are fixed in advance, not drawn when they open", False),
        Option("drops_per_rise", "drops until the board rises", 5, 1, 30),
    )
    streams = ("discs", "reveals", "rows")

    def read_tape(self, tape: object) -> Mapping[str, object]:
        """See `Game.read_tape` and `samedrop_rules.drop7.tape`."""
        return read_tape(tape)

    def table(self, deal: Deal, seats: int, drop_limit: int | None = None) -> Table:
        """See `Game.table`. A tape's numbers are fixed in advance whatever the option says, and its most moves are a
        drop limit.
        """
        if deal.tape is None:
            chance = seed_chance(deal)
        else:
            discs = cast("Sequence[int]", deal.tape["discs"])
            chance = tape_chance(discs, cast("Sequence[Sequence[int]]", deal.tape["latent_rows"]))
            moves = cast("int | None", deal.tape["maximum_moves"])
            drop_limit = min((limit for limit in (drop_limit, moves) if limit is not None), default=None)
        options = deal.options

        def new_board() -> Drop7Board:
            return Drop7Board(
                chance,
                latent=deal.tape is not None or bool(options["latent"]),
                start_rows=int(options["start_rows"]),
                drops_per_rise=int(options["drops_per_rise"]),
            )

        return RaceTable(self, deal, seats, drop_limit, new_board)

    def follow(self, view: View, events: Sequence[Event]) -> View:
        """See `Game.follow`."""
        return follow(view, events)

    def outlook(self, view: View, move: Move) -> tuple[int, ...]:
        """See `Game.outlook`: points of the whole move, then the lower column, then the one further left.

        A number that opens on the way stays unknown: it fills its cell and matches nothing. Points of the rise and
        of a clear board count.

        Raises:
            InvalidMove, IllegalMove
        """
        column = read_column(move)
        grid = Grid.from_text(str(view["board"]))
        free = grid.free[column]
        if not free or view["ended"] is not None:
            raise IllegalMove(f"Column {column + 1} is full.", "move.column")
        waves: list[Wave] = []
        unknown = Unknown()
        grid.settle(grid.drop(column, cast("int", view["disc"])), waves, unknown)
        points = 0
        if view["clock"] == 1 and not grid.masks[0]:
            points = RISE_POINTS
            grid.settle(grid.rise(), waves, unknown)
        points += sum(wave[4] for wave in waves)
        if grid.empty:
            points += CLEAR_POINTS
        return points, free, -column
