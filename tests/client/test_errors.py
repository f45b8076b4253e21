"""Which exception stands for what."""

from __future__ import annotations

import pytest

from samedrop_client import errors
from samedrop_protocol.errors import CloseCode, ErrorCode
from samedrop_protocol.from_server import Error


def test_the_tree_in_the_docstring_is_complete() -> None:
    assert errors.__doc__ is not None
    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.SamedropError)
    ]
    assert len(kinds) > 10
    for kind in kinds:
        assert f"{kind.__name__} " in errors.__doc__ or f"{kind.__name__}\n" in errors.__doc__


@pytest.mark.parametrize("code", [*ErrorCode, "future.code"])
def test_every_code_has_an_exception_that_tells_it(code: str) -> None:
    error = errors.refusal(Error(code=code, text="Text.", field="a.b", turn=4, retry_after=1.5))
    assert error.text.startswith("Text.")
    if isinstance(error, errors.Refused):
        assert (error.code, error.field, error.turn, error.retry_after) == (code, "a.b", 4, 1.5)
    else:
        assert code == ErrorCode.VERSION


def test_after_which_close_codes_nobody_comes_back() -> None:
    final = {code for code in [1000, 1001, 1006, 1008, 1009, 1011, *CloseCode] if errors.final_close(code, "")}
    assert final == {
        CloseCode.REPLACED,
        CloseCode.VERSION,
        CloseCode.NO_SUBPROTOCOL,
        CloseCode.TOO_MANY_ERRORS,
        1008,
        1009,
    }
