"""A thousand rooms whose people vanish: after the stated times nothing of them is left in the server."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from pathlib import Path

import samedrop_migrations
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.model import Phase, Role
from samedrop_server.app import Running, running
from samedrop_server.gateway.handlers import WATCHED_AT_MOST
from samedrop_server.settings import Settings
from tests.e2e.support import served, start_match
from tests.faults.memory import MemoryPlayer, dial
from tests.support.server import FakeClock
from tests.support.waiting import eventually

ROOMS = 1000
SETTINGS = model.Settings(countdown=0)


async def test_nothing_of_a_thousand_rooms_is_left(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'samedrop.db'}"
    samedrop_migrations.upgrade(database)
    clock = FakeClock()
    settings = Settings(port=0, database=database, rate_limits=0)
    async with running(settings, clock) as server:
        await vanish(server, clock, 4)  # whatever is made once and kept is there from now on
        before = left(server)
        await vanish(server, clock, ROOMS)
        after = left(server)
    # More of nothing. Fewer may be: what an earlier test in this process left may go in between.
    assert after - before == Counter()


async def test_what_is_gone_is_not_counted_against_who_watched_it(tmp_path: Path) -> None:
    async with served(tmp_path, rate_limits=0) as server:
        host, guest = dial(server), dial(server)
        await host.hello("host")
        await guest.hello("guest")
        for _ in range(WATCHED_AT_MOST + 1):
            await host.ask(from_client.CreateRoom(id=host.id(), public=True, settings=SETTINGS))
            await host.ask(from_client.Start(id=host.id()))
            match = (await host.until(from_server.Started)).match.match
            answer = await guest.ask(from_client.Watch(id=guest.id(), match=match))
            assert isinstance(answer, from_server.Resumed), answer
            await host.ask(from_client.LeaveRoom(id=host.id()))
            await eventually(lambda: gone(server))
        await host.cut()
        await guest.cut()


def gone(server: Running) -> bool:
    server.hall.tidy()
    return not server.hall.rooms


async def vanish(server: Running, clock: FakeClock, count: int) -> None:
    """Have so many rooms: lobbies, matches, matches with a spectator; cut all connections; let time pass."""
    hall, settings = server.hall, server.gateway.settings
    people = [one for group in await asyncio.gather(*(room(server, n) for n in range(count))) for one in group]
    assert len(hall.rooms) == count
    await asyncio.gather(*(one.cut() for one in people))
    assert len(server.gateway) == 0
    clock.advance(settings.linger + 1)
    hall.tidy()
    assert len(hall.rooms) == len(hall.matches) == count // 2, "lobbies are gone, matches wait for their players"
    clock.advance(settings.absence_limit)
    hall.tidy()
    await eventually(lambda: all(room.series.phase is Phase.LOBBY for room in hall.rooms.values()))
    clock.advance(settings.linger + 1)
    hall.tidy()
    server.gateway.limits.tidy()
    # The writer holds its last batch until the next one comes.
    visitor = dial(server)
    await visitor.hello("visitor")
    await visitor.cut()


async def room(server: Running, number: int) -> list[MemoryPlayer]:
    host = dial(server)
    await host.hello(f"host {number}")
    if number % 2:
        await host.ask(from_client.CreateRoom(id=host.id(), settings=SETTINGS))
        return [host]
    (started,) = await start_match(host, settings=SETTINGS)
    await host.move(started.match.match, 0, 3)
    if number % 4:
        return [host]
    guest = dial(server)
    await guest.hello(f"guest {number}")
    await guest.ask(from_client.JoinRoom(id=guest.id(), code=started.match.room, role=Role.SPECTATOR))
    await guest.ask(from_client.Watch(id=guest.id(), match=started.match.match))
    return [host, guest]


def left(server: Running) -> Counter[str]:
    """What there is: rooms and so on by their own account, tasks, and objects of this project by class."""
    gc.collect()
    found = Counter(
        {
            "rooms": len(server.hall.rooms),
            "matches": len(server.hall.matches),
            "players": len(server.gateway.players),
            "connections": len(server.gateway),
            "tasks": len(asyncio.all_tasks()),
        }
    )
    kinds = (type(one) for one in gc.get_objects())
    found.update(kind.__qualname__ for kind in kinds if str(kind.__module__).startswith("samedrop_"))
    return found
