"""A move in the games of discs: the column where the shown disc is to fall."""

from __future__ import annotations

import re

from samedrop_rules.discs.tables import SIZE
from samedrop_rules.errors import InvalidMove
from samedrop_rules.game import Move

_TYPED_MOVE = re.compile(r"\s*(?:drop\s+)?([1-7])\s*", re.ASCII | re.IGNORECASE)


def read_column(move: Move) -> int:
    """The column of a move in its wire form.

    Raises:
        InvalidMove
    """
    try:
        column = move["column"]
    except (KeyError, TypeError, IndexError):
        raise InvalidMove("A move must be an object with a column.", "move.column") from None
    if type(column) is not int or not 0 <= column < SIZE:
        raise InvalidMove(f"A column must be a whole number from 0 to {SIZE - 1}.", "move.column")
    return column


def parse_column(text: str) -> Move:
    """The move that a person typed: ``4`` or ``drop 4``, columns counted from 1.

    Raises:
        InvalidMove
    """
    typed = _TYPED_MOVE.fullmatch(text)
    if typed is None:
        raise InvalidMove("Type a column from 1 to 7, such as 4 or drop 4.", "move.column")
    return {"column": int(typed[1]) - 1}
