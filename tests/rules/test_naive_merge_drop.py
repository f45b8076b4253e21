"""The naive merge-drop alone, on positions worked by hand, before it judges the real engine."""

from __future__ import annotations

import pytest

from tests.support.naive.merge_drop import NaiveMergeDrop


def game_at(*columns: list[int], piece: tuple[int, int] = (2, 2)) -> NaiveMergeDrop:
    """Columns from the left, each from the bottom up."""
    game = NaiveMergeDrop("position")
    for column, values in enumerate(columns):
        for value in values:
            game.put(column, value)
    game.piece = piece
    return game


def columns_of(game: NaiveMergeDrop) -> list[list[int]]:
    return [[value for value in reversed(column) if value] for column in zip(*game.board, strict=True)]


def test_a_lying_piece_over_uneven_columns_splits_and_a_chain_runs() -> None:
    game = game_at([2], piece=(4, 2))
    assert [step.points for step in game.place((0, 0))] == [4, 16]
    assert columns_of(game)[:2] == [[8], []]


@pytest.mark.parametrize(("count", "made"), [(2, 4), (3, 8), (4, 8), (5, 16), (8, 16), (9, 32)])
def test_a_group_is_worth_the_next_power_of_two(count: int, made: int) -> None:
    game = game_at([2] * count)
    (step,) = game.chain()
    assert step.made == [(11, 0, made)]
    assert step.points == made


def test_the_new_tile_stands_in_the_leftmost_of_the_lowest_cells() -> None:
    game = game_at([4, 2], [16, 2], [8, 2], [2, 2], piece=(2, 2))
    (step,) = game.chain()
    assert step.made == [(11, 3, 16)]
    game = game_at([4, 2], [16, 2], [8, 2], piece=(2, 2))
    (step,) = game.chain()
    assert step.made == [(10, 0, 8)]


def test_rotations() -> None:
    rested = []
    for rotation in range(4):
        game = game_at(piece=(2, 4))
        game.place((1, rotation))
        rested.append(game.rested)
    assert rested == [
        [(11, 1, 2), (11, 2, 4)],
        [(10, 1, 2), (11, 1, 4)],
        [(11, 2, 2), (11, 1, 4)],
        [(11, 1, 2), (10, 1, 4)],
    ]


def test_no_tile_comes_to_rest_in_the_top_row() -> None:
    game = game_at([2, 4] * 5 + [2], [4, 2] * 5, [2, 4] * 4 + [2])
    assert [placement for placement in game.legal() if placement[0] < 3] == [
        (1, 0),
        (1, 2),
        (2, 0),
        (2, 1),
        (2, 2),
        (2, 3),
    ]


def test_a_row_rises_after_every_eighth_piece() -> None:
    game = NaiveMergeDrop("rise")
    risen = []
    for number in range(40):
        game.board = [[0] * 6 for _ in range(12)]
        game.place((number % 5, 0))
        if game.risen is not None:
            risen.append(game.placed)
            assert len(game.risen) == 6
    assert risen == [8, 16, 24, 32, 40]


def test_stages() -> None:
    game = NaiveMergeDrop("stages")
    pieces = [game.piece, game.following, *(game.deal_piece() for _ in range(98))]
    for stage, least in enumerate((2, 4, 8, 16)):
        numbers = [number for piece in pieces[25 * stage : 25 * stage + 25] for number in piece]
        assert min(numbers) == least
        assert max(numbers) <= 8 * least


def test_a_milestone_is_reported_once() -> None:
    game = game_at([1024, 1024], [], [2048, 2048])
    (step, *_) = game.chain()
    assert step.milestone == 4096
    game.board = [[0] * 6 for _ in range(12)]
    game.put(0, 1024)
    game.put(0, 1024)
    assert [step.milestone for step in game.chain()] == [0]
