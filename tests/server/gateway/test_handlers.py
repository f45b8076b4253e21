"""What messages do, where it is not told by the tests of rooms and matches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.from_client import CLIENT_MESSAGES
from samedrop_server.app import Running
from samedrop_server.gateway.handlers import HANDLERS, WATCHED_AT_MOST
from samedrop_server.gateway.limits import GUESSES
from tests.e2e.support import Raw, raw, served, start_match


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with served(tmp_path) as running:
        yield running


@pytest.fixture
async def ann(server: Running) -> AsyncIterator[Raw]:
    async with raw(server) as client:
        await client.hello("ann")
        yield client


@pytest.fixture
async def bob(server: Running) -> AsyncIterator[Raw]:
    async with raw(server) as client:
        await client.hello("bob")
        yield client


def test_every_message_has_its_handler() -> None:
    assert set(HANDLERS) == set(CLIENT_MESSAGES.values())


async def test_ping_tells_the_time(server: Running, ann: Raw) -> None:
    pong = await ann.ask(from_client.Ping(id="1"))
    assert abs(pong.time - server.gateway.clock.now()) < 10_000


async def test_codes_cannot_be_tried_out(server: Running, ann: Raw, bob: Raw) -> None:
    """Wrong ones are counted by address, over all players there; then right ones are refused as well."""
    code = (await ann.ask(from_client.CreateRoom(id="1"))).room.code
    left = GUESSES.burst
    while left > 0:
        async with raw(server) as guesser:
            await guesser.hello("guesser")
            for _ in range(15):
                left -= 1
                error = await guesser.ask(from_client.JoinRoom(id=f"{left}", code="AAAAAA"))
                assert error.code == ErrorCode.ROOM_NOT_FOUND
    for wanted in ("AAAAAB", code):
        error = await bob.ask(from_client.JoinRoom(id=wanted, code=wanted))
        assert (error.code, error.field) == (ErrorCode.RATE_LIMITED, "guesses")
        assert 1 < error.retry_after <= 5


async def test_right_codes_are_no_guesses(server: Running, ann: Raw, bob: Raw) -> None:
    code = (await ann.ask(from_client.CreateRoom(id="1"))).room.code
    for number in range(10):
        assert isinstance(await bob.ask(from_client.JoinRoom(id=f"{number}", code=code)), from_server.RoomState)
    server.gateway.limits.may_guess("127.0.0.1")
    assert server.gateway.limits._bucket((GUESSES, "127.0.0.1")).ahead(server.gateway.clock.now()) <= 0


async def test_a_password_is_asked_of_who_joins(ann: Raw, bob: Raw) -> None:
    made = (await ann.ask(from_client.CreateRoom(id="1", password="rote Grütze", public=True))).room
    assert made.locked
    (listed,) = (await bob.ask(from_client.ListRooms(id="1"))).rooms
    assert listed.locked
    for number, password in enumerate(("", "rote Grutze", "Rote Grütze")):
        error = await bob.ask(from_client.JoinRoom(id=f"w{number}", code=made.code, password=password))
        assert (error.code, error.field) == (ErrorCode.ROOM_PASSWORD, "password")
        assert "Gr" not in error.text
    joined = await bob.ask(from_client.JoinRoom(id="2", code=made.code, password="rote Grütze"))
    assert len(joined.room.members) == 2
    # Who is in already may change the role without it.
    changed = await bob.ask(from_client.JoinRoom(id="3", code=made.code, role=model.Role.SPECTATOR))
    assert changed.room.members[1].role is model.Role.SPECTATOR
    for frame in (*ann.frames, *bob.frames):
        assert b"Gr\xc3\xbctze" not in bytes(frame, "utf-8") if isinstance(frame, str) else frame


async def test_the_host_sets_changes_and_takes_away_the_password(server: Running, ann: Raw, bob: Raw) -> None:
    code = (await ann.ask(from_client.CreateRoom(id="1"))).room.code
    expected = {"one": True, "two": True, "": False}
    for number, (password, locked) in enumerate(expected.items()):
        await ann.ask(from_client.ConfigureRoom(id=f"c{number}", password=password))
        room = server.gateway.hall.rooms[code]
        assert room.public_state().locked == locked
        await ann.ask(from_client.ConfigureRoom(id=f"t{number}", title="other"))
        assert room.public_state().locked == locked
        answer = await bob.ask(from_client.JoinRoom(id=f"j{number}", code=code, password="one"))
        assert isinstance(answer, from_server.Error) == (password == "two")
        if isinstance(answer, from_server.RoomState):
            await bob.ask(from_client.LeaveRoom(id=f"l{number}"))


async def test_wrong_passwords_are_guesses(server: Running, ann: Raw, bob: Raw) -> None:
    code = (await ann.ask(from_client.CreateRoom(id="1", password="herring"))).room.code
    for _ in range(int(GUESSES.burst) - 1):
        server.gateway.limits.guessed("127.0.0.1")
    error = await bob.ask(from_client.JoinRoom(id="1", code=code, password="x"))
    assert error.code == ErrorCode.ROOM_PASSWORD
    error = await bob.ask(from_client.JoinRoom(id="last", code=code, password="herring"))
    assert (error.code, error.field) == (ErrorCode.RATE_LIMITED, "guesses")


async def test_a_match_in_a_locked_room_is_shown_to_members_only(ann: Raw, bob: Raw) -> None:
    settings = model.Settings(countdown=0)
    made = await ann.ask(from_client.CreateRoom(id="1", public=True, password="herring", settings=settings))
    await ann.send(from_client.Start(id="2"))
    match = (await ann.until(from_server.Started)).match.match
    assert (await bob.ask(from_client.Watch(id="1", match=match))).code == ErrorCode.MATCH_NOT_FOUND
    await bob.ask(from_client.JoinRoom(id="2", code=made.room.code, password="herring"))
    assert isinstance(await bob.ask(from_client.Watch(id="3", match=match)), from_server.Resumed)


async def test_a_member_comes_back_without_the_password(server: Running, ann: Raw) -> None:
    code = (await ann.ask(from_client.CreateRoom(id="1", password="herring"))).room.code
    async with raw(server) as again:
        welcome = await again.hello("ann", ann.me.token)
        assert welcome.room is not None
        assert (welcome.room.code, welcome.room.locked) == (code, True)


async def test_watching_has_an_end(server: Running, ann: Raw, bob: Raw) -> None:
    (started,) = await start_match(ann, settings=model.Settings(countdown=0))
    room = server.gateway.hall.rooms[started.match.room]
    room.public = True
    match = started.match.match
    connection = next(one for one in server.gateway._connections if one.player and one.player.name == "bob")
    others = [f"{number}" for number in range(WATCHED_AT_MOST)]
    server.gateway.hall.matches.update(dict.fromkeys(others, server.gateway.hall.matches[match]))
    connection.watching.update(others)
    assert (await bob.ask(from_client.Watch(id="1", match=match))).code == ErrorCode.MATCH_NO_WATCHING
    await bob.ask(from_client.Unwatch(id="2", match="0"))
    assert isinstance(await bob.ask(from_client.Watch(id="3", match=match)), from_server.Resumed)
    assert isinstance(await bob.ask(from_client.Watch(id="4", match=match)), from_server.Resumed)
