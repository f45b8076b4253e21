"""Drops in all their order: the worked examples, the edges of rises, clears and ends, refusals, digests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samedrop_rules import Ended, IllegalMove, InvalidMove
from samedrop_rules.drop7 import Drop7
from samedrop_rules.drop7.board import Drop7Board
from tests.rules.drop7.positions import board, board_text, drop, of_type

GAME = Drop7()
FULL_COLUMN = ("6......", "5......", "6......", "5......", "6......", "5......", "6......")


class ExampleWave(TypedDict):
    wave: int
    cleared: int
    points: int


class Example(TypedDict):
    name: str
    board: str
    disc: int
    column: int
    clock: int
    hidden: list[tuple[int, int, int]]
    score: int
    board_after: str
    waves: list[ExampleWave]
    over: bool


VECTORS = Path(__file__).parents[2] / "vectors"
EXAMPLES: list[Example] = json.loads((VECTORS / "drop7-examples.json").read_text(encoding="utf-8"))["examples"]


def test_there_are_thirteen_examples() -> None:
    assert len(EXAMPLES) == 13


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_example(example: Example) -> None:
    hidden = {(row, column): number for row, column, number in example["hidden"]}
    played = Drop7Board.at(example["board"], [example["disc"], 1], clock=example["clock"], hidden=hidden)
    events = drop(played, example["column"])
    waves = [
        {"wave": event["wave"], "cleared": len(event["cleared"]), "points": event["points"]}  # type: ignore[arg-type]
        for event in of_type(events, "wave")
    ]
    assert waves == example["waves"]
    assert played.grid.text == example["board_after"]
    assert played.score == example["score"]
    assert (played.ended is not None) == example["over"]


# --- gray discs -----------------------------------------------------------------------------------------------------


def test_a_solid_disc_hit_twice_in_one_wave_opens_at_once_and_one_hit_once_cracks() -> None:
    # Four discs clear: three in the row, and the 2 under the last of them, which stands in a column of two.
    played = board(".33....", ".882...", discs=[3, 5], hidden={(6, 1): 6, (6, 2): 4})
    assert drop(played, 3) == [
        {"type": "drop", "disc": 3, "cell": [5, 3]},
        {
            "type": "wave",
            "wave": 1,
            "cleared": [[5, 1, 3], [5, 2, 3], [5, 3, 3], [6, 3, 2]],
            "cracked": [[6, 1]],
            "revealed": [[6, 2, 4]],
            "points": 28,
            "falls": [],
        },
        {"type": "next", "disc": 5, "clock": 4},
    ]


def test_a_revealed_disc_can_match_in_the_next_wave_only() -> None:
    played = board("...9...", "..33...", discs=[3, 1], hidden={(5, 3): 1})
    events = drop(played, 4)
    assert of_type(events, "wave")[0]["revealed"] == [[5, 3, 1]]
    assert of_type(events, "wave")[1]["cleared"] == [[6, 3, 1]]
    assert played.score == 21 + 39 + 70_000


def test_a_cracked_disc_hit_twice_opens_once() -> None:
    played = board("39.....", discs=[3, 1], hidden={(6, 1): 7})
    wave = of_type(drop(played, 2), "wave")[0]
    assert wave["cleared"] == [[6, 0, 3], [6, 2, 3]]
    assert (wave["revealed"], wave["cracked"]) == ([[6, 1, 7]], [])
    assert played.known[2].bit_count() == 1


def test_falls_are_listed_in_row_major_order_of_where_discs_were() -> None:
    played = board("6......", "7......", "65.....", "33.....", discs=[3, 1])
    wave = of_type(drop(played, 2), "wave")[0]
    assert wave["cleared"] == [[6, 0, 3], [6, 1, 3], [6, 2, 3]]
    assert wave["falls"] == [[3, 0, 4], [4, 0, 5], [5, 0, 6], [5, 1, 6]]
    assert played.grid.text == board_text("6......", "7......", "65.....")


def test_a_column_can_lose_two_discs_at_once() -> None:
    played = board("6......", "5......", "4......", discs=[4, 1])
    wave = of_type(drop(played, 0), "wave")[0]
    assert wave["cleared"] == [[3, 0, 4], [6, 0, 4]]
    assert wave["falls"] == [[4, 0, 5], [5, 0, 6]]


# --- rises ----------------------------------------------------------------------------------------------------------


def test_the_chain_goes_on_counting_across_the_rise() -> None:
    # The 1 clears; the rise makes the column of 5 two high, then its 2 matches.
    played = board(".....2.", discs=[1, 1], clock=1)
    events = drop(played, 0)
    assert [event["type"] for event in events] == ["drop", "wave", "rise", "wave", "next"]
    first, second = of_type(events, "wave")
    assert (first["wave"], first["points"]) == (1, 7)
    assert (second["wave"], second["points"]) == (2, 39)
    assert second["cracked"] == [[6, 5]]
    assert played.score == 7 + 17_000 + 39
    assert played.clock == 5


def test_a_rise_without_waves_before_starts_the_chain_at_one() -> None:
    played = board(".....2.", discs=[4, 1], clock=1)
    events = drop(played, 0)
    assert [event["type"] for event in events] == ["drop", "rise", "wave", "next"]
    assert of_type(events, "wave")[0]["wave"] == 1


def test_a_blocked_rise_keeps_the_waves_points_and_gives_no_bonus() -> None:
    played = board(*FULL_COLUMN, discs=[1, 1], clock=1)
    events = drop(played, 6)
    assert [event["type"] for event in events] == ["drop", "wave", "over"]
    assert events[-1] == {"type": "over", "ended": "rules", "cause": "rise"}
    assert played.score == 7
    assert (played.ended, played.disc, played.legal()) == (Ended.RULES, 0, [])
    assert played.view()["disc"] == 0


def test_waves_can_make_the_room_that_the_rise_needs() -> None:
    played = board(*["....5..", "....4.."] * 3, discs=[7, 1], clock=1)
    events = drop(played, 4)
    assert [event["type"] for event in events] == ["drop", "wave", "rise", "next"]
    assert played.score == 7 + 17_000


def test_a_top_row_that_fills_but_clears_is_no_end() -> None:
    played = board("6......", *FULL_COLUMN[1:], discs=[1, 1], clock=2)
    assert of_type(drop(played, 6), "over") == []
    assert played.ended is None


def test_the_fifth_drop_that_empties_the_board_rises_first() -> None:
    # Cleared before the rise, the board is not empty at the end of the move: 17,007, not 87,007.
    played = board(".......", discs=[1, 1], clock=1)
    events = drop(played, 3)
    assert [event["type"] for event in events] == ["drop", "wave", "rise", "next"]
    assert played.score == 17_007
    assert played.grid.text == board_text("8888888")


def test_the_fourth_drop_that_empties_the_board_scores_the_clear() -> None:
    played = board(".......", discs=[1, 1], clock=2)
    events = drop(played, 3)
    assert [event["type"] for event in events] == ["drop", "wave", "bonus", "next"]
    assert events[2] == {"type": "bonus", "reason": "clear", "points": 70_000}
    assert played.score == 70_007


def test_the_clock_of_other_lengths() -> None:
    table = GAME.table(GAME.deal({"drops_per_rise": 2, "start_rows": 0}, seed="two"), 1)
    clocks = [table.view(0)["clock"]]
    rises = []
    for column in (0, 6, 3, 5, 1, 2):
        rises.append(bool(of_type(table.play(0, {"column": column}).events, "rise")))
        clocks.append(table.view(0)["clock"])
    assert clocks == [2, 1, 2, 1, 2, 1, 2]
    assert rises == [False, True] * 3


# --- the end --------------------------------------------------------------------------------------------------------


def test_a_full_top_row_is_the_end() -> None:
    rows = ("888888.", *["8888888"] * 6)
    played = board(*rows, discs=[5, 1])
    events = drop(played, 6)
    assert [event["type"] for event in events] == ["drop", "over"]
    assert events[-1] == {"type": "over", "ended": "rules", "cause": "full"}
    assert (played.score, played.turn, played.ended) == (0, 1, Ended.RULES)


def test_a_full_board_that_must_rise_ends_by_the_rise() -> None:
    played = board("888888.", *["8888888"] * 6, discs=[5, 1], clock=1)
    assert drop(played, 6)[-1]["cause"] == "rise"


def test_a_rise_can_fill_the_top_row() -> None:
    played = board("888888.", *["8888888"] * 5, discs=[5, 1], clock=1)
    events = drop(played, 6)
    assert [event["type"] for event in events] == ["drop", "rise", "over"]
    assert events[-1]["cause"] == "full"
    assert played.score == 17_000


def test_a_board_that_starts_nearly_full_can_be_played() -> None:
    table = GAME.table(GAME.deal({"start_rows": 6, "drops_per_rise": 30}, seed="six"), 1)
    assert str(table.view(0)["board"]) == "0" * 7 + "8" * 42
    assert len(table.legal(0)) == 7


# --- refusals -------------------------------------------------------------------------------------------------------

COLUMN_JUNK: st.SearchStrategy[object] = st.one_of(
    st.sampled_from([-1, 7, 3.0, "3", True, False, None, 2**63, -(2**63), float("nan"), [], {}, b"3", (3,), "column"]),
    st.integers().filter(lambda number: not 0 <= number <= 6),
    st.floats(),
    st.text(max_size=3),
)


def new_board() -> Drop7Board:
    table = GAME.table(GAME.deal({}, seed="junk"), 1)
    table.play(0, {"column": 3})
    played = table.boards[0]  # type: ignore[attr-defined]
    assert isinstance(played, Drop7Board)
    return played


@given(COLUMN_JUNK)
def test_junk_columns_are_refused_and_change_nothing(junk: object) -> None:
    played = new_board()
    before = played.view(), played.digest(), played.known
    with pytest.raises(InvalidMove) as refused:
        played.play({"column": junk})
    assert refused.value.field == "move.column"
    assert (played.view(), played.digest(), played.known) == before


@pytest.mark.parametrize("junk", [None, 3, "3", [], [3], {}, {"Column": 3}, {"col": 3}, True, 3.0, b"column"])
def test_junk_moves_are_refused(junk: object) -> None:
    with pytest.raises(InvalidMove) as refused:
        new_board().play(junk)  # type: ignore[arg-type]
    assert refused.value.field == "move.column"


def test_other_keys_of_a_move_are_ignored() -> None:
    one, two = new_board(), new_board()
    assert one.play({"column": 5, "note": []}) == two.play({"column": 5})


def test_a_full_column_is_refused_and_changes_nothing() -> None:
    played = board(*FULL_COLUMN, discs=[4, 1])
    before = played.view(), played.digest(), played.known
    with pytest.raises(IllegalMove, match="Column 1 is full") as refused:
        played.play({"column": 0})
    assert refused.value.field == "move.column"
    assert (played.view(), played.digest(), played.known) == before
    assert played.legal() == [{"column": column} for column in range(1, 7)]


# --- digests --------------------------------------------------------------------------------------------------------


def test_equal_states_have_equal_digests_whatever_led_there() -> None:
    digests = set()
    for columns in ((0, 6), (6, 0)):
        played = board(".......", discs=[4, 4, 4])
        for column in columns:
            drop(played, column)
        digests.add(played.digest())
    assert len(digests) == 1


@pytest.mark.parametrize("change", ["board", "clock", "score", "turn", "ended", "reveals", "rows"])
def test_every_part_of_the_state_is_in_the_digest(change: str) -> None:
    played = new_board()
    before = played.digest()
    match change:
        case "board":
            played.grid.drop(0, 5)
        case "clock" | "score" | "turn":
            setattr(played, change, getattr(played, change) + 1)
        case "ended":
            played.ended = Ended.TIME
        case hidden:
            setattr(played._hidden, hidden, 1)
    assert played.digest() != before


def test_digests_do_not_change_under_this_version() -> None:
    played = new_board()
    assert played.digest() == "ded50f0bdcbb8365"
