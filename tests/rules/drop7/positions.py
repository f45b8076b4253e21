"""Boards written as people draw them, for the tests of drop7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from samedrop_rules import Event
from samedrop_rules.drop7.board import Drop7Board


def board_text(*rows: str) -> str:
    """The text form of a board of which only the lowest rows are given; ``.`` is empty."""
    return "".join(rows).replace(".", "0").rjust(49, "0")


def board(
    *rows: str,
    discs: Sequence[int] = (1, 1),
    clock: int = 5,
    hidden: Mapping[tuple[int, int], int] | None = None,
    later: Sequence[Sequence[int]] = (),
) -> Drop7Board:
    """A board to play on; `hidden` by (row, column), `later` the numbers of rows that rise."""
    return Drop7Board.at(board_text(*rows), discs, clock=clock, hidden=hidden, rows=later)


def drop(played: Drop7Board, column: int) -> list[Event]:
    """Play one drop; its events."""
    return played.play({"column": column}).events


def of_type(events: list[Event], kind: str) -> list[Event]:
    """Only the events of that type."""
    return [event for event in events if event["type"] == kind]
