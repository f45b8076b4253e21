"""Whether readers that do not read delay others: times to acknowledgement without and with them, interleaved.

Each of them asks again and again for all steps of a long match and reads nothing, until it is dropped; then it comes
back and goes on. ``python -m bench.slow [ROUNDS]``.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from bench.processes import Server, load, server
from tests.faults.players import long_match, player

READERS = 5
MATCHES = "100"
"""Connections of the others: two a match."""


async def _clog(target: Server, ended: Event) -> None:
    while not ended.is_set():
        async with player(target, "slow", narrow=True) as slow:
            match = await long_match(slow)
            while not ended.is_set() and slow.socket.close_code is None:
                await slow.clog(match, 20)
                await asyncio.sleep(0.5)
            slow.cut()


async def _clog_all(target: Server, ended: Event) -> None:
    await asyncio.gather(*(_clog(target, ended) for _ in range(READERS)))


@contextmanager
def slow_readers(target: Server) -> Iterator[None]:
    """So many readers that do not read, in a thread of their own."""
    ended = Event()
    thread = Thread(target=lambda: asyncio.run(_clog_all(target, ended)))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def measure(readers: bool) -> dict[str, float]:
    """Times from move sent to acknowledged (stored) of 50 matches at a person's quick pace."""
    with server("race") as running:
        arguments = ("race", running, "--connections", MATCHES, "--seconds", "8", "--think", "0.1")
        if not readers:
            return load(*arguments)
        with slow_readers(running):
            return load(*arguments)


def main(rounds: int = 3) -> None:
    """Measure and print."""
    taken: dict[bool, list[dict[str, float]]] = {False: [], True: []}
    for _ in range(rounds):
        for readers in taken:
            taken[readers].append(measure(readers))
    print(f"50 matches, time to acknowledgement, median of {rounds} interleaved rounds:")
    for readers, results in taken.items():
        p50, p99 = (statistics.median(result[key] for result in results) for key in ("p50_ms", "p99_ms"))
        who = f"{READERS} readers that do not read" if readers else "no slow readers"
        print(f"  {who:32} p50 {p50:5.1f} ms, p99 {p99:5.1f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
