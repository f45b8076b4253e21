from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

from samedrop_server.gateway.sockets import DirectConnection, SocketClosed, WebSocket
from tests.support.waiting import eventually


@asynccontextmanager
async def both_ends() -> AsyncIterator[tuple[ClientConnection, WebSocket]]:
    """A client's end and the gateway's."""
    came: asyncio.Future[DirectConnection] = asyncio.get_running_loop().create_future()

    async def handler(connection: ServerConnection) -> None:
        assert isinstance(connection, DirectConnection)
        came.set_result(connection)
        await connection.wait_closed()

    async with serve(handler, "127.0.0.1", 0, create_connection=DirectConnection, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}", proxy=None) as client:
            yield client, WebSocket(await came)


async def test_frames_come_out_of_recv() -> None:
    async with both_ends() as (client, socket):
        await client.send(b"1")
        await client.send("2")
        assert [await socket.recv(), await socket.recv()] == [b"1", "2"]
        await client.close()
        with pytest.raises(SocketClosed):
            await socket.recv()


async def test_a_receiver_is_offered_binary_frames_and_leaves_what_it_will() -> None:
    async with both_ends() as (client, socket):
        taken: list[bytes] = []

        def receiver(frame: bytes) -> bool:
            taken.append(frame)
            return frame != b"left"

        socket.receive(receiver)
        for frame in (b"1", b"left", b"behind it", "text"):
            await client.send(frame)
        assert [await socket.recv(), await socket.recv(), await socket.recv()] == [b"left", b"behind it", "text"]
        assert taken == [b"1", b"left"]
        await client.send([b"frag", b"ment"])
        assert await socket.recv() == b"fragment"
        await client.send(b"2")
        await client.ping()
        await eventually(lambda: taken[-1] == b"2")


async def test_writing_never_waits_and_tells_what_has_not_left() -> None:
    async with both_ends() as (client, socket):
        socket.write(b"1")
        socket.write("2")
        assert [await client.recv(), await client.recv()] == [b"1", "2"]
        client.transport.pause_reading()
        for _ in range(200):
            socket.write(b"x" * 100_000)
        assert socket.waiting > 1_000_000
        client.transport.abort()


async def test_a_closed_socket_swallows_what_is_written() -> None:
    async with both_ends() as (client, socket):
        await socket.close(4001, "replaced")
        socket.write(b"1")
        await client.wait_closed()
        assert (client.close_code, client.close_reason) == (4001, "replaced")
