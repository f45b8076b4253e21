"""The tables against plain counting."""

from __future__ import annotations

import math

import pytest

from samedrop_rules.drop7.tables import (
    ABOVE_OF,
    ACROSS,
    ACROSS_CHANGE,
    BIT_OF,
    CELL_OF,
    COLUMN_OF,
    DISC,
    DOWN,
    DOWN_CHANGE,
    FALLS,
    GRAYS_ABOVE_OF,
    GRAYS_BESIDE_OF,
    NUMBER_OF,
    POINTS,
    ROW_BITS,
    ROW_OF,
    SOLID_ROW,
)


def test_points_are_the_published_ones() -> None:
    assert POINTS[1:9] == (7, 39, 109, 224, 391, 617, 907, 1267)


def test_points_in_whole_numbers_equal_the_formula() -> None:
    assert len(POINTS) > 56
    for wave, points in enumerate(POINTS):
        assert points == math.floor(7 * wave**2.5)
        assert points**2 <= 49 * wave**5 < (points + 1) ** 2


def test_a_disc_is_named_by_its_cell_and_number() -> None:
    for disc in range(1, 393):
        assert BIT_OF[disc] == DISC[NUMBER_OF[disc]][CELL_OF[disc]]
        assert BIT_OF[disc].bit_length() == disc
        assert 7 * ROW_OF[disc] + COLUMN_OF[disc] == CELL_OF[disc]
    assert sorted(zip(CELL_OF[1:], NUMBER_OF[1:], strict=True)) == [(c, n) for c in range(49) for n in range(1, 9)]
    assert CELL_OF[392] == 0


def test_shifting_by_a_row_moves_down_by_a_row() -> None:
    assert all(DISC[number][cell] >> ROW_BITS == DISC[number][cell + 7] for number in range(1, 9) for cell in range(42))
    assert sum(DISC[8][42:]) == SOLID_ROW


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


@pytest.mark.parametrize("column", range(7))
def test_lines_along_a_column(column: int) -> None:
    for free in range(8):
        assert DOWN[column][free] == sum(DISC[7 - free][7 * row + column] for row in range(free, 7))
    for row in range(7):
        assert DOWN_CHANGE[7 * row + column] == DOWN[column][row] ^ DOWN[column][row + 1]


def test_neighbours() -> None:
    for disc in range(1, 393):
        row, column = ROW_OF[disc], COLUMN_OF[disc]
        beside = [cell for cell in range(49) if abs(cell // 7 - row) + abs(cell % 7 - column) == 1]
        assert GRAYS_BESIDE_OF[disc] == sum(DISC[8][cell] for cell in beside)
        above = [7 * r + column for r in range(row)]
        assert ABOVE_OF[disc] == sum(DISC[number][cell] for cell in above for number in range(1, 9))
        assert GRAYS_ABOVE_OF[disc] == sum(DISC[8][cell] for cell in above)


def test_falls() -> None:
    assert FALLS[3][2][1 << 6] == [(2, 3, 3), (3, 3, 4), (4, 3, 5), (5, 3, 6)]
    assert FALLS[3][2][1 << 2] == []
    assert FALLS[3][2][1 << 4 | 1 << 6] == [(2, 3, 4), (3, 3, 5), (5, 3, 6)]
    assert FALLS[0][7][0] == []
