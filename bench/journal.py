"""What the journal costs: ``python -m bench.journal``.

CPU time of the whole process for each move at several batch sizes, with its way on to the table of moves, beside the
same entries as a row each from the start; then the time from recording to being told, for lone moves and for many,
while the loop's thread is idle or busy.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import text

import samedrop_migrations
from samedrop_protocol import model
from samedrop_rules import find_game
from samedrop_server.journal import Journal
from samedrop_server.storage.database import Database
from samedrop_server.storage.ledger import Ledger
from samedrop_server.storage.records import Logged, NewMatch, NewPlayer, Record

MATCHES = 50
ROUNDS = 5
ROWS = """CREATE TABLE rows (match_id TEXT, number INTEGER, seat INTEGER, turn INTEGER, request_id TEXT, move TEXT,
    stopped TEXT, at INTEGER, score INTEGER, digest TEXT, PRIMARY KEY (match_id, seat, turn)) WITHOUT ROWID"""
INSERT_ROW = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@contextmanager
def temporary_database() -> Iterator[Database]:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'journal.db'}"
        samedrop_migrations.upgrade(url)
        database = Database(url)
        yield database
        database.close()


def beginnings() -> list[Record]:
    game = find_game("drop7")
    players = [NewPlayer(f"p{number}", None, "Name", 0) for number in range(2)]
    seats = [model.Seat(seat=number, player=player.id, name=player.name) for number, player in enumerate(players)]
    deal = game.deal({}, seed="bench")
    return [
        *players,
        *(
            NewMatch(f"m{number:011}", None, deal, model.Known.OPEN, model.Settings(), 0, seats)
            for number in range(MATCHES)
        ),
    ]


def moves(first: int, count: int) -> list[Logged]:
    """Moves of all matches in turn."""
    return [
        Logged(
            f"m{index % MATCHES:011}",
            index // MATCHES + 1,
            index // MATCHES % 2,
            index // MATCHES // 2,
            f"request-{index}",
            '{"column":3}',
            None,
            900 * index,
            13 * index,
            "0123456789abcdef",
        )
        for index in range(first, first + count)
    ]


def cpu(write: Callable[[Sequence[Logged]], None], size: int) -> float:
    """CPU-µs for each entry in batches of that size."""
    count = 4_000 if size == 1 else 20_000
    batches = [moves(first, size) for first in range(0, count, size)]
    begin = time.process_time()
    for batch in batches:
        write(batch)
    return 1e6 * (time.process_time() - begin) / count


def ledger_cpu(size: int) -> float:
    with temporary_database() as database:
        ledger = Ledger(database)
        ledger.commit(beginnings())
        spent = cpu(ledger.commit, size)
        ledger.close()
    return spent


def rows_cpu(size: int) -> float:
    with temporary_database() as database, database.connected("writer") as connection:
        with connection.begin():
            connection.execute(text(ROWS))

        def write(batch: Sequence[Logged]) -> None:
            with connection.begin():
                connection.exec_driver_sql(INSERT_ROW, list(map(tuple, batch)))

        return cpu(write, size)


async def journal_cpu(connection_count: int) -> float:
    """CPU-µs for each move through the journal, where so many clients send their next move once one is stored."""
    count = 20_000
    done = asyncio.Event()
    with temporary_database() as database:
        journal = Journal(database, on_commit=lambda: None, on_failure=lambda _records, error: print(error))
        await journal.start()
        for record in beginnings():
            journal.record(record)
        log = iter(moves(0, count))

        def another() -> None:
            entry = next(log, None)
            if entry is None:
                done.set()
            else:
                journal.record(entry, another)

        begin = time.process_time()
        for _ in range(connection_count):
            another()
        await done.wait()
        await journal.close()
        spent = time.process_time() - begin
    return 1e6 * spent / count


async def latency(size: int, busy: float) -> list[float]:
    """Milliseconds from recording `size` moves to the last being told, with the loop's thread busy for that part."""
    taken: list[float] = []
    with temporary_database() as database:
        journal = Journal(database, on_commit=lambda: None, on_failure=lambda _records, error: print(error))
        await journal.start()
        for record in beginnings():
            journal.record(record)
        working = asyncio.create_task(work(busy))
        for round_ in range(300):
            await asyncio.sleep(0.003)
            stored = asyncio.get_running_loop().create_future()
            begin = time.perf_counter()
            *others, last = moves(round_ * size, size)
            for entry in others:
                journal.record(entry)
            journal.record(last, lambda stored=stored: stored.set_result(None))  # type: ignore[misc]
            await stored
            taken.append(1e3 * (time.perf_counter() - begin))
        working.cancel()
        await journal.close()
    return sorted(taken)


async def work(busy: float) -> None:
    """Keep the loop's thread busy for that part of the time, 0.2 ms at a stretch, as handling frames does."""
    while busy:
        until = time.perf_counter() + 0.0002
        while time.perf_counter() < until:
            pass
        await asyncio.sleep(0 if busy == 1 else 0.0002 / busy - 0.0002)


def main() -> None:
    print("CPU-µs an entry, median of", ROUNDS)
    for size in (1, 5, 10, 50, 200):
        ledger = statistics.median(ledger_cpu(size) for _ in range(ROUNDS))
        rows = statistics.median(rows_cpu(size) for _ in range(ROUNDS))
        print(f"  batches of {size:3d}: ledger {ledger:6.2f}, a row each {rows:6.2f}")
    for clients in (1, 10, 100):
        spent = statistics.median(asyncio.run(journal_cpu(clients)) for _ in range(ROUNDS))
        print(f"  journal, {clients:3d} clients that wait for their answer: {spent:6.2f}")
    print("ms from recorded to told")
    for busy in (0.0, 0.5, 1.0):
        for size in (1, 50):
            taken = asyncio.run(latency(size, busy))
            shown = f"p50 {taken[len(taken) // 2]:6.2f}  p99 {taken[len(taken) * 99 // 100]:6.2f}"
            print(f"  loop busy {busy:4.0%}, {size:2d} at once: {shown}")


if __name__ == "__main__":
    main()
