"""A room as a client sees it: state, what comes in it, matches one after another, and leaving."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from samedrop_client.client import Client
from samedrop_client.errors import Disconnected, RoomLeft
from samedrop_client.room import Room
from samedrop_protocol import from_client, from_server
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.from_client import Hello, LeaveRoom, Ping, Request
from samedrop_protocol.model import Phase, Role, Settings
from tests.support.playbook import Playbook
from tests.support.scene import ANN, BOB, CODE, MATCH, NOW, Scene, member, ok, pong, room, welcome


def in_room() -> Playbook:
    return Playbook().expects(Hello).says(welcome(room=room()))


def room_of(client: Client) -> Room:
    assert client.room is not None
    return client.room


Do = Callable[[Room], Awaitable[None]]


@pytest.mark.parametrize(
    ("do", "kind", "fields"),
    [
        (lambda room: room.ready(), from_client.Ready, {"ready": True}),
        (lambda room: room.ready(False), from_client.Ready, {"ready": False}),
        (lambda room: room.start(), from_client.Start, {"force": False}),
        (lambda room: room.start(force=True), from_client.Start, {"force": True}),
        (lambda room: room.cancel_start(), from_client.CancelStart, {}),
        (lambda room: room.rematch(), from_client.Rematch, {"same_deal": False}),
        (lambda room: room.rematch(same_deal=True), from_client.Rematch, {"same_deal": True}),
        (lambda room: room.kick(BOB), from_client.Kick, {"player": BOB}),
        (lambda room: room.chat("hello"), from_client.Chat, {"text": "hello"}),
        (lambda room: room.configure(title="T"), from_client.ConfigureRoom, {"title": "T", "settings": None}),
        (
            lambda room: room.configure(settings=Settings(drop_limit=9), public=True),
            from_client.ConfigureRoom,
            {"settings": Settings(drop_limit=9), "public": True, "title": None},
        ),
    ],
)
async def test_requests(do: Do, kind: type[Request], fields: dict[str, object]) -> None:
    book = in_room().expects(kind, **fields).answers(ok)
    async with book, book.connect() as client:
        await do(room_of(client))


async def test_the_state_follows() -> None:
    ready = room(member(ANN, ready=True), member(BOB, role=Role.SPECTATOR), host=BOB)
    book = in_room().says(from_server.RoomState(room=ready)).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        here = room_of(client)
        assert here.is_host
        await client.ping()
        assert here.code == CODE
        assert not here.is_host
        assert here.me == member(ANN, ready=True)
        assert here.players == [member(ANN, ready=True)]


async def test_what_comes_is_iterated_once() -> None:
    chat = from_server.ChatLine(player=BOB, name="Bob", text="hi", time=NOW)
    countdown = from_server.Countdown(starts=NOW, seconds=3)
    broken = from_server.Error(code=ErrorCode.STORAGE, text="The match could not be stored.")
    book = in_room().says(chat, countdown).expects(Ping).answers(pong).says(broken)
    async with book, book.connect() as client:
        here = room_of(client)
        assert [await anext(here) for _ in range(3)] == [from_server.RoomState(room=room()), chat, countdown]
        await client.ping()
        async for message in here:
            assert message == broken
            break


async def test_matches_come_one_after_another() -> None:
    first, second = Scene("one"), Scene("two")
    over = first.over()
    book = in_room().says(first.started(), over)
    async with book, book.connect() as client:
        here = room_of(client)
        match = await here.next_match()
        await match.result()
        waiting = asyncio.create_task(here.next_match())
        await book.done()
        assert not waiting.done()
        await book.say(second.started())
        assert (await waiting).facts.deal.deal == second.deal.id
        assert here.match is not match


async def test_a_running_match_is_taken_up_by_a_new_process() -> None:
    scene = Scene()
    scene.play(0, 3)
    playing = room(phase=Phase.PLAYING, match=MATCH)
    book = Playbook().expects(Hello).says(welcome(room=playing, matches=(MATCH,)))
    book.expects(from_client.Resume, match=MATCH, last=None).answers(scene.resumed(1, snapshot=True))
    async with book, book.connect() as client:
        match = await room_of(client).next_match()
        assert (match.seat, match.turn) == (0, 1)
        assert match.view() == scene.table.view(0)


async def test_a_spectator_who_comes_late_is_shown_the_running_match() -> None:
    scene = Scene()
    playing = room(phase=Phase.PLAYING, match=MATCH)
    book = Playbook().expects(Hello).says(welcome(player="player-eve"))
    book.expects(from_client.JoinRoom, code=CODE, role=Role.SPECTATOR)
    book.answers(lambda request: from_server.RoomState(room=playing, re=request))
    book.expects(from_client.Watch, match=MATCH).answers(scene.resumed(0, snapshot=True))
    async with book, book.connect() as client:
        here = await client.join_room(CODE, Role.SPECTATOR)
        assert (await here.next_match()).seat is None


async def test_leaving() -> None:
    book = in_room().expects(LeaveRoom).answers(lambda request: from_server.RoomLeft(reason="left", re=request))
    async with book, book.connect() as client:
        here = room_of(client)
        await here.leave()
        assert client.room is None
        assert here.left == "left"
        assert [type(message) async for message in here] == [from_server.RoomState]
        with pytest.raises(RoomLeft):
            await here.next_match()


@pytest.mark.parametrize(("reason", "words"), [("kicked", "removed"), ("closed", "closed"), ("swallowed", "swallowed")])
async def test_being_made_to_leave(reason: str, words: str) -> None:
    book = in_room().says(from_server.RoomLeft(reason=reason))
    async with book, book.connect() as client:
        with pytest.raises(RoomLeft, match=words) as caught:
            await room_of(client).next_match()
        assert caught.value.reason == reason


async def test_the_room_is_gone_when_the_client_comes_back() -> None:
    book = in_room().cuts().expects(Hello).says(welcome())
    async with book, book.connect() as client:
        with pytest.raises(RoomLeft):
            await room_of(client).next_match()
        assert client.room is None


async def test_the_room_lasts_over_a_lost_connection() -> None:
    book = in_room().cuts().expects(Hello).says(welcome(room=room(host=BOB))).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        here = room_of(client)
        await client.ping()
        assert client.room is here
        assert not here.is_host


async def test_the_end_of_the_connection_ends_the_room() -> None:
    book = in_room().closes(4001)
    async with book, book.connect() as client:
        here = room_of(client)
        await anext(here)
        with pytest.raises(Disconnected):
            await anext(here)
        with pytest.raises(Disconnected):
            await here.until(lambda: False)
