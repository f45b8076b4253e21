"""One player's way to a server: says hello, reads, comes back after a loss, and sends again what was not answered.

What the messages mean is the `Handler`'s affair (`client`). The order after a loss: hello and welcome; the handler
takes up its matches; requests without a match are sent again at once, moves once their match is followed again, with
the ids that they had, so that each is applied once.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeGuard

import msgspec

from samedrop_client.errors import (
    ConnectionLost,
    Disconnected,
    NotSamedrop,
    Refused,
    Unreachable,
    final_close,
    refusal,
)
from samedrop_client.requests import Answer, Requests, Waiting
from samedrop_client.transport import Dial, Transport, TransportClosed
from samedrop_protocol import from_server
from samedrop_protocol.codec import Codec
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.from_client import Hello, Request

HELLO_TIMEOUT = 10.0
"""Seconds for the answer to `hello`."""
MAX_WAIT = 60.0
"""Seconds that a rate-limited request waits by itself, at most."""

Notice = Callable[[str], None]
"""Takes a line for people about the connection."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backoff:
    """How to come back: waits of half to all of ``first * 2**attempt`` seconds, `most` at most.

    `patience` is how many seconds to go on trying. Chance spreads the clients of a server that restarts.
    """

    first: float = 0.25
    most: float = 10.0
    patience: float = 300.0

    def delay(self, attempt: int) -> float:
        """Seconds to wait before this attempt, counted from 0."""
        return min(self.most, self.first * 2.0 ** min(attempt, 32)) * random.uniform(0.5, 1.0)


class Handler(Protocol):
    """Who understands what comes. None of these may wait."""

    def welcomed(self, welcome: from_server.Welcome) -> None:
        """The connection stands (again)."""

    def received(self, message: from_server.ServerMessage) -> None:
        """A message came."""

    def following(self, match: str) -> bool:
        """Whether the stream of this match is followed over the present connection."""

    def lost(self) -> None:
        """The connection broke; it may come back."""

    def stopped(self, error: Exception) -> None:
        """There will be no connection any more."""


