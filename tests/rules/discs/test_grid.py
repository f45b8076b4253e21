"""What games judge in ways of their own, tried on two small sets of rules."""

from __future__ import annotations

import pytest

from samedrop_rules.discs.chance import Unknown
from samedrop_rules.discs.grid import DiscGrid, Wave
from samedrop_rules.discs.tables import GRAYS, changes_across, lines_across


class EverySecondDisc(DiscGrid):
    """Along a row only a 2 matches, whatever else is there."""

    __slots__ = ()

    ACROSS = lines_across(lambda mask: [2 * (mask >> column & 1) for column in range(7)])
    ACROSS_CHANGE = changes_across(ACROSS)
    POINTS = range(0, 1000, 3)
    OPENED_BY_TWO = 0


class Bursting(EverySecondDisc):
    """The same, and two hits in one wave open a solid gray disc."""

    __slots__ = ()

    OPENED_BY_TWO = GRAYS


@pytest.mark.parametrize(("kind", "left"), [(EverySecondDisc, "9"), (Bursting, "0")])
def test_a_game_says_what_matches_what_it_gives_and_what_two_hits_do(kind: type[DiscGrid], left: str) -> None:
    grid = kind.from_text("0" * 42 + "2827000")
    waves: list[Wave] = []
    assert grid.settle(grid.matching, waves, Unknown())
    # A number that nobody knows fills its cell; its text form has none.
    assert grid.text == "0" * 42 + f"0{left}07000"
    assert grid.free == [7, 6, 7, 6, 7, 7, 7]
    assert [wave[4] for wave in waves] == [2 * 3]


def test_a_drop_and_a_rise_keep_what_matches() -> None:
    grid = EverySecondDisc()
    assert grid.drop(3, 2)
    assert not EverySecondDisc().drop(3, 3)
    assert grid.rise() == grid.matching != 0
    assert grid.text == "0" * 35 + "0002000" + "8888888"
