"""Who may come in, over real sockets."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import structlog
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from samedrop_protocol import from_client
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.versions import SUBPROTOCOL_JSON
from samedrop_server.app import Running
from samedrop_server.gateway.limits import HISTORY, PLAYERS, REQUESTS
from tests.e2e.support import Raw, raw, served
from tests.support.http import HANDSHAKE, ask, get, shake
from tests.support.waiting import eventually

OPENED = 101
JSON = [Subprotocol(SUBPROTOCOL_JSON)]


async def test_browsers_may_open_the_socket_from_own_and_listed_pages_only(tmp_path: Path) -> None:
    async with served(tmp_path, origins="https://games.example") as server:
        own = f"http://127.0.0.1:{server.port}"
        assert (await shake(server)).status == OPENED
        assert (await shake(server, Origin=own)).status == OPENED
        assert (await shake(server, Origin="https://games.example")).status == OPENED
        for origin in ("http://evil.example", "https://games.example.evil.example", f"{own}0", "null"):
            answer = await shake(server, Origin=origin)
            assert (answer.status, answer.json["code"]) == (403, "http.origin")
        twice = [("Host", f"127.0.0.1:{server.port}"), *HANDSHAKE.items(), ("Origin", own), ("Origin", own)]
        assert (await ask(server, "/ws", twice)).status == 403


async def test_behind_a_proxy_the_host_is_the_one_that_it_forwards(tmp_path: Path) -> None:
    forwarded = {"Origin": "https://drop.example", "X_Forwarded_Host": "drop.example"}
    async with served(tmp_path, trusted_proxies="127.0.0.1") as server:
        assert (await shake(server, **forwarded)).status == OPENED
    async with served(tmp_path) as server:
        assert (await shake(server, **forwarded)).status == 403


async def players(server: Running, count: int, address: str) -> list[ErrorCode | None]:
    """What so many new players at one address are told, who come through a proxy."""
    codes: list[ErrorCode | None] = []
    for _ in range(count):
        headers = {"X-Forwarded-For": address}
        async with connect(server.url, subprotocols=JSON, additional_headers=headers, proxy=None) as socket:
            await socket.send('{"type":"hello","versions":[1],"name":"ann"}')
            answer = str(await socket.recv())
            codes.append(ErrorCode.RATE_LIMITED if ErrorCode.RATE_LIMITED in answer else None)
    return codes


async def test_players_behind_a_trusted_proxy_have_limits_of_their_own(tmp_path: Path) -> None:
    limits = 1 / PLAYERS.burst * 2  # two new players at once
    async with served(tmp_path, trusted_proxies="127.0.0.0/8", rate_limits=limits) as server:
        assert await players(server, 3, "198.51.100.1") == [None, None, ErrorCode.RATE_LIMITED]
        assert await players(server, 2, "198.51.100.2") == [None, None]


async def test_a_forged_address_gives_nobody_limits_of_his_own(tmp_path: Path) -> None:
    async with served(tmp_path, rate_limits=1 / PLAYERS.burst * 2) as server:
        assert await players(server, 2, "198.51.100.1") == [None, None]
        assert await players(server, 1, "198.51.100.2") == [ErrorCode.RATE_LIMITED]


async def test_an_operator_who_forgot_to_name_the_proxy_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with structlog.testing.capture_logs() as lines:
        async with served(tmp_path) as server:
            for _ in range(3):
                await get(server, "/", X_Forwarded_For="198.51.100.1")
    warned = [line for line in lines if line["log_level"] == "warning"]
    assert [(line["event"], line["peer"]) for line in warned] == [("x_forwarded_for_ignored", "127.0.0.1")]
    assert not caplog.records


async def test_a_server_that_is_full_says_so_before_the_handshake(tmp_path: Path) -> None:
    async with served(tmp_path, max_connections=2) as server, AsyncExitStack() as stack:
        first = await stack.enter_async_context(raw(server))
        await stack.enter_async_context(raw(server))
        answer = await shake(server)
        assert (answer.status, answer.json["code"]) == (503, "http.busy")
        assert int(answer.headers["retry-after"]) > 0
        with pytest.raises(InvalidStatus):
            await connect(server.url, proxy=None)
        assert (await get(server, "/healthz")).status == 200
        await first.socket.close()
        await gone(server, 1)
        assert (await shake(server)).status == OPENED


async def test_one_address_has_so_many_connections(tmp_path: Path) -> None:
    async with served(tmp_path, max_per_address=1, trusted_proxies="127.0.0.1") as server:
        headers = {"X-Forwarded-For": "2001:db8::1"}
        async with connect(server.url, subprotocols=JSON, additional_headers=headers, proxy=None):
            answer = await shake(server, X_Forwarded_For="2001:db8::2")  # of the same network
            assert (answer.status, answer.json["code"]) == (429, "http.busy")
            assert (await shake(server, X_Forwarded_For="2001:db8:1::2")).status == OPENED
        await gone(server, 0)
        assert (await shake(server, X_Forwarded_For="2001:db8::2")).status == OPENED


async def gone(server: Running, left: int) -> None:
    """Wait until so many connections are left."""
    await eventually(lambda: len(server.gateway) <= left)


async def test_too_many_requests_are_told_when_to_come_back(tmp_path: Path) -> None:
    async with served(tmp_path, rate_limits=1 / REQUESTS.burst) as server:
        assert (await get(server, "/")).status == 200
        for answer in (await get(server, "/"), await shake(server)):
            assert (answer.status, answer.json["code"], answer.json["field"]) == (
                429,
                "server.rate_limited",
                "requests",
            )
            assert int(answer.headers["retry-after"]) >= 1
        assert (await get(server, "/healthz")).status == 200


async def test_history_over_http_is_limited(tmp_path: Path) -> None:
    async with served(tmp_path, rate_limits=0.05) as server:
        server.gateway.limits.request = lambda address: None  # type: ignore[method-assign]
        answers = [await get(server, "/api/v1/matches") for _ in range(int(HISTORY.burst) + 10)]
        assert answers[0].status == 200
        limited = [answer for answer in answers if answer.status == 429]
        assert limited
        assert {answer.json["field"] for answer in limited} == {"history"}


async def test_garbage_and_port_probes_leave_a_debug_line_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    probes = (
        b"",
        b"\x00\x01\x02garbage\r\n\r\n",
        b"GET / HTTP/9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"SSH-2.0-probe\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n",
        b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET //[ HTTP/1.1\r\n\r\n",
        b"GET /%ff%00 HTTP/1.1\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\n\r\n",
    )
    caplog.set_level(logging.DEBUG, "websockets")
    async with served(tmp_path) as server:
        for probe in probes:
            with structlog.testing.capture_logs() as lines:
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(probe)
                writer.write_eof()
                await reader.read()
                writer.close()
                await writer.wait_closed()
                await eventually(lambda lines=lines: lines)  # type: ignore[misc]
            assert [line["log_level"] for line in lines] == ["debug"], (probe[:40], lines)
        async with raw(server) as ann:
            await alive(ann)
    assert [record for record in caplog.records if record.name.startswith("samedrop")] == []


async def alive(client: Raw) -> None:
    await client.hello()
    await client.ask(from_client.Ping(id="1"))


async def test_ordinary_disconnects_leave_no_fault_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with served(tmp_path, hello_timeout=0.05) as server:
        with structlog.testing.capture_logs() as lines:
            async with raw(server) as silent:  # closed for saying nothing
                await silent.closed()
            async with raw(server) as cut:
                await cut.hello()
                cut.socket.transport.abort()
            async with raw(server) as closing:
                await closing.hello()
            async with raw(server) as broken:  # a frame of a reserved kind
                await broken.hello()
                broken.socket.transport.write(b"\x83\x80\0\0\0\0")
                await broken.closed()
            async with connect(server.url, proxy=None) as none:  # no subprotocol
                await none.wait_closed()
            await gone(server, 0)
    assert {line["log_level"] for line in lines} <= {"debug", "info"}
    assert caplog.records == []
