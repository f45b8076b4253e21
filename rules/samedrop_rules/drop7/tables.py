"""What drop7 counts its lines and points by, computed once at import. The board's own tables are `discs.tables`."""

from __future__ import annotations

from math import isqrt

from samedrop_rules.discs.tables import CELLS, SIZE, changes_across, lines_across

RISE_POINTS = 17_000
CLEAR_POINTS = 70_000
# No chain is longer than the discs that can clear in one move: a full board and one risen row.
POINTS = tuple(isqrt(49 * wave**5) for wave in range(CELLS + SIZE + 2))
"""Points of one disc that clears in wave d: floor(7 · d^2.5), in whole numbers (docs/rules/drop7.md, Waves)."""


def _runs(mask: int) -> list[int]:
    """For each column the length of the unbroken line through it in a row of that mask, 0 where it is empty."""
    lengths = [0] * SIZE
    start = 0
    for column in range(SIZE + 1):
        if not mask >> column & 1:
            lengths[start:column] = [column - start] * (column - start)
            start = column + 1
    return lengths


ACROSS = lines_across(_runs)
"""See `lines_across`: the unbroken line through each cell."""
ACROSS_CHANGE = changes_across(ACROSS)
