"""One client: its hello, its messages one after another, and what it is told.

Frames are handled one after another: at once where nothing waits (`take`), else in their turn (`run`). Leaves to
others: what a message does (handlers), and how much of it is let through (limits).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog
from msgspec import Struct

from samedrop_protocol import from_client, from_server
from samedrop_protocol.codec import CODECS, JSON, Codec
from samedrop_protocol.errors import CloseCode, ErrorCode, ProtocolError
from samedrop_protocol.types import MAX_FRAME_IN
from samedrop_protocol.versions import PROTOCOL_VERSIONS, negotiate
from samedrop_server.gateway.limits import FRAMES, MESSAGES, MOVE_COST
from samedrop_server.gateway.sockets import Socket, SocketClosed
from samedrop_server.players import Player, token_hash
from samedrop_server.text import clean

if TYPE_CHECKING:
    from samedrop_server.gateway.gateway import Gateway

log = structlog.get_logger(__name__)

FAULTS_AT_MOST = 100
"""Messages that could not be read, or were not allowed to come, until the connection is closed."""
WAITING = frozenset(
    {
        from_client.Hello,
        from_client.CreateRoom,
        from_client.ConfigureRoom,
        from_client.ListMatches,
        from_client.GetMatch,
        from_client.GetDeal,
        from_client.GetDaily,
        from_client.CreateChallenge,
        from_client.GetChallenge,
        from_client.CloseChallenge,
    }
)
"""Messages whose handlers wait for storage."""
AT_ONCE = 25.0
"""Milliseconds that a connection may be ahead of its frame rate and still have frames handled as they arrive. Beyond
that they wait in the library's queue, so that others get their turn between them."""
FLOOD_PAUSE = 0.001
"""Seconds for which nothing more is read from a connection whose frame was one too many."""
_FAULTS = {
    ErrorCode.MALFORMED,
    ErrorCode.TOO_LARGE,
    ErrorCode.UNKNOWN_TYPE,
    ErrorCode.INVALID,
    ErrorCode.HELLO_FIRST,
    ErrorCode.TOKEN,
    ErrorCode.NAME,
}


