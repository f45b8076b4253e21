from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import pytest

from samedrop_server.journal import Journal
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DatabaseError, NotMigrated
from samedrop_server.storage.ledger import Ledger
from samedrop_server.storage.loading import load_match
from samedrop_server.storage.records import NewPlayer, Record
from tests.support.stored import Played, played


class Listener:
    """Writes down what the journal says, in order, and lets a test wait for it."""

    def __init__(self) -> None:
        self.heard: list[object] = []
        self.failed: list[tuple[list[Record], Exception]] = []
        self._news = asyncio.Event()

    def then(self, name: object) -> Callable[[], None]:
        return lambda: self._hear(name)

    def on_commit(self) -> None:
        self._hear("commit")

    def on_failure(self, records: list[Record], error: Exception) -> None:
        self.failed.append((records, error))
        self._hear("failure")

    def _hear(self, name: object) -> None:
        self.heard.append(name)
        self._news.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not condition():
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def running(database: Database, listener: Listener) -> AsyncIterator[Journal]:
    journal = Journal(database, on_commit=listener.on_commit, on_failure=listener.on_failure)
    await journal.start()
    try:
        yield journal
    finally:
        await journal.close()


def numbers_stored(database: Database, match: Played) -> int | None:
    found = database.read_now(lambda connection: load_match(connection, match.match.id))
    return None if found is None else len(found.log)


def record_all(journal: Journal, listener: Listener, records: Sequence[Record]) -> None:
    for index, record in enumerate(records):
        journal.record(record, listener.then(index))


async def test_everybody_is_told_in_order_and_only_of_what_is_stored(database: Database) -> None:
    listener, match = Listener(), played()
    found: list[int | None] = []
    async with running(database, listener) as journal:
        record_all(journal, listener, match.beginning)
        journal.record(match.log[0], lambda: found.append(numbers_stored(database, match)))
        await listener.until(lambda: "commit" in listener.heard)
    assert found == [1]
    assert listener.heard == [*range(len(match.beginning)), "commit"]


async def test_what_one_turn_of_the_loop_decides_is_one_batch(database: Database) -> None:
    listener, match = Listener(), played()
    async with running(database, listener) as journal:
        record_all(journal, listener, match.records)
        assert journal.waiting == len(match.records)
    assert listener.heard == [*range(len(match.records)), "commit"]
    assert journal.waiting == 0


async def test_what_comes_while_a_batch_is_stored_is_the_next_batch(database: Database) -> None:
    listener, match = Listener(), played()
    async with running(database, listener) as journal:
        record_all(journal, listener, match.beginning)
        await asyncio.sleep(0)
        for index, entry in enumerate(match.log):
            journal.record(entry, listener.then(f"move {index}"))
        assert journal.waiting == len(match.beginning) + len(match.log)
    moves = [f"move {index}" for index in range(len(match.log))]
    assert listener.heard == [*range(len(match.beginning)), "commit", *moves, "commit"]


async def test_closing_stores_what_waits(database: Database) -> None:
    listener, match = Listener(), played()
    async with running(database, listener) as journal:
        record_all(journal, listener, match.beginning)
        await asyncio.sleep(0)
        record_all(journal, listener, match.log)
    assert numbers_stored(database, match) == len(match.log)


async def test_then_may_record_more(database: Database) -> None:
    listener, match = Listener(), played()
    async with running(database, listener) as journal:
        rest = iter(match.log)

        def next_move() -> None:
            entry = next(rest, None)
            if entry is None:
                listener.on_commit()
            else:
                journal.record(entry, next_move)

        for record in match.people:
            journal.record(record)
        journal.record(match.match, next_move)
    assert numbers_stored(database, match) == len(match.log)


