from __future__ import annotations

import pytest

from samedrop_rules import InvalidMove, Move
from samedrop_rules.row_clear.move import MAX_REASON, Decision, parse_decision, read_by, read_decision, read_reason


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("3", {"rotation": 0, "column": 2}),
        ("c", {"rotation": 0, "column": 2}),
        ("F r3", {"rotation": 3, "column": 5}),
        ("drop 1r2", {"rotation": 2, "column": 0}),
        (" place A 1 ", {"rotation": 1, "column": 0}),
        ("Confirm", {"confirm": True}),
        ("yes", {"confirm": True}),
        ("reject  leaves a hole", {"reject": "leaves a hole"}),
        ("no way", {"reject": "way"}),
        ("RESTART", {"restart": True}),
    ],
)
def test_what_people_type(typed: str, move: Move) -> None:
    assert parse_decision(typed) == move
    assert read_decision(move).kind in ("place", "confirm", "reject", "restart")


@pytest.mark.parametrize("typed", ["7", "G", "0", "3 r4", "reject", "reject  ", "no", "33", "confirm it"])
def test_what_nobody_can_mean(typed: str) -> None:
    with pytest.raises(InvalidMove, match="Type"):
        parse_decision(typed)


@pytest.mark.parametrize(
    ("move", "field"),
    [
        ({}, "move"),
        ({"rotation": 0}, "move.column"),
        ({"column": 0}, "move.rotation"),
        ({"rotation": 4, "column": 0}, "move.rotation"),
        ({"rotation": 0, "column": 6}, "move.column"),
        ({"rotation": True, "column": 0}, "move.rotation"),
        ({"rotation": 0, "column": 0, "confirm": True}, "move"),
        ({"confirm": True, "restart": True}, "move"),
        ({"confirm": 1}, "move.confirm"),
        ({"restart": False}, "move.restart"),
        ({"reject": ""}, "move.reject"),
        ({"reject": None}, "move.reject"),
        ({"reject": "x" * (MAX_REASON + 1)}, "move.reject"),
    ],
)
def test_what_is_not_of_the_form(move: Move, field: str) -> None:
    with pytest.raises(InvalidMove) as refused:
        read_decision(move)
    assert refused.value.field == field


@pytest.mark.parametrize("junk", [None, 3, "column", ["rotation", "column"], ["confirm"], {"restart"}], ids=repr)
def test_what_is_no_object(junk: object) -> None:
    with pytest.raises(InvalidMove, match="object") as refused:
        read_decision(junk)  # type: ignore[arg-type]
    assert refused.value.field == "move"


@pytest.mark.parametrize("character", ["\n", "\x00", "\x7f", "\x9b", "\u200b", "\u202e", "\u2066", "\ufeff", "\ud800"])
def test_reasons_can_be_seen(character: str) -> None:
    with pytest.raises(InvalidMove, match="invisible"):
        read_reason(f"a{character}b")


def test_reasons() -> None:
    assert read_reason("  zu hoch – 太高  ") == "zu hoch – 太高"
    assert len(read_reason(" " + "x" * MAX_REASON)) == MAX_REASON
    assert read_decision({"reject": "a", "later": 1}) == Decision("reject", reason="a")


@pytest.mark.parametrize("by", [None, 2, -1, True, "0"])
def test_a_partner_is_0_or_1(by: object) -> None:
    assert [read_by({"by": partner}) for partner in (0, 1)] == [0, 1]
    with pytest.raises(InvalidMove) as refused:
        read_by({"by": by})
    assert refused.value.field == "move.by"
