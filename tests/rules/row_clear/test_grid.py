from __future__ import annotations

import pytest

from samedrop_rules.row_clear.grid import COLUMNS, SHAPES, Grid, falls, placements, wire_row


def test_a_turned_piece_rests_on_its_lowest_row_and_leftmost_column() -> None:
    for cells in SHAPES.values():
        assert len(cells) == 4
        assert min(row for row, _ in cells) == min(column for _, column in cells) == 0
    assert SHAPES["L", 0] == ((0, 0), (0, 1), (0, 2), (1, 2))
    assert SHAPES["L", 2] == ((0, 0), (1, 0), (1, 1), (1, 2))
    assert SHAPES["T", 1] == ((0, 0), (1, 0), (1, 1), (2, 0))


def test_it_lands_where_it_first_touches() -> None:
    grid = Grid()
    grid.put(grid.landing("T", 1, 0) or [], "T")
    assert grid.landing("I", 1, 1) == [(2, 1), (3, 1), (4, 1), (5, 1)]
    assert grid.landing("L", 2, 0) == [(3, 0), (4, 0), (4, 1), (4, 2)]
    assert grid.holes() == 1


def test_an_overhang_is_not_slid_under() -> None:
    grid = Grid([[0] * 6, [0] * 6, [1, 1, 0, 0, 0, 0]])
    assert grid.height(0) == 3
    assert grid.landing("O", 0, 1) == [(3, 1), (3, 2), (4, 1), (4, 2)]


@pytest.mark.parametrize(("kind", "count"), [("I", 3 + 6), ("O", 5), ("T", 2 * 4 + 2 * 5), ("L", 2 * 4 + 2 * 5)])
def test_distinct_placements(kind: str, count: int) -> None:
    found = placements(kind)
    assert len(found) == len(set(found)) == count
    assert found == sorted(found)
    grid = Grid()
    assert all(grid.landing(kind, rotation, column) is not None for column, rotation in found)
    assert grid.landing(kind, 0, COLUMNS - 1) is None


def test_all_full_rows_go_at_once() -> None:
    full, ragged = [1] * 6, [1, 1, 1, 1, 1, 0]
    grid = Grid([full, ragged, full, ragged[::-1]])
    assert grid.clear() == [0, 2]
    assert grid.rows[:3] == [ragged, ragged[::-1], [0] * 6]
    assert len(grid.rows) == 8
    assert falls([0, 2])[:2] == [(1, 0), (3, 1)]
    assert grid.clear() == []
    assert [wire_row(row) for row in (0, 7)] == [7, 0]
