"""SIGTERM and SIGINT: everybody is told, everything is kept, and the process ends soon, whatever its peers do."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from samedrop_protocol import from_client, from_server
from samedrop_protocol.errors import CloseCode
from tests.e2e.support import start_match
from tests.faults.players import QUICK, long_match, player
from tests.faults.processes import PATIENCE, ServerProcess, server_process
from tests.faults.races import begin_races, examine

GAMES = 50
SECONDS = 3.0
"""Within which it has to be gone."""


async def ends_in_time(server: ServerProcess, *numbers: signal.Signals) -> None:
    begun = time.monotonic()
    for number in numbers:
        server.process.send_signal(number)
    assert await server.wait() == 0, server.log()
    assert time.monotonic() - begun < SECONDS


@pytest.mark.parametrize(
    "numbers",
    [(signal.SIGTERM,), (signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGINT)],
    ids=["SIGTERM", "SIGINT twice", "both"],
)
async def test_it_tells_everybody_and_ends(numbers: tuple[signal.Signals, ...], tmp_path: Path) -> None:
    async with server_process(tmp_path) as server, player(server, "ann") as ann, player(server, "bob") as bob:
        (started, _) = await start_match(ann, bob, settings=QUICK)
        await ann.move(started.match.match, 0, 3)
        await ends_in_time(server, *numbers)
        for client in (ann, bob):
            assert "come back" in (await client.until(from_server.Closing)).text
            assert await client.closed() == CloseCode.RESTARTING
        await server.start()
        async with player(server, "ann", ann.me.token) as again:
            assert again.me.matches == [started.match.match]
            assert (await again.move(started.match.match, 1, 3)).steps[0].turn == 1


async def test_fifty_games_go_on_after_the_restart(tmp_path: Path) -> None:
    async with asyncio.timeout(8 * PATIENCE), AsyncExitStack() as stack:
        server = await stack.enter_async_context(server_process(tmp_path))
        races = await begin_races(stack, server.url, GAMES, drop_limit=10)
        acknowledged = 0
        running = asyncio.Event()

        def count() -> None:
            nonlocal acknowledged
            acknowledged += 1
            if acknowledged == 4 * GAMES:
                running.set()

        async with asyncio.TaskGroup() as tasks:
            for race in races:
                tasks.create_task(race.play(count))
            await running.wait()
            await ends_in_time(server, signal.SIGTERM)
            await server.start()
    findings = examine(server.database, races)
    assert findings.clean, f"{findings}\n{server.log()}"


async def test_peers_that_do_nothing_cannot_hold_it_up(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(server_process(tmp_path, "--rate-limits", "0"))
        clogged = await stack.enter_async_context(player(server, "clogged", narrow=True))
        frozen = await stack.enter_async_context(player(server, "frozen"))
        _, silent = await asyncio.open_connection("127.0.0.1", server.port)
        stack.callback(silent.close)
        unnamed = await stack.enter_async_context(
            connect(server.url, proxy=None, subprotocols=[Subprotocol(frozen.codec.subprotocol)])
        )
        unnamed.transport.pause_reading()
        stack.callback(unnamed.transport.abort)
        frozen.freeze()
        await clogged.clog(await long_match(clogged), 2000)
        # Ann's answer shows that the server has handled all that.
        ann = await stack.enter_async_context(player(server, "ann"))
        await ann.ask(from_client.Ping(id="handled"))
        await ends_in_time(server, signal.SIGTERM)


async def test_while_the_database_is_made_ready(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    other = sqlite3.connect(server.database, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    await server.launch()
    # The lock file is the last thing that it makes before the database, for which it then has to wait.
    async with asyncio.timeout(PATIENCE):
        while not (tmp_path / "samedrop.db.lock").exists():  # noqa: ASYNC110
            await asyncio.sleep(0.02)  # no event tells of a file
    await ends_in_time(server, signal.SIGTERM)
    other.close()
    await server.start()
    async with player(server, "ann") as ann:
        await start_match(ann, settings=QUICK)
    await ends_in_time(server, signal.SIGTERM)
