"""Raw clients as players: they cut their connections, come back, and keep their stream as the protocol says."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Protocol
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import MSGPACK, Codec
from samedrop_protocol.errors import ErrorCode
from tests.e2e.support import Raw, start_match

QUICK = model.Settings(countdown=0, seed="friday")


class Addressed(Protocol):
    """A server that can be connected to."""

    @property
    def url(self) -> str: ...


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

    async def clog(self, match: str, requests: int, *, watching: bool = False) -> None:
        """Freeze, and ask for all steps of a match, again and again: more than can leave the server."""
        self.freeze()
        kind = from_client.Watch if watching else from_client.Resume
        with suppress(ConnectionClosed):
            for _ in range(requests):
                await self.send(kind(id=self.id(), match=match, last=0))

    async def fill(self, match: str, count: int, turn: int = 0) -> int:
        """Make so many moves from that turn on, column after column; returns how many could be made."""
        made = 0
        for attempt in range(7 * count):
            answer = await self.move(match, turn + made, attempt % 7)
            made += isinstance(answer, from_server.Events)
            if made == count or getattr(answer, "code", None) == ErrorCode.MATCH_OVER:
                break
        return made

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


async def long_match(client: Player) -> str:
    """A match in which the client has made many moves."""
    (started,) = await start_match(client, settings=QUICK)
    match = started.match.match
    assert await client.fill(match, 30) == 30
    return match


@asynccontextmanager
async def player(
    server: Addressed, name: str, token: str | None = None, codec: Codec = MSGPACK, *, narrow: bool = False
) -> AsyncIterator[Player]:
    """A connected player who has said hello. At the end of the block the connection is cut, if it still stands.

    Args: narrow: the system takes little for it that it has not read.
    """
    options: dict[str, object] = {"subprotocols": [codec.subprotocol], "max_size": None, "proxy": None}
    if narrow:
        options["sock"] = _narrow_socket(server.url)
    client = Player(await connect(server.url, **options), codec)  # type: ignore[arg-type]
    try:
        await client.hello(name, token)
        yield client
    finally:
        client.cut()
        with suppress(ConnectionClosed):
            await client.socket.wait_closed()


def _narrow_socket(url: str) -> socket.socket:
    parts = urlsplit(url)
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.connect((parts.hostname, parts.port))
    return narrow


def token_of(client: Raw) -> str:
    """The token that a new player was given."""
    assert client.me.token is not None
    return client.me.token
