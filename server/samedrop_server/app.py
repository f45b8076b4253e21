"""The server put together: storage, rooms, gateway and HTTP on one port, in one process.

`running` is the server as a context manager, for programs and tests; `run` is the process of `samedrop serve`.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from samedrop_protocol.versions import SUBPROTOCOLS
from samedrop_server.clock import Clock, SystemClock
from samedrop_server.gateway.gateway import Gateway
from samedrop_server.gateway.sockets import DirectConnection, WebSocket
from samedrop_server.history import History
from samedrop_server.http.routes import SOCKET_PATH, Routes
from samedrop_server.journal import Journal
from samedrop_server.logs import configure_logging
from samedrop_server.matches.follow import Flusher
from samedrop_server.matches.match import Services
from samedrop_server.players import Players
from samedrop_server.recovery import Recovery
from samedrop_server.rooms.hall import Hall
from samedrop_server.settings import Settings
from samedrop_server.storage.database import Database
from samedrop_server.storage.loading import load_unfinished

log = structlog.get_logger(__name__)

TIDY_SECONDS = 1.0
MAX_FRAME = 64 * 1024
"""Bytes of a frame above which the connection is closed (1009); smaller ones that are too large are refused."""


class PortInUse(Exception):
    """The address cannot be listened on; the text says why."""


@dataclass(frozen=True, slots=True)
class Running:
    """A server that listens."""

    host: str
    port: int
    gateway: Gateway
    hall: Hall

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"ws://{_authority(self.host, self.port)}{SOCKET_PATH}"

    @property
    def http_url(self) -> str:
        """Where browsers look."""
        return f"http://{_authority(self.host, self.port)}"


def _authority(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
    return f"[{shown}]:{port}" if ":" in shown else f"{shown}:{port}"


@asynccontextmanager
async def running(settings: Settings, clock: Clock | None = None) -> AsyncIterator[Running]:
    """A server that listens until the block is left; then everybody is told, and what waits is stored.

    Raises:
        DatabaseError: the database cannot be used.
        PortInUse: the address cannot be listened on.
    """
    clock = clock or SystemClock()
    database = Database(settings.database, durability=settings.durability)
    try:
        flusher = Flusher(settings.gather)
        recoveries: list[Recovery] = []
        journal = Journal(
            database,
            on_commit=flusher.flush,
            on_failure=lambda records, error: recoveries[0].not_stored(records, error),
        )
        players = Players(database, journal, clock)
        hall = Hall(settings, Services(journal, flusher, clock), players)
        recoveries.append(recovery := Recovery(database, players, hall))
        history = History(database)
        gateway = Gateway(settings, clock, players, hall, history)
        await journal.start()
        try:
            hall.restore(await database.read(load_unfinished))
            async with _listening(settings, gateway, Routes(history, enabled=settings.http)) as (host, port):
                tidying = asyncio.create_task(_tidy(hall))
                try:
                    yield Running(host, port, gateway, hall)
                finally:
                    tidying.cancel()
                    await gateway.close()
        finally:
            await recovery.close()
            flusher.close()
            await journal.close()
    finally:
        database.close()


@asynccontextmanager
async def _listening(settings: Settings, gateway: Gateway, routes: Routes) -> AsyncIterator[tuple[str, int]]:
    async def serve_client(connection: ServerConnection) -> None:
        assert isinstance(connection, DirectConnection)
        await gateway.serve(WebSocket(connection))

    try:
        server = await serve(
            serve_client,
            settings.host,
            settings.port,
            subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
            select_subprotocol=_select_subprotocol,
            compression="deflate" if settings.compression else None,
            process_request=routes.respond,
            create_connection=DirectConnection,
            server_header=None,
            max_size=MAX_FRAME,
            ping_interval=settings.ping_interval,
            ping_timeout=settings.ping_timeout,
            close_timeout=2,
            logger=logging.getLogger("websockets.server"),
        )
    except OSError as error:
        reason = error.strerror or str(error)
        raise PortInUse(f"Cannot listen on {settings.host} port {settings.port}: {reason}.") from error
    try:
        yield settings.host, _port(server)
    finally:
        server.close()
        await server.wait_closed()


def _select_subprotocol(connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    return next((Subprotocol(name) for name in SUBPROTOCOLS if name in offered), None)


def _port(server: Server) -> int:
    port: int = next(iter(server.sockets)).getsockname()[1]
    return port


async def _tidy(hall: Hall) -> None:
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        try:
            hall.tidy()
        except Exception:
            log.exception("tidy_failed")


async def serve_until_stopped(settings: Settings, on_ready: Callable[[Running], None]) -> None:
    """Serve until SIGTERM or SIGINT. `on_ready` is called once the server listens."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    try:
        async with running(settings) as server:
            log.info("listening", host=server.host, port=server.port)
            on_ready(server)
            await stopped.wait()
            log.info("stopping", connections=len(server.gateway))
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def run(settings: Settings, on_ready: Callable[[Running], None]) -> None:
    """The process of `samedrop serve`: logging, the fastest event loop there is, and the server.

    Raises:
        DatabaseError, PortInUse
    """
    configure_logging(settings.log_level, settings.log_format)
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(serve_until_stopped(settings, on_ready))


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's factory where it is installed, else None for asyncio's own."""
    if sys.platform == "win32":
        return None
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
