"""The transport's twin in memory: two ends, no network. For tests, and for a server and players in one process.

Each end has what a `Transport` has, and `write` and `waiting` for a gateway that never waits for a reader.
"""

from __future__ import annotations

from collections import deque

from samedrop_client.feed import Signal
from samedrop_client.transport import ABNORMAL_CLOSURE, Frame, TransportClosed
from samedrop_protocol.versions import SUBPROTOCOL_MSGPACK

CAPACITY = 1024
"""Frames that may wait in each direction before a sender has to."""


class MemoryEnd:
    """One end of a pair. Frames sent before it was closed can still be read at the other end."""

    def __init__(self, subprotocol: str, capacity: int) -> None:
        self.subprotocol = subprotocol
        self._capacity = capacity
        self._inbox: deque[Frame] = deque()
        self._changed = Signal()
        self._closed: TransportClosed | None = None
        self._peer = self

    async def send(self, frame: Frame) -> None:
        """See `Transport.send`."""
        peer = self._peer
        await peer._changed.until(lambda: self._closed is not None or len(peer._inbox) < self._capacity)
        if self._closed is not None:
            raise self._raised()
        peer._inbox.append(frame)
        peer._changed.fire()

    def write(self, frame: Frame) -> None:
        """Send one frame without waiting, however many wait already; on a closed end nothing happens."""
        if self._closed is None:
            self._peer._inbox.append(frame)
            self._peer._changed.fire()

    @property
    def waiting(self) -> int:
        """Bytes (of text: characters) that were sent and that the other end has not received."""
        return sum(map(len, self._peer._inbox))

    async def recv(self) -> Frame:
        """See `Transport.recv`."""
        await self._changed.until(lambda: self._closed is not None or bool(self._inbox))
        if not self._inbox:
            raise self._raised()
        frame = self._inbox.popleft()
        self._changed.fire()
        return frame

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """See `Transport.close`."""
        self._inbox.clear()
        for end in (self, self._peer):
            if end._closed is None:
                end._closed = TransportClosed(code, reason)
            end._changed.fire()

    async def cut(self) -> None:
        """Break the connection as a torn cable does: no close code is told."""
        await self.close(ABNORMAL_CLOSURE)

    def _raised(self) -> TransportClosed:
        # A new one each time: an exception that is raised again keeps growing its traceback.
        assert self._closed is not None
        return TransportClosed(self._closed.code, self._closed.reason)


def memory_pair(subprotocol: str = SUBPROTOCOL_MSGPACK, capacity: int = CAPACITY) -> tuple[MemoryEnd, MemoryEnd]:
    """Two ends of one connection: the client's and the server's."""
    client_end, server_end = MemoryEnd(subprotocol, capacity), MemoryEnd(subprotocol, capacity)
    client_end._peer, server_end._peer = server_end, client_end
    return client_end, server_end
