"""What can be said about a view: the outlook, and the facts."""

from __future__ import annotations

import pytest

from samedrop_rules import IllegalMove, InvalidMove, InvalidTape, Pace, View
from samedrop_rules.number_drop import NumberDrop
from tests.rules.number_drop.test_board import text_of

GAME = NumberDrop()
SEEN = GAME.table(GAME.deal({}, seed="view"), 1).view(0)


def view(*columns: str, disc: int = 3, clock: int = 30) -> View:
    return {**SEEN, "board": text_of(*columns), "disc": disc, "clock": clock}


def points(seen: View, column: int) -> int:
    return GAME.outlook(seen, {"column": column})[0]


def test_facts() -> None:
    assert (GAME.id, GAME.version, GAME.pace, GAME.max_seats) == ("number-drop", 1, Pace.RACE, 16)
    assert [option.name for option in GAME.options] == ["mode", "start_discs", "latent"]
    assert GAME.streams == ("discs", "reveals", "rows", "start")
    assert GAME.deal({}, seed="s").options == {"mode": "normal", "start_discs": 3, "latent": False}


def test_there_are_no_tapes() -> None:
    with pytest.raises(InvalidTape):
        GAME.deal({}, tape={"discs": [1], "latent_rows": []})


def test_the_outlook_counts_the_whole_chain() -> None:
    assert points(view("36", "57", "3", "2", "65", "4", "13", disc=5), 2) == 560
    assert points(view("644", disc=1), 0) == 30


def test_what_opens_stays_unknown_whatever_it_is() -> None:
    assert points(view("9", disc=1), 1) == 10


def test_the_outlook_counts_what_clears_after_the_rise() -> None:
    seen = view("73", disc=1, clock=1)
    assert points(seen, 3) == 10 + 10
    assert points({**seen, "clock": 2}, 3) == 10
    assert points(view("8888888", disc=1, clock=1), 3) == 10


def test_ties_go_to_the_lower_column_then_to_the_left() -> None:
    seen = view("7", "", "", "7", disc=7)
    assert max(GAME.legal(seen), key=lambda move: GAME.outlook(seen, move)) == {"column": 1}


def test_the_outlook_of_a_move_that_is_refused() -> None:
    with pytest.raises(InvalidMove):
        GAME.outlook(SEEN, {"column": 7})
    with pytest.raises(IllegalMove):
        GAME.outlook(view("8888888"), {"column": 0})
    with pytest.raises(IllegalMove):
        GAME.outlook({**SEEN, "ended": "time"}, {"column": 0})
