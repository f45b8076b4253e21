"""When rows rise."""

from __future__ import annotations

from itertools import accumulate

import pytest

from samedrop_rules.number_drop.clock import MODES, drops_between, drops_left


def test_the_intervals() -> None:
    assert [drops_between("normal", rises) for rises in range(4)] == [30] * 4
    assert [drops_between("sequence", rises) for rises in range(8)] == [30, 25, 20, 15, 10, 5, 5, 5]


@pytest.mark.parametrize("mode", MODES)
def test_counting_from_the_start_equals_counting_from_rise_to_rise(mode: str) -> None:
    rises = list(accumulate(drops_between(mode, number) for number in range(40)))
    for drops in range(rises[-1]):
        following = next(rise for rise in rises if rise > drops)
        assert drops_left(mode, drops) == following - drops
