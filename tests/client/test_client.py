"""Rooms and history through the client."""

from __future__ import annotations

import pytest

from samedrop_client.client import connect
from samedrop_client.errors import RoomNotFound, Unreachable
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.from_client import GetMatch, Hello, ListMatches
from samedrop_protocol.model import Known, Phase, Role, Settings
from tests.support.playbook import Playbook
from tests.support.scene import CODE, MATCH, NOW, Scene, ok, refusal, room_state, welcome


def greeted() -> Playbook:
    return Playbook().expects(Hello).says(welcome())


async def test_create_a_room() -> None:
    settings = Settings(drop_limit=5)
    book = (
        greeted().expects(from_client.CreateRoom, settings=settings, title="Friday", public=True).answers(room_state())
    )
    async with book, book.connect() as client:
        room = await client.create_room(settings, title="Friday", public=True)
        assert client.room is room
        assert room.code == CODE


async def test_join_a_room() -> None:
    book = greeted().expects(from_client.JoinRoom, code=CODE, role=Role.PLAYER).answers(room_state())
    async with book, book.connect() as client:
        assert (await client.join_room(CODE)).code == CODE


async def test_join_no_room() -> None:
    book = greeted().expects(from_client.JoinRoom).answers(refusal(ErrorCode.ROOM_NOT_FOUND))
    async with book, book.connect() as client:
        with pytest.raises(RoomNotFound):
            await client.join_room("NOSUCH")
        assert client.room is None


async def test_list_rooms() -> None:
    summary = model.RoomSummary(
        code=CODE, title="", phase=Phase.LOBBY, game="drop7", players=1, spectators=0, host="Ann"
    )
    book = greeted().expects(from_client.ListRooms).answers(lambda re: from_server.Rooms(re=re, rooms=[summary]))
    async with book, book.connect() as client:
        assert await client.rooms() == [summary]


def summary(number: int) -> model.MatchSummary:
    return model.MatchSummary(
        match=f"m{number}",
        deal="d",
        game="drop7",
        version=1,
        known=Known.SEALED,
        started=NOW,
        finished=NOW,
        standings=[],
    )


async def test_history_comes_page_by_page() -> None:
    book = greeted().expects(ListMatches, player="Ann", since=5, until=9, game="drop7", deal="d", cursor=None)
    book.answers(lambda re: from_server.Matches(re=re, matches=[summary(3), summary(2)], next="more"))
    book.expects(ListMatches, player="Ann", since=5, until=9, game="drop7", deal="d", cursor="more")
    book.answers(lambda re: from_server.Matches(re=re, matches=[summary(1)]))
    async with book, book.connect() as client:
        found = client.matches(player="Ann", since=5, until=9, game="drop7", deal="d")
        assert [match.match async for match in found] == ["m3", "m2", "m1"]


async def test_a_record_comes_with_its_whole_log() -> None:
    scene = Scene()
    entries = [model.LogEntry(seat=0, turn=turn, at=turn, score=0, digest="0", move={"column": 0}) for turn in range(3)]

    def page(first: int, last: int) -> model.MatchRecord:
        return model.MatchRecord(
            match=scene.facts, finished=NOW, standings=[], entries=3, first=first, log=entries[first:last]
        )

    book = greeted().expects(GetMatch, match=MATCH, first=0)
    book.answers(lambda re: from_server.MatchPage(re=re, record=page(0, 2), next=2)).expects(GetMatch, first=2)
    book.answers(lambda re: from_server.MatchPage(re=re, record=page(2, 3)))
    async with book, book.connect() as client:
        record = await client.match_record(MATCH)
        assert (record.log, record.first) == (entries, 0)


async def test_unwatch() -> None:
    scene = Scene()
    book = greeted().expects(from_client.Watch).answers(scene.resumed(0, snapshot=True))
    book.expects(from_client.Unwatch, match=MATCH).answers(ok)
    async with book, book.connect() as client:
        await client.unwatch(await client.watch(MATCH))


def test_a_wrong_address_is_told_at_once() -> None:
    with pytest.raises(Unreachable):
        connect("", name="Ann")
