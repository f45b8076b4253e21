"""Players in memory: raw clients of a server in this process, without a socket between them."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from samedrop_client.memory import MemoryEnd, memory_pair
from samedrop_protocol.codec import MSGPACK
from samedrop_server.app import Running
from tests.e2e.support import Raw
from tests.support.memory import MemorySocket


class MemoryPlayer(Raw):
    """A raw client whose connection is in memory.

    Attributes:
        serving: the server's side of it; done once the server has let go of it.
    """

    def __init__(self, end: MemoryEnd, serving: asyncio.Task[None]) -> None:
        super().__init__(end, MSGPACK)  # type: ignore[arg-type]
        self.end = end
        self.serving = serving

    async def cut(self) -> None:
        """Break the connection; returns once the server knows."""
        await self.end.cut()
        with suppress(asyncio.CancelledError):
            await self.serving


def dial(server: Running) -> MemoryPlayer:
    """A new connection; nobody has said hello."""
    client_end, server_end = memory_pair(capacity=100_000)
    return MemoryPlayer(client_end, asyncio.create_task(server.gateway.serve(MemorySocket(server_end))))
