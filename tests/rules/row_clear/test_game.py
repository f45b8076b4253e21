from __future__ import annotations

import pytest

from samedrop_rules import IllegalMove, InvalidOptions
from samedrop_rules.row_clear import RowClear

GAME = RowClear()


def start(**options: object) -> dict[str, object]:
    return GAME.table(GAME.deal(options, seed="friday"), 1).view(0)


def test_how_many_share_a_seat() -> None:
    assert [GAME.team(GAME.deal({"team": team}, seed="a").options) for team in (1, 2)] == [1, 2]
    with pytest.raises(InvalidOptions, match="from 1 to 2"):
        GAME.deal({"team": 3}, seed="a")


def test_a_picture() -> None:
    table = GAME.table(GAME.deal({}, seed="friday"), 1)
    table.play(0, {"rotation": 0, "column": 1})
    lines = [line.rstrip() for line in GAME.render(table.view(0))]
    assert lines[0] == "8 . . . . . ."
    assert lines[7:] == ["1 . I I I I .", "  A B C D E F", "piece O, then T", "rows 0, pieces 1 of 10, attempt 1"]
    table.play(0, {"rotation": 0, "column": 0})
    assert GAME.render(table.view(0))[6].startswith("2 O O")


def test_advice_shows_where_pieces_land_and_warns() -> None:
    moves = GAME.advise(start(), {})["moves"]
    assert isinstance(moves, list)
    assert moves[0] == {"rotation": 0, "column": 0, "cells": [[7, 0], [7, 1], [7, 2], [7, 3]]}
    high = {**start(), "board": [[1, 0, 0, 0, 0, 0]] * 8}
    told = GAME.advise(high, {})["moves"]
    assert isinstance(told, list)
    assert [move["cells"] == [] for move in told if move["column"] == 0] == [True, True]
    pending = {**start(team=2), "pending": {"rotation": 0, "column": 0}}
    assert GAME.advise(pending, {}) == {"moves": [{"confirm": True, "by": 1}]}
    assert GAME.advise({**start(), "ended": "rules"}, {}) == {"moves": []}


def test_the_greedy_player_clears_and_confirms() -> None:
    view = start()
    view["board"] = [[0] * 6] * 7 + [[1, 1, 0, 0, 0, 0]]
    assert max(GAME.legal(view), key=lambda move: GAME.outlook(view, move)) == {"rotation": 0, "column": 2}
    assert GAME.outlook(view, {"confirm": True}) > GAME.outlook(view, {"reject": "no"})
    with pytest.raises(IllegalMove):
        GAME.outlook(view, {"rotation": 0, "column": 5})


def test_what_there_is_to_decide() -> None:
    assert GAME.prompt(start()) == "piece I, then O"
    assert (
        GAME.prompt({**start(team=2), "pending": {"rotation": 1, "column": 2}})
        == "check I r1 from C, then O: confirm, or reject and why"
    )
