"""What can be said about a view: legal moves, the outlook, typed moves, pictures."""

from __future__ import annotations

import pytest

from samedrop_rules import IllegalMove, InvalidMove, Move, Pace, View
from samedrop_rules.drop7 import Drop7
from tests.rules.drop7.positions import board_text

GAME = Drop7()
SEEN = GAME.table(GAME.deal({}, seed="view"), 1).view(0)


def view(*rows: str, disc: int = 3, clock: int = 5) -> View:
    return {**SEEN, "board": board_text(*rows), "disc": disc, "clock": clock}


def points(seen: View, column: int) -> int:
    return GAME.outlook(seen, {"column": column})[0]


def greedy(seen: View) -> Move:
    return max(GAME.legal(seen), key=lambda move: GAME.outlook(seen, move))


def test_facts() -> None:
    assert (GAME.id, GAME.version, GAME.title, GAME.pace, GAME.max_seats) == ("drop7", 1, "Drop7", Pace.RACE, 16)
    assert [option.name for option in GAME.options] == ["start_rows", "latent", "drops_per_rise"]
    assert GAME.streams == ("discs", "reveals", "rows")


def test_legal_columns_are_those_with_room_from_the_left() -> None:
    seen = view("8.8888.", *["8888888"] * 6)
    assert GAME.legal(seen) == [{"column": 1}, {"column": 6}]
    assert GAME.legal({**seen, "ended": "rules"}) == []


def test_the_outlook_counts_all_waves() -> None:
    seen = view("...9...", "..33...")
    assert points(seen, 4) == 21
    assert points(seen, 0) == 0


def test_what_opens_stays_unknown_whatever_it_is() -> None:
    # The opened disc fills its cell: the board is not clear, and the 2 beside it stands in a line of two.
    assert points(view("...9...", "..33..."), 4) == 21
    assert points(view(".......", "..339..", disc=3), 1) == 0
    assert points(view("...2...", "..39...", "..38...", disc=2), 6) == 0


def test_the_outlook_counts_the_rise_and_the_waves_after_it() -> None:
    seen = view(".....2.", disc=1, clock=1)
    assert points(seen, 0) == 7 + 17_000 + 39
    assert points({**seen, "clock": 2}, 0) == 7


def test_a_rise_that_is_blocked_gives_nothing() -> None:
    seen = view(*["6......", "5......"] * 3, "6......", disc=1, clock=1)
    assert points(seen, 6) == 7


def test_the_outlook_counts_a_clear_board() -> None:
    assert points(view("..33..."), 4) == 21 + 70_000
    assert points(view("..33...", clock=1), 4) == 21 + 17_000


def test_ties_go_to_the_lower_column_then_to_the_left() -> None:
    assert greedy(view("7.77777", disc=6)) == {"column": 1}
    assert greedy(view("7..7777", disc=6)) == {"column": 1}
    assert greedy(view(".......", disc=6)) == {"column": 0}
    assert greedy(view("..33...", disc=3)) == {"column": 1}


def test_the_outlook_of_a_move_that_is_refused() -> None:
    with pytest.raises(InvalidMove):
        GAME.outlook(SEEN, {"column": 7})
    with pytest.raises(IllegalMove):
        GAME.outlook(view(*["8......"] * 7), {"column": 0})
    with pytest.raises(IllegalMove):
        GAME.outlook({**SEEN, "ended": "time"}, {"column": 0})


def test_the_outlook_leaves_the_view_as_it_is() -> None:
    seen = view("..33...")
    kept = dict(seen)
    GAME.outlook(seen, {"column": 4})
    assert seen == kept


@pytest.mark.parametrize("typed", ["4", " 4 ", "drop 4", "DROP  4", "Drop\t4 \n"])
def test_typed_moves_count_from_one(typed: str) -> None:
    assert GAME.parse_move(typed, SEEN) == {"column": 3}


@pytest.mark.parametrize("column", range(7))
def test_every_column_can_be_typed(column: int) -> None:
    assert GAME.parse_move(str(column + 1), SEEN) == {"column": column}


@pytest.mark.parametrize(
    "typed", ["", "0", "8", "44", "4.0", "drop", "drop4", "4 drop", "-4", "four", "٤", "4" * 10_000]
)
def test_typed_moves_that_are_none(typed: str) -> None:
    with pytest.raises(InvalidMove, match="1 to 7"):
        GAME.parse_move(typed, SEEN)


def test_a_picture() -> None:
    assert GAME.render(view("9..5...", "8888888", disc=3, clock=2)) == [
        ". . . . . . .    ",
        ". . . . . . .    ",
        ". . . . . . .    ",
        ". . . . . . .    ",
        ". . . . . . .    ",
        "▒ . . 5 . . .    ",
        "▓ ▓ ▓ ▓ ▓ ▓ ▓    ",
        "1 2 3 4 5 6 7    ",
        "disc 3, rise in 2",
        "score 0, drops 0 ",
    ]
    assert GAME.render({**SEEN, "ended": "rules"})[-2].strip() == "over"
