from __future__ import annotations

import pytest

from samedrop_rules import IllegalMove, Move
from samedrop_rules.dice_drop.sheet import Sheet
from samedrop_rules.dice_drop.turn import Situation, fits_dice, next_slides, play_turn
from tests.rules.dice_drop.positions import drop, sheet_of, solo, thrown


def types(sheet: Sheet, now: Situation, move: Move) -> list[object]:
    return [event["type"] for event in play_turn(sheet, now, 0, move).events]


def refused(sheet: Sheet, now: Situation, move: Move) -> str:
    with pytest.raises(IllegalMove) as error:
        play_turn(sheet, now, 0, move)
    return error.value.text


def test_numbers_come_in_the_order_of_the_shapes_cells() -> None:
    sheet = sheet_of()
    (event,) = play_turn(sheet, thrown("1527", "T"), 0, drop(3, "5172", turns=1)).events
    assert event["cells"] == [[11, 3], [12, 3], [13, 3], [12, 4]]
    assert [sheet.grid[row][column] for row, column in [(11, 3), (12, 3), (13, 3), (12, 4)]] == list("5172")


@pytest.mark.parametrize(
    ("dice", "numbers", "fits"),
    [
        ("1457", (7, 5, 4, 1), True),
        ("1457", (7, 5, 4, 4), False),
        ("1*57", (0, 1, 5, 7), True),
        ("1*57", (1, 1, 5, 7), True),
        ("1*57", (9, 9, 5, 7), False),
        ("***1", (8, 8, 8, 1), True),
        ("***1", (8, 8, 8, 8), False),
        ("1156", (1, 5, 6, 6), False),
    ],
)
def test_stars_are_any_number(dice: str, numbers: tuple[int, ...], fits: bool) -> None:
    assert fits_dice(dice, numbers) == fits


def test_what_the_dice_do_not_allow() -> None:
    assert "numbers of the dice" in refused(sheet_of(), thrown(), drop(0, "1455"))
    assert "shows T" in refused(sheet_of(), thrown(), drop(0, "1457", shape="L"))
    assert "choose one of I O T L" in refused(sheet_of(), thrown(shape="*"), drop(0, "1457"))
    assert "choose one" in refused(sheet_of(), thrown(shape="*"), drop(0, "1457", shape="S"))
    assert "does not fit" in refused(sheet_of(), thrown(), drop(5, "1457"))


def test_a_combo_scores_its_size_and_both_kinds_of_a_size_circle_a_letter() -> None:
    sheet = sheet_of("..33...")
    combo = {"kind": "identical", "cells": [[13, 2], [13, 3], [13, 4]]}
    assert types(sheet, thrown("3457", "O"), drop(4, "3457", combo=combo)) == ["fill", "combo"]
    assert (sheet.score, sheet.done["identical"]) == (3, {3})
    again = {"kind": "consecutive", "cells": [[13, 5], [12, 5], [12, 6]]}
    sheet.grid[12][6] = "8"
    sheet.grid[13][5], sheet.grid[12][5] = "6", "7"
    told = play_turn(sheet, thrown("1245", "I"), 0, drop(0, "1245", combo=again)).events
    assert [event["type"] for event in told] == ["fill", "combo", "circle", "full_rows"]
    assert told[2] == {"type": "circle", "letter": "A"}


def test_a_crossed_letter_is_not_circled() -> None:
    sheet = sheet_of("222....")
    sheet.done["consecutive"] = {3}
    combo = {"kind": "identical", "cells": [[13, 0], [13, 1], [13, 2]]}
    assert types(sheet, thrown(crossed="A"), drop(3, "1457", combo=combo)) == ["fill", "combo"]
    assert "done a combo of 3" in refused(sheet, thrown(), drop(0, "1457", combo=combo))


