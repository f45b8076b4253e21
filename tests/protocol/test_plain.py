"""What may travel at all."""

from __future__ import annotations

import pytest
from hypothesis import given

from samedrop_protocol.errors import ErrorCode, MalformedFrame, ProtocolError
from samedrop_protocol.plain import check_plain, shown, unique
from samedrop_protocol.types import MAX_WHOLE
from tests.protocol.strategies import PLAIN


@given(PLAIN)
def test_what_may_travel_passes(value: object) -> None:
    check_plain({"type": "move", "value": value})


@pytest.mark.parametrize(
    ("tree", "field", "words"),
    [
        ({"a": MAX_WHOLE + 1}, "a", "9007199254740992 is not"),
        ({"a": {"b": [0, float("nan")]}}, "a.b.1", "finite"),
        ({"a": float("-inf")}, "a", "finite"),
        ({"a": b"x"}, "a", "bytes"),
        ({"a": [[[[[[[[1]]]]]]]]}, "a.0.0.0.0.0.0.0", "at most 8"),
        ({"x" * 100: 2**60}, "x" * 40, "between"),
    ],
)
def test_what_may_not_travel_is_named_with_its_place(tree: dict[object, object], field: str, words: str) -> None:
    with pytest.raises(ProtocolError, match=words) as caught:
        check_plain(tree)
    assert (caught.value.code, caught.value.field) == (ErrorCode.INVALID, field)


def test_keys_that_are_no_texts_are_malformed() -> None:
    with pytest.raises(MalformedFrame, match="b'a' is not"):
        check_plain({"a": [{b"a": 1}]})


def test_a_key_given_twice_is_named() -> None:
    assert unique([("a", 1), ("b", 2)]) == {"a": 1, "b": 2}
    with pytest.raises(MalformedFrame, match="'b' is given twice"):
        unique([("a", 1), ("b", 2), ("b", 2), ("a", 3)])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (3.0, "3.0"),
        ("3", "'3'"),
        ([1, 2], "a list of 2"),
        ({"a": 1}, "a map"),
        ("x" * 90, "'" + "x" * 39 + "…"),
    ],
)
def test_a_wrong_value_is_shown_in_the_words_of_the_wire(value: object, text: str) -> None:
    assert shown(value) == text
