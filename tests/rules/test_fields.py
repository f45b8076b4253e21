from __future__ import annotations

from collections.abc import Callable

import pytest

from samedrop_rules.errors import InvalidInput, InvalidTape
from samedrop_rules.fields import MAX_WHOLE, Fields

GOOD: dict[str, object] = {
    "word": "Zoé",
    "whole": 7,
    "nothing": None,
    "switch": False,
    "choice": "a",
    "inner": {"deep": [{"whole": 1}, {"whole": "x"}]},
}


def fields(**changes: object) -> Fields:
    return Fields(GOOD | changes, "", InvalidTape)


def test_every_kind_of_field_is_read() -> None:
    top = fields()
    assert top.word("word") == "Zoé"
    assert top.whole("whole") == 7
    assert top.whole_or_none("whole", 1, 9) == 7
    assert top.whole_or_none("nothing", 1, 9) is top.whole_or_none("absent", 1, 9) is None
    assert top.switch("switch") is False
    assert top.choice("choice", ("a", "b")) == "a"
    assert [item.way for item in top.fields("inner").list_of_fields("deep", 0, 2)] == ["inner.deep[0]", "inner.deep[1]"]


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda top: top.word("absent"), "absent"),
        (lambda top: top.word("whole"), "whole"),
        (lambda top: top.whole("word"), "word"),
        (lambda top: top.whole("switch"), "switch"),
        (lambda top: top.whole("whole", least=8), "whole"),
        (lambda top: top.whole("whole", most=6), "whole"),
        (lambda top: top.whole_or_none("whole", 1, 6), "whole"),
        (lambda top: top.switch("whole"), "whole"),
        (lambda top: top.choice("choice", ("b",)), "choice"),
        (lambda top: top.choice("inner", ("b",)), "inner"),
        (lambda top: top.fields("word"), "word"),
        (lambda top: top.list_of_fields("inner", 0, 9), "inner"),
        (lambda top: top.fields("inner").list_of_fields("deep", 3, 9), "inner.deep"),
        (lambda top: top.fields("inner").list_of_fields("deep", 0, 1), "inner.deep"),
        (lambda top: top.fields("inner").list_of_fields("deep", 2, 2)[1].whole("whole"), "inner.deep[1].whole"),
    ],
)
def test_a_wrong_field_is_named_by_its_way(ask: Callable[[Fields], object], field: str) -> None:
    with pytest.raises(InvalidTape) as refused:
        ask(fields())
    assert refused.value.field == field
    assert refused.value.text.startswith(f"{field} must be ")


@pytest.mark.parametrize("word", ["", "x" * 65, "a\nb", "a\x00", "\x7f", "\ud800", 7, None, True, ["a"]])
def test_what_is_no_word(word: object) -> None:
    with pytest.raises(InvalidInput):
        fields(word=word).word("word")


@pytest.mark.parametrize("number", [-1, 1.0, True, "1", MAX_WHOLE + 1, None, [1]])
def test_what_is_no_whole_number(number: object) -> None:
    with pytest.raises(InvalidInput):
        fields(whole=number).whole("whole")


@pytest.mark.parametrize("value", [None, [], "text", 3])
def test_the_top_must_be_an_object(value: object) -> None:
    with pytest.raises(InvalidInput, match="The whole must be an object") as refused:
        Fields(value, "", InvalidInput)
    assert refused.value.field == ""
