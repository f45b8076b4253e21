"""Follow: one connection that is told of one match.

Steps are gathered here and leave as one frame: at the end of a commit when one of them is the receiver's own, within
the gathering time otherwise (see `Flusher`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from samedrop_protocol import from_server, model
from samedrop_protocol.codec import Codec
from samedrop_server.matches.streams import Stream


class Listener(Protocol):
    """What a match needs of a connection: never waits, never fails."""

    @property
    def codec(self) -> Codec:
        """How frames to it are encoded."""

    def write(self, frame: bytes | str) -> None:
        """Send an encoded frame."""

    def tell(self, message: Struct) -> None:
        """Encode and send a message."""


class Follow:
    """A receiver of one match.

    Attributes:
        listener: who is told.
        stream: what, in which order.
        progress: where each seat stands, kept up to date by the audience.
        sent: the number of the newest step that was sent.
        news: seats that moved and whose step is not told yet.
        waiting: whether a flush is already planned.
    """

    __slots__ = ("listener", "match_id", "news", "progress", "sent", "stream", "waiting")

    def __init__(
        self, match_id: str, listener: Listener, stream: Stream, progress: Sequence[model.SeatProgress], sent: int
    ) -> None:
        self.match_id = match_id
        self.listener = listener
        self.stream = stream
        self.progress = progress
        self.sent = sent
        self.news: set[int] = set()
        self.waiting = False

    def flush(self) -> None:
        """Send all that the receiver has not been sent."""
        self.waiting = False
        progress = [self._place_of(seat) for seat in sorted(self.news)] if self.news else ()
        self.news.clear()
        told = self.stream.told
        if self.sent < len(told):
            codec = self.listener.codec
            steps = [step.encoded(codec) for step in told[self.sent :]]
            frame = codec.encode_events(self.match_id, self.sent + 1, steps, progress=progress)
            self.sent = len(told)
            self.listener.write(frame)
        elif progress:
            self.listener.tell(from_server.Progress(match=self.match_id, seats=list(progress)))

    def _place_of(self, seat: int) -> model.SeatProgress:
        """Where a seat stands; or a ghost, for this receiver."""
        ghost, meeting = seat - len(self.progress), self.stream.meeting
        return self.progress[seat] if ghost < 0 or meeting is None else meeting.progress[ghost]


class Flusher:
    """Decides when followers are flushed: urgent ones after the commit, others within `gather` seconds."""

    def __init__(self, gather: float) -> None:
        self._gather = gather
        self._urgent: list[Follow] = []
        self._lazy: list[Follow] = []
        self._timer: asyncio.TimerHandle | None = None

    def urgent(self, follow: Follow) -> None:
        """Flush `follow` at the end of the commit."""
        self._urgent.append(follow)

    def lazy(self, follow: Follow) -> None:
        """Flush `follow` soon, unless something urgent takes the news along."""
        if follow.waiting:
            return
        follow.waiting = True
        self._lazy.append(follow)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._gather, self._flush_lazy)

    def flush(self) -> None:
        """The commit is told: flush the urgent ones. A follower listed twice has nothing left the second time."""
        urgent, self._urgent = self._urgent, []
        for follow in urgent:
            follow.flush()

    def _flush_lazy(self) -> None:
        self._timer = None
        lazy, self._lazy = self._lazy, []
        for follow in lazy:
            if follow.waiting:
                follow.flush()

    def close(self) -> None:
        """Forget what waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._lazy.clear()
