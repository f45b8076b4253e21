"""A playbook: the server's side of a conversation, written down line by line.

The client under test dials into it; the lines are played in their order, and `async with` ends with an AssertionError
if the client did not say what was expected::

    async with Playbook().expects(Hello).says(welcome()).expects(Ping).answers(pong) as book:
        async with book.connect() as client:
            await client.ping()
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from types import TracebackType

from samedrop_client.client import Client, connect
from samedrop_client.connection import Backoff
from samedrop_client.errors import Unreachable
from samedrop_client.memory import MemoryEnd, memory_pair
from samedrop_client.transport import TransportClosed
from samedrop_protocol.codec import MSGPACK, Codec
from samedrop_protocol.errors import CloseCode
from samedrop_protocol.from_client import ClientMessage, Hello, Request
from samedrop_protocol.from_server import ServerMessage

PATIENCE = 5.0
"""Seconds until a line that does not come fails the test."""
AT_ONCE = Backoff(first=0, most=0, patience=PATIENCE)


class Playbook:
    """See the module.

    Attributes:
        heard: all messages of the client.
        notices: all its lines for people about the connection.
        noticed: set once there is one.
    """

    def __init__(self, codec: Codec = MSGPACK) -> None:
        self.heard: list[ClientMessage] = []
        self.notices: list[str] = []
        self.noticed = asyncio.Event()
        self._codec = codec
        self._lines: list[Callable[[], Awaitable[None]]] = []
        self._dialled: asyncio.Queue[MemoryEnd] = asyncio.Queue()
        self._end: MemoryEnd | None = None
        self._unreachable = 0

    # The lines.

    def expects(self, kind: type[ClientMessage], **fields: object) -> Playbook:
        """The client says this next; `hello` comes over a new connection."""
        return self._line(partial(self.hear, kind, **fields))

    def says(self, *messages: ServerMessage) -> Playbook:
        """The server says this."""
        for message in messages:
            self._line(partial(self.say, message))
        return self

    def answers(self, *answers: Callable[[str], ServerMessage]) -> Playbook:
        """The server says this, made for the id of the last request."""
        for answer in answers:
            self._line(partial(self._answer, answer))
        return self

    def sends(self, frame: bytes | str) -> Playbook:
        """The server sends a frame as it is."""
        return self._line(partial(self._send, frame))

    def closes(self, code: int, reason: str = "") -> Playbook:
        """The server closes the connection."""
        return self._line(partial(self._close, code, reason))

    def cuts(self) -> Playbook:
        """The connection breaks."""
        return self.closes(1006)

    def cannot_be_reached(self, times: int) -> Playbook:
        """From here on, so many attempts to connect fail."""
        return self._line(partial(self._refuse, times))

    def waits_for(self, event: asyncio.Event) -> Playbook:
        """Nothing more is said until the test sets the event."""
        return self._line(partial(_wait, event))

    def sets(self, event: asyncio.Event) -> Playbook:
        """Tells the test that the lines up to here were played."""
        return self._line(partial(_set, event))

    # The client's side.

    def connect(self, name: str = "Ann", token: str | None = None, backoff: Backoff = AT_ONCE) -> Client:
        """A client that dials into this book."""
        return connect(name=name, token=token, codec=self._codec, dial=self.dial, backoff=backoff, notice=self._notice)

    def _notice(self, line: str) -> None:
        self.notices.append(line)
        self.noticed.set()

    async def dial(self) -> MemoryEnd:
        """A new connection."""
        if self._unreachable:
            self._unreachable -= 1
            raise Unreachable("not now")
        client_end, server_end = memory_pair(self._codec.subprotocol)
        self._dialled.put_nowait(server_end)
        return client_end

    async def __aenter__(self) -> Playbook:
        self._task = asyncio.create_task(self._play())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._task.cancel()  # unless it failed itself: then that is the reason
        try:
            await self._task
        except asyncio.CancelledError:
            if error is None:
                raise

    async def done(self) -> None:
        """Wait until all lines are played."""
        await asyncio.shield(self._task)

    async def _play(self) -> None:
        try:
            await self._play_lines()
        except AssertionError as error:
            if self._end is not None:
                # The client must not wait for what never comes.
                await self._end.close(CloseCode.TOO_MANY_ERRORS, str(error))
            raise

    async def _play_lines(self) -> None:
        # Lines may be added while they are played.
        for number, line in enumerate(self._lines, 1):
            try:
                async with asyncio.timeout(PATIENCE):
                    await line()
            except TimeoutError:
                raise AssertionError(f"line {number} was not played; the client said {self.heard}") from None
            except TransportClosed as closed:
                raise AssertionError(f"the client hung up before line {number}: {closed}") from None

    def _line(self, line: Callable[[], Awaitable[None]]) -> Playbook:
        self._lines.append(line)
        return self

    async def hear(self, kind: type[ClientMessage], **fields: object) -> None:
        """Hear something now, after the last line."""
        if kind is Hello:
            self._end = await self._dialled.get()
        assert self._end is not None, "expect hello first"
        message = self._codec.decode_client(await self._end.recv())
        self.heard.append(message)
        assert type(message) is kind, f"expected {kind.__name__}, the client said {message}"
        said = {name: getattr(message, name) for name in fields}
        assert said == fields

    async def say(self, message: ServerMessage) -> None:
        """Say something now, after the last line."""
        await self._send(self._codec.encode(message))

    async def _send(self, frame: bytes | str) -> None:
        assert self._end is not None, "expect hello first"
        await self._end.send(frame)

    async def _answer(self, answer: Callable[[str], ServerMessage]) -> None:
        request = self.heard[-1]
        assert isinstance(request, Request)
        await self.say(answer(request.id))

    async def _close(self, code: int, reason: str) -> None:
        assert self._end is not None, "expect hello first"
        await self._end.close(code, reason)

    async def _refuse(self, times: int) -> None:
        self._unreachable = times


async def _set(event: asyncio.Event) -> None:
    event.set()


async def _wait(event: asyncio.Event) -> None:
    await event.wait()
