"""Trouble with the storage of a running server: matches are suspended, what is told is stored, and they go on.

Each kind of trouble is a real one, made from outside while bots race.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import resource
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from itertools import repeat
from pathlib import Path

import pytest

from samedrop_client import Match
from tests.faults.processes import PATIENCE, ServerProcess, server_process
from tests.faults.races import begin_races, examine

MATCHES = 4
DROP_LIMIT = 20
LOCKED_SECONDS = 10.0
Stopped = Callable[[], Awaitable[object]]
"""Waits until all matches are suspended."""


def may_mount() -> bool:
    """Whether this user may mount a file system of a size of its own."""
    if os.geteuid() != 0 or not Path("/bin/mount").exists():
        return False
    tried = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    return tried.returncode == 0


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def without_privileges() -> None:
    """Have the process, and what it becomes, bound by the permissions of files, even root's (Linux)."""
    if os.geteuid() != 0:
        return
    system = ctypes.CDLL(None)
    set_secure_bits, no_root, version_3 = 28, 1, 0x20080522
    if system.prctl(set_secure_bits, no_root, 0, 0, 0) != 0:
        raise OSError("prctl")
    if system.capset((ctypes.c_uint32 * 2)(version_3, 0), (ctypes.c_uint32 * 6)()) != 0:
        raise OSError("capset")


@asynccontextmanager
async def locked(server: ServerProcess, stopped: Stopped) -> AsyncIterator[None]:
    """Another program has the database for itself, for a good while."""
    other = sqlite3.connect(server.database, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    released = asyncio.get_running_loop().time() + LOCKED_SECONDS
    try:
        yield
        await asyncio.sleep(released - asyncio.get_running_loop().time())
    finally:
        other.close()


@asynccontextmanager
async def no_more_to_be_written(server: ServerProcess, stopped: Stopped) -> AsyncIterator[None]:
    """The system refuses to let any file grow."""
    pid, unlimited = server.process.pid, resource.RLIM_INFINITY
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, unlimited))
    yield
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))


@asynccontextmanager
async def disk_full(server: ServerProcess, stopped: Stopped) -> AsyncIterator[None]:
    """Something else takes all that is left of the disk."""
    filler = server.folder / "filler"
    with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
        file.writelines(repeat(bytes(4096)))
    yield
    filler.unlink()


@asynccontextmanager
async def removed(server: ServerProcess, stopped: Stopped) -> AsyncIterator[None]:
    """The file is not where it was."""
    with aside(server):
        yield


@contextmanager
def aside(server: ServerProcess) -> Iterator[Path]:
    """The file is somewhere else."""
    elsewhere = server.folder / "aside.db"
    server.database.rename(elsewhere)
    yield elsewhere
    elsewhere.rename(server.database)


@asynccontextmanager
async def back_for_reading_only(server: ServerProcess, stopped: Stopped) -> AsyncIterator[None]:
    """The file went away, and what comes back must not be written, from the first moment on."""
    with aside(server) as file:
        await stopped()
        file.chmod(0o444)
    allow(server.folder, writing=False)
    await server.logs("may not be written")
    yield
    allow(server.folder, writing=True)


def allow(folder: Path, *, writing: bool) -> None:
    for file in folder.glob("samedrop.db*"):
        file.chmod(0o644 if writing else 0o444)
    folder.chmod(0o755 if writing else 0o555)


Trouble = Callable[[ServerProcess, Stopped], AbstractAsyncContextManager[None]]
TROUBLES: list[Trouble] = [
    locked,
    no_more_to_be_written,
    removed,
    back_for_reading_only,
    *([disk_full] if may_mount() else []),
]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__)
async def test_matches_wait_for_the_storage_and_go_on(trouble: Trouble, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        if trouble is disk_full:
            stack.enter_context(small_disk(tmp_path))
        setup = without_privileges if trouble is back_for_reading_only else None
        server = await stack.enter_async_context(server_process(tmp_path, setup=setup))
        async with asyncio.timeout(2 * PATIENCE):
            races = await begin_races(stack, server.url, MATCHES, drop_limit=DROP_LIMIT)
            acknowledged = 0
            some = asyncio.Event()

            def count() -> None:
                nonlocal acknowledged
                acknowledged += 1
                if acknowledged == MATCHES * 8:
                    some.set()

            async with asyncio.TaskGroup() as tasks:
                for race in races:
                    tasks.create_task(race.play(count))
                await some.wait()

                def stopped() -> Awaitable[object]:
                    return asyncio.gather(*(suspended(match) for race in races for match in race.matches))

                async with trouble(server, stopped):
                    await stopped()
                    told = acknowledged
                    if trouble is not disk_full:  # where the server frees some room by itself, and uses it
                        # Another attempt of the server to store something, and of the players to be answered.
                        await server.logs("still_not_stored")
                        assert acknowledged == told, "moves were acknowledged while nothing could be stored"
                        assert all(match.suspended for race in races for match in race.matches)
        findings = examine(server.database, races)
        assert findings.clean, f"{findings}\n{server.log()}"


async def suspended(match: Match) -> None:
    """Wait until the client is told that its match takes no moves."""
    while match.suspended is None:
        await match.changed()
    assert "store" in match.suspended
