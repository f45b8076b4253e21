"""Placing, merging, falling, rising."""

from __future__ import annotations

import pytest

from samedrop_rules.merge_drop.grid import Grid, Merge
from tests.rules.merge_drop.positions import columns_of, tiles_of


def settled(*columns: list[int]) -> tuple[Grid, list[Merge]]:
    """A board let run from every tile on it."""
    grid = Grid(tiles_of(*columns))
    return grid, grid.settle([cell for cell, value in enumerate(grid.tiles) if value])


@pytest.mark.parametrize(("count", "made"), [(2, 4), (3, 8), (4, 8), (5, 16), (8, 16), (9, 32), (12, 32)])
def test_a_group_becomes_one_tile(count: int, made: int) -> None:
    grid, chain = settled([2] * count)
    assert columns_of(grid.tiles) == [[made]]
    assert [merge.made for merge in chain] == [[(66, made)]]
    assert chain[0].merged == [(cell, 66) for cell in range(72 - 6 * count, 72, 6)]


def test_the_new_tile_stands_in_the_leftmost_of_the_lowest_cells() -> None:
    assert settled([4, 2], [16, 2], [8, 2])[1][0].made == [(60, 8)]
    assert settled([4, 2], [2, 2], [8, 2], [2, 2])[1][0].made == [(67, 16)]


def test_corners_do_not_touch() -> None:
    assert settled([2, 4], [4, 2])[1] == []


def test_groups_merge_at_once_and_each_step_counts_more() -> None:
    grid, chain = settled([4, 2, 2], [], [8, 8])
    assert [merge.number for merge in chain] == [1, 2]
    assert [merge.made for merge in chain] == [[(60, 4), (68, 16)], [(66, 8)]]
    assert [merge.points for merge in chain] == [20, 16]
    assert columns_of(grid.tiles) == [[8], [], [16]]


def test_what_lies_above_falls() -> None:
    grid, chain = settled([2, 2, 16, 8], [2, 4])
    assert chain[0].made == [(66, 8)]
    assert chain[0].falls == [(48, 54), (54, 60), (61, 67)]
    assert columns_of(grid.tiles) == [[8, 16, 8], [4]]
    assert grid.free == [9, 11, 12, 12, 12, 12]


@pytest.mark.parametrize(
    ("rotation", "first", "second"), [(0, 67, 68), (1, 61, 67), (2, 68, 67), (3, 67, 61)], ids=lambda value: str(value)
)
def test_rotations(rotation: int, first: int, second: int) -> None:
    grid = Grid()
    columns = grid.columns(1, rotation)
    assert columns is not None
    assert grid.place(columns, rotation, [2, 4]) == [first, second]
    assert (grid.tiles[first], grid.tiles[second]) == (2, 4)


def test_a_lying_piece_over_uneven_columns_splits() -> None:
    grid = Grid(tiles_of([8, 16, 8]))
    assert grid.place((0, 1), 0, [2, 4]) == [48, 67]


@pytest.mark.parametrize(("height", "lying", "standing"), [(9, True, True), (10, True, False), (11, False, False)])
def test_no_tile_may_rest_in_the_top_row(height: int, lying: bool, standing: bool) -> None:
    column = [2, 4] * 6
    grid = Grid(tiles_of(column[:height]))
    assert [grid.columns(0, rotation) is not None for rotation in range(4)] == [lying, standing, lying, standing]


def test_a_piece_stays_on_the_board() -> None:
    assert [Grid().columns(5, rotation) for rotation in range(4)] == [None, (5, 5), None, (5, 5)]
    assert len(Grid().placements()) == 22


@pytest.mark.parametrize(
    ("heights", "full"),
    [
        ((11,) * 6, True),
        ((10, 11) * 3, True),
        ((11, 10) * 3, True),
        ((10, 10, *(11,) * 4), False),
        ((9, *(11,) * 5), False),
    ],
)
def test_a_board_is_full_when_no_placement_fits(heights: tuple[int, ...], full: bool) -> None:
    grid = Grid(tiles_of(*([2] * height for height in heights)))
    assert grid.full is full
    assert (grid.placements() == []) is full


def test_a_rise_moves_every_row_up() -> None:
    grid = Grid(tiles_of([2], [4, 8]))
    assert grid.rise([16, 2, 4, 8, 2, 4]) == [66, 67, 68, 69, 70, 71]
    assert columns_of(grid.tiles) == [[16, 2], [2, 4, 8], [4], [8], [2], [4]]
    assert grid.free == [10, 9, 11, 11, 11, 11]


def test_pairs_one_merge_away() -> None:
    assert Grid(tiles_of([2, 4], [8, 8], [16])).steps_apart == 3
    assert Grid().steps_apart == 0
