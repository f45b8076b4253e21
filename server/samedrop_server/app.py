"""The server put together: storage, rooms, gateway and HTTP on one port, in one process.

`running` is the server as a context manager, for programs and tests; `run` is the process of `samedrop serve`.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from threading import Thread

import structlog

from samedrop_server.challenges import Challenges, OpenChallenge
from samedrop_server.clock import Clock, SystemClock
from samedrop_server.daily import Daily
from samedrop_server.gateway.gateway import Gateway
from samedrop_server.history import History
from samedrop_server.http.metrics import Metrics
from samedrop_server.http.routes import SOCKET_PATH, Routes
from samedrop_server.journal import Journal
from samedrop_server.listening import MAX_FRAME, CertificateUnusable, PortInUse, listening, shown_host
from samedrop_server.logs import configure_logging
from samedrop_server.matches.follow import Flusher
from samedrop_server.matches.services import Services
from samedrop_server.players import Players
from samedrop_server.recovery import Recovery
from samedrop_server.rooms.hall import Hall
from samedrop_server.settings import Settings
from samedrop_server.storage.database import Database
from samedrop_server.storage.loading import load_open_challenges, load_unfinished
from samedrop_server.storage.lock import ServerLock

__all__ = ["MAX_FRAME", "CertificateUnusable", "PortInUse", "Running", "fastest_loop", "run", "running"]

log = structlog.get_logger(__name__)

TIDY_SECONDS = 1.0

Prepare = Callable[[], None]
"""Makes the database ready, such as by migrations; it may take its time."""


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
        return f"{'wss' if self._tls else 'ws'}://{self._place}{SOCKET_PATH}"

    @property
    def http_url(self) -> str:
        """Where browsers look."""
        return f"{'https' if self._tls else 'http'}://{self._place}"

    @property
    def _tls(self) -> bool:
        return bool(self.gateway.settings.tls_certificate)

    @property
    def _place(self) -> str:
        return f"{shown_host(self.host)}:{self.port}{self.gateway.settings.path_prefix}"


@asynccontextmanager
async def running(
    settings: Settings, clock: Clock | None = None, *, prepare: Prepare | None = None
) -> AsyncIterator[Running]:
    """A server that listens until the block is left; then everybody is told, and what waits is stored.

    Args:
        settings: all of them.
        clock: the machine's, if not given.
        prepare: called, in a thread, once no other server runs on the database, and before it is opened.

    Raises:
        DatabaseError: the database cannot be used; `InUse` where another server runs on it.
        PortInUse: the address cannot be listened on.
        CertificateUnusable: certificate or key cannot be read.
    """
    clock = clock or SystemClock()
    database = Database(settings.database, durability=settings.durability)
    try:
        with ServerLock(database.place) as lock:
            if prepare is not None:
                await _in_thread(prepare)
            async with _serving(settings, clock, database) as server:
                lock.tell(server.url)
                yield server
    finally:
        database.close()


@asynccontextmanager
async def _serving(settings: Settings, clock: Clock, database: Database) -> AsyncIterator[Running]:
    flusher = Flusher(settings.gather)
    recoveries: list[Recovery] = []
    journal = Journal(
        database,
        on_commit=flusher.flush,
        on_failure=lambda records, error: recoveries[0].not_stored(records, error),
    )
    daily = Daily(settings.daily_secret)
    players = Players(database, journal, clock)
    open_ones = await database.read(lambda connection: load_open_challenges(connection, clock.now()))
    challenges = Challenges(journal, clock, [OpenChallenge(facts, played) for facts, played in open_ones])
    hall = Hall(settings, Services(journal, flusher, clock, daily, challenges), players)
    recoveries.append(recovery := Recovery(database, players, hall))
    gateway = Gateway(settings, clock, players, hall, History(database, clock))
    routes = Routes(gateway, Metrics(gateway, journal))
    await journal.start()
    try:
        hall.restore(await database.read(load_unfinished))
        async with listening(settings, gateway, routes) as port:
            tidying = asyncio.create_task(_tidy(gateway))
            try:
                yield Running(settings.host, port, gateway, hall)
            finally:
                tidying.cancel()
                await gateway.close()
    finally:
        await recovery.close()
        flusher.close()
        await journal.close()


async def _in_thread(work: Callable[[], None]) -> None:
    """Do it in a thread that ends with the process: who stops the server does not wait for a long migration."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def finish(error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)

    def run() -> None:
        error: BaseException | None = None
        try:
            work()
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(finish, error)

    Thread(target=run, name="samedrop-prepare", daemon=True).start()
    await done


async def _tidy(gateway: Gateway) -> None:
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        try:
            gateway.hall.tidy()
            gateway.limits.tidy()
        except Exception:
            log.exception("tidy_failed")


async def serve_until_stopped(
    settings: Settings, on_ready: Callable[[Running], None], prepare: Prepare | None = None
) -> None:
    """Serve until SIGTERM or SIGINT, whenever it comes; what comes after that is ignored, for the process ends.

    Args: on_ready: called once the server listens; others: see `running`.
    """
    stopped = asyncio.Event()
    starting = asyncio.current_task()
    assert starting is not None
    loop = asyncio.get_running_loop()

    def stop() -> None:
        stopped.set()
        if starting is not None:
            starting.cancel()

    # Handlers of the loop's own would leave a moment, when it closes, in which a second signal is deadly.
    before = {
        number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
        for number in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        async with running(settings, prepare=prepare) as server:
            starting = None
            log.info("listening", url=server.url)
            on_ready(server)
            await stopped.wait()
            log.info("stopping", connections=len(server.gateway))
    except asyncio.CancelledError:
        if not stopped.is_set():
            raise
        log.info("stopped_while_starting")
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if stopped.is_set() else handler)


def run(settings: Settings, on_ready: Callable[[Running], None], prepare: Prepare | None = None) -> None:
    """The process of `samedrop serve`: logging, the fastest event loop there is, and the server.

    Raises:
        DatabaseError, PortInUse, CertificateUnusable: see `running`.
    """
    configure_logging(settings.log_level, settings.log_format)
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(serve_until_stopped(settings, on_ready, prepare))


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's factory where it is installed, else None for asyncio's own."""
    if sys.platform == "win32":
        return None
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