class Connection:
    """A client from its first frame to its last.

    Attributes:
        codec: how frames are encoded.
        player: who it is, once `hello` was accepted.
        watching: ids of the matches that it watches without a seat.
        address: of the client, as far as proxies are trusted.
    """

    def __init__(self, socket: Socket, gateway: Gateway, address: str, number: int) -> None:
        """Args: number: tells it from the others in the log."""
        self.codec: Codec = CODECS.get(socket.subprotocol or "", JSON)
        self.player: Player | None = None
        self.watching: set[str] = set()
        self.address = address
        self.gateway = gateway
        self._log = log.bind(connection=number, address=address)
        self._frames = gateway.limits.frames()
        self._unpaid = 0.0
        self._ahead = False
        self._socket = socket
        self._closing: asyncio.Task[None] | None = None
        self._faults = 0
        self._busy = True

    # Told

    def write(self, frame: bytes | str) -> None:
        """Send an encoded frame; a reader that is too slow is let go."""
        if self._closing is not None:
            return
        if self._socket.waiting > self.gateway.settings.max_waiting:
            self.gateway.tally.slow += 1
            self.close(CloseCode.TOO_SLOW, "reading too slowly; reconnect and resume")
            return
        self._socket.write(frame)

    def tell(self, message: Struct) -> None:
        """Encode and send a message."""
        self.write(self.codec.encode(message))

    def refuse(self, error: ProtocolError, request: str | None) -> None:
        """Tell the sender that a request was refused."""
        self.gateway.tally.errors[error.code] += 1
        self._log.debug("refused", code=error.code, field=error.field, request=request)
        self.tell(
            from_server.Error(
                code=error.code,
                text=error.text,
                re=request,
                field=error.field,
                turn=error.turn,
                retry_after=error.retry_after,
                versions=list(PROTOCOL_VERSIONS) if error.code is ErrorCode.VERSION else None,
            )
        )

    def replace(self) -> None:
        """A newer connection of the same player took over."""
        self._unfollow()
        self.close(CloseCode.REPLACED, "this player connected elsewhere")

    def close(self, code: CloseCode, reason: str) -> None:
        """Close soon, and neither send nor take anything until then."""
        if self._closing is None:
            self._log.debug("closing", code=int(code), reason=reason)
            self._closing = asyncio.create_task(self._socket.close(code, reason))

    # Life

    async def run(self) -> None:
        """Serve the client until it is gone."""
        if self._socket.subprotocol is None:
            await self._socket.close(CloseCode.NO_SUBPROTOCOL, "offer samedrop.v1.msgpack or samedrop.v1.json")
            return
        try:
            async with asyncio.timeout(self.gateway.settings.hello_timeout):
                await self._greet()
            self._busy = False
            self._socket.receive(self.take)
            while self._closing is None:
                frame = await self._socket.recv()
                if self._closing is not None:
                    break  # what an older connection still says must not reach the newer one's seat
                self._busy = True
                await self._handle(frame)
                self._busy = False
        except SocketClosed:
            pass
        except TimeoutError:
            self.close(CloseCode.HELLO_TIMEOUT, "no hello in time")
        finally:
            self._gone()
        await self.closed()

    def abort(self) -> None:
        """Drop a client that does not let itself be closed."""
        self._socket.abort()

    async def closed(self) -> None:
        """Wait until a close that was begun here is done."""
        if self._closing is not None:
            await self._closing

    def _gone(self) -> None:
        self._unfollow()
        if self.player is not None:
            self._log.info("disconnected")
            if self.gateway.players.disconnect(self.player, self):
                self.gateway.hall.went_away(self.player)

    def _unfollow(self) -> None:
        matches = [self.gateway.hall.matches.get(match_id) for match_id in self.watching]
        if self.player is not None and self.player.room is not None:
            matches.append(self.player.room.series.match)
        for match in matches:
            if match is not None:
                match.audience.leave(self)

    async def _greet(self) -> None:
        """Read frames until one is an acceptable `hello`."""
        while self.player is None and self._closing is None:
            await self._handle(await self._socket.recv())

    async def hello(self, message: from_client.Hello) -> None:
        """Take a `hello`.

        Raises:
            ProtocolError: no common version, not the first hello, or identity was refused.
        """
        if self.player is not None:
            raise ProtocolError(ErrorCode.HELLO_FIRST, "You said hello already.")
        version = negotiate(message.versions)
        if version is None:
            text = f"This server speaks protocol versions {list(PROTOCOL_VERSIONS)}, you offered {message.versions}."
            raise ProtocolError(ErrorCode.VERSION, text, field="versions")
        known = None if message.token is None else token_hash(message.token)
        self.gateway.limits.hello(known, self.address)
        player, token = await self.gateway.players.identify(message.name, message.token)
        if self._closing is not None:
            self.gateway.players.forget(player)
            return
        self.player = player
        self._log = self._log.bind(player=player.id)
        self._log.info("connected", new=token is not None, client=clean(message.client))
        self.gateway.players.connect(player, self)
        self.gateway.hall.returned(player)
        self.tell(self.gateway.welcome(player, version, token))

    def take(self, frame: bytes) -> bool:
        """Handle a frame at once; False if it has to wait for its turn in `run`."""
        if self._unpaid >= 1.0:
            self._pay(self.gateway.clock.now())
        if self._busy or self._ahead:
            return False
        if self._closing is not None:
            return True
        message: from_client.ClientMessage | None = None
        cost = 1.0
        try:
            message = self._read(frame)
            kind = type(message)
            if kind in WAITING:
                return False
            self._admit(kind)
            self.gateway.handlers[kind](self, message)
            if kind is from_client.Move:
                cost = MOVE_COST
        except Exception as error:
            self._failed(error, message)
        self._unpaid += cost
        return True

    async def _handle(self, frame: bytes | str) -> None:
        """Handle a frame in its turn."""
        now = self.gateway.clock.now()
        wait = self._frames.wait(now)
        message: from_client.ClientMessage | None = None
        cost = 1.0
        try:
            message = self._read(frame)
            kind = type(message)
            if wait > 0:
                raise self.gateway.limits.refuse(FRAMES, wait)
            if self.player is None and kind is not from_client.Hello:
                raise ProtocolError(ErrorCode.HELLO_FIRST, "Say hello first.")
            self._admit(kind)
            answer = self.gateway.handlers[kind](self, message)
            if answer is not None:
                await answer
            if kind is from_client.Move:
                cost = MOVE_COST
        except Exception as error:
            self._failed(error, message)
        if wait > 0:
            await asyncio.sleep(FLOOD_PAUSE)
            return
        self._unpaid += cost
        self._pay(now)
        if self._ahead:
            await asyncio.sleep(0)

    def _pay(self, now: int) -> None:
        """Count what was handled. (Moves are counted by the twenty, since a look at the clock costs something too.)"""
        self._frames.spend(now, self._unpaid)
        self._unpaid = 0.0
        self._ahead = self._frames.ahead(now) > AT_ONCE

    def _admit(self, kind: type[from_client.ClientMessage]) -> None:
        """Count a message against its player's limits."""
        if kind in MESSAGES and self.player is not None:
            self.gateway.limits.message(kind, self.player.id, self.address)

    def _read(self, frame: bytes | str) -> from_client.ClientMessage:
        if len(frame) > MAX_FRAME_IN:
            text = f"A message may have {MAX_FRAME_IN} bytes, this one has {len(frame)}."
            raise ProtocolError(ErrorCode.TOO_LARGE, text)
        return self.codec.decode_client(frame)

    def _failed(self, error: Exception, message: from_client.ClientMessage | None) -> None:
        """The one place that turns exceptions into error messages."""
        request: str | None = getattr(message, "id", None)
        if isinstance(error, ProtocolError):
            self.refuse(error, request or error.re)
            self._count_fault(error)
        else:
            kind, match = type(message).__name__, getattr(message, "match", None)
            self._log.error("handler_failed", kind=kind, request=request, match=match, exc_info=error)
            self.refuse(ProtocolError(ErrorCode.INTERNAL, "The server failed at this; nothing was changed."), request)

    def _count_fault(self, error: ProtocolError) -> None:
        if error.code is ErrorCode.VERSION:
            self.close(CloseCode.VERSION, "no protocol version in common")
        elif error.code in _FAULTS:
            self._faults += 1
            if self._faults >= FAULTS_AT_MOST:
                self.close(CloseCode.TOO_MANY_ERRORS, "too many messages that could not be read")
