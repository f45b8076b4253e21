from __future__ import annotations

from samedrop_protocol.errors import ErrorCode
from samedrop_rules import IllegalMove, InvalidMove
from samedrop_server.matches import refusals


def test_what_the_rules_refuse() -> None:
    invalid = refusals.by_the_rules(InvalidMove("no", "move.column"), 3)
    illegal = refusals.by_the_rules(IllegalMove("full"), 3)
    assert (invalid.code, invalid.field, invalid.turn) == (ErrorCode.MOVE_INVALID, "move.column", 3)
    assert (illegal.code, illegal.field, illegal.text) == (ErrorCode.MOVE_ILLEGAL, "move", "full")


def test_turns_that_are_not_now_name_the_current_one() -> None:
    future, stale = refusals.future(9, 3), refusals.stale(1, 3)
    assert (future.code, future.turn, future.field) == (ErrorCode.FUTURE_TURN, 3, "turn")
    assert (stale.code, stale.turn, stale.field) == (ErrorCode.STALE_TURN, 3, "turn")
    assert refusals.suspended().retry_after
