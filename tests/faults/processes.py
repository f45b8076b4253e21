"""The server as a process of its own, as an operator runs it: started, stopped, killed, started again."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

PATIENCE = 15.0
"""Seconds until something that does not come counts as missing; everything goes on as soon as it is there."""


class ServerProcess:
    """`samedrop serve` on one port and one database, which outlive the process.

    Attributes:
        database: the file.
        port: never one that the system gives to outgoing connections.
    """

    def __init__(self, folder: Path, *options: str, setup: Callable[[], None] | None = None) -> None:
        """Args: options: of `samedrop serve`; setup: called in the new process before the program starts."""
        self.folder = folder
        self.database = folder / "samedrop.db"
        self.port = _free_port()
        self._options = options
        self._setup = setup
        self._process: Process | None = None
        self._log: list[str] = []
        self._logged = asyncio.Event()

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def process(self) -> Process:
        """The process that was started last."""
        assert self._process is not None, "not started"
        return self._process

    async def launch(self) -> None:
        """Start the process, and do not wait until it listens."""
        words = ["serve", "--port", str(self.port), "--database", f"sqlite:///{self.database}", *self._options]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SAMEDROP_")}
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "samedrop_cli.main", *words,
            stdout=PIPE, stderr=PIPE, env=environment, preexec_fn=self._setup,
        )  # fmt: skip
        self._reading = asyncio.create_task(self._read_log(self._process))

    async def _read_log(self, process: Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self._log.append(line.decode("utf-8", "replace"))
            self._logged.set()

    async def start(self) -> None:
        """Start the process; returns once it listens."""
        await self.launch()
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await self.process.stdout.readline()
        assert b"listening" in line, self.log()

    async def kill(self) -> None:
        """End it as a power cut does: nothing of it gets to do anything more."""
        await self.end(signal.SIGKILL)

    async def end(self, number: signal.Signals) -> int:
        """Send a signal; returns the exit code once it has ended (of a death by signal: less than 0)."""
        self.process.send_signal(number)
        return await self.wait()

    async def wait(self) -> int:
        """The exit code, once it has ended."""
        async with asyncio.timeout(PATIENCE):
            await self.process.wait()
            await self._reading
        assert self.process.returncode is not None
        return self.process.returncode

    def log(self) -> str:
        """The last lines that it logged."""
        return "".join(self._log[-40:])

    async def logs(self, text: str) -> None:
        """Wait until it logs a line with that text; lines before now do not count."""
        seen = len(self._log)
        async with asyncio.timeout(PATIENCE):
            while not any(text in line for line in self._log[seen:]):
                self._logged.clear()
                await self._logged.wait()


@asynccontextmanager
async def server_process(
    folder: Path, *options: str, setup: Callable[[], None] | None = None
) -> AsyncIterator[ServerProcess]:
    """A server that listens; at the end of the block it is gone, in whatever state it is."""
    server = ServerProcess(folder, *options, setup=setup)
    await server.start()
    try:
        yield server
    finally:
        if server.process.returncode is None:
            await server.kill()


def _free_port() -> int:
    """A port nobody listens on, below those of outgoing connections.

    (One of those could be taken meanwhile, by nothing less than the client that tries to come back.)
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
