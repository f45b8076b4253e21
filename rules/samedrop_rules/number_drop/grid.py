"""The number-drop board: whole rows count, a gray disc cracks once a link (docs/rules/number-drop.md, Links)."""

from __future__ import annotations

from samedrop_rules.discs.grid import DiscGrid
from samedrop_rules.discs.tables import CELLS, SIZE, changes_across, lines_across


def _counts(mask: int) -> list[int]:
    """For each column how many discs stand in a row of that mask, 0 where it is empty."""
    return [mask.bit_count() if mask >> column & 1 else 0 for column in range(SIZE)]


class NumberDropGrid(DiscGrid):
    """A board of number-drop. A link is a wave here; the caller starts a chain by an empty list of waves."""

    __slots__ = ()

    ACROSS = lines_across(_counts)
    ACROSS_CHANGE = changes_across(ACROSS)
    # No chain is longer than the discs that can clear in it: a full board.
    POINTS = tuple(10 * link**2 for link in range(CELLS + 2))
    OPENED_BY_TWO = 0
