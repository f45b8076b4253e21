"""The naive number-drop alone, on the worked positions of its rules page, before it judges the real engine."""

from __future__ import annotations

import pytest

from tests.support.naive.deal import below, stream_bytes
from tests.support.naive.number_drop import NaiveNumberDrop

ELEVEN_DISCS = [
    ([[3, 6], [5, 7], [3], [2], [6, 5], [4], [1, 3]], [[5, 5], [3], [1], [6], [5]]),
    ([[4, 7], [3], [3], [5, 6], [1, 3], [6, 5], [2]], [[5, 5], [3], [1], [6], [5]]),
]


@pytest.mark.parametrize(("columns", "cleared"), ELEVEN_DISCS)
def test_eleven_discs_in_two_rows(columns: list[list[int]], cleared: list[list[int]]) -> None:
    game = NaiveNumberDrop.at(columns, 5)
    assert game.matching() == []
    links = game.drop(2)
    assert [[number for _, _, number in link.cleared] for link in links] == cleared
    assert [link.points for link in links] == [20, 40, 90, 160, 250]
    assert game.score == 560


def test_a_one_on_top_of_a_column() -> None:
    game = NaiveNumberDrop.at([[6, 4, 4], [], [], [], [], [], []], 1)
    assert [len(link.cleared) for link in game.drop(0)] == [3]
    assert game.score == 30
    assert game.text() == "0" * 42 + "6000000"


def test_a_gray_disc_takes_one_crack_a_link() -> None:
    game = NaiveNumberDrop.at([[], [8], [8, 5], [8], [], [], []], 5)
    game.board[6] = [0, 3, 8, 3, 0, 0, 0]
    game.board[5] = [0] * 7
    game.disc = 7
    (link,) = game.drop(2)
    assert (link.cracked, link.opened) == ([(6, 2)], [])
    assert game.text() == "0" * 35 + "0070000" + "0090000"


def test_the_start_is_dealt_column_then_number_and_scores_nothing() -> None:
    draws = stream_bytes("naive", "start")
    pairs = [(below(draws, 7), 1 + below(draws, 7)) for _ in range(7)]
    game = NaiveNumberDrop("naive", start_discs=7)
    expected = NaiveNumberDrop.at([[number for at, number in pairs if at == column] for column in range(7)], 1)
    expected.chain()
    assert game.text() == expected.text()
    assert (game.score, game.drops) == (0, 0)
    assert game.matching() == []


@pytest.mark.parametrize(
    ("mode", "rises"), [("normal", [30, 60, 90]), ("sequence", [30, 55, 75, 90, 100, 105, 110, 115])]
)
def test_rows_rise_on_time(mode: str, rises: list[int]) -> None:
    game = NaiveNumberDrop("time", mode=mode, start_discs=0)
    seen = []
    while game.drops < rises[-1]:
        game.board = [[0] * 7 for _ in range(7)]
        game.drop(0)
        if game.after_rise is not None:
            seen.append(game.drops)
    assert seen == rises
