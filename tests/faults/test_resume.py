"""Coming back at any moment, after any way of losing the connection: the same place, and the same numbers."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

import samedrop_migrations
from samedrop_client import Replaced, connect
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import JSON, MSGPACK, Codec
from samedrop_protocol.errors import CloseCode, ErrorCode
from samedrop_protocol.model import Phase
from samedrop_server.app import Running, running
from samedrop_server.settings import Settings
from tests.e2e.support import served, start_match
from tests.faults.players import QUICK, Player, player, token_of
from tests.support.server import FakeClock

WAYS = ["cut", "freeze", "close"]
"""How a connection is lost: without a close frame; not at all, for all that the server can see; in good order."""


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with served(tmp_path) as running:
        yield running


async def lose(client: Player, way: str) -> None:
    if way == "close":
        await client.socket.close()
    else:
        getattr(client, way)()


@pytest.mark.parametrize("way", WAYS)
async def test_in_the_lobby(way: str, server: Running) -> None:
    async with player(server, "ann") as ann, player(server, "bob") as bob:
        state = await ann.ask(from_client.CreateRoom(id=ann.id(), settings=QUICK))
        await bob.ask(from_client.JoinRoom(id=bob.id(), code=state.room.code))
        await bob.ask(from_client.Ready(id=bob.id()))
        await lose(bob, way)
        async with player(server, "bob", token_of(bob)) as again:
            room = again.me.room
            assert room is not None
            assert (room.code, again.me.player, again.me.matches) == (state.room.code, bob.me.player, [])
            assert [(one.name, one.ready, one.online) for one in room.members] == [
                ("ann", False, True),
                ("bob", True, True),
            ]
            error = await again.resume("nothing-yet")
            assert isinstance(error, from_server.Error)
            assert error.code == ErrorCode.MATCH_NOT_FOUND
            await ann.ask(from_client.Start(id=ann.id()))
            assert len((await again.until(from_server.Started)).match.seats) == 2


@pytest.mark.parametrize("way", WAYS)
async def test_in_the_countdown(way: str, server: Running) -> None:
    async with player(server, "ann") as ann, player(server, "bob") as bob:
        state = await ann.ask(from_client.CreateRoom(id=ann.id(), settings=model.Settings(countdown=1)))
        await bob.ask(from_client.JoinRoom(id=bob.id(), code=state.room.code))
        await bob.ask(from_client.Ready(id=bob.id()))
        await ann.ask(from_client.Start(id=ann.id()))
        await bob.until(from_server.Countdown)
        await lose(bob, way)
        async with player(server, "bob", token_of(bob)) as again:
            assert again.me.room is not None
            assert again.me.room.phase is Phase.COUNTDOWN
            started = await again.until(from_server.Started)
            assert [seat.name for seat in started.match.seats] == ["ann", "bob"]
            events = await again.move(started.match.match, 0, 3)
            assert (events.first, events.repeat) == (1, False)


async def test_away_at_the_start(server: Running) -> None:
    async with player(server, "ann") as ann, player(server, "bob") as bob:
        state = await ann.ask(from_client.CreateRoom(id=ann.id(), settings=QUICK))
        await bob.ask(from_client.JoinRoom(id=bob.id(), code=state.room.code))
        await bob.ask(from_client.Ready(id=bob.id()))
        bob.cut()
        started = await ann.ask(from_client.Start(id=ann.id())) and await ann.until(from_server.Started)
        match = started.match.match
        await ann.move(match, 0, 3)
        async with player(server, "bob", token_of(bob)) as again:
            assert again.me.matches == [match]
            resumed = await again.resumed(match)
            assert (resumed.answer, resumed.last, resumed.views) == ("snapshot", 0, started.views)
            assert [seat.turn for seat in resumed.progress] == [1, 0]


@pytest.mark.parametrize("way", WAYS)
async def test_the_four_answers_while_playing(way: str, server: Running) -> None:
    async with player(server, "ann") as ann, player(server, "bob") as bob:
        (started, _) = await start_match(ann, bob, settings=QUICK)
        match = started.match.match
        made = [(await ann.move(match, turn, turn)).steps[0] for turn in range(4)]
        await lose(ann, way)
        for turn in range(2):
            await bob.move(match, turn, turn)
        async with player(server, "ann", token_of(ann)) as again:
            assert (again.me.player, again.me.matches) == (ann.me.player, [match])
            resumed = await again.resumed(match, 6)
            assert (resumed.answer, resumed.last, resumed.views) == ("up_to_date", 6, None)
            resumed = await again.resumed(match, 1)
            assert (resumed.answer, resumed.last, resumed.views) == ("events", 1, None)
            steps = await again.steps(5)
            assert steps[:3] == made[1:]
            assert [(step.seat, step.turn) for step in steps[3:]] == [(1, 0), (1, 1)]
            error = await again.resume(match, 7)
            assert isinstance(error, from_server.Error)
            assert (error.code, error.field) == (ErrorCode.RESUME_AHEAD, "last")
            resumed = await again.resumed(match)
            assert (resumed.answer, resumed.last) == ("snapshot", 6)
            assert resumed.views is not None
            assert [view["turn"] for view in resumed.views] == [4, 2]
            assert (await again.move(match, 4, 4)).first == 7


@pytest.mark.parametrize("way", WAYS)
async def test_after_the_end(way: str, server: Running) -> None:
    async with player(server, "ann") as ann, player(server, "bob") as bob:
        (started, _) = await start_match(ann, bob, settings=model.Settings(countdown=0, drop_limit=1))
        match = started.match.match
        await ann.move(match, 0, 3)
        await lose(ann, way)
        await bob.move(match, 0, 4)
        over = await bob.until(from_server.MatchOver)
        async with player(server, "ann", token_of(ann)) as again:
            assert again.me.matches == []
            assert again.me.room is not None
            assert again.me.room.match == match
            assert (await again.resumed(match, 1)).answer == "events"
            assert [(step.seat, step.turn) for step in await again.steps(1)] == [(1, 0)]
            assert await again.until(from_server.MatchOver) == over
            assert (await again.resumed(match, 2)).answer == "up_to_date"
            assert await again.until(from_server.MatchOver) == over


async def test_a_wrong_token_is_refused_and_the_seat_untouched(server: Running) -> None:
    async with player(server, "ann") as ann:
        (started,) = await start_match(ann, settings=QUICK)
        async with player(server, "eve") as eve:
            token = token_of(ann)
            for wrong in (token[:-1] + ("A" if token[-1] != "A" else "B"), token.lower(), "", "x" * 200, "\0"):
                async with AsyncExitStack() as stack:
                    with pytest.raises(TimeoutError):
                        # No welcome comes; what comes is an error.
                        async with asyncio.timeout(0.2):
                            await stack.enter_async_context(player(server, "ann", wrong))
            error = await eve.resume(started.match.match)
            assert isinstance(error, from_server.Error)
            assert error.code == ErrorCode.MATCH_NOT_FOUND
        assert (await ann.move(started.match.match, 0, 3)).steps[0].turn == 0


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
async def test_the_newest_connection_plays_and_the_older_has_no_say_any_more(codec: Codec, server: Running) -> None:
    async with player(server, "ann", codec=codec) as older:
        (started,) = await start_match(older, settings=QUICK)
        match = started.match.match
        # The older one does not know yet: it goes on as if nothing had happened.
        older.freeze()
        async with player(server, "ann", token_of(older), codec) as newer:
            await newer.resumed(match, 0)
            for message in (
                from_client.Resume(id="old-1", match=match, last=0),
                from_client.LeaveRoom(id="old-2"),
                from_client.Forfeit(id="old-3", match=match),
            ):
                await older.send(message)
            events = await newer.move(match, 0, 3)
            assert (events.first, events.repeat) == (1, False), "the stream is the newer one's"
            older.thaw()
            assert await older.closed() == CloseCode.REPLACED
            assert (await newer.move(match, 1, 3)).first == 2
            resumed = await newer.resumed(match, 2)
            assert (resumed.answer, resumed.progress[0].ended) == ("up_to_date", None)


async def test_the_library_does_not_fight_for_a_place_that_it_lost(server: Running) -> None:
    async with connect(server.url, name="ann") as older, connect(server.url, name="ann", token=older.token) as newer:
        room = await newer.create_room(QUICK)
        with pytest.raises(Replaced):
            await older.ping()
        await room.start()
        match = await room.next_match()
        for _ in range(5):
            await match.move(match.legal()[0])
        assert len(server.gateway) == 1, "the older connection is gone and stays so"


@pytest.mark.parametrize("seed", range(4))
async def test_whenever_it_breaks_the_stream_goes_on_by_its_numbers(seed: int, server: Running) -> None:
    """Ann loses her connection again and again, in any way; with what she has she ends up with the whole stream."""
    chance = random.Random(seed)
    async with AsyncExitStack() as stack, player(server, "bob") as bob:
        ann = await stack.enter_async_context(player(server, "ann"))
        token = token_of(ann)
        (started, _) = await start_match(ann, bob, settings=QUICK)
        match = started.match.match
        told: dict[int, from_server.Step] = {}
        turns = [0, 0]
        for _ in range(40):
            if chance.random() < 0.4:
                if chance.random() < 0.5:
                    turns[0] += await try_move(ann, match, turns[0], wait=False)
                await lose(ann, chance.choice(WAYS))
                keep(ann, match, told)
                ann = await stack.enter_async_context(player(server, "ann", token))
                await ann.resumed(match, len(told))
            elif chance.random() < 0.5:
                turns[0] += await try_move(ann, match, turns[0])
            else:
                turns[1] += await try_move(bob, match, turns[1])
        await ann.ask(from_client.Forfeit(id="end", match=match))
        await bob.ask(from_client.Forfeit(id="end-too", match=match))
        await ann.until(from_server.MatchOver)
        keep(ann, match, told)
        resumed = await ann.resumed(match, 0)
        assert resumed.answer == "events"
        assert await ann.steps(len(told)) == [told[number] for number in range(1, len(told) + 1)]


async def try_move(client: Player, match: str, turn: int, *, wait: bool = True) -> bool:
    """Move in the given turn; whether there will be a next one."""
    message = from_client.Move(id=f"turn-{turn}", match=match, turn=turn, move={"column": turn % 7})
    if not wait:
        await client.send(message)
        return False
    answer = await client.ask(message)
    return isinstance(answer, from_server.Events)


def keep(client: Player, match: str, told: dict[int, from_server.Step]) -> None:
    """Take in what came over a connection: numbers go on without gaps, and a number means one step for good."""
    for message in client.seen:
        if isinstance(message, from_server.Events) and message.match == match and not message.repeat:
            assert message.first <= len(told) + 1
            for number, step in enumerate(message.steps, message.first):
                assert told.setdefault(number, step) == step
    client.seen.clear()


async def test_a_match_that_is_not_stored_yet_is_nobodys_to_take_up(server: Running, tmp_path: Path) -> None:
    """Bob comes back in the moment between the start and the storing: he gets the start, once, like everybody."""
    async with player(server, "ann") as ann, player(server, "bob") as bob:
        state = await ann.ask(from_client.CreateRoom(id=ann.id(), settings=QUICK))
        await bob.ask(from_client.JoinRoom(id=bob.id(), code=state.room.code))
        await bob.ask(from_client.Ready(id=bob.id()))
        other = sqlite3.connect(tmp_path / "samedrop.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await ann.ask(from_client.Start(id=ann.id()))
        async with player(server, "bob", token_of(bob)) as again:
            assert again.me.matches == []
            (match,) = server.hall.matches
            error = await again.resume(match)
            assert isinstance(error, from_server.Error)
            assert error.code == ErrorCode.MATCH_NOT_FOUND
            other.close()
            assert (await again.until(from_server.Started)).match.match == match
            assert (await again.move(match, 0, 3)).first == 1


async def test_a_long_time_down_is_not_held_against_the_players(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'samedrop.db'}"
    samedrop_migrations.upgrade(database)
    clock = FakeClock()
    settings = Settings(port=0, database=database)
    async with running(settings, clock) as server, player(server, "ann") as ann:
        (started,) = await start_match(ann, settings=QUICK)
        await ann.move(started.match.match, 0, 3)
    clock.advance(24 * 3600)
    async with running(settings, clock) as server:
        server.hall.tidy()
        async with player(server, "ann", token_of(ann)) as again:
            server.hall.tidy()
            assert again.me.matches == [started.match.match]
            assert (await again.move(started.match.match, 1, 3)).steps[0].turn == 1


async def test_who_went_to_another_room_is_there_after_a_restart(tmp_path: Path) -> None:
    """Ann left a match that goes on without her; a restart does not bring her back into it."""
    async with served(tmp_path) as server, player(server, "ann") as ann, player(server, "bob") as bob:
        (left, _) = await start_match(ann, bob, settings=QUICK)
        await ann.ask(from_client.LeaveRoom(id=ann.id()))
        (started,) = await start_match(ann, settings=QUICK)
    async with (
        served(tmp_path) as server,
        player(server, "ann", token_of(ann)) as ann_again,
        player(server, "bob", token_of(bob)) as bob_again,
    ):
        assert ann_again.me.matches == [left.match.match, started.match.match]
        assert ann_again.me.room is not None
        assert ann_again.me.room.code == started.match.room
        assert bob_again.me.room is not None
        assert [member.name for member in bob_again.me.room.members] == ["bob"]
        assert bob_again.me.room.host == bob.me.player
        await ann_again.move(started.match.match, 0, 3)
        states = [message for message in ann_again.seen if isinstance(message, from_server.RoomState)]
        assert all(state.room.code == started.match.room for state in states)
