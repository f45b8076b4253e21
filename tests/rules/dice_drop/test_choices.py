from __future__ import annotations

import random

import pytest

from samedrop_rules import IllegalMove, InvalidMove
from samedrop_rules.dice_drop.choices import advise, default_move, legal_moves, thrown_numbers
from samedrop_rules.dice_drop.turn import play_turn
from tests.rules.dice_drop.positions import drop, new_table, sheet_of, solo, thrown


def test_moves_that_are_listed_can_be_made() -> None:
    sheet = sheet_of("3355...", "1234567")
    moves = legal_moves(sheet, thrown("3*45", "*"))
    for move in moves:
        play_turn(sheet.copy(), thrown("3*45", "*"), 0, move)
    combos = [move["combo"] for move in moves if "combo" in move]
    assert combos
    assert len({(move["shape"], move["turns"], move["mirror"], move["column"]) for move in moves}) < len(moves)
    assert thrown_numbers(thrown("3*45")) == [3, 1, 4, 5]


def test_a_block_round_lists_landings() -> None:
    moves = legal_moves(sheet_of(), thrown("1*57", block="B"))
    assert len(moves) == 5 + 7
    assert moves[0] == {"turns": 0, "mirror": False, "column": 0}


def test_the_default_move() -> None:
    assert default_move(sheet_of("11111.."), thrown("*457", "*")) == {
        "shape": "I", "turns": 0, "mirror": False, "column": 0, "numbers": [1, 4, 5, 7], "default": True,
    }  # fmt: skip
    assert default_move(sheet_of(), thrown(block="D")) == {"turns": 0, "mirror": False, "column": 0, "default": True}


def test_in_solo_the_default_finds_room_for_all() -> None:
    choice = random.Random(3)
    for number in range(40):
        table = new_table(seed=f"solo {number}", solo=True)
        while not table.over:
            moves = table.legal(0)
            default = table.default(0)
            assert default is not None
            letters = {move["slides"][0]["letter"] for move in moves}  # type: ignore[index]
            assert table.sheets[0].tiles is not None
            assert letters == {one for one, notches in table.sheets[0].tiles.items() if notches < 4}
            table.play(0, choice.choice([*moves, default]))


def test_advice_on_placements() -> None:
    told = advise(sheet_of(), thrown("1457", "O"), 0, True, {})
    placements = told["placements"]
    assert isinstance(placements, list)
    assert placements[0] == {
        "shape": "O", "turns": 0, "mirror": False, "column": 0, "cells": [[13, 0], [13, 1], [12, 0], [12, 1]],
    }  # fmt: skip
    assert len(placements) == 6
    stars = advise(sheet_of(), thrown("1457", "*"), 0, True, {})["placements"]
    assert isinstance(stars, list)
    assert {one["shape"] for one in stars} == set("IOTL")
    block = advise(sheet_of(), thrown("1*57", block="A"), 0, True, {})["placements"]
    assert isinstance(block, list)
    assert {one["shape"] for one in block} == {"V3"}


def test_advice_on_combos() -> None:
    sheet = sheet_of("55.....")
    told = advise(sheet, thrown("5457", "I"), 0, True, drop(2, "5457"))
    assert told == {"combos": [{"kind": "identical", "cells": [[13, 0], [13, 1], [13, 2]]}], "more": False}
    assert sheet.grid[13] == list("55.....")
    assert advise(sheet, thrown("1*57", block="A"), 0, True, {"turns": 0, "column": 0}) == {"combos": [], "more": False}
    with pytest.raises(IllegalMove, match="numbers of the dice"):
        advise(sheet, thrown("1457", "I"), 0, True, drop(2, "5555"))
    with pytest.raises(InvalidMove):
        advise(sheet, thrown("1457", "I"), 0, True, {"column": 9})


def test_advice_on_tiles() -> None:
    sheet = sheet_of(solo=True)
    assert sheet.tiles is not None
    sheet.tiles["C"] = 3
    told = advise(sheet, solo("1457", "*"), 0, True, {})["slides"]
    assert isinstance(told, list)
    assert [(one["letter"], one["shape"], bool(one["placements"])) for one in told] == [
        ("A", "S", False), ("B", "O", False), ("C", "T", True), ("D", "I", False), ("E", "L", False)
    ]  # fmt: skip
    second = advise(sheet, solo("1457", "*"), 0, True, {"slides": [{"letter": "A"}]})["slides"]
    assert isinstance(second, list)
    assert len(second) == 5
    whole = advise(sheet, solo("1457", "T"), 0, True, {"slides": [{"letter": "C", "turns": 0, "column": 0}]})
    assert "placements" in whole
    with pytest.raises(IllegalMove, match="say where"):
        advise(sheet, solo(), 0, True, {"slides": [{"letter": "C"}]})
    with pytest.raises(IllegalMove, match="does not slide"):
        advise(sheet, solo("1*57", "T"), 0, True, {"slides": [{"letter": "A"}, {"letter": "B"}]})


def test_who_is_not_due_gets_no_advice() -> None:
    assert advise(sheet_of(), thrown(), 0, False, {}) == {"placements": []}
    with pytest.raises(IllegalMove, match="wait"):
        advise(sheet_of(), thrown(), 0, False, drop(0, "1457"))
