"""The drop7 board: unbroken lines, points by waves, and gray discs that two hits open (docs/rules/drop7.md, Waves)."""

from __future__ import annotations

from samedrop_rules.discs.grid import DiscGrid, Wave
from samedrop_rules.discs.tables import GRAYS
from samedrop_rules.drop7.tables import ACROSS, ACROSS_CHANGE, POINTS

__all__ = ["Grid", "Wave"]


class Grid(DiscGrid):
    """A board of drop7."""

    __slots__ = ()

    ACROSS = ACROSS
    ACROSS_CHANGE = ACROSS_CHANGE
    POINTS = POINTS
    OPENED_BY_TWO = GRAYS
