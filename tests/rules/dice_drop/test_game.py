from __future__ import annotations

import pytest

from samedrop_rules import IllegalMove, InvalidOptions, InvalidTape
from tests.rules.dice_drop.positions import GAME, new_table


def test_how_many_may_play() -> None:
    assert GAME.most_seats(GAME.deal({}, seed="a").options) == 6
    assert GAME.most_seats(GAME.deal({"solo": True}, seed="a").options) == 1
    with pytest.raises(InvalidOptions):
        new_table(7)
    with pytest.raises(InvalidTape):
        GAME.deal({}, tape={})


def test_a_picture() -> None:
    table = new_table()
    lines = [line.rstrip() for line in GAME.render(table.view(0))]
    assert lines[:4] == ["14 . . . . . . .", "13 . . . . . . .", "12 . . . . . . .", "   -------------"]
    assert lines[15:] == [
        "   A B C D E F G",
        GAME.prompt(table.view(0)),
        "score 0, turns 0",
        "same -, runs -",
        "circled -, crossed -",
    ]


def test_the_greedy_player_takes_points_then_stays_low() -> None:
    table = new_table(seed="greedy")
    while not table.over:
        view = table.view(0)
        moves = GAME.legal(view)
        assert moves == table.legal(0)
        best = max(moves, key=lambda move: GAME.outlook(view, move))
        score = table.score(0)
        gains = [GAME.outlook(view, move)[0] for move in moves]
        table.play(0, best)
        assert table.score(0) - score == max(gains)
    assert GAME.legal(table.view(0)) == []


def test_an_outlook_is_for_moves_that_can_be_made() -> None:
    with pytest.raises(IllegalMove):
        GAME.outlook(new_table().view(0), {"turns": 0, "column": 0, "numbers": [9, 9, 9, 9]})
