"""Error codes and what carries them."""

from __future__ import annotations

import re

from samedrop_protocol.errors import CloseCode, ErrorCode, MalformedFrame, ProtocolError


def test_codes_are_namespaced_and_distinct() -> None:
    assert all(re.fullmatch(r"[a-z]+\.[a-z_]+", code) for code in ErrorCode)
    assert len(ErrorCode.__members__) == len(set(ErrorCode))


def test_close_codes_are_ours_or_registered() -> None:
    assert all(code == 1012 or 4000 <= code < 5000 for code in CloseCode)
    assert len(CloseCode.__members__) == len(set(CloseCode))


def test_an_error_says_its_code_and_its_text() -> None:
    error = ProtocolError(ErrorCode.STALE_TURN, "Turn 3 is over.", field="turn", turn=4, retry_after=1.5, re="a")
    assert str(error) == "move.stale_turn: Turn 3 is over."
    assert (error.field, error.turn, error.retry_after, error.re) == ("turn", 4, 1.5, "a")


def test_a_malformed_frame_knows_nothing_but_its_text() -> None:
    error = MalformedFrame("The frame is empty.")
    assert (error.code, error.field, error.re) == (ErrorCode.MALFORMED, None, None)
