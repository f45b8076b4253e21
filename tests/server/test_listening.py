from __future__ import annotations

import asyncio
import socket
import ssl
from pathlib import Path

import pytest
import structlog
from websockets.asyncio.client import connect

from samedrop_client.transport import dial_socket
from samedrop_protocol import from_client, from_server
from samedrop_protocol.codec import MSGPACK
from samedrop_server.app import CertificateUnusable, PortInUse
from samedrop_server.listening import shown_host
from tests.e2e.support import PATIENCE, Raw, raw, served
from tests.support.http import get

TLS = Path(__file__).parents[1] / "support" / "tls"
CERTIFICATE, KEY = str(TLS / "certificate.pem"), str(TLS / "key.pem")
needs_ipv6 = pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="there is no IPv6 here")


def trusting() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=CERTIFICATE)


async def greeted(url: str, tls: ssl.SSLContext | None = None) -> bool:
    """Whether a server at that URL says welcome."""
    async with connect(url, subprotocols=[MSGPACK.subprotocol], ssl=tls, proxy=None) as socket:  # type: ignore[list-item]
        return bool((await Raw(socket, MSGPACK).hello()).player)


async def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match=f"127.0.0.1 port {port}"):
            async with served(tmp_path, port=port):
                pass


async def test_an_address_of_another_machine_is_told(tmp_path: Path) -> None:
    with pytest.raises(PortInUse, match=r"192\.0\.2\.1"):
        async with served(tmp_path, host="192.0.2.1"):
            pass


async def test_one_host_is_one_address(tmp_path: Path) -> None:
    async with served(tmp_path, host="127.0.0.1") as server:
        assert server.url == f"ws://127.0.0.1:{server.port}/ws"
        assert server.http_url == f"http://127.0.0.1:{server.port}"
        assert await greeted(server.url)


@needs_ipv6
@pytest.mark.parametrize("host", ["", "::"])
async def test_everywhere_is_ipv4_and_ipv6_on_one_port(tmp_path: Path, host: str) -> None:
    with structlog.testing.capture_logs() as lines:
        async with served(tmp_path, host=host) as server:
            assert await greeted(server.url)
            for address in ("127.0.0.1", "[::1]", "localhost"):
                assert await greeted(f"ws://{address}:{server.port}/ws")
    # An IPv4 client has the same address as over a socket of its own.
    assert {line["address"] for line in lines if line["event"] == "connected"} == {"127.0.0.1", "::1"}


@needs_ipv6
async def test_ipv6_alone(tmp_path: Path) -> None:
    async with served(tmp_path, host="::1") as server:
        assert server.url == f"ws://[::1]:{server.port}/ws"
        assert await greeted(server.url)


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("", "127.0.0.1"),
        ("::", "127.0.0.1"),
        ("0.0.0.0", "127.0.0.1"),
        ("localhost", "localhost"),
        ("::1", "[::1]"),
        ("fe80::1%eth0", "[fe80::1%25eth0]"),
    ],
)
def test_hosts_are_shown_as_urls_have_them(host: str, shown: str) -> None:
    assert shown_host(host) == shown


async def test_tls(tmp_path: Path) -> None:
    async with served(tmp_path, tls_certificate=CERTIFICATE, tls_key=KEY) as server:
        assert server.url == f"wss://127.0.0.1:{server.port}/ws"
        assert server.http_url == f"https://127.0.0.1:{server.port}"
        assert await greeted(server.url, trusting())
        assert (await get(server, "/healthz", tls=trusting())).status == 200
        own = await get(server, "/ws", tls=trusting(), Origin=server.http_url)
        assert own.status == 426


@pytest.fixture
def both(tmp_path: Path) -> str:
    file = tmp_path / "both.pem"
    file.write_text(Path(KEY).read_text() + Path(CERTIFICATE).read_text())
    return str(file)


async def test_certificate_and_key_may_be_one_file(tmp_path: Path, both: str) -> None:
    async with served(tmp_path, tls_certificate=both) as server:
        assert await greeted(server.url, trusting())


async def test_who_does_not_speak_tls_gets_nothing_and_leaves_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(tmp_path, tls_certificate=CERTIFICATE, tls_key=KEY) as server:
        for probe in (b"GET / HTTP/1.1\r\n\r\n", b"\x00\x01\x02", b""):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(probe)
            writer.write_eof()
            async with asyncio.timeout(PATIENCE):
                assert b"HTTP" not in await reader.read()
            writer.close()
        assert await greeted(server.url, trusting())
    assert caplog.records == []


@pytest.mark.parametrize(
    ("certificate", "key", "reason"),
    [
        ("missing.pem", "", "No such file"),
        (CERTIFICATE, "", "PEM"),
        (KEY, KEY, "PEM"),
        (CERTIFICATE, str(TLS / "locked-key.pem"), "locked"),
        (str(Path(__file__)), KEY, "PEM"),
    ],
)
async def test_certificates_that_cannot_be_used_are_told(
    tmp_path: Path, certificate: str, key: str, reason: str
) -> None:
    with pytest.raises(CertificateUnusable, match=reason) as error:
        async with served(tmp_path, tls_certificate=certificate, tls_key=key):
            pass
    assert certificate in str(error.value)
    assert "\n" not in str(error.value)


async def test_half_open_sockets_are_found_by_pings(tmp_path: Path) -> None:
    """The other side is gone without a word: its system answers TCP, and nobody answers pings."""
    async with (
        served(tmp_path, ping_interval=0.05, ping_timeout=0.05) as server,
        raw(server) as ann,
        raw(server) as bob,
    ):
        await ann.hello("ann")
        await bob.hello("bob")
        state = await ann.ask(from_client.CreateRoom(id="1"))
        await bob.ask(from_client.JoinRoom(id="1", code=state.room.code))
        bob.socket.transport.pause_reading()
        async with asyncio.timeout(PATIENCE):
            while (room := (await ann.until(from_server.RoomState)).room).members[-1].online:
                pass
        assert [member.name for member in room.members] == ["ann", "bob"]
        assert len(server.gateway) == 1
        bob.socket.transport.abort()


async def test_peers_that_answer_pings_stay(tmp_path: Path) -> None:
    async with served(tmp_path, ping_interval=0.02, ping_timeout=1) as server, raw(server) as ann:
        await ann.hello()
        for number in range(3):
            await asyncio.sleep(0.05)
            assert isinstance(await ann.ask(from_client.Ping(id=f"{number}")), from_server.Pong)


async def test_the_client_library_speaks_to_it(tmp_path: Path) -> None:
    async with served(tmp_path, path_prefix="drop") as server:
        transport = await dial_socket(server.url, MSGPACK.subprotocol)
        assert transport.subprotocol == MSGPACK.subprotocol
        await transport.close()
