"""The transport in memory behaves as a socket does."""

from __future__ import annotations

import asyncio

import pytest

from samedrop_client.memory import memory_pair
from samedrop_client.transport import Transport, TransportClosed


async def test_frames_go_both_ways_in_order() -> None:
    client, server = memory_pair("some.protocol")
    ends: tuple[Transport, Transport] = (client, server)
    assert [end.subprotocol for end in ends] == ["some.protocol"] * 2
    await client.send(b"1")
    await client.send("2")
    await server.send(b"3")
    assert [await server.recv(), await server.recv(), await client.recv()] == [b"1", "2", b"3"]


async def test_what_was_sent_before_closing_can_be_read() -> None:
    client, server = memory_pair()
    await server.send(b"last words")
    await server.close(4001, "replaced")
    assert await client.recv() == b"last words"
    for _ in range(2):
        with pytest.raises(TransportClosed, match="replaced") as caught:
            await client.recv()
        assert (caught.value.code, caught.value.reason) == (4001, "replaced")
    for end in (client, server):
        with pytest.raises(TransportClosed):
            await end.send(b"too late")
    await client.close(1000, "again")
    with pytest.raises(TransportClosed, match="4001"):
        await server.recv()


async def test_closing_wakes_both_ends() -> None:
    client, server = memory_pair()
    waiting = [asyncio.create_task(client.recv()), asyncio.create_task(server.recv())]
    await asyncio.sleep(0)
    await client.cut()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [result.code for result in results if isinstance(result, TransportClosed)] == [1006, 1006]


async def test_a_sender_waits_for_a_slow_reader() -> None:
    client, server = memory_pair(capacity=2)
    for _ in range(2):
        await client.send(b"x")
    sending = asyncio.create_task(client.send(b"y"))
    await asyncio.sleep(0)
    assert not sending.done()
    await server.recv()
    await sending


async def test_a_gateway_writes_without_waiting() -> None:
    client, server = memory_pair(capacity=1)
    for _ in range(3):
        server.write(b"1234")
    assert server.waiting == 12
    await client.recv()
    assert server.waiting == 8
    await client.close()
    server.write(b"nobody reads this")
