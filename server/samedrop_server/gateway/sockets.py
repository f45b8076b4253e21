"""What the gateway needs of a socket, and the WebSocket that does it.

The in-memory twin for tests and embedding (`samedrop_client.memory`) has the same shape.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

import structlog
from websockets.asyncio.connection import broadcast
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CTRL_OPCODES, CloseCode, Frame, Opcode
from websockets.protocol import Event, State

from samedrop_server.gateway.limits import Bucket

log = structlog.get_logger(__name__)

_CLOSE_SECONDS = 2.0

Receiver = Callable[[bytes], bool]
"""Takes a whole frame at once, or returns False: then it comes out of `recv`, in its turn."""


class SocketClosed(Exception):
    """The other side is gone."""


class Socket(Protocol):
    """A connection that carries whole frames."""

    @property
    def subprotocol(self) -> str | None:
        """The WebSocket subprotocol that was agreed on."""

    async def recv(self) -> bytes | str:
        """The next frame.

        Raises:
            SocketClosed: there are no more.
        """

    def receive(self, receiver: Receiver) -> None:
        """From now on, offer binary frames to `receiver` as they arrive, whenever nothing waits in `recv` before them.

        A socket may leave it at `recv`: this is for speed only.
        """

    def write(self, frame: bytes | str) -> None:
        """Send a frame without waiting; on a closed socket nothing happens."""

    @property
    def waiting(self) -> int:
        """Bytes that were written and have not left."""

    async def close(self, code: int, reason: str) -> None:
        """Close with a code and a reason."""

    def abort(self) -> None:
        """Drop the connection at once, with all that waits to be sent."""


class DirectConnection(ServerConnection):
    """A connection that can hand a frame over as it arrives, without a queue and the waking of a task (ADR 0004).

    What is not a whole binary message in one frame, and what the receiver leaves, goes the library's way.

    Attributes:
        address: of the client, once its request was read.
        fragments: the limit of control frames and fragments.
    """

    receiver: Receiver | None = None
    fragments: Bucket | None = None
    address = ""

    @property
    def peer(self) -> str:
        """The address at the other end of the TCP connection."""
        name = self.transport.get_extra_info("peername")
        return str(name[0]) if name else ""

    def process_event(self, event: Event) -> None:
        """Process one incoming event; called by the library."""
        if (
            self.receiver is not None
            and isinstance(event, Frame)
            and event.opcode is Opcode.BINARY
            and event.fin
            and not len(self.recv_messages.frames)
            and self.receiver(bytes(event.data))
        ):
            return
        if isinstance(event, Frame) and not self._admits(event):
            return
        super().process_event(event)

    def _admits(self, frame: Frame) -> bool:
        """Count what is no whole message, which nobody else counts: pings, pongs, fragments."""
        if self.fragments is None or (frame.fin and frame.opcode not in CTRL_OPCODES):
            return True
        now = round(1000 * self.loop.time())
        if self.fragments.wait(now) <= 0:
            self.fragments.spend(now)
            return True
        if self.protocol.state is State.OPEN:
            log.debug("too_many_fragments", address=self.address)
            self.protocol.fail(CloseCode.POLICY_VIOLATION, "too many pings or fragments")
            self.send_data()
            self.loop.call_later(_CLOSE_SECONDS, self.transport.abort)
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """The TCP connection is gone; called by the event loop."""
        super().connection_lost(exc)
        if self.request is None:
            # A port probe, or something that speaks another protocol.
            reason = self.protocol.handshake_exc and self.protocol.handshake_exc.__cause__
            log.debug("no_request", peer=self.peer, reason=str(reason or "closed"))


class WebSocket:
    """A connection of the websockets server."""

    def __init__(self, connection: DirectConnection) -> None:
        self._connection = connection
        self._connections = (connection,)
        self._transport = connection.transport

    @property
    def subprotocol(self) -> str | None:
        """See `Socket.subprotocol`."""
        return self._connection.subprotocol

    async def recv(self) -> bytes | str:
        """See `Socket.recv`."""
        try:
            return await self._connection.recv()
        except ConnectionClosed as closed:
            raise SocketClosed from closed

    def receive(self, receiver: Receiver) -> None:
        """See `Socket.receive`."""
        self._connection.receiver = receiver

    def write(self, frame: bytes | str) -> None:
        """See `Socket.write`."""
        broadcast(self._connections, frame)

    @property
    def waiting(self) -> int:
        """See `Socket.waiting`."""
        return self._transport.get_write_buffer_size()

    async def close(self, code: int, reason: str) -> None:
        """See `Socket.close`. Who does not read what waits before the close frame is dropped."""
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._connection.close(code, reason)
        except TimeoutError:
            self.abort()

    def abort(self) -> None:
        """See `Socket.abort`."""
        self._transport.abort()
