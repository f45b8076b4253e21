"""The servers that are measured: ``python -m bench.server echo|race|unstored``. Prints its URL, ends on SIGTERM.

`unstored` is the same server with a journal that calls everything stored at once: the difference is the journal's.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

import samedrop_migrations
from bench.processes import pin
from samedrop_server import app
from samedrop_server.journal import Journal
from samedrop_server.logs import configure_logging
from samedrop_server.settings import Settings
from samedrop_server.storage.records import Logged, Record


async def echo(stopped: asyncio.Event) -> None:
    """Answers each frame with as many bytes as the frame asks for."""

    async def answer(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            async for frame in connection:
                assert isinstance(frame, bytes)
                await connection.send(bytes(int.from_bytes(frame[:4], "big")))

    async with serve(answer, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        print(f"ws://127.0.0.1:{port}", flush=True)
        await stopped.wait()


class UnstoredJournal(Journal):
    """Stores everything but moves; those are called stored at the end of the loop's turn."""

    _waiting: list[Callable[[], None]]

    def record(self, record: Record, then: Callable[[], None] | None = None) -> None:
        if not isinstance(record, Logged):
            super().record(record, then)
            return
        waiting = self.__dict__.setdefault("_unstored", [])
        if not waiting:
            asyncio.get_running_loop().call_soon(self._tell_unstored)
        waiting.append(then)

    def _tell_unstored(self) -> None:
        waiting = self.__dict__["_unstored"]
        self.__dict__["_unstored"] = []
        for then in waiting:
            then()
        self._on_commit()


async def race(stopped: asyncio.Event, arguments: list[str]) -> None:
    configure_logging("error", "text")
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        samedrop_migrations.upgrade(url)
        given = {"rate_limits": "1000", "max_per_address": "100000"}
        given |= dict(argument.split("=", 1) for argument in arguments)
        settings = Settings(host="127.0.0.1", port=0, database=url, **given)  # type: ignore[arg-type]
        async with app.running(settings) as server:
            print(server.url, flush=True)
            await stopped.wait()


async def main(kind: str, arguments: list[str]) -> None:
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    if kind == "echo":
        await echo(stopped)
        return
    if kind == "unstored":
        setattr(app, "Journal", UnstoredJournal)  # noqa: B010 - the type checker need not follow this
    await race(stopped, arguments)


if __name__ == "__main__":
    pin()
    with asyncio.Runner(loop_factory=app.fastest_loop()) as runner:
        runner.run(main(sys.argv[1], sys.argv[2:]))
