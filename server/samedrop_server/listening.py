"""Listening: one port, for WebSocket and HTTP, over TCP or TLS, for IPv4 and IPv6."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from samedrop_protocol.versions import SUBPROTOCOLS
from samedrop_server.gateway.gateway import CLOSING_SECONDS, Gateway
from samedrop_server.gateway.sockets import DirectConnection, WebSocket
from samedrop_server.http.routes import Routes
from samedrop_server.logs import websockets_logger
from samedrop_server.settings import Settings

MAX_FRAME = 64 * 1024
"""Bytes of a frame above which the connection is closed (1009); smaller ones that are too large are refused."""
_EVERYWHERE = ("", "::")


class PortInUse(Exception):
    """The address cannot be listened on; the text says why."""


class CertificateUnusable(Exception):
    """The certificate or its key cannot be used; the text says why."""


@asynccontextmanager
async def listening(settings: Settings, gateway: Gateway, routes: Routes) -> AsyncIterator[int]:
    """Listen until the block is left; gives the port.

    Raises:
        PortInUse, CertificateUnusable
    """

    async def serve_client(connection: ServerConnection) -> None:
        assert isinstance(connection, DirectConnection)
        connection.fragments = gateway.limits.fragments()
        await gateway.serve(WebSocket(connection), connection.address)

    tls = _tls_context(settings)
    try:
        host, port, sock = _where(settings.host, settings.port)
        server = await serve(
            serve_client,
            host,
            port,
            sock=sock,
            ssl=tls,
            subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
            select_subprotocol=_select_subprotocol,
            compression="deflate" if settings.compression else None,
            process_request=routes.respond,
            process_response=routes.responded,
            create_connection=DirectConnection,
            server_header=None,
            max_size=MAX_FRAME,
            ping_interval=settings.ping_interval,
            ping_timeout=settings.ping_timeout,
            close_timeout=2,
            logger=websockets_logger(),
        )
    except OSError as error:
        reason = error.strerror or str(error)
        raise PortInUse(f"Cannot listen on {settings.host or '::'} port {settings.port}: {reason}.") from error
    try:
        yield next(iter(server.sockets)).getsockname()[1]
    finally:
        server.close()
        # Who connected and never asked for anything would be waited for until the handshake's time is up.
        with suppress(TimeoutError):
            await asyncio.wait_for(server.wait_closed(), CLOSING_SECONDS)


def _select_subprotocol(connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    return next((Subprotocol(name) for name in SUBPROTOCOLS if name in offered), None)


def _where(host: str, port: int) -> tuple[str | None, int | None, socket.socket | None]:
    """Host and port to listen on, or a socket. Everywhere is one socket for IPv4 and IPv6, if there is IPv6."""
    if host not in _EVERYWHERE:
        return host, port, None
    if not socket.has_dualstack_ipv6():
        return "0.0.0.0", port, None
    return None, None, socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True)


def shown_host(host: str) -> str:
    """How a URL of this machine names what is listened on."""
    if host in (*_EVERYWHERE, "0.0.0.0"):
        return "127.0.0.1"
    # In URLs the % before a zone is itself written as %25.
    return f"[{host.replace('%', '%25')}]" if ":" in host else host


def _tls_context(settings: Settings) -> ssl.SSLContext | None:
    if not settings.tls_certificate:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(settings.tls_certificate, settings.tls_key or None, password=_no_password)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        files = " with ".join(filter(None, (settings.tls_certificate, settings.tls_key)))
        raise CertificateUnusable(f"The certificate {files} cannot be used: {reason}.") from error
    return context


def _no_password() -> str:
    """Keep OpenSSL from asking at the terminal."""
    raise ValueError("the key is locked with a password")