async def test_a_listener_that_fails_stops_nobody(database: Database) -> None:
    listener, match = Listener(), played()
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: faults.append(context["exception"]))
    async with running(database, listener) as journal:
        journal.record(match.people[0], lambda: 1 // 0)  # type: ignore[arg-type]
        journal.record(match.people[1], listener.then("second"))
    assert listener.heard == ["second", "commit"]
    assert [type(fault) for fault in faults] == [ZeroDivisionError]


async def test_a_refused_batch_takes_what_waits_behind_it_along_and_later_ones_are_stored(database: Database) -> None:
    listener, match = Listener(), played()
    async with running(database, listener) as journal:
        record_all(journal, listener, match.beginning)
        await listener.until(lambda: "commit" in listener.heard)
        listener.heard.clear()
        refused: list[Record] = [match.log[0], match.log[0]]
        record_all(journal, listener, refused)
        await asyncio.sleep(0)
        behind: list[Record] = [match.log[1], NewPlayer("new", "new", "New", 1)]
        record_all(journal, listener, behind)
        await listener.until(lambda: bool(listener.failed))
        assert listener.heard == ["failure"]
        ((records, error),) = listener.failed
        assert records == refused + behind
        assert isinstance(error, DatabaseError)
        assert journal.waiting == 0
        listener.heard.clear()
        record_all(journal, listener, [match.log[0]])
    assert listener.heard == [0, "commit"]
    assert numbers_stored(database, match) == 1


async def test_a_record_that_cannot_be_written_at_all_is_a_failure_too(database: Database) -> None:
    listener, match = Listener(), played()
    async with running(database, listener) as journal:
        record_all(journal, listener, match.beginning)
        await listener.until(lambda: "commit" in listener.heard)
        journal.record(match.log[0]._replace(move=object()))  # type: ignore[arg-type]
        await listener.until(lambda: bool(listener.failed))
        assert isinstance(listener.failed[0][1], TypeError)
        journal.record(match.log[0])
    assert numbers_stored(database, match) == 1


async def test_a_database_locked_by_others_fails_in_time_and_works_again(sqlite_url: str) -> None:
    database = Database(sqlite_url, lock_millis=50)
    listener, match = Listener(), played()
    async with running(database, listener) as journal:
        record_all(journal, listener, match.beginning)
        await listener.until(lambda: "commit" in listener.heard)
        other = sqlite3.connect(database.place.file or "", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        journal.record(match.log[0])
        await listener.until(lambda: bool(listener.failed))
        assert "locked" in str(listener.failed[0][1])
        other.execute("ROLLBACK")
        other.close()
        journal.record(match.log[0])
    assert numbers_stored(database, match) == 1
    database.close()


async def test_a_vanished_folder_fails_every_batch_until_it_is_back(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    assert database.place.file is not None
    folder = database.place.file.parent
    listener, match = Listener(), played()
    async with running(database, listener) as journal:
        record_all(journal, listener, match.people)
        await listener.until(lambda: "commit" in listener.heard)
        os.rename(folder, folder.with_name("away"))
        for failures in (1, 2, 3):
            journal.record(NewPlayer(f"new {failures}", f"new {failures}", "New", 1))
            await listener.until(lambda failures=failures: len(listener.failed) == failures)  # type: ignore[misc]
        os.rename(folder.with_name("away"), folder)
        listener.heard.clear()
        journal.record(match.match, listener.then("stored"))
    assert listener.heard == ["stored", "commit"]
    database.close()


async def test_a_database_that_cannot_be_used_is_told_at_the_start(empty_url: str, tmp_path: os.PathLike[str]) -> None:
    open(os.path.join(tmp_path, "samedrop.db"), "w").close()  # noqa: ASYNC230
    database = Database(empty_url)
    listener = Listener()
    journal = Journal(database, on_commit=listener.on_commit, on_failure=listener.on_failure)
    with pytest.raises(NotMigrated):
        await journal.start()
    await journal.close()
    database.close()


def test_what_was_acknowledged_survives_the_death_of_the_process(sqlite_url: str) -> None:
    """The process says how many moves it was told of, and is killed in the middle of its work."""
    program = textwrap.dedent(
        """
        import asyncio, sys
        from samedrop_server.journal import Journal
        from samedrop_server.storage.database import Database
        from tests.support.stored import played

        async def main(url):
            match = played(drop_limit=100)
            journal = Journal(Database(url), on_commit=lambda: None, on_failure=lambda _records, error: print(error))
            await journal.start()
            for record in match.beginning:
                journal.record(record)
            for number, entry in enumerate(match.log, 1):
                journal.record(entry, lambda number=number: print(number, flush=True))
                await asyncio.sleep(0.002)
            await asyncio.sleep(60)

        asyncio.run(main(sys.argv[1]))
        """
    )
    with subprocess.Popen([sys.executable, "-c", program, sqlite_url], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while int(process.stdout.readline()) < 20:
            pass
        process.kill()
        told = max([20, *map(int, process.stdout.read().split())])
    database = Database(sqlite_url)
    stored = numbers_stored(database, played(drop_limit=100))
    assert stored is not None
    assert stored >= told
    ledger = Ledger(database)
    ledger.commit([played(drop_limit=100).log[stored]])
    ledger.close()
    database.close()
