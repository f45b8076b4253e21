"""A decision of row-clear: as it travels, and as people type it (docs/rules/row-clear.md, Move)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from samedrop_rules.errors import InvalidMove
from samedrop_rules.game import Move
from samedrop_rules.row_clear.grid import COLUMNS

ROTATIONS = 4
MAX_REASON = 200
_KINDS = ("place", "confirm", "reject", "restart")
_TYPED_PLACEMENT = re.compile(r"(?:(?:drop|place)\s+)?([1-6a-f])(?:(?:\s+r?|r)([0-3]))?", re.ASCII | re.IGNORECASE)
_TYPED_REJECTION = re.compile(r"(?:reject|no)\s+(.+)", re.IGNORECASE)
_HELP = (
    "Type the leftmost column, A to F or 1 to 6, and the quarter turns clockwise if there are any, such as 3 or C r1; "
    "or confirm, reject and a reason, or restart."
)
# Listed, not asked of a Unicode table: the answer must never change.
_UNSEEN = ((0x00, 0x1F), (0x7F, 0x9F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x2069), (0xD800, 0xDFFF),
           (0xFEFF, 0xFEFF))  # fmt: skip


class Decision(NamedTuple):
    """What was decided: `kind` is place, confirm, reject or restart."""

    kind: str
    rotation: int = 0
    column: int = 0
    reason: str = ""


def read_decision(move: Move) -> Decision:
    """A decision from its wire form.

    Raises:
        InvalidMove
    """
    if not isinstance(move, Mapping):
        raise InvalidMove("A move must be an object.", "move")
    named = [kind for kind in _KINDS[1:] if kind in move]
    placing = "rotation" in move or "column" in move
    if len(named) + placing != 1:
        raise InvalidMove("A move is either rotation and column, or confirm, or reject, or restart.", "move")
    if placing:
        return Decision("place", _whole(move, "rotation", ROTATIONS), _whole(move, "column", COLUMNS))
    kind = named[0]
    if kind == "reject":
        return Decision(kind, reason=read_reason(move[kind]))
    if move[kind] is not True:
        raise InvalidMove(f"{kind} must be true.", f"move.{kind}")
    return Decision(kind)


def read_by(move: Move) -> int:
    """Which partner of a team decides.

    Raises:
        InvalidMove
    """
    return _whole(move, "by", 2)


def read_reason(text: object) -> str:
    """Why a placement is rejected: 1 to 200 characters that can be seen, outer spaces trimmed.

    Raises:
        InvalidMove
    """
    reason = text.strip(" ") if isinstance(text, str) else ""
    if not 1 <= len(reason) <= MAX_REASON:
        raise InvalidMove(f"A reason must be a text of 1 to {MAX_REASON} characters.", "move.reject")
    if any(first <= ord(character) <= last for character in reason for first, last in _UNSEEN):
        raise InvalidMove("A reason must not hold control or invisible characters.", "move.reject")
    return reason


def _whole(move: Move, name: str, below: int) -> int:
    number = move.get(name)
    if type(number) is not int or not 0 <= number < below:
        raise InvalidMove(f"{name} must be a whole number from 0 to {below - 1}.", f"move.{name}")
    return number


def parse_decision(text: str) -> Move:
    """The move that a person typed: ``3``, ``C r1``, ``confirm``, ``reject too high``, ``restart``.

    Raises:
        InvalidMove
    """
    typed = text.strip()
    if typed.lower() in ("confirm", "yes", "ok"):
        return {"confirm": True}
    if typed.lower() == "restart":
        return {"restart": True}
    if rejection := _TYPED_REJECTION.fullmatch(typed):
        return {"reject": read_reason(rejection[1])}
    placement = _TYPED_PLACEMENT.fullmatch(typed)
    if placement is None:
        raise InvalidMove(_HELP, "move.column")
    column = "123456".find(placement[1]) if placement[1].isdigit() else "abcdef".find(placement[1].lower())
    return {"rotation": int(placement[2] or 0), "column": column}
