"""Where the seats of a match stand, and its result, in the forms in which they are told."""

from __future__ import annotations

from collections.abc import Sequence

from samedrop_protocol import model
from samedrop_rules import Table


def progress(table: Table) -> list[model.SeatProgress]:
    """Where every seat stands."""
    return [
        model.SeatProgress(seat=seat, turn=table.turn(seat), score=table.score(seat), ended=table.ended(seat))
        for seat in range(table.seats)
    ]


def standings(table: Table, seats: Sequence[model.Seat]) -> list[model.Standing]:
    """The result, once the table is over."""
    return [
        model.Standing(
            seat=row.seat,
            player=seats[row.seat].player,
            name=seats[row.seat].name,
            partner=seats[row.seat].partner,
            rank=row.rank,
            score=row.score,
            turns=row.turns,
            ended=row.ended.value,
        )
        for row in table.outcome()
    ]
