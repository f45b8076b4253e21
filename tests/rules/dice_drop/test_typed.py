from __future__ import annotations

import pytest

from samedrop_rules import InvalidMove, Move, View
from samedrop_rules.dice_drop.typed import parse_decision, prompt
from tests.rules.dice_drop.positions import new_table

PLACE = {"turns": 0, "mirror": False, "column": 2}


def view(**change: object) -> View:
    return {**new_table().view(0), "throw": {"dice": "51*7", "shape": "T"}, **change}


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("3", {**PLACE, "numbers": [5, 1, 1, 7]}),
        ("c", {**PLACE, "numbers": [5, 1, 1, 7]}),
        ("T 3 r1 m 5172", {"turns": 1, "mirror": True, "column": 2, "numbers": [5, 1, 7, 2], "shape": "T"}),
        ("drop l C r3 5172", {"turns": 3, "mirror": False, "column": 2, "numbers": [5, 1, 7, 2], "shape": "L"}),
        (
            "3 5172; same a1 A2 b10",
            {
                **PLACE,
                "numbers": [5, 1, 7, 2],
                "combo": {"kind": "identical", "cells": [[13, 0], [12, 0], [4, 1]]},
            },
        ),
        (
            "slide b; slide D 2 r1; 3; run A1 B1 C1",
            {
                **PLACE,
                "numbers": [5, 1, 1, 7],
                "combo": {"kind": "consecutive", "cells": [[13, 0], [13, 1], [13, 2]]},
                "slides": [{"letter": "B"}, {"letter": "D", "turns": 1, "mirror": False, "column": 1}],
            },
        ),
    ],
)
def test_what_people_type(typed: str, move: Move) -> None:
    assert parse_decision(typed, view()) == move


def test_what_is_asked_decides_what_is_meant() -> None:
    assert parse_decision("3 r1", view(phase="block", block="A")) == {**PLACE, "turns": 1}
    assert parse_decision("3", view(phase="opening", throw=None)) == {"column": 2}


@pytest.mark.parametrize(
    "typed", ["", "8", "H", "3 r4", "3 517", "3;3", "same A1 A2 A3", "3; same A15", "slide F; 3", ";"]
)
def test_what_nobody_can_mean(typed: str) -> None:
    with pytest.raises(InvalidMove, match="Type"):
        parse_decision(typed, view())


def test_what_there_is_to_decide() -> None:
    assert prompt(view()) == "throw 5 1 * 7, shape T"
    assert prompt(view(phase="opening", throw=None)) == "write 1 into a column"
    assert prompt(view(phase="block", block="B", blocks={"B": "U5"})) == "block B: U5"
    assert prompt(view(due=False)) == "wait for the others"
    assert prompt(view(due=False, ended="rules")) == "over"
