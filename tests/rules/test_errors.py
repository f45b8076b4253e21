"""The tree of refusals."""

from __future__ import annotations

import pytest

from samedrop_rules import errors

MALFORMED = [errors.InvalidOptions, errors.InvalidSeed, errors.InvalidTape, errors.InvalidMove]


@pytest.mark.parametrize("kind", MALFORMED)
def test_malformed_input_names_its_part(kind: type[errors.InvalidInput]) -> None:
    error = kind("Text for people.", "move.column")
    assert isinstance(error, errors.InvalidInput)
    assert (error.text, error.field, str(error)) == ("Text for people.", "move.column", "Text for people.")
    assert kind("All of it is wrong.").field == ""


def test_an_illegal_move_is_not_malformed() -> None:
    error = errors.IllegalMove("Column 4 is full.", "move.column")
    assert not isinstance(error, errors.InvalidInput)
    assert (error.text, error.field) == ("Column 4 is full.", "move.column")


def test_everything_refused_is_a_rules_error() -> None:
    kinds = [errors.UnknownGame, errors.InvalidInput, errors.IllegalMove, *MALFORMED]
    assert all(issubclass(kind, errors.RulesError) for kind in kinds)
