"""Stand-ins for the server's ports, so that rooms and matches can be tested without sockets or a database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from samedrop_protocol import from_server
from samedrop_protocol.codec import MSGPACK, Codec
from samedrop_server.storage.records import Record


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: int = 1_900_000_000_000) -> None:
        self.time = now

    def now(self) -> int:
        return self.time

    def advance(self, seconds: float) -> None:
        self.time += round(1000 * seconds)


class FakeJournal:
    """A journal whose commits happen when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Record, Callable[[], object] | None]] = []
        self.stored: list[Record] = []
        self.recorded = asyncio.Event()
        self.on_commit: Callable[[], None] = lambda: None

    def record(self, record: Record, then: Callable[[], object] | None = None) -> None:
        self.waiting.append((record, then))
        self.recorded.set()

    def commit(self) -> None:
        """Store all that waits, and what that leads to."""
        while self.waiting:
            batch, self.waiting = self.waiting, []
            for record, then in batch:
                self.stored.append(record)
                if then is not None:
                    then()
            self.on_commit()

    def fail(self) -> list[Record]:
        """Store nothing of what waits."""
        records = [record for record, _ in self.waiting]
        self.waiting = []
        return records


class FakeSession:
    """A connection that keeps what it was told, decoded."""

    def __init__(self, codec: Codec = MSGPACK) -> None:
        self.codec = codec
        self.told: list[from_server.ServerMessage] = []
        self.replaced = False

    def write(self, frame: bytes | str) -> None:
        self.told.append(self.codec.decode_server(frame))

    def tell(self, message: Struct) -> None:
        self.write(self.codec.encode(message))

    def replace(self) -> None:
        self.replaced = True

    def take(self) -> list[from_server.ServerMessage]:
        """What was told since the last call."""
        told, self.told = self.told, []
        return told

    def take_only(self, kind: type[Any]) -> Any:
        """The one message of that class that was told since the last call; others are dropped."""
        found = [message for message in self.take() if isinstance(message, kind)]
        assert len(found) == 1, found
        return found[0]


def plain(message: Struct) -> Any:
    """A message as plain values."""
    return msgspec.to_builtins(message)
