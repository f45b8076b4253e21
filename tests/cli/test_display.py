"""Plain text, widths, boards side by side, standings."""

from __future__ import annotations

import pytest

from samedrop_cli.display import ENDED, counted, fit, plain, side_by_side, standings_lines, width
from samedrop_protocol.model import Standing
from samedrop_rules import Ended


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("<b>[bold]x", "<b>[bold]x"),
        ("a\x1b[31mb", "a [31mb"),
        ("a\r\nb\tc", "a  b c"),
        ("a\u202eb\u200bc", "a b c"),
        ("\x9b31m", " 31m"),
        ("Zoë 火", "Zoë 火"),
    ],
)
def test_strangers_texts_do_nothing_to_a_terminal(text: str, shown: str) -> None:
    assert plain(text) == shown


@pytest.mark.parametrize(("text", "columns"), [("", 0), ("abc", 3), ("火", 2), ("e\u0301", 1), ("▓▒", 2)])
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize(("text", "columns", "fitted"), [("ab", 4, "ab  "), ("abcde", 3, "abc"), ("火火", 3, "火 ")])
def test_fit(text: str, columns: int, fitted: str) -> None:
    assert fit(text, columns) == fitted


def test_side_by_side() -> None:
    blocks = [["Ann", "1 2", "3 4"], ["火火火", "5"]]
    assert side_by_side(blocks, 80) == ["Ann    火火火", "1 2    5", "3 4"]


def test_blocks_that_do_not_fit_go_below() -> None:
    assert side_by_side([["aaa"], ["bbb"], ["ccc"]], 10) == ["aaa    bbb", "", "ccc"]
    assert side_by_side([["too wide"]], 3) == ["too wide"]
    assert side_by_side([], 80) == []


def test_standings() -> None:
    rows = [
        Standing(seat=1, player="b", name="Bob\x1b", rank=1, score=17_106, turns=5, ended="rules"),
        Standing(seat=0, player="a", name="Ann", rank=2, score=46, turns=1, ended="new reason"),
    ]
    assert standings_lines(rows) == [
        " 1. Bob   17,106  5 moves, played to the end",
        " 2. Ann       46  1 move, new reason",
    ]


def test_every_end_has_words() -> None:
    assert set(ENDED) == {ended.value for ended in Ended}


def test_things_are_counted_as_people_say_it() -> None:
    assert [counted(number, "move") for number in (0, 1, 2)] == ["0 moves", "1 move", "2 moves"]
    assert [counted(number, "match", "matches") for number in (1, 3)] == ["1 match", "3 matches"]
