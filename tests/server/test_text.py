from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from samedrop_server.text import NAME_WIDTH, clean, clean_chat, clean_name, clean_title, skeleton, unique_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("", ""),
        ("   ", ""),
        ("\u200b", ""),
        ("\u200f", ""),
        ("\u3164\u2800", ""),
        ("\u0301", ""),
        ("\u202eecila", "ecila"),
        ("Admin ", "Admin"),
        ("a \t\n b", "a b"),
        ("e\u0301", "é"),
        ("a" + "\u0301" * 40, "á\u0301\u0301"),
        ("👨\u200d👩\u200d👧", "👨👩👧"),
        ("\x1b[31mred", "[31mred"),
        ("\ud800x", "x"),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert"),
        ("[link=javascript:1]", "[link=javascript:1]"),
        ("漢字" * 20, "漢字" * 6),
    ],
)
def test_names_are_made_safe_to_show(typed: str, name: str) -> None:
    assert clean_name(typed) == name


@given(st.text(st.characters(), max_size=80))
def test_cleaning_is_final_and_narrow(typed: str) -> None:
    name = clean_name(typed)
    assert clean_name(name) == name
    assert 0 <= wcswidth(name) <= NAME_WIDTH
    assert unicodedata.is_normalized("NFC", name)
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in name)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", "Аlice"), ("alice", "ALICE"), ("é", "e"), ("Bob", "B0b"), ("Ill", "lII"), ("paypal", "раураl")],
)
def test_look_alikes_share_a_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_different_names_have_different_skeletons() -> None:
    names = ["alice", "bob", "carol", "greedy", "random", "Ольга", "山田"]
    assert len({skeleton(name) for name in names}) == len(names)


def test_a_taken_name_gets_a_number() -> None:
    taken = {skeleton("greedy")}
    assert unique_name("random", taken) == "random"
    second = unique_name("Greedy", taken)
    assert second == "Greedy 2"
    assert unique_name("greedy", taken | {skeleton(second)}) == "greedy 3"
    long = "w" * NAME_WIDTH
    assert wcswidth(unique_name(long, {skeleton(long)})) <= NAME_WIDTH


def test_titles_and_chat_are_one_clean_line() -> None:
    assert clean_title("Friday\nnight") == "Friday night"
    assert clean_chat("hi\u202e there" + "!" * 400) == ("hi there" + "!" * 400)[:300]
    assert clean("javascript:alert(1)") == "javascript:alert(1)"
