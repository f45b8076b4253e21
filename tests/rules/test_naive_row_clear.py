"""The naive row-clear alone, on positions worked by hand, before it judges the engine; and how far its queue goes."""

from __future__ import annotations

import pytest

from samedrop_rules import find_game
from tests.support.naive.row_clear import NaiveRowClear, picture_of, seeded
from tests.support.search_row_clear import QUEUE, every_way, find_way, shapes


def test_pieces_turn_clockwise() -> None:
    assert [picture_of("L", rotation) for rotation in range(4)] == [
        ["..#", "###"],
        ["#.", "#.", "##"],
        ["###", "#.."],
        ["##", ".#", ".#"],
    ]
    assert picture_of("T", 1) == ["#.", "##", "#."]
    assert {piece: len(shapes(piece)) for piece in "IOTL"} == {"I": 2, "O": 1, "T": 4, "L": 4}


def test_the_worked_example() -> None:
    game = NaiveRowClear("any")
    assert game.place(0, 0) == []
    assert game.place(0, 4) == [1]
    assert game.board == {("E", 1): "O", ("F", 1): "O"}
    assert (game.rows, game.used) == (1, 2)


def test_a_piece_above_the_board_ends_it() -> None:
    game = NaiveRowClear("any")
    for _ in range(2):
        game.place(1, 0)
        game.queue = ["I"] * 10
    assert game.over == ""
    game.place(1, 0)
    assert game.over == "too_high"
    assert game.used == 2


def test_bags_hold_each_piece_once() -> None:
    queue = seeded("friday", 100)
    assert all(sorted(queue[start : start + 4]) == ["I", "L", "O", "T"] for start in range(0, 100, 4))
    assert queue[:10] == seeded("friday", 10)
    assert queue != seeded("saturday", 100)


@pytest.mark.parametrize("pieces", [1, 2, 3, 4, 5])
def test_the_search_finds_what_trying_everything_finds(pieces: int) -> None:
    queue = QUEUE[:pieces]
    assert max(rows for rows in range(5) if find_way(rows, queue) is not None) == every_way(queue)


def test_the_fixed_queue_allows_six_rows_and_no_more() -> None:
    assert find_way(7) is None
    way = find_way(6)
    assert way is not None
    game = find_game("row-clear", 1)
    table = game.table(game.deal({}, seed="any"), 1)
    for piece, (shape, column) in zip(QUEUE, way, strict=True):
        rotations = [rotation for rotation in range(4) if mask_of(piece, rotation) == shapes(piece)[shape][0]]
        table.play(0, {"rotation": rotations[0], "column": column})
    assert table.score(0) == 6
    assert table.over


def mask_of(piece: str, rotation: int) -> int:
    lines = list(reversed(picture_of(piece, rotation)))
    return sum(1 << 6 * y + x for y, line in enumerate(lines) for x, dot in enumerate(line) if dot == "#")
