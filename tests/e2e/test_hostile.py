"""What malformed, early, late, oversized and illegal messages get: a typed error, and nothing changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgpack
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import JSON, MSGPACK
from samedrop_protocol.errors import CloseCode, ErrorCode
from samedrop_server.app import MAX_FRAME, Running
from samedrop_server.gateway.connection import FAULTS_AT_MOST
from tests.e2e.support import Raw, raw, served, start_match

MALFORMED = {
    "empty": b"",
    "map header of 2^32-1": bytes.fromhex("dfffffffff"),
    "array header of 2^31-1": bytes.fromhex("dd7fffffff"),
    "2,000 nested arrays": b"\x91" * 2000 + b"\x01",
    "integer key": bytes.fromhex("810102"),
    "duplicate key": bytes.fromhex("82a16101a16102"),
    "2^64-1": b"\x81\xa4type" + b"\xcf" + b"\xff" * 8,
    "NaN": b"\x81\xa4type" + bytes.fromhex("cb7ff8000000000000"),
    "timestamp": bytes.fromhex("d6ff00000000"),
    "bad UTF-8": bytes.fromhex("a2fffe"),
    "trailing byte": msgpack.packb({"type": "ping", "id": "1"}) + b"\x01",
    "truncated": msgpack.packb({"type": "ping", "id": "1"})[:-1],
    "a list": msgpack.packb([1, 2]),
    "no type": msgpack.packb({"id": "1"}),
    "__proto__": b"\x81\xa9__proto__\x80",
    "text frame": "{}",
}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with served(tmp_path) as running:
        yield running


@pytest.fixture
async def ann(server: Running) -> AsyncIterator[Raw]:
    async with raw(server) as client:
        await client.hello("ann")
        yield client


async def alive(client: Raw) -> None:
    assert isinstance(await client.ask(from_client.Ping(id="still-there")), from_server.Pong)


@pytest.mark.parametrize("frame", MALFORMED.values(), ids=MALFORMED.keys())
async def test_a_malformed_frame_gets_an_error_and_the_socket_stays(ann: Raw, frame: bytes | str) -> None:
    await ann.socket.send(frame)
    error = await ann.until(from_server.Error)
    assert error.code in (ErrorCode.MALFORMED, ErrorCode.INVALID)
    await alive(ann)


async def test_a_message_in_three_fragments_is_one_message(ann: Raw) -> None:
    frame = msgpack.packb({"type": "ping", "id": "1"})
    await ann.socket.send([frame[:3], frame[3:7], frame[7:]])
    assert (await ann.until(from_server.Pong)).re == "1"


async def test_unknown_types_and_fields(ann: Raw) -> None:
    await ann.socket.send(msgpack.packb({"type": "dance", "id": "1"}))
    error = await ann.until(from_server.Error)
    assert (error.code, error.re) == (ErrorCode.UNKNOWN_TYPE, "1")
    await ann.socket.send(msgpack.packb({"type": "ping", "id": "2", "colour": "red"}))
    assert (await ann.until(from_server.Pong)).re == "2"


async def test_a_missing_field_is_named(ann: Raw) -> None:
    await ann.socket.send(msgpack.packb({"type": "join_room", "id": "1"}))
    error = await ann.until(from_server.Error)
    assert (error.code, error.field, error.re) == (ErrorCode.INVALID, "code", "1")


async def test_before_and_after_hello(server: Running) -> None:
    async with raw(server) as client:
        error = await client.ask(from_client.Ping(id="1"))
        assert error.code == ErrorCode.HELLO_FIRST
        await client.hello()
        await client.send(from_client.Hello(versions=[1], name="again"))
        assert (await client.until(from_server.Error)).code == ErrorCode.HELLO_FIRST
        await alive(client)


@pytest.mark.parametrize("versions", [[0], [2], [-1], [2, 3]])
async def test_no_common_version_is_refused_with_both_ranges(server: Running, versions: list[int]) -> None:
    async with raw(server) as client:
        await client.send(from_client.Hello(versions=versions, name="ann"))
        error = await client.until(from_server.Error)
        assert (error.code, error.versions) == (ErrorCode.VERSION, [1])
        assert str(versions) in error.text
        assert await client.closed() == CloseCode.VERSION


@pytest.mark.parametrize("versions", [None, "1", [], ["1"], [1.5], {}])
async def test_garbage_for_a_version_is_an_error_and_another_hello_may_follow(
    server: Running, versions: object
) -> None:
    async with raw(server) as client:
        await client.socket.send(msgpack.packb({"type": "hello", "name": "ann", "versions": versions}))
        error = await client.until(from_server.Error)
        assert error.code == ErrorCode.INVALID
        assert (error.field or "").startswith("versions")
        await client.hello()


async def test_newer_clients_that_also_speak_ours_are_welcome(server: Running) -> None:
    async with raw(server) as client:
        await client.send(from_client.Hello(versions=[1, 2, 3], name="ann"))
        assert (await client.until(from_server.Welcome)).version == 1


async def test_bad_names_and_tokens(server: Running) -> None:
    async with raw(server) as client:
        await client.send(from_client.Hello(versions=[1], name="\u200b\u202e"))
        assert (await client.until(from_server.Error)).code == ErrorCode.NAME
        await client.send(from_client.Hello(versions=[1], name="ann", token="wrong"))
        error = await client.until(from_server.Error)
        assert (error.code, error.field) == (ErrorCode.TOKEN, "token")
        assert "wrong" not in error.text
        await client.hello()


async def test_too_large_a_frame(ann: Raw) -> None:
    ping = {"type": "ping", "id": "1", "padding": ""}
    fitting = 16 * 1024 - len(msgpack.packb(ping)) - 2
    await ann.socket.send(msgpack.packb(ping | {"padding": "x" * fitting}))
    assert (await ann.until(from_server.Pong)).re == "1"
    await ann.socket.send(msgpack.packb(ping | {"padding": "x" * (fitting + 1)}))
    assert (await ann.until(from_server.Error)).code == ErrorCode.TOO_LARGE
    await alive(ann)
    await ann.socket.send(b"x" * (MAX_FRAME + 1))
    assert await ann.closed() == 1009


async def test_faults_without_end_are_cut_off(server: Running) -> None:
    async with raw(server) as client:
        for _ in range(FAULTS_AT_MOST):
            await client.socket.send(b"")
        assert await client.closed() == CloseCode.TOO_MANY_ERRORS


async def test_no_subprotocol_is_refused_with_a_code(server: Running) -> None:
    async with connect(server.url, proxy=None) as socket:
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert socket.close_code == CloseCode.NO_SUBPROTOCOL


async def test_silence_before_hello_is_cut_off(tmp_path: Path) -> None:
    async with served(tmp_path, hello_timeout=0.05) as server, raw(server) as client:
        assert await client.closed() == CloseCode.HELLO_TIMEOUT


async def test_http_garbage_and_port_probes_leave_the_server_alone(server: Running) -> None:
    for request in (b"", b"\x00\x01\x02garbage\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00"):
        reader, writer = await asyncio.open_connection(server.host, server.port)
        writer.write(request)
        writer.write_eof()
        await reader.read()
        writer.close()
        await writer.wait_closed()
    async with raw(server) as client:
        await client.hello()


@pytest.mark.parametrize("column", [7, -1, 3.0, "3", True, None, 2**53 - 1, [3], {"column": 3}], ids=repr)
async def test_an_illegal_column_is_told_to_the_sender_alone(server: Running, column: object) -> None:
    async with raw(server) as one, raw(server) as other:
        await one.hello("one")
        await other.hello("other")
        (started, _) = await start_match(one, other, settings=model.Settings(countdown=0, seed="friday"))
        match = started.match.match
        before = await one.ask(from_client.Resume(id="r1", match=match))
        error = await one.move(match, 0, column)
        assert (error.code, error.field, error.turn) == (ErrorCode.MOVE_INVALID, "move.column", 0)
        after = await one.ask(from_client.Resume(id="r2", match=match))
        assert (after.views, after.last, after.progress) == (before.views, before.last, before.progress)
        await alive(other)
        assert not any(isinstance(message, from_server.Error) for message in other.seen)


@pytest.mark.parametrize("column", ["cfffffffffffffffff", "cb7ff8000000000000"], ids=["2^64-1", "NaN"])
async def test_numbers_that_not_every_language_has_are_malformed(ann: Raw, column: str) -> None:
    message = msgpack.packb({"type": "move", "id": "1", "match": "m", "turn": 0, "move": {"column": 3}})
    assert message.endswith(b"\x03")
    await ann.socket.send(message[:-1] + bytes.fromhex(column))
    error = await ann.until(from_server.Error)
    assert error.code in (ErrorCode.MALFORMED, ErrorCode.INVALID)
    await alive(ann)


@pytest.mark.parametrize(
    "frame",
    ['{"type":"ping","id":NaN}', '{"type":"ping","id":"1","id":"2"}', '{"type":"ping","id":"\\ud800"}', "[", "", b"{}"],
    ids=["NaN", "duplicate key", "lone surrogate", "truncated", "empty", "binary frame"],
)
async def test_malformed_json(server: Running, frame: str | bytes) -> None:
    async with raw(server, JSON) as client:
        await client.hello()
        await client.socket.send(frame)
        assert (await client.until(from_server.Error)).code in (ErrorCode.MALFORMED, ErrorCode.INVALID)
        await alive(client)


async def test_both_subprotocols_meet_in_one_match(server: Running) -> None:
    async with raw(server, MSGPACK) as one, raw(server, JSON) as other:
        await one.hello("one")
        await other.hello("other")
        starts = await start_match(one, other, settings=model.Settings(countdown=0, drop_limit=1))
        match = starts[0].match.match
        assert starts[0].match == starts[1].match
        await one.move(match, 0, 3)
        await other.move(match, 0, 3)
        overs = [await client.until(from_server.MatchOver) for client in (one, other)]
        assert overs[0] == overs[1]