def test_the_last_size_of_a_kind_is_worth_ten_more_and_eight_counts_once() -> None:
    sheet = sheet_of("2222222", "3333333")
    sheet.done["identical"] = {3, 4, 5, 6}
    seven = {"kind": "identical", "cells": [[12, column] for column in range(7)]}
    assert types(sheet, thrown(), drop(0, "1457", combo=seven)) == ["fill", "combo", "column_done", "full_rows"]
    assert sheet.score == 7 + 10 + 4
    sheet = sheet_of("2222222", "2222222")
    eight = {"kind": "identical", "cells": [[12, column] for column in range(7)] + [[13, 0]]}
    assert types(sheet, thrown(), drop(0, "1457", combo=eight))[:2] == ["fill", "combo"]
    assert sheet.eight
    assert sheet.open_sizes == {"identical": [3, 4, 5, 6, 7], "consecutive": [3, 4, 5, 6, 7]}


def test_rows_count_once_and_rows_above_the_line_cost() -> None:
    sheet = sheet_of("111....")
    assert types(sheet, thrown("1457", "I"), drop(3, "1457")) == ["fill", "full_rows"]
    assert types(sheet, thrown("1457", "I"), drop(0, "1457")) == ["fill"]
    high = sheet_of(*["1......"] * 11)
    high = sheet_of(*["1......"] * 11)
    told = play_turn(high, thrown("1457", "T"), 0, drop(0, "1457", turns=1)).events
    assert told[-1] == {"type": "penalty", "rows": [0, 1, 2], "points": -15}


def test_a_block_is_x_and_takes_no_numbers() -> None:
    sheet = sheet_of()
    now = thrown("1*57", "T", block="C")
    told = play_turn(sheet, now, 0, {"turns": 0, "column": 2}).events
    assert told == [{"type": "block", "letter": "C", "cells": [[13, 2], [13, 3], [13, 4], [12, 2], [12, 4]]}]
    assert sheet.grid[13] == list("..XXX..")


def test_tiles_slide_and_drop_at_the_fourth_notch() -> None:
    sheet = sheet_of(solo=True)
    assert sheet.tiles is not None
    sheet.tiles["B"] = 3
    now = solo("1457", "T")
    assert next_slides(sheet, now, 0) == list("ABCDE")
    assert next_slides(sheet, now, 1) == []
    assert "has to slide" in refused(sheet.copy(), now, drop(0, "1457"))
    assert "say where" in refused(sheet.copy(), now, drop(0, "1457", slides=[{"letter": "B"}]))
    slides = [{"letter": "B", "turns": 0, "column": 5}]
    turn = play_turn(sheet, now, 0, drop(0, "1457", slides=slides))
    assert [event["type"] for event in turn.events] == ["slide", "cross", "block", "fill"]
    assert turn.crossed == {"B"}
    assert sheet.grid[13] == list("145..XX")
    assert next_slides(sheet, now, 0) == list("ACDE")


def test_a_star_slides_another_tile() -> None:
    sheet = sheet_of(solo=True)
    assert sheet.tiles is not None
    assert next_slides(sheet, solo("1*57", "T"), 1) == ["C"]
    assert next_slides(sheet, solo("1457", "*"), 1) == list("ABCDE")
    sheet.tiles["C"] = 4
    assert next_slides(sheet, solo("1*57", "T"), 1) == []
    slides = [{"letter": "A"}, {"letter": "A"}]
    assert "does not slide now" in refused(sheet, solo("1*57", "T"), drop(0, "1457", slides=slides))


def test_a_circled_letter_protects_from_its_tile() -> None:
    sheet = sheet_of(solo=True)
    assert sheet.tiles is not None
    sheet.tiles["B"] = 3
    sheet.circled.add("B")
    assert types(sheet, solo(), drop(0, "1457", slides=[{"letter": "B"}])) == ["slide", "cross", "fill"]


def test_what_is_done_for_somebody_is_marked() -> None:
    (event,) = play_turn(sheet_of(), thrown(), 0, drop(0, "1457", default=True)).events
    assert event["default"] is True
