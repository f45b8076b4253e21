"""What is new in a room."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from samedrop_cli.telling import can_start, pause_news, room_news
from samedrop_protocol.from_client import Hello
from samedrop_protocol.from_server import Paused
from samedrop_protocol.model import Phase, Role, Settings
from tests.support.playbook import Playbook
from tests.support.scene import ANN, BOB, MATCH, Scene, member, room, welcome

EVE = "player-eve"


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


@pytest.mark.parametrize(
    ("agreed", "paused", "line"),
    [
        ([], False, "The match goes on."),
        ([1], False, "Bob wants a pause; it begins once all have typed pause."),
        ([0, 1], False, "Ann, Bob want a pause; it begins once all have typed pause."),
        ([0, 1], True, "The match is paused, and its time stands still. Type go to go on."),
    ],
)
async def test_news_of_a_pause(agreed: list[int], paused: bool, line: str) -> None:
    book = Playbook().expects(Hello).says(welcome(room=room()), Scene().started())
    async with book, book.connect() as client:
        assert client.room is not None
        match = await client.room.next_match()
        assert pause_news(match, Paused(match=MATCH, agreed=agreed, paused=paused)) == line
