"""Where a server is: from what a person types to the address of its socket."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from samedrop_client.errors import Unreachable

DEFAULT_PORT = 7077
SOCKET_PATH = "/ws"
_SCHEMES = {"": "ws", "http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


def socket_url(address: str) -> str:
    """The WebSocket URL for ``host``, ``host:port``, or the http, https, ws or wss URL of a server.

    Without a scheme it is ws, and without a port then 7077. The socket lies at ``ws`` below the path.

    Raises:
        Unreachable: that is no address.
    """
    address = address.strip()
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        scheme, host, port = _SCHEMES[parts.scheme], parts.hostname, parts.port
    except (KeyError, ValueError):
        host = scheme = ""
        port = None
        parts = urlsplit("")
    if not host or any(character.isspace() for character in address):
        raise Unreachable(f"{address!r:.100} is not the address of a server; try ws://localhost:{DEFAULT_PORT}/ws.")
    place = f"[{host}]" if ":" in host else host
    if port is None and not parts.scheme:
        port = DEFAULT_PORT
    path = parts.path.rstrip("/")
    if not path.endswith(SOCKET_PATH):
        path += SOCKET_PATH
    return urlunsplit((scheme, place if port is None else f"{place}:{port}", path, parts.query, ""))
