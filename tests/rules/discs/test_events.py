"""Spelling out what happened: for programs and for people."""

from __future__ import annotations

import json

import pytest

from samedrop_rules import Event
from samedrop_rules.discs.events import Drop, describe, events_of
from samedrop_rules.discs.grid import Wave
from samedrop_rules.drop7 import Drop7
from tests.rules.drop7.positions import board
from tests.support.playing import random_log

RISE, CLEAR = 17_000, 70_000
QUIET: Drop = (5, 45, [], -1, False, "", 4, 3)


def test_a_quiet_drop() -> None:
    assert events_of(QUIET, RISE, CLEAR) == [
        {"type": "drop", "disc": 5, "cell": [6, 3]},
        {"type": "next", "disc": 4, "clock": 3},
    ]


@pytest.mark.parametrize(
    ("cause", "ended"), [("rise", "rules"), ("full", "rules"), ("tape", "censored")], ids=lambda text: text
)
def test_the_end_takes_the_place_of_the_next_disc(cause: str, ended: str) -> None:
    events = events_of((5, 45, [], -1, False, cause, 0, 3), RISE, CLEAR)
    assert events[1:] == [{"type": "over", "ended": ended, "cause": cause}]


def test_a_rise_stands_between_the_waves_before_and_after_it() -> None:
    waves: list[Wave] = [(number, [1], 0, [], 7, [7] * 6 + [6]) for number in (1, 2)]
    for before_rise in (0, 1, 2):
        types = [event["type"] for event in events_of((5, 45, waves, before_rise, False, "", 4, 5), RISE, CLEAR)]
        assert types == ["drop", *["wave"] * before_rise, "rise", *["wave"] * (2 - before_rise), "next"]


def test_changing_an_event_changes_nothing_else() -> None:
    def play() -> list[Event]:
        return board("...9...", "..33...", discs=[3, 1], hidden={(5, 3): 4}).play({"column": 4}).events

    before = json.dumps(play())
    for event in play():
        for value in event.values():
            if isinstance(value, list):
                for inner in value:
                    if isinstance(inner, list):
                        inner.clear()
                value.clear()
    assert json.dumps(play()) == before


def test_every_key_of_every_event_is_a_documented_one() -> None:
    keys = {
        "drop": {"type", "disc", "cell"},
        "wave": {"type", "wave", "cleared", "cracked", "revealed", "points", "falls"},
        "rise": {"type", "points"},
        "bonus": {"type", "reason", "points"},
        "next": {"type", "disc", "clock"},
        "over": {"type", "ended", "cause"},
    }
    game = Drop7()
    for seed in ("a", "b", "c"):
        for _, step in random_log(game.table(game.deal({}, seed=seed), 1), seed):
            for event in step.events:
                assert set(event) == keys[str(event["type"])]


def test_the_story_of_a_drop() -> None:
    played = board("...9...", "..33...", discs=[3, 6], clock=1, hidden={(5, 3): 1})
    assert describe(played.play({"column": 4}).events) == [
        "dropped 3 in column 5",
        "wave 1: 3 cleared, 1 opened, +21",
        "wave 2: 1 cleared, +39",
        "the board rises, +17,000",
        "next disc 6, rise in 5",
    ]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            {"type": "wave", "wave": 3, "cleared": [[0, 0, 1]] * 2, "cracked": [[1, 1]], "revealed": [], "points": 218},
            "wave 3: 2 cleared, 1 cracked, +218",
        ),
        (
            {
                "type": "wave",
                "wave": 1,
                "cleared": [[0, 0, 1]],
                "cracked": [],
                "revealed": [[1, 1, 4]] * 2,
                "points": 7,
            },
            "wave 1: 1 cleared, 2 opened, +7",
        ),
        ({"type": "rise", "points": 17000}, "the board rises, +17,000"),
        ({"type": "rise", "points": 0}, "the board rises"),
        ({"type": "bonus", "reason": "clear", "points": 70000}, "board clear, +70,000"),
        ({"type": "next", "disc": 4, "clock": 3}, "next disc 4, rise in 3"),
        ({"type": "over", "ended": "rules", "cause": "rise"}, "over: the board cannot rise"),
        ({"type": "over", "ended": "rules", "cause": "full"}, "over: the board is full"),
        ({"type": "over", "ended": "censored", "cause": "tape"}, "over: the tape has run out"),
        ({"type": "over", "ended": "censored", "cause": "drop_limit"}, "over: the drop limit is reached"),
        ({"type": "over", "ended": "time", "cause": "time"}, "over: the time is up"),
        ({"type": "over", "ended": "forfeit", "cause": "forfeit"}, "over: given up"),
        ({"type": "over", "ended": "forfeit", "cause": "another"}, "over: another"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_lines(event: Event, line: str) -> None:
    assert describe([event]) == [line]


def test_what_is_not_known_is_not_told() -> None:
    assert describe([{"type": "something new"}]) == []
    assert describe([]) == []
