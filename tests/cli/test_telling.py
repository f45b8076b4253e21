"""A move in one line, and what is new in a room."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from samedrop_cli.telling import can_start, move_line, room_news
from samedrop_protocol.events import Bonus, Drop, Event, Next, Over, Rise, UnknownEvent, Wave
from samedrop_protocol.model import Phase, Role, Settings
from tests.support.scene import ANN, BOB, member, room

EVE = "player-eve"


def wave(number: int, *, cleared: int, cracked: int = 0, opened: int = 0, points: int) -> Wave:
    return Wave(
        wave=number,
        cleared=[(0, 0, 1)] * cleared,
        cracked=[(0, 0)] * cracked,
        revealed=[(0, 0, 1)] * opened,
        points=points,
        falls=[],
    )


DROP = Drop(disc=3, cell=(5, 3))
NEXT = Next(disc=6, clock=2)
BONUS = Bonus(reason="clear", points=70_000)


@pytest.mark.parametrize(
    ("events", "line"),
    [
        ([DROP, NEXT], "Dropped 3 in column 4. Rise in 2. Next 6."),
        (
            [DROP, wave(1, cleared=2, points=14), wave(2, cleared=3, opened=1, points=124), NEXT],
            "Dropped 3 in column 4: 2 waves, 5 cleared, 1 opened, +138. Rise in 2. Next 6.",
        ),
        (
            [
                DROP,
                wave(1, cleared=1, cracked=2, points=7),
                Rise(points=17_000),
                Bonus(reason="clear", points=70_000),
                NEXT,
            ],
            "Dropped 3 in column 4: 1 wave, 1 cleared, 2 cracked, the board rose, clear bonus, +87,007."
            " Rise in 2. Next 6.",
        ),
        ([DROP, Over(ended="rules", cause="full")], "Dropped 3 in column 4. Your run is over."),
        ([DROP, UnknownEvent(body={"type": "confetti"}), NEXT], "Dropped 3 in column 4. Rise in 2. Next 6."),
        ([Over(ended="time", cause="time")], "Your run is over."),
    ],
)
def test_a_move_in_one_line(events: list[Event], line: str) -> None:
    assert move_line(events) == line


BEFORE = room()


@pytest.mark.parametrize(
    ("now", "lines"),
    [
        (BEFORE, []),
        (room(member(ANN), member(BOB), member(EVE, role=Role.SPECTATOR)), ["Eve joined to watch."]),
        (room(member(ANN)), ["Bob left."]),
        (room(member(ANN), member(BOB, online=False)), ["Bob lost the connection."]),
        (room(member(ANN, ready=True), member(BOB)), ["You are ready."]),
        (room(member(ANN), member(BOB, ready=True)), ["Bob is ready.", "Everybody is ready: type start."]),
        (room(host=BOB), ["Bob is the host now."]),
        (replace(BEFORE, settings=Settings(drop_limit=3)), ["The settings were changed."]),
        (room(member(ANN), member(BOB, ready=True), phase=Phase.PLAYING), []),
    ],
)
def test_news_of_a_room(now: object, lines: list[str]) -> None:
    assert room_news(BEFORE, now, ANN) == lines  # type: ignore[arg-type]


def test_more_news_of_a_room() -> None:
    away = room(member(ANN), member(BOB, online=False))
    assert room_news(away, BEFORE, ANN) == ["Bob is back."]
    assert room_news(room(host=BOB), BEFORE, ANN) == ["You are the host now."]
    escape = replace(member(BOB), name="B\x1b[2J")
    assert room_news(room(member(ANN)), room(member(ANN), escape), ANN) == ["B [2J joined."]


def test_when_a_room_can_start() -> None:
    assert not can_start(room(member(ANN)))
    assert not can_start(room(member(ANN), member(BOB)))
    assert can_start(room(member(ANN), member(BOB, ready=True)))
    assert can_start(room(member(ANN), member(BOB, ready=True), member(EVE, online=False)))
    assert not can_start(room(member(ANN), member(BOB, ready=True), phase=Phase.COUNTDOWN))
