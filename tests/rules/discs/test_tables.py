"""The tables against plain counting."""

from __future__ import annotations

import pytest

from samedrop_rules.discs.tables import (
    ABOVE_OF,
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
    ROW_BITS,
    ROW_OF,
    SOLID_ROW,
    changes_across,
    lines_across,
)


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


def test_lines_along_a_row_are_those_that_the_game_counts() -> None:
    across = lines_across(lambda mask: [mask.bit_count() * (mask >> column & 1) for column in range(7)])
    assert across[2][0b101] == DISC[2][14] | DISC[2][16]
    assert across[6][0b1000000] == DISC[1][48]
    change = changes_across(across)
    for cell in range(49):
        row, column = divmod(cell, 7)
        for mask in range(128):
            assert change[cell][mask] == across[row][mask] ^ across[row][mask ^ 1 << column]


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
