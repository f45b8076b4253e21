from __future__ import annotations

import pytest

from samedrop_rules.dice_drop.combos import Combo, find_combos, first_of_each, read_combo
from samedrop_rules.dice_drop.shapes import Cell
from tests.rules.dice_drop.positions import sheet_of

ALL = {"identical": range(3, 9), "consecutive": range(3, 9)}


@pytest.mark.parametrize(
    ("kind", "cells", "is_one"),
    [
        ("identical", [(13, 0), (13, 1), (12, 0)], True),
        ("identical", [(13, 0), (13, 1), (13, 2)], False),
        ("identical", [(13, 0), (13, 1), (12, 3)], False),
        ("consecutive", [(13, 3), (13, 2), (12, 3)], True),
        ("consecutive", [(13, 2), (13, 3), (13, 4)], False),
        ("consecutive", [(12, 5), (12, 6), (13, 6)], False),
        ("identical", [(13, 5), (13, 5), (12, 4)], False),
    ],
)
def test_what_is_a_combo(kind: str, cells: list[Cell], is_one: bool) -> None:
    sheet = sheet_of("2..5290", "2234X01")
    assert (read_combo(sheet.grid, sheet.used, kind, set(cells)) is not None) == is_one


def test_cells_are_told_by_number_or_by_row() -> None:
    sheet = sheet_of("2..5...", "2234...")
    assert read_combo(sheet.grid, set(), "consecutive", [(12, 3), (13, 3), (13, 2)]) == Combo(
        "consecutive", ((13, 2), (13, 3), (12, 3))
    )
    assert read_combo(sheet.grid, set(), "identical", [(13, 1), (12, 0), (13, 0)]) == Combo(
        "identical", ((12, 0), (13, 0), (13, 1))
    )


def test_a_cell_serves_once() -> None:
    sheet = sheet_of("222....")
    cells = [(13, 0), (13, 1), (13, 2)]
    assert read_combo(sheet.grid, {(13, 1)}, "identical", cells) is None
    assert find_combos(sheet.grid, {(13, 1)}, ALL) == ([], False)


def test_nine_is_not_followed_by_nought() -> None:
    sheet = sheet_of("8901...")
    assert find_combos(sheet.grid, set(), ALL) == ([], False)


def test_greater_ones_come_first_and_only_open_sizes() -> None:
    sheet = sheet_of("3333...", "1234...")
    found, more = find_combos(sheet.grid, set(), ALL)
    assert not more
    assert [(one.kind, len(one.cells)) for one in found[:2]] == [("identical", 5), ("identical", 4)]
    only, _ = find_combos(sheet.grid, set(), {"identical": [], "consecutive": [3]})
    assert {(one.kind, len(one.cells)) for one in only} == {("consecutive", 3)}
    assert len(first_of_each(found)) == len({(one.kind, len(one.cells)) for one in found})


def test_a_great_group_is_listed_in_part() -> None:
    sheet = sheet_of(*["7777777"] * 11)
    found, more = find_combos(sheet.grid, set(), ALL)
    assert more
    assert len(found) == 6 * 40
