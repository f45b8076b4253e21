"""Requests that wait for their answers. Every request leaves the table, however it ends.

What is sent when is `connection`'s; what an answer means is its caller's.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from samedrop_protocol import from_client, from_server
from samedrop_protocol.from_client import Request

Answer = from_server.ServerMessage | from_server.Step
"""What ends a request. A move is answered by the step that it became."""

REPEATABLE = (
    from_client.Ping,
    from_client.ListRooms,
    from_client.ListMatches,
    from_client.GetMatch,
    from_client.GetDeal,
    from_client.GetDaily,
    from_client.Watch,
    from_client.Unwatch,
    from_client.ConfigureRoom,
    from_client.Ready,
    from_client.CancelStart,
    from_client.Kick,
    from_client.Move,
    from_client.Forfeit,
    from_client.Pause,
)
"""Requests that may be sent again after the connection was lost: done twice they are as done once."""

IN_MATCH = (from_client.Move, from_client.Forfeit, from_client.Pause)
"""Requests that change a match."""


class Waiting:
    """A request that is not answered yet.

    Attributes:
        message: the request.
        answer: resolved when its answer comes.
        sent: whether the present connection may have carried it to the server.
    """

    __slots__ = ("answer", "message", "sent")

    def __init__(self, message: Request, answer: asyncio.Future[Answer]) -> None:
        self.message = message
        self.answer = answer
        self.sent = False

    @property
    def match(self) -> str | None:
        """The match whose stream must be followed before this can be sent.

        Moves are answered in the stream; and what storage trouble swallowed is sent again once the match goes on.
        """
        message = self.message
        return message.match if isinstance(message, IN_MATCH) else None


class Requests:
    """The table of waiting requests, by request id, oldest first."""

    def __init__(self) -> None:
        # Ids must differ between all processes that a player ever runs: hence the random beginning.
        self._prefix = secrets.token_urlsafe(9)
        self._numbers = count(1)
        self._waiting: dict[str, Waiting] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[Waiting]:
        """A snapshot of those that wait now."""
        return iter(list(self._waiting.values()))

    def new_id(self) -> str:
        """A request id that this player never used before."""
        return f"{self._prefix}.{next(self._numbers)}"

    @contextmanager
    def waiting(self, message: Request) -> Iterator[Waiting]:
        """`message` as a waiting request, for as long as the block lasts."""
        entry = Waiting(message, asyncio.get_running_loop().create_future())
        self._waiting[message.id] = entry
        try:
            yield entry
        finally:
            del self._waiting[message.id]

    def answer(self, request_id: str | None, answer: Answer) -> None:
        """Resolve the request of that id, if it (still) waits."""
        entry = self._waiting.get(request_id or "")
        if entry is not None and not entry.answer.done():
            entry.answer.set_result(answer)

    def refuse(self, request_id: str, error: Exception) -> None:
        """Fail the request of that id, if it (still) waits."""
        entry = self._waiting.get(request_id)
        if entry is not None and not entry.answer.done():
            entry.answer.set_exception(error)

    def fail(self, error: Exception, *, only_lost: bool = False) -> None:
        """Fail all; or only those that may have reached the server and must not be sent again."""
        for entry in self:
            lost = entry.sent and not isinstance(entry.message, REPEATABLE)
            if not entry.answer.done() and (lost or not only_lost):
                entry.answer.set_exception(error)
