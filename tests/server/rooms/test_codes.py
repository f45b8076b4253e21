from __future__ import annotations

import pytest

from samedrop_server.rooms.codes import CODE_ALPHABET, CODE_LENGTH, new_code, read_code


def test_codes_use_no_letter_that_is_taken_for_another() -> None:
    codes = {new_code() for _ in range(500)}
    assert len(codes) > 490
    assert all(len(code) == CODE_LENGTH and set(code) <= set(CODE_ALPHABET) for code in codes)
    assert not set("01OI") & set(CODE_ALPHABET)


@pytest.mark.parametrize("typed", ["ABC234", "abc234", "abc-234", " A B C 2 3 4 ", "ab-c2 34"])
def test_codes_are_read_as_people_type_them(typed: str) -> None:
    assert read_code(typed) == "ABC234"
