"""Options: checking and filling in."""

from __future__ import annotations

import pytest

from samedrop_rules import InvalidOptions, Option
from samedrop_rules.options import read_options

SWITCH = Option("latent", "fixed in advance", False)
NUMBER = Option("start_rows", "covered rows", 1, 0, 6)
CHOICE = Option("mode", "how rows rise", "normal", choices=("normal", "sequence"))
ALL = (SWITCH, NUMBER, CHOICE)


def test_what_is_not_given_has_its_default_in_the_listed_order() -> None:
    assert list(read_options(ALL, {}).items()) == [("latent", False), ("start_rows", 1), ("mode", "normal")]
    given = {"mode": "sequence", "latent": True}
    assert list(read_options(ALL, given).items()) == [("latent", True), ("start_rows", 1), ("mode", "sequence")]


@pytest.mark.parametrize("value", [0, 1, 6])
def test_whole_numbers_within_their_bounds(value: int) -> None:
    assert read_options(ALL, {"start_rows": value})["start_rows"] == value


BAD_VALUES: list[tuple[str, object]] = [
    *[("latent", value) for value in (0, 1, "true", None)],
    *[("start_rows", value) for value in (-1, 7, 2**63, 1.0, float("nan"), True, "1", None)],
    *[("mode", value) for value in ("", "Normal", "other", 0, None)],
    *[(name, [1]) for name in ("latent", "start_rows", "mode")],
]


@pytest.mark.parametrize(("name", "value"), BAD_VALUES)
def test_values_that_are_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidOptions) as refused:
        read_options(ALL, {name: value})
    assert refused.value.field == name
    assert name in refused.value.text


def test_the_text_says_what_is_allowed() -> None:
    with pytest.raises(InvalidOptions, match="true or false"):
        SWITCH.check(3)
    with pytest.raises(InvalidOptions, match="a whole number from 0 to 6"):
        NUMBER.check(7)
    with pytest.raises(InvalidOptions, match="one of normal, sequence"):
        CHOICE.check("x")


def test_unknown_names_are_refused_naming_those_there_are() -> None:
    with pytest.raises(InvalidOptions, match=r"'latnt'.*latent, start_rows, mode") as refused:
        read_options(ALL, {"latnt": True})
    assert refused.value.field == "latnt"
    with pytest.raises(InvalidOptions, match="none"):
        read_options((), {"x": 1})


def test_a_long_unknown_name_does_not_fill_the_answer() -> None:
    with pytest.raises(InvalidOptions) as refused:
        read_options(ALL, {"x" * 100_000: True})
    assert len(refused.value.text) < 200
    assert len(refused.value.field) <= 40
