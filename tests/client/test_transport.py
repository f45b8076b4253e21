"""The WebSocket transport against plain WebSocket servers, and against none."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from samedrop_client.errors import Unreachable, VersionMismatch
from samedrop_client.transport import TransportClosed, dial_socket
from samedrop_protocol.versions import SUBPROTOCOL_MSGPACK

Serve = Callable[[ServerConnection], Awaitable[None]]


@asynccontextmanager
async def server(handle: Serve, *, subprotocol: str = SUBPROTOCOL_MSGPACK, answer: int = 0) -> AsyncIterator[str]:
    def respond(connection: ServerConnection, request: Request) -> Response | None:
        return connection.respond(HTTPStatus(answer), "") if answer else None

    def select(connection: ServerConnection, offered: object) -> Subprotocol | None:
        return Subprotocol(subprotocol) if subprotocol else None

    async with serve(
        handle, "127.0.0.1", 0, subprotocols=[], select_subprotocol=select, process_request=respond
    ) as running:
        port = next(iter(running.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/ws"


async def echo(connection: ServerConnection) -> None:
    async for frame in connection:
        await connection.send(frame)


async def test_frames_keep_their_kind() -> None:
    async with server(echo) as url:
        transport = await dial_socket(url, SUBPROTOCOL_MSGPACK)
        assert transport.subprotocol == SUBPROTOCOL_MSGPACK
        for frame in (b"\x00\xff", "text"):
            await transport.send(frame)
            assert await transport.recv() == frame
        await transport.close()
        with pytest.raises(TransportClosed):
            await transport.recv()
        with pytest.raises(TransportClosed):
            await transport.send(b"")


async def test_large_frames_of_the_server_are_taken() -> None:
    async with server(lambda connection: connection.send(bytes(5_000_000))) as url:
        transport = await dial_socket(url, SUBPROTOCOL_MSGPACK)
        assert len(await transport.recv()) == 5_000_000
        await transport.close()


async def test_the_close_code_is_told() -> None:
    async with server(lambda connection: connection.close(4001, "replaced")) as url:
        transport = await dial_socket(url, SUBPROTOCOL_MSGPACK)
        with pytest.raises(TransportClosed) as caught:
            await transport.recv()
    assert (caught.value.code, caught.value.reason) == (4001, "replaced")


async def test_a_cut_is_1006() -> None:
    async def cut(connection: ServerConnection) -> None:
        connection.transport.abort()

    async with server(cut) as url:
        transport = await dial_socket(url, SUBPROTOCOL_MSGPACK)
        with pytest.raises(TransportClosed) as caught:
            await transport.recv()
    assert caught.value.code == 1006


async def test_another_subprotocol_is_refused() -> None:
    async with server(echo, subprotocol="") as url:
        with pytest.raises(VersionMismatch, match="does not speak"):
            await dial_socket(url, SUBPROTOCOL_MSGPACK)


async def test_a_web_server_is_not_a_samedrop_server() -> None:
    async with server(echo, answer=404) as url:
        with pytest.raises(Unreachable, match="HTTP 404"):
            await dial_socket(url, SUBPROTOCOL_MSGPACK)


async def test_something_else_is_not_a_samedrop_server() -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail ready\r\n")
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as running:
        port = running.sockets[0].getsockname()[1]
        with pytest.raises(Unreachable, match="did not answer as"):
            await dial_socket(f"ws://127.0.0.1:{port}/ws", SUBPROTOCOL_MSGPACK)


async def test_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(Unreachable, match="cannot be reached: nobody listens there"):
            await dial_socket(f"ws://127.0.0.1:{port}/ws", SUBPROTOCOL_MSGPACK)


async def test_no_url() -> None:
    with pytest.raises(Unreachable, match="not the address"):
        await dial_socket("http://localhost/ws", SUBPROTOCOL_MSGPACK)
