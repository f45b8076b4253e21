"""What is begun while the database cannot be reached is refused with a clear error, and can be begun later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from samedrop_client import connect
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import MSGPACK
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Phase
from samedrop_server.app import Running
from tests.e2e.support import raw, served, start_match
from tests.faults.players import QUICK, player, token_of


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with served(tmp_path) as running:
        yield running


@contextmanager
def gone(folder: Path) -> Iterator[None]:
    """The database is not where it was."""
    database, aside = folder / "samedrop.db", folder / "aside.db"
    database.rename(aside)
    yield
    aside.rename(database)


async def test_new_and_known_players_wait(server: Running, tmp_path: Path) -> None:
    async with player(server, "ann") as ann, raw(server) as client:
        for token in (None, token_of(ann)):
            hello = from_client.Hello(versions=[1], name="ann", token=token)
            with gone(tmp_path):
                await client.send(hello)
                error = await client.until(from_server.Error)
                assert (error.code, error.retry_after) == (ErrorCode.STORAGE, 1.0)
        await client.hello("ann", token_of(ann))
        assert client.me.player == ann.me.player


async def test_a_match_does_not_start(server: Running, tmp_path: Path) -> None:
    async with player(server, "ann") as ann, player(server, "bob") as bob:
        with gone(tmp_path):
            state = await ann.ask(from_client.CreateRoom(id=ann.id(), settings=QUICK))
            await bob.ask(from_client.JoinRoom(id=bob.id(), code=state.room.code))
            await bob.ask(from_client.Ready(id=bob.id()))
            await ann.ask(from_client.Start(id=ann.id()))
            for client in (ann, bob):
                error = await client.until(from_server.Error)
                assert (error.code, error.re) == (ErrorCode.STORAGE, None)
                assert (await client.until(from_server.RoomState)).room.phase is Phase.LOBBY
        await ann.ask(from_client.Start(id=ann.id()))
        started = await ann.until(from_server.Started)
        assert await bob.until(from_server.Started) == started
        assert (await ann.move(started.match.match, 0, 3)).first == 1
        assert not any(isinstance(message, from_server.Error) for message in bob.seen[-3:])


async def test_who_leaves_a_match_that_cannot_start_harms_nobody(server: Running, tmp_path: Path) -> None:
    async with player(server, "ann") as ann, player(server, "bob") as bob:
        (started,) = await start_match(bob, settings=QUICK)
        with gone(tmp_path):
            await ann.ask(from_client.CreateRoom(id=ann.id(), settings=QUICK))
            frames = from_client.Start(id="start"), from_client.LeaveRoom(id="leave")
            for message in frames:  # in one go: the match is not stored yet when its only player leaves
                ann.socket.transport.write(masked(MSGPACK.encode(message)))
            await ann.until(from_server.RoomLeft)
            await bob.send(from_client.Move(id="move", match=started.match.match, turn=0, move={"column": 3}))
            await bob.until(from_server.Suspended)
        await bob.until(from_server.Continued)
        assert (await bob.move(started.match.match, 0, 3)).first == 1
        await ann.ask(from_client.CreateRoom(id=ann.id(), settings=QUICK))


def masked(payload: bytes) -> bytes:
    """A small binary WebSocket frame of a client, with a mask of zeros."""
    assert len(payload) < 126
    return bytes([0x82, 0x80 | len(payload), 0, 0, 0, 0]) + payload


async def test_the_notice_reaches_those_who_come_while_it_lasts(server: Running, tmp_path: Path) -> None:
    async with player(server, "ann") as ann:
        (started,) = await start_match(ann, settings=QUICK)
        match = started.match.match
        await ann.move(match, 0, 3)
        with gone(tmp_path):
            await ann.send(from_client.Move(id="move", match=match, turn=1, move={"column": 3}))
            notice = await ann.until(from_server.Suspended)
            error = await ann.move(match, 1, 3)
            assert (error.code, error.retry_after) == (ErrorCode.MATCH_SUSPENDED, 1.0)
            assert (await ann.resumed(match, 0)).answer == "events"
            assert await ann.until(from_server.Suspended) == notice
            assert all(len(events.steps) == 1 for events in ann.seen if isinstance(events, from_server.Events))
        await ann.until(from_server.Continued)
        events = await ann.move(match, 1, 3, "move")
        assert (events.first, events.repeat) == (2, False)


async def test_an_end_that_was_stored_after_all_is_told(server: Running, tmp_path: Path) -> None:
    """The file vanishes while the last move is on its way to it: whether that is stored, nobody can know."""
    async with player(server, "ann") as ann:
        settings = model.Settings(countdown=0, drop_limit=2)
        (started,) = await start_match(ann, settings=settings)
        match = started.match.match
        await ann.move(match, 0, 3)
        ledger = server.hall._services.journal._ledger
        store = ledger._write

        def vanish(*args: object) -> None:
            store(*args)  # type: ignore[arg-type]
            (tmp_path / "samedrop.db").rename(tmp_path / "aside.db")

        ledger._write = vanish  # type: ignore[method-assign,assignment]
        await ann.send(from_client.Move(id="last", match=match, turn=1, move={"column": 3}))
        await ann.until(from_server.Suspended)
        ledger._write = store  # type: ignore[method-assign]
        (tmp_path / "aside.db").rename(tmp_path / "samedrop.db")
        over = await ann.until(from_server.MatchOver)
        assert over.standings[0].turns == 2
        assert (await ann.resumed(match, 1)).answer == "events"
        record = await ann.ask(from_client.GetMatch(id=ann.id(), match=match))
        assert record.record.standings == over.standings
        assert len(record.record.log) == 2


async def test_the_time_limit_holds_though_it_ran_out_meanwhile(server: Running, tmp_path: Path) -> None:
    async with player(server, "ann") as ann:
        (started,) = await start_match(ann, settings=model.Settings(countdown=0, time_limit=1))
        match = started.match.match
        with gone(tmp_path):
            await ann.send(from_client.Move(id="move", match=match, turn=0, move={"column": 3}))
            await ann.until(from_server.Suspended)
            end = started.match.started + 1000
            while (await ann.ask(from_client.Ping(id=ann.id()))).time <= end:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        over = await ann.until(from_server.MatchOver)
        assert [(row.turns, row.ended) for row in over.standings] == [(0, "time")]


async def test_pauses_wait_for_the_storage(server: Running, tmp_path: Path) -> None:
    async with connect(server.url, name="ann") as ann:
        room = await ann.create_room(QUICK)
        await room.start()
        match = await room.next_match()
        for asked, paused in ((match.pause, True), (match.go_on, False)):
            with gone(tmp_path):
                answer = asyncio.create_task(asked())
                async with asyncio.timeout(5):
                    while match.suspended is None:
                        await match.changed()
                assert not answer.done()
            await answer
            assert match.paused is paused
        await match.move(match.legal()[0])
