"""Field types and their bounds."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from samedrop_protocol import types


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (types.Whole, [0, 2**53 - 1], [-1, 2**53, 1.0, True, "1", None]),
        (types.Signed, [-(2**53) + 1, 2**53 - 1], [-(2**53), 2**53]),
        (types.SeatNumber, [0, 15], [-1, 16]),
        (types.RequestId, ["a", "x" * 64], ["", "x" * 65, 7]),
        (types.Code, ["k7q-xm2"], ["", "x" * 33]),
        (types.PageSize, [1, 100], [0, 101]),
        (types.LogPageSize, [1, 1000], [0, 1001]),
        (types.OptionsBody, [{}, {"a": True, "b": 1, "c": "x"}], [{"a": 1.5}, {"a": None}, [], {"a": {}}]),
    ],
)
def test_bounds(kind: Any, good: list[object], bad: list[object]) -> None:
    for value in good:
        assert msgspec.convert(value, kind) == value
    for value in bad:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(value, kind)
