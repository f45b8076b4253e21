"""Where the numbers of a merge-drop deal come from (docs/rules/merge-drop.md, Chance)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from samedrop_rules.deal import Deal
from samedrop_rules.merge_drop.grid import COLUMNS

PIECES_PER_RISE = 8
PIECES_PER_STAGE = 25
LAST_STAGE = 3
# The cumulated weights 4, 3, 2, 1 written out: the number that each draw below ten chooses.
_NUMBERS = (2, 2, 2, 2, 4, 4, 4, 8, 8, 16)


class Chance(NamedTuple):
    """The numbers of a deal.

    Attributes:
        piece: first and second of piece k, as a list of its own.
        row: the six numbers of the g-th row to rise.
    """

    piece: Callable[[int], list[int]]
    row: Callable[[int], list[int]]


def stage(piece: int) -> int:
    """The stage of a piece: its numbers are times two to that power."""
    return min(LAST_STAGE, piece // PIECES_PER_STAGE)


def seed_chance(deal: Deal) -> Chance:
    """The numbers of a seed."""
    pieces = deal.stream("pieces", len(_NUMBERS))
    rows = deal.stream("rows", len(_NUMBERS))

    def piece(k: int) -> list[int]:
        power = stage(k)
        return [_NUMBERS[pieces[2 * k]] << power, _NUMBERS[pieces[2 * k + 1]] << power]

    def row(g: int) -> list[int]:
        power = stage(PIECES_PER_RISE * (g + 1))  # of the piece that comes next
        return [_NUMBERS[rows[k]] << power for k in range(COLUMNS * g, COLUMNS * (g + 1))]

    return Chance(piece, row)
