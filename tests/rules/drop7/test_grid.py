"""The board as bits: text form, dropping, rising, waves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samedrop_rules.discs.chance import Unknown
from samedrop_rules.discs.tables import CELL_OF, DOWN, NUMBER_OF
from samedrop_rules.drop7.grid import Grid, Wave
from samedrop_rules.drop7.tables import ACROSS
from tests.rules.drop7.positions import board_text

COLUMNS = st.lists(st.text("123456789", max_size=7), min_size=7, max_size=7)


def text_of(columns: list[str]) -> str:
    stacked = [column.rjust(7, "0") for column in columns]
    return "".join(stacked[column][row] for row in range(7) for column in range(7))


def cells_matching(text: str) -> set[int]:
    """The rule, spelled out: a number equal to the unbroken line through it, along its row or its column."""

    def length(cell: int, step: int, room: int) -> int:
        count = 0
        while count <= room and text[cell + step * count] != "0":
            count += 1
        return count - 1

    found = set()
    for cell in range(49):
        row, column = divmod(cell, 7)
        if text[cell] in "1234567":
            across = 1 + length(cell, -1, column) + length(cell, 1, 6 - column)
            down = 1 + length(cell, -7, row) + length(cell, 7, 6 - row)
            if int(text[cell]) in (across, down):
                found.add(cell)
    return found


class AllThrees:
    """Every gray disc holds a 3."""

    def open(self, opening: int, discs: int) -> list[int]:
        return [disc - 5 for disc in range(392, 0, -1) if opening >> (disc - 1) & 1]


def discs_in(bits: int) -> list[tuple[int, int]]:
    return [(CELL_OF[disc], NUMBER_OF[disc]) for disc in range(392, 0, -1) if bits >> (disc - 1) & 1]


@given(COLUMNS)
def test_text_there_and_back(columns: list[str]) -> None:
    text = text_of(columns)
    grid = Grid.from_text(text)
    assert grid.text == text
    assert grid.free == [7 - len(column) for column in columns]
    assert grid.empty == (text == "0" * 49)


@given(COLUMNS)
def test_matching_is_the_rule(columns: list[str]) -> None:
    text = text_of(columns)
    matching = discs_in(Grid.from_text(text).matching)
    assert {cell for cell, _ in matching} == cells_matching(text)
    assert all(text[cell] == str(number) for cell, number in matching)


@given(COLUMNS, st.lists(st.tuples(st.integers(0, 6), st.integers(1, 7)), max_size=20))
def test_what_is_kept_step_by_step_is_what_the_text_gives(columns: list[str], drops: list[tuple[int, int]]) -> None:
    grid = Grid.from_text(text_of(columns))
    for column, disc in drops:
        if grid.free[column]:
            matching = grid.drop(column, disc)
            assert matching == Grid.from_text(grid.text).matching
            assert grid.settle(matching, [], AllThrees())
            assert not grid.matching
        if not grid.masks[0]:
            assert grid.rise() == grid.matching
        assert grid.masks == [sum(1 << c for c in range(7) if grid.free[c] <= row) for row in range(7)]
        across = sum(ACROSS[row][mask] for row, mask in enumerate(grid.masks))
        down = sum(DOWN[column][free] for column, free in enumerate(grid.free))
        assert grid.matching == grid.discs & (across | down)
        assert not grid.cracked & ~grid.discs


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0" * 48,
        "0" * 50,
        "0" * 48 + "x",
        "0" * 48 + "-",
        "0" * 48 + "²",
        "1" + "0" * 48,
        "0" * 41 + "10000000",
        " " * 49,
    ],
)
def test_what_is_no_board(text: str) -> None:
    with pytest.raises(ValueError, match=r"49 digits|hangs"):
        Grid.from_text(text)


def test_a_disc_falls_to_the_lowest_empty_cell() -> None:
    grid = Grid.from_text(board_text("...6...", "...4..."))
    assert grid.drop(3, 5) == 0
    assert grid.text == board_text("...5...", "...6...", "...4...")


def test_rising_moves_every_row_up() -> None:
    grid = Grid.from_text(board_text("9......", "86.4..."))
    grid.rise()
    assert grid.text == board_text("9......", "86.4...", "8888888")


def test_waves_are_counted_on_from_those_there_are() -> None:
    grid = Grid.from_text(board_text("......."))
    waves: list[Wave] = [(4, [], 0, [], 0, [])] * 4
    assert grid.settle(grid.drop(0, 1), waves, Unknown())
    assert (waves[-1][0], waves[-1][4]) == (5, 391)


def test_unknown_numbers_fill_their_cell_and_match_nothing() -> None:
    grid = Grid.from_text(board_text("...9...", "..33..."))
    waves: list[Wave] = []
    assert grid.settle(grid.drop(4, 3), waves, Unknown())
    assert len(waves) == 1
    assert grid.free == [7, 7, 7, 6, 7, 7, 7]
    assert not grid.discs
    assert not grid.empty
    # A 2 beside it does match the line of two.
    assert grid.drop(4, 2)
