"""Lines and points of the number-drop board against plain counting."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from samedrop_rules.discs.tables import CELL_OF
from samedrop_rules.number_drop.grid import NumberDropGrid
from tests.rules.number_drop.test_board import text_of

COLUMNS = st.lists(st.text("123456789", max_size=7), min_size=7, max_size=7)


def cells_matching(text: str) -> set[int]:
    """The rule, spelled out: a number equal to how many discs stand in its row, or in its column."""
    rows = [7 - text[7 * row : 7 * row + 7].count("0") for row in range(7)]
    columns = [7 - text[column::7].count("0") for column in range(7)]
    return {cell for cell in range(49) if text[cell] != "0" and int(text[cell]) in (rows[cell // 7], columns[cell % 7])}


@given(COLUMNS)
def test_matching_is_the_rule(columns: list[str]) -> None:
    text = text_of(*columns)
    matching = NumberDropGrid.from_text(text).matching
    assert {CELL_OF[disc] for disc in range(1, 393) if matching >> (disc - 1) & 1} == cells_matching(text)


def test_points_are_ten_times_the_square_of_the_link() -> None:
    assert NumberDropGrid.POINTS[1:6] == (10, 40, 90, 160, 250)
