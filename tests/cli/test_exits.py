"""The exit codes are a promise."""

from __future__ import annotations

from samedrop_cli.exits import CommandError, Exit


def test_the_codes_never_change() -> None:
    assert {code.name: code.value for code in Exit} == {
        "OK": 0,
        "NO": 1,
        "USAGE": 2,
        "INPUT": 3,
        "DATABASE": 4,
        "NETWORK": 5,
        "NOT_INSTALLED": 6,
        "INTERRUPTED": 130,
    }


def test_an_error_carries_text_and_code() -> None:
    error = CommandError("No.", Exit.INPUT)
    assert (str(error), error.text, error.exit_code) == ("No.", "No.", 3)
