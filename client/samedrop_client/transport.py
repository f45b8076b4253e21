"""The narrow port through which frames come and go, and its WebSocket form.

`memory` has its twin without a network. What the frames say is `samedrop_protocol`'s affair; coming back after a lost
connection is `connection`'s.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.typing import Subprotocol

from samedrop_client.errors import Unreachable, VersionMismatch

Frame = bytes | str
"""A binary or a text frame."""

MAX_FRAME = 64 * 1024 * 1024
"""Bytes of a frame from the server, at most: far more than any page of history."""
OPEN_TIMEOUT = 10.0
"""Seconds for opening a connection."""
ABNORMAL_CLOSURE = 1006


class TransportClosed(Exception):
    """The transport is closed: by the other side with `code` and `reason`, by this one, or cut (1006)."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}".strip())
        self.code = code
        self.reason = reason


class Transport(Protocol):
    """An open way for frames in both directions, in order. One task receives; any may send."""

    @property
    def subprotocol(self) -> str | None:
        """What both sides agreed to speak."""

    async def send(self, frame: Frame) -> None:
        """Send one frame; waits while the other side reads too slowly. Raises TransportClosed."""

    async def recv(self) -> Frame:
        """The next frame. Raises TransportClosed once closed and all frames before that are read."""

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close it for both sides; closing again does nothing."""


Dial = Callable[[], Awaitable[Transport]]
"""Opens a transport. Raises Unreachable, or VersionMismatch where the subprotocol was not accepted."""


class WebSocketTransport:
    """A transport over a WebSocket connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    @property
    def subprotocol(self) -> str | None:
        """See `Transport.subprotocol`."""
        return self._socket.subprotocol

    async def send(self, frame: Frame) -> None:
        """See `Transport.send`."""
        try:
            await self._socket.send(frame)
        except ConnectionClosed as error:
            raise self._closed() from error

    async def recv(self) -> Frame:
        """See `Transport.recv`."""
        try:
            return await self._socket.recv()
        except ConnectionClosed as error:
            raise self._closed() from error

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """See `Transport.close`."""
        await self._socket.close(code, reason)

    def _closed(self) -> TransportClosed:
        return TransportClosed(self._socket.close_code or ABNORMAL_CLOSURE, self._socket.close_reason or "")


async def dial_socket(url: str, subprotocol: str) -> WebSocketTransport:
    """Open a WebSocket connection to `url` (ws:// or wss://) that speaks `subprotocol`.

    Raises:
        Unreachable: with a text that says why.
        VersionMismatch: there is a WebSocket server, but it does not speak that.
    """
    try:
        socket = await connect(
            url,
            subprotocols=[Subprotocol(subprotocol)],
            compression=None,
            proxy=None,
            max_size=MAX_FRAME,
            open_timeout=OPEN_TIMEOUT,
        )
    except InvalidURI as error:
        raise Unreachable(f"{url} is not the address of a server.") from error
    except InvalidStatus as error:
        raise Unreachable(f"{url} answered HTTP {error.response.status_code}, not as a samedrop server.") from error
    except TimeoutError as error:
        raise Unreachable(f"{url} did not answer within {OPEN_TIMEOUT:.0f} seconds.") from error
    except InvalidHandshake as error:
        raise Unreachable(f"{url} did not answer as a samedrop server.") from error
    except OSError as error:
        # What asyncio says of one refused address, or of several, names system calls and numbers.
        reason = "nobody listens there" if "Connect call failed" in str(error) else error.strerror or str(error)
        raise Unreachable(f"{url} cannot be reached: {reason}.") from error
    if socket.subprotocol != subprotocol:
        await socket.close()
        raise VersionMismatch(f"{url} does not speak {subprotocol}.")
    return WebSocketTransport(socket)
