from __future__ import annotations

import pytest

from samedrop_rules.dice_drop.shapes import Placement, default_order, landing, landings, orientations, oriented

FLAT = [0] * 7


def test_cells_are_carried_along() -> None:
    assert oriented("T", False, 1).cells == ((0, 2), (0, 1), (0, 0), (1, 1))
    assert landing(FLAT, "T", Placement(False, 1, 3)) == [(11, 3), (12, 3), (13, 3), (12, 4)]
    assert oriented("L", True, 0).cells == ((2, 0), (1, 0), (0, 0), (0, 1))


@pytest.mark.parametrize(
    ("shape", "count"),
    [("I", 2), ("O", 1), ("T", 4), ("L", 8), ("S", 4), ("V3", 4), ("I3", 2), ("U5", 4), ("X5", 1), ("T5", 4)],
)
def test_different_orientations(shape: str, count: int) -> None:
    assert len(orientations(shape)) == count
    assert orientations(shape)[0] == (False, 0)


def test_a_shape_stands_on_the_first_thing_it_meets() -> None:
    heights = [0, 3, 0, 0, 0, 0, 0]
    assert landing(heights, "I", Placement(False, 0, 0)) == [(10, 0), (10, 1), (10, 2), (10, 3)]
    assert landing(heights, "T", Placement(False, 2, 0)) == [(9, 2), (9, 1), (9, 0), (10, 1)]
    assert landing(heights, "S", Placement(False, 0, 5)) is None


def test_nothing_rests_above_the_grid() -> None:
    assert landing([11] * 7, "I", Placement(False, 0, 0)) is not None
    assert landing([11] * 7, "I", Placement(False, 1, 0)) is None
    assert landing([11] * 7, "X5", Placement(False, 0, 0)) is not None
    assert landing([12] * 7, "X5", Placement(False, 0, 0)) is None


def test_every_landing_is_another_one() -> None:
    for shape in ("I", "O", "T", "L", "S", "U5"):
        found = [frozenset(cells) for _, cells in landings(FLAT, shape)]
        assert len(found) == len(set(found))


def test_the_default_lies_flat_and_low_then_left() -> None:
    heights = [2, 2, 2, 1, 1, 1, 0]
    assert default_order(heights, "I")[0] == Placement(False, 0, 3)
    assert default_order([2, 1, 1, 1, 1, 0, 0], "I")[0] == Placement(False, 0, 1)
    assert default_order(heights, "O")[0] == Placement(False, 0, 3)
    order = default_order(FLAT, "T")
    assert [placement.turns for placement in order[:10]] == [0] * 5 + [2] * 5
