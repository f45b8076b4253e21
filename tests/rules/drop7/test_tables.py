"""Points and lines against plain counting."""

from __future__ import annotations

import math

import pytest

from samedrop_rules.discs.tables import DISC
from samedrop_rules.drop7.tables import ACROSS, ACROSS_CHANGE, POINTS


def test_points_are_the_published_ones() -> None:
    assert POINTS[1:9] == (7, 39, 109, 224, 391, 617, 907, 1267)


def test_points_in_whole_numbers_equal_the_formula() -> None:
    assert len(POINTS) > 56
    for wave, points in enumerate(POINTS):
        assert points == math.floor(7 * wave**2.5)
        assert points**2 <= 49 * wave**5 < (points + 1) ** 2


@pytest.mark.parametrize("row", range(7))
def test_lines_along_a_row(row: int) -> None:
    for mask in range(128):
        pieces = "".join("x" if mask >> column & 1 else "." for column in range(7))
        expected = 0
        for column in range(7):
            if pieces[column] == "x":
                length = len(pieces[:column].split(".")[-1]) + len(pieces[column:].split(".")[0])
                expected |= DISC[length][7 * row + column]
            change = ACROSS[row][mask] ^ ACROSS[row][mask ^ 1 << column]
            assert ACROSS_CHANGE[7 * row + column][mask] == change
        assert ACROSS[row][mask] == expected
