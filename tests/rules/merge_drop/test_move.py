"""A move: as it travels, and as people type it."""

from __future__ import annotations

import pytest

from samedrop_rules import InvalidMove
from samedrop_rules.merge_drop.move import parse_placement, read_placement


@pytest.mark.parametrize("column", range(6))
@pytest.mark.parametrize("rotation", range(4))
def test_every_placement_can_be_typed(column: int, rotation: int) -> None:
    move = {"column": column, "rotation": rotation}
    assert read_placement({**move, "other": "ignored"}) == (column, rotation)
    for text in ("{} r{}", "{}r{}", "drop {} {}", " DROP  {}\tR{} "):
        assert parse_placement(text.format(column + 1, rotation)) == move


@pytest.mark.parametrize("text", ["3", "drop 3", " 3 "])
def test_a_piece_lies_unless_it_is_said_otherwise(text: str) -> None:
    assert parse_placement(text) == {"column": 2, "rotation": 0}


@pytest.mark.parametrize(
    "text", ["", "0", "7", "31", "3 4", "3 r", "r1", "3 r1 r1", "drop", "drop3", "٣", "3" * 10_000]
)
def test_typed_moves_that_are_none(text: str) -> None:
    with pytest.raises(InvalidMove, match="column from 1 to 6") as refused:
        parse_placement(text)
    assert all(word in refused.value.text for word in ("3 r1", "drop 3 1", "0: ", "1: ", "2: ", "3: "))


@pytest.mark.parametrize(
    ("move", "field"),
    [
        ({}, "move.column"),
        (None, "move.column"),
        ([], "move.column"),
        ({"column": 6, "rotation": 0}, "move.column"),
        ({"column": True, "rotation": 0}, "move.column"),
        ({"column": 0}, "move.rotation"),
        ({"column": 0, "rotation": None}, "move.rotation"),
        ({"column": 0, "rotation": 4}, "move.rotation"),
        ({"column": 0, "rotation": -1}, "move.rotation"),
    ],
)
def test_what_is_no_move_names_the_part_at_fault(move: object, field: str) -> None:
    with pytest.raises(InvalidMove) as refused:
        read_placement(move)  # type: ignore[arg-type]
    assert refused.value.field == field
