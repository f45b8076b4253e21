"""A move of merge-drop: column and rotation, as it travels and as people type it."""

from __future__ import annotations

import re

from samedrop_rules.errors import InvalidMove
from samedrop_rules.game import Move
from samedrop_rules.merge_drop.grid import COLUMNS

ROTATIONS = 4
_TYPED_MOVE = re.compile(r"\s*(?:drop\s+)?([1-6])(?:(?:\s+r?|r)([0-3]))?\s*", re.ASCII | re.IGNORECASE)
_HELP = (
    "Type a column from 1 to 6 and, if it is not 0, a rotation, such as 3, 3 r1 or drop 3 1. "
    "0: lying, the first tile in that column; 1: standing, the first on top; "
    "2: lying, the second in that column; 3: standing, the second on top."
)


def read_placement(move: Move) -> tuple[int, int]:
    """Column and rotation of a move in its wire form.

    Raises:
        InvalidMove
    """
    return _read(move, "column", COLUMNS), _read(move, "rotation", ROTATIONS)


def _read(move: Move, name: str, below: int) -> int:
    try:
        number = move[name]
    except (KeyError, TypeError, IndexError):
        raise InvalidMove("A move must be an object with a column and a rotation.", f"move.{name}") from None
    if type(number) is not int or not 0 <= number < below:
        raise InvalidMove(f"A {name} must be a whole number from 0 to {below - 1}.", f"move.{name}")
    return number


def parse_placement(text: str) -> Move:
    """The move that a person typed: ``3``, ``3 r1``, ``drop 3 1``; columns counted from 1, rotation 0 if left out.

    Raises:
        InvalidMove
    """
    typed = _TYPED_MOVE.fullmatch(text)
    if typed is None:
        raise InvalidMove(_HELP, "move.column")
    return {"column": int(typed[1]) - 1, "rotation": int(typed[2] or 0)}
