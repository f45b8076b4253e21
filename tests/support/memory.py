"""The server's end of a connection in memory, as its gateway wants it."""

from __future__ import annotations

from samedrop_client.memory import MemoryEnd
from samedrop_client.transport import Frame, TransportClosed
from samedrop_server.gateway.sockets import Receiver, SocketClosed


class MemorySocket:
    """See the module; `end` is the second of a pair."""

    def __init__(self, end: MemoryEnd) -> None:
        self._end = end
        self.write = end.write
        self.close = end.close

    @property
    def subprotocol(self) -> str | None:
        return self._end.subprotocol

    @property
    def waiting(self) -> int:
        return self._end.waiting

    def receive(self, receiver: Receiver) -> None:
        """All frames come out of `recv`."""

    def abort(self) -> None:
        """Nothing here is ever late to close."""

    async def recv(self) -> Frame:
        try:
            return await self._end.recv()
        except TransportClosed as closed:
            raise SocketClosed from closed
