"""The server as a whole: beginning, end, and one server for each database."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

import samedrop_migrations
from samedrop_client import Refused, connect
from samedrop_protocol import from_server, model
from samedrop_protocol.errors import CloseCode, ErrorCode
from samedrop_server import app
from samedrop_server.app import Running, running
from samedrop_server.settings import Settings
from samedrop_server.storage.errors import InUse, NotMigrated
from tests.e2e.support import PATIENCE, raw, served
from tests.support.waiting import eventually


def settings(folder: Path) -> Settings:
    return Settings(port=0, database=f"sqlite:///{folder / 'samedrop.db'}")


async def test_a_second_server_on_one_database_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    async with served(tmp_path) as first, raw(first) as ann:
        await ann.hello()
        with pytest.raises(InUse, match=first.url) as error:
            async with running(settings(tmp_path)):
                pass
        assert error.value.url == first.url
        assert "\n" not in error.value.text
        async with raw(first) as bob:
            await bob.hello()
    async with running(settings(tmp_path)):
        pass


async def test_the_database_is_made_ready_under_the_lock_and_before_it_is_opened(tmp_path: Path) -> None:
    url = settings(tmp_path).database
    prepared: list[str] = []

    def prepare() -> None:
        prepared.append(threading.current_thread().name)
        samedrop_migrations.upgrade(url)

    async with running(settings(tmp_path), prepare=prepare) as server:
        async with raw(server) as ann:
            await ann.hello()
        with pytest.raises(InUse):
            async with running(settings(tmp_path), prepare=prepare):
                pass
    assert prepared == ["samedrop-prepare"]


async def test_what_goes_wrong_there_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    def prepare() -> None:
        raise NotMigrated("no")

    for _ in range(2):
        with pytest.raises(NotMigrated):
            async with running(settings(tmp_path), prepare=prepare):
                pass
    async with served(tmp_path):
        pass


async def test_at_the_end_everybody_is_told_and_the_tasks_are_gone(tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    async with served(tmp_path) as server:
        stack = raw(server)
        ann = await stack.__aenter__()
        await ann.hello()
    assert isinstance(await ann.until(from_server.Closing), from_server.Closing)
    assert await ann.closed() == CloseCode.RESTARTING
    await stack.__aexit__(None, None, None)
    await eventually(lambda: not asyncio.all_tasks() - before)


async def test_tidying_goes_on_after_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "TIDY_SECONDS", 0.001)
    tidied = asyncio.Event()

    faults: list[RuntimeError] = []

    def tidy() -> None:
        faults.append(RuntimeError("a fault"))
        raise faults[-1]

    async with served(tmp_path) as server:
        monkeypatch.setattr(server.hall, "tidy", tidy)
        monkeypatch.setattr(server.gateway.limits, "tidy", tidied.set)
        await eventually(lambda: faults)
        assert not tidied.is_set()
        monkeypatch.setattr(server.hall, "tidy", lambda: None)
        async with asyncio.timeout(PATIENCE):
            await tidied.wait()


@pytest.fixture
def _signals_as_they_were() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def stop_at(number: signal.Signals, when: str, folder: Path) -> list[str]:
    """Run a server that gets a signal at that time; what it went through."""
    seen: list[str] = []

    def ready(server: Running) -> None:
        seen.append("ready")
        signal.raise_signal(number)
        signal.raise_signal(number)

    def prepare() -> None:
        if when == "preparing":
            seen.append("preparing")
            signal.pthread_kill(threading.main_thread().ident or 0, number)
            signal.pthread_kill(threading.main_thread().ident or 0, number)
            ended.wait(PATIENCE)
            return
        samedrop_migrations.upgrade(settings(folder).database)

    ended = threading.Event()
    asyncio.run(app.serve_until_stopped(settings(folder), ready, prepare))
    seen.append("ended")
    ended.set()
    return seen


@pytest.mark.usefixtures("_signals_as_they_were")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("when", ["ready", "preparing"])
def test_signals_stop_it_whenever_they_come(number: signal.Signals, when: str, tmp_path: Path) -> None:
    assert stop_at(number, when, tmp_path) == [when, "ended"]
    assert signal.getsignal(number) == signal.SIG_IGN


async def test_a_server_that_comes_again_knows_its_matches(tmp_path: Path) -> None:
    async with served(tmp_path) as server, raw(server) as ann:
        token = (await ann.hello()).token
        async with connect(server.url, name="ann", token=token) as client:
            room = await client.create_room(model.Settings(countdown=0), password="herring")
            await room.start()
            match = await room.next_match()
            await match.move({"column": 3})
    async with served(tmp_path) as server, raw(server) as ann:
        welcome = await ann.hello(token=token)
        assert welcome.matches == [match.id]
        assert welcome.room is not None


async def test_a_room_is_as_private_after_a_restart_as_before(tmp_path: Path) -> None:
    """It was made private and locked during its series; then one left it, and one was removed, during a match."""
    async with served(tmp_path) as server, AsyncExitStack() as stack:
        names = ("ann", "bob", "cid", "dan")
        clients = [await stack.enter_async_context(connect(server.url, name=name)) for name in names]
        ann, bob, cid, dan = clients
        tokens = [client.token for client in clients]
        room = await ann.create_room(model.Settings(countdown=0, seats=4), public=True, title="Herrings")
        for client in (bob, cid, dan):
            await client.join_room(room.code)
        await room.start(force=True)
        first = await room.next_match()
        await first.forfeit()
        await first.result()
        await room.configure(public=False, password="herring", title="Cods")
        await room.rematch()
        match = await room.next_match()
        await match.move({"column": 3})
        assert bob.room is not None
        await bob.room.leave()
        await room.kick(cid.player)
        await match.move({"column": 3})  # what is stored after them
    async with served(tmp_path) as server, AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(connect(server.url, name=name, token=token))
            for name, token in zip(names, tokens, strict=True)
        ]
        ann, bob, cid, dan = clients
        assert (bob.room, cid.room) == (None, None)
        assert ann.room is not None
        state = ann.room.state
        assert (state.title, state.public, state.locked) == ("Cods", False, True)
        assert [member.name for member in state.members] == ["ann", "dan"]
        assert await bob.rooms() == []
        with pytest.raises(Refused) as refused:
            await bob.join_room(room.code, password="cod")
        assert refused.value.code == ErrorCode.ROOM_PASSWORD
        with pytest.raises(Refused) as refused:
            await cid.join_room(room.code, password="herring")
        assert refused.value.code == ErrorCode.ROOM_NOT_FOUND
        await bob.join_room(room.code, password="herring")


async def test_a_room_whose_password_is_damaged_does_not_come_back_open(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.url, name="ann") as ann:
        room = await ann.create_room(model.Settings(countdown=0), password="herring")
        await room.start()
        await (await room.next_match()).move({"column": 3})
    with sqlite3.connect(tmp_path / "samedrop.db") as connection:
        connection.execute("UPDATE admissions SET password = 'herring'")
    connection.close()
    async with served(tmp_path) as server, connect(server.url, name="bob") as bob:
        with pytest.raises(Refused) as refused:
            await bob.join_room(room.code)
        assert refused.value.code == ErrorCode.ROOM_NOT_FOUND
        await bob.create_room()


def test_the_fastest_loop_is_uvloop_where_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    uvloop = pytest.importorskip("uvloop")
    assert app.fastest_loop() is uvloop.new_event_loop
    monkeypatch.setitem(__import__("sys").modules, "uvloop", None)
    assert app.fastest_loop() is None
