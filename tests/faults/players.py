"""Raw clients as players: they cut their connections, come back, and keep their stream as the protocol says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from websockets.asyncio.client import connect

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import MSGPACK, Codec
from samedrop_server.app import Running
from tests.e2e.support import Raw

QUICK = model.Settings(countdown=0, seed="friday")


class Player(Raw):
    """A client that may lose its connection, and goes on with another one."""

    def cut(self) -> None:
        """Break the connection as a torn cable does: without a close frame."""
        self.socket.transport.abort()

    def freeze(self) -> None:
        """Neither read nor answer any more, while the connection stays: what a phone does when it sleeps."""
        self.socket.transport.pause_reading()

    def thaw(self) -> None:
        """Read again."""
        self.socket.transport.resume_reading()

    async def resume(self, match: str, last: int | None = None) -> from_server.Resumed | from_server.Error:
        """Take up a match after number `last`."""
        answer = await self.ask(from_client.Resume(id=self.id(), match=match, last=last))
        assert isinstance(answer, from_server.Resumed | from_server.Error)
        return answer

    async def resumed(self, match: str, last: int | None = None) -> from_server.Resumed:
        """`resume`, which must not be refused."""
        answer = await self.resume(match, last)
        assert isinstance(answer, from_server.Resumed), answer
        return answer

    async def steps(self, count: int) -> list[from_server.Step]:
        """So many next steps of the flow."""
        steps: list[from_server.Step] = []
        while len(steps) < count:
            events = await self.until(from_server.Events)
            if not events.repeat:
                steps += events.steps
        assert len(steps) == count, steps
        return steps


@asynccontextmanager
async def player(server: Running, name: str, token: str | None = None, codec: Codec = MSGPACK) -> AsyncIterator[Player]:
    """A connected player who has said hello. At the end of the block the connection is cut, if it still stands."""
    options = {"subprotocols": [codec.subprotocol], "max_size": None, "proxy": None}
    socket = await connect(server.url, **options)  # type: ignore[arg-type]
    client = Player(socket, codec)
    try:
        await client.hello(name, token)
        yield client
    finally:
        client.cut()
        with suppress(Exception):
            await socket.wait_closed()


def token_of(client: Raw) -> str:
    """The token that a new player was given."""
    assert client.me.token is not None
    return client.me.token
