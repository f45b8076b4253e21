"""A real server on a free port, and raw clients on real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

import samedrop_migrations
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import MSGPACK, Codec
from samedrop_server.app import Running, running
from samedrop_server.clock import Clock
from samedrop_server.settings import Settings

MessageT = TypeVar("MessageT", bound=from_server.ServerMessage)
PATIENCE = 10.0
"""Seconds until something that does not come counts as missing."""


@asynccontextmanager
async def served(folder: Path, clock: Clock | None = None, **settings: Any) -> AsyncIterator[Running]:
    """A server on a database in `folder`; by `clock`, or the system's."""
    database = f"sqlite:///{folder / 'samedrop.db'}"
    samedrop_migrations.upgrade(database)
    async with running(Settings(**{"port": 0, "database": database, **settings}), clock) as server:
        yield server


class Raw:
    """A client that hides nothing: it sends messages or bytes, and takes what comes."""

    def __init__(self, socket: ClientConnection, codec: Codec) -> None:
        self.socket = socket
        self.codec = codec
        self.sent = 0
        self.seen: list[from_server.ServerMessage] = []
        self.frames: list[bytes | str] = []
        self.me: from_server.Welcome

    async def send(self, message: msgspec.Struct) -> None:
        await self.socket.send(self.codec.encode(message))

    async def next(self) -> from_server.ServerMessage:
        """The next message, whatever it is."""
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.recv()
        self.frames.append(frame)
        message = self.codec.decode_server(frame)
        self.seen.append(message)
        return message

    async def until(self, kind: type[MessageT]) -> MessageT:
        """The next message of that class; those before it are passed over."""
        while True:
            message = await self.next()
            if isinstance(message, kind):
                return message

    async def ask(self, message: from_client.Request) -> Any:
        """Send a request and return what answers it, an error included."""
        await self.send(message)
        while True:
            answer = await self.next()
            if getattr(answer, "re", None) == message.id:
                return answer
            if isinstance(answer, from_server.Events) and any(step.id == message.id for step in answer.steps):
                return answer

    def id(self) -> str:
        """A new request id."""
        self.sent += 1
        return f"{self.sent}"

    async def hello(self, name: str = "ann", token: str | None = None) -> from_server.Welcome:
        await self.send(from_client.Hello(versions=[1], name=name, token=token))
        self.me = await self.until(from_server.Welcome)
        return self.me

    async def move(self, match: str, turn: int, column: object, request: str | None = None) -> Any:
        body = {"column": column}
        return await self.ask(from_client.Move(id=request or self.id(), match=match, turn=turn, move=body))

    async def closed(self) -> int:
        """The code with which the server closes; what comes before is passed over."""
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionClosed):
                while True:
                    await self.socket.recv()
        assert self.socket.close_code is not None
        return self.socket.close_code


@asynccontextmanager
async def raw(server: Running, codec: Codec = MSGPACK) -> AsyncIterator[Raw]:
    """A connected raw client that has not said hello."""
    async with connect(server.url, subprotocols=[codec.subprotocol], max_size=None, proxy=None) as socket:  # type: ignore[list-item]
        yield Raw(socket, codec)


async def start_match(*clients: Raw, settings: model.Settings) -> list[from_server.Started]:
    """A match of the clients, who have said hello; the first is the host."""
    host, *others = clients
    state = await host.ask(from_client.CreateRoom(id=host.id(), settings=settings))
    for client in others:
        await client.ask(from_client.JoinRoom(id=client.id(), code=state.room.code))
        await client.ask(from_client.Ready(id=client.id()))
    await host.ask(from_client.Start(id=host.id()))
    return [await client.until(from_server.Started) for client in clients]
