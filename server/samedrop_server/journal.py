"""The journal: gathers what all rooms decide and stores it, a batch at a time, in a thread of its own.

While one batch is being stored the next one grows, so batches grow with the load and a lone move waits for nobody.
What a batch becomes in the database is the ledger's (`storage.ledger`); docs/adr/0011 has the measurements.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from time import perf_counter

from samedrop_server.histogram import Histogram
from samedrop_server.storage.database import Database
from samedrop_server.storage.ledger import Ledger
from samedrop_server.storage.records import Record

Then = Callable[[], None]

COMMIT_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
COMMIT_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Journal:
    """The one writer of a server. All methods are called on the thread of the event loop.

    A record's `then` is called once the record is stored, in the order of recording; `on_commit` follows the last
    `then` of a batch. If a batch cannot be stored, nothing of it is: `on_failure` gets its records together with all
    that were recorded behind them (these were decided on top of them) and no `then` of theirs is called. Records that
    come later are tried again.

    Attributes:
        commit_sizes, commit_seconds: records of each commit that was stored, and how long it took.
        failures: commits that were not.
    """

    def __init__(
        self,
        database: Database,
        *,
        on_commit: Callable[[], None],
        on_failure: Callable[[list[Record], Exception], None],
    ) -> None:
        self.commit_sizes = Histogram(COMMIT_SIZES)
        self.commit_seconds = Histogram(COMMIT_SECONDS)
        self.failures = 0
        self._ledger = Ledger(database)
        self._on_commit = on_commit
        self._on_failure = on_failure
        self._records: list[Record] = []
        self._thens: list[Then | None] = []
        self._in_hand: tuple[list[Record], list[Then | None]] | None = None
        self._batches: SimpleQueue[list[Record] | None] = SimpleQueue()
        self._planned = False
        self._idle = asyncio.Event()
        self._thread: Thread | None = None

    @property
    def waiting(self) -> int:
        """How many records are not stored yet."""
        return len(self._records) + (len(self._in_hand[0]) if self._in_hand else 0)

    async def start(self) -> None:
        """Open the database and begin to store.

        Raises:
            DatabaseError: the database cannot be used.
        """
        self._loop = asyncio.get_running_loop()
        await self._loop.run_in_executor(None, self._ledger.open)
        self._idle.set()
        self._thread = Thread(target=self._store, name="samedrop-journal", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Store what waits, then stop."""
        if self._thread is None:
            return
        while self.waiting:
            await self._idle.wait()
        self._batches.put(None)
        await self._loop.run_in_executor(None, self._thread.join)
        self._thread = None

    def record(self, record: Record, then: Then | None = None) -> None:
        """Have `record` stored, and `then` called once it is."""
        self._records.append(record)
        self._thens.append(then)
        if not self._planned and self._in_hand is None:
            # At the end of the loop's turn, so that all that this turn decides is one batch.
            self._planned = True
            self._idle.clear()
            self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        self._planned = False
        self._in_hand = self._records, self._thens
        self._records, self._thens = [], []
        self._batches.put(self._in_hand[0])

    def _store(self) -> None:
        """The writer's thread."""
        while (batch := self._batches.get()) is not None:
            began = perf_counter()
            try:
                self._ledger.commit(batch)
            except Exception as error:
                self._loop.call_soon_threadsafe(self._failed, error)
            else:
                self._loop.call_soon_threadsafe(self._stored, perf_counter() - began)
        self._ledger.close()

    def _stored(self, seconds: float) -> None:
        assert self._in_hand is not None
        records, thens = self._in_hand
        self.commit_sizes.observe(len(records))
        self.commit_seconds.observe(seconds)
        self._next()
        for then in thens:
            if then is not None:
                self._guarded(then)
        self._guarded(self._on_commit)

    def _failed(self, error: Exception) -> None:
        assert self._in_hand is not None
        self.failures += 1
        records = self._in_hand[0] + self._records
        self._records, self._thens = [], []
        self._next()
        self._guarded(lambda: self._on_failure(records, error))

    def _next(self) -> None:
        self._in_hand = None
        if self._records:
            self._hand_over()
        else:
            self._idle.set()

    def _guarded(self, call: Callable[[], None]) -> None:
        """Call; a fault of the one who is told must not stop the journal."""
        try:
            call()
        except Exception as error:
            self._loop.call_exception_handler({"message": "a listener of the journal failed", "exception": error})