class Connection:
    """See the module. `open` once, then let `run` read until `close`."""

    def __init__(
        self, dial: Dial, codec: Codec, hello: Hello, handler: Handler, backoff: Backoff, notice: Notice
    ) -> None:
        self.requests = Requests()
        self._dial = dial
        self._codec = codec
        self._hello = hello
        self._handler = handler
        self._backoff = backoff
        self._notice = notice
        self._transport: Transport | None = None
        self._stopped: Exception | None = None
        self._attempt = 0
        self._opened = 0.0

    @property
    def token(self) -> str:
        """The player's token: keep it to be the same player again."""
        return self._hello.token or ""

    async def ask(self, message: Request) -> Answer:
        """Send a request and wait for its answer, across lost connections and rate limits.

        Raises:
            Refused: the server said no.
            ConnectionLost: the connection broke, and it cannot be known whether the request was done.
            Disconnected: there is no connection any more.
        """
        while True:
            with self.requests.waiting(message) as entry:
                if self._stopped is not None:
                    raise self._stopped
                await self._send(entry)
                answer = await entry.answer
            if not isinstance(answer, from_server.Error):
                return answer
            if not _limited(answer, MAX_WAIT):
                raise refusal(answer)
            await asyncio.sleep(answer.retry_after or 0)

    async def open(self) -> None:
        """Connect and say hello.

        Raises:
            Unreachable, VersionMismatch, Refused, NotSamedrop
        """
        transport = await self._dial()
        try:
            welcome = await self._greet(transport)
        except BaseException:
            await transport.close()
            raise
        self._hello = msgspec.structs.replace(self._hello, token=welcome.token or self._hello.token)
        self._transport = transport
        self._opened = asyncio.get_running_loop().time()
        self._handler.welcomed(welcome)
        await self._flush(None)

    async def _greet(self, transport: Transport) -> from_server.Welcome:
        try:
            async with asyncio.timeout(HELLO_TIMEOUT):
                while True:
                    await transport.send(self._codec.encode(self._hello))
                    answer = self._decode(await transport.recv())
                    if not _limited(answer, HELLO_TIMEOUT):
                        break
                    await asyncio.sleep(answer.retry_after or 0)
        except TimeoutError as error:
            raise Unreachable(f"The server did not say welcome within {HELLO_TIMEOUT:.0f} seconds.") from error
        except TransportClosed as error:
            closed = Unreachable(f"The server closed the connection ({error}).")
            raise final_close(error.code, error.reason) or closed from error
        if isinstance(answer, from_server.Welcome):
            return answer
        raise refusal(answer) if isinstance(answer, from_server.Error) else NotSamedrop("No welcome came.")

    async def run(self) -> None:
        """Read until the connection ends for good; waiting requests and the handler are then told why."""
        try:
            while True:
                try:
                    await self._read()
                except TransportClosed as closed:
                    if self._stopped is not None:
                        return
                    await self._come_back(closed)
        except Exception as error:
            self._stop(error)
            if not isinstance(error, Disconnected | Refused):
                raise

    async def close(self) -> None:
        """End the connection from this side."""
        self._stop(Disconnected("This client was closed."))
        if self._transport is not None:
            await self._transport.close()

    async def _read(self) -> None:
        transport = self._transport
        assert transport is not None
        while True:
            message = self._decode(await transport.recv())
            if message is None:
                continue
            self._handler.received(message)
            answered: str | None = getattr(message, "re", None)
            self.requests.answer(answered, message)
            if isinstance(message, from_server.Resumed):
                await self._flush(message.match.match)
            elif isinstance(message, from_server.Error) and answered is None:
                _log.warning("the server did not understand: %s", message.text)

    async def _come_back(self, closed: TransportClosed) -> None:
        """Try until the connection stands again. Raises Disconnected or Refused where it cannot."""
        self._transport = None
        if (final := final_close(closed.code, closed.reason)) is not None:
            raise final
        self.requests.fail(ConnectionLost("The connection broke before the answer came."), only_lost=True)
        self._handler.lost()
        self._notice("The connection is lost; trying again.")
        clock = asyncio.get_running_loop().time
        lost = clock()
        if lost - self._opened > self._backoff.most:
            self._attempt = 0
        while True:
            delay = self._backoff.delay(self._attempt)
            self._attempt += 1
            await asyncio.sleep(delay)
            try:
                await self.open()
            except (Unreachable, Refused) as error:
                if isinstance(error, Refused) and not _passing(error):
                    raise
                if clock() - lost > self._backoff.patience:
                    raise ConnectionLost(f"The connection is lost. {error.text}") from error
            else:
                self._notice("The connection is back.")
                return

    async def _send(self, entry: Waiting) -> None:
        """Send a request if it can go now; otherwise a later flush does."""
        transport = self._transport
        if transport is None or (entry.match is not None and not self._handler.following(entry.match)):
            return
        entry.sent = True
        try:
            await transport.send(self._codec.encode(entry.message))
        except TransportClosed:
            pass  # the reading task notices it too, and then all that may is sent again

    async def _flush(self, match: str | None) -> None:
        """Send (again) the waiting requests of a match, or those without one."""
        for entry in self.requests:
            if entry.match == match and not entry.answer.done():
                await self._send(entry)

    def _decode(self, frame: bytes | str) -> from_server.ServerMessage | None:
        """The message in a frame; None for a type that this library does not know."""
        try:
            return self._codec.decode_server(frame)
        except ProtocolError as error:
            if error.code == ErrorCode.UNKNOWN_TYPE:
                return None
            raise NotSamedrop(f"The server sent something that is not the protocol: {error.text}") from error

    def _stop(self, error: Exception) -> None:
        if self._stopped is None:
            self._stopped = error
            self.requests.fail(error)
            self._handler.stopped(error)


def _limited(answer: Answer | None, most: float) -> TypeGuard[from_server.Error]:
    """Whether the server says to ask again, within so many seconds."""
    if not isinstance(answer, from_server.Error) or answer.code != ErrorCode.RATE_LIMITED:
        return False
    return 0 < (answer.retry_after or 0) <= most


def _passing(error: Refused) -> bool:
    """Whether hello may well be taken a little later."""
    return error.retry_after is not None or error.code in (ErrorCode.INTERNAL, ErrorCode.STORAGE)
