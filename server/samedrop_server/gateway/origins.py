"""Which pages may open the socket from a browser.

A browser names the page's origin and lets any page connect anywhere, so the server has to look. Programs that are no
browsers send no origin and pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

ANY = "*"
_PORTS = {"http": 80, "https": 443}


def read_origins(text: str) -> frozenset[str]:
    """The origins of a list such as ``https://games.example, http://localhost:8080``; ``*`` is any.

    Raises:
        ValueError: one of them has a path, or no scheme and host.
    """
    origins = [part.strip() for part in text.split(",") if part.strip()]
    return frozenset(origin if origin == ANY else _normal(origin) for origin in origins)


def _normal(origin: str) -> str:
    """An origin with its port, in small letters.

    Raises:
        ValueError: that is no origin.
    """
    parts = urlsplit(origin)
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
        raise ValueError(f"{origin!r:.100} is not an origin such as https://games.example")
    if parts.path or parts.query or parts.fragment:
        raise ValueError(f"{origin!r:.100} has more than scheme, host and port")
    port = _PORTS[parts.scheme] if parts.port is None else parts.port
    return f"{parts.scheme}://{parts.hostname}:{port}"


def may_connect(origins: Iterable[str], host: str | None, allowed: frozenset[str]) -> bool:
    """Whether a page may open the socket.

    Args:
        origins: the Origin headers, as they came.
        host: what the client called this server: the Host header.
        allowed: see `read_origins`.
    """
    origins = list(origins)
    if not origins or ANY in allowed:
        return True
    try:
        (origin,) = origins
        normal = _normal(origin)
    except ValueError:
        return False
    if normal in allowed:
        return True
    scheme = normal.partition("://")[0]
    try:
        return host is not None and normal == _normal(f"{scheme}://{host}")
    except ValueError:
        return False
