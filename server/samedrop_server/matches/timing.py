"""The time of a match: it runs from the start, and stands still while the match is paused.

All times that count in a match (`at` of a step, the time limit, ghosts aligned by time) are of this kind, so a pause
takes nothing from anybody. The clock of one turn is kept by `turns`; after a pause a turn has its whole time again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from samedrop_protocol import model
from samedrop_server.clock import Clock
from samedrop_server.storage.records import Pause


class Timing:
    """The time of one match, and what is to happen at some point of it.

    Attributes:
        pauses: how many there were, with the one that lasts.
        paused_since: when the present pause began, in UTC milliseconds; None while time runs.
        went_on: when the last pause ended; 0 before.
    """

    def __init__(
        self, facts: model.Match, clock: Clock, on_limit: Callable[[], None], on_ghosts: Callable[[int], None]
    ) -> None:
        """Args: on_limit: called when the time of the match is up; on_ghosts: given the time that `wait_for` named."""
        self._started = facts.started
        self._limit = None if facts.time_limit is None else 1000 * facts.time_limit
        self._clock = clock
        self._on_limit = on_limit
        self._on_ghosts = on_ghosts
        self._ghosts_at: int | None = None
        self._timers: list[asyncio.TimerHandle] = []
        self.begin(())

    def begin(self, pauses: Iterable[Pause]) -> None:
        """Start, or start again for a rebuild, with the pauses that were stored."""
        self.pauses = 0
        self.paused_since: int | None = None
        self.went_on = 0
        self._paused = 0
        self._stops: list[tuple[int, int]] = []
        for pause in pauses:
            self.pause(pause.began)
            if pause.ended is not None:
                self.go_on(pause.ended)

    def played(self, now: int | None = None) -> int:
        """The time of the match, in milliseconds; at `now` in UTC milliseconds."""
        end = self.paused_since or (self._clock.now() if now is None else now)
        return max(end - self._started - self._paused, 0)

    def moment(self, at: int) -> int:
        """When that time of the match was, in UTC milliseconds; where a pause began then, before it."""
        return self._started + at + sum(length for began, length in self._stops if began < at)

    def played_by(self, moment: int) -> int:
        """The time of the match at a moment in the past, in UTC milliseconds."""
        played = moment - self._started
        for began, length in self._stops:
            played = max(played - length, min(played, began))
        return max(min(played, self.played()), 0)

    @property
    def is_up(self) -> bool:
        """Whether the time limit is reached."""
        return self._limit is not None and self.played() >= self._limit

    def pause(self, now: int) -> None:
        """Time stands still."""
        self.pauses += 1
        self.paused_since = now
        self.stop()

    def go_on(self, now: int) -> None:
        """Time runs again."""
        assert self.paused_since is not None
        length = max(now - self.paused_since, 0)
        self._stops.append((self.played(), length))
        self._paused += length
        self.paused_since = None
        self.went_on = now

    def run(self) -> None:
        """Plan what is to happen; nothing does during a pause."""
        self.stop()
        if self.paused_since is None:
            self._plan(self._limit, self._on_limit)
            self._plan(self._ghosts_at, lambda: self._on_ghosts(self.played()))

    def wait_for(self, at: int | None) -> None:
        """Call `on_ghosts` then, or never."""
        self._ghosts_at = at
        self.run()

    def _plan(self, at: int | None, act: Callable[[], None]) -> None:
        if at is not None:
            seconds = max(at - self.played(), 0) / 1000
            self._timers.append(asyncio.get_running_loop().call_later(seconds, act))

    def stop(self) -> None:
        """Nothing is planned."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
