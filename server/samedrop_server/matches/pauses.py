"""Pauses of a match: by agreement of all who play on, ended by any of them.

Leaves to others: the time that stands still meanwhile (`timing`), and what a paused match refuses (`match`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from samedrop_protocol import from_server
from samedrop_server.journal import Journal
from samedrop_server.matches.timing import Timing
from samedrop_server.storage.records import Pause


class Pauses:
    """See the module.

    Attributes:
        agreed: the seats that agree to a pause.
    """

    def __init__(
        self, match_id: str, timing: Timing, journal: Journal, tell: Callable[[], None], went_on: Callable[[], None]
    ) -> None:
        """Args: tell: tells everybody of `message`; went_on: called when the match goes on, before that is stored."""
        self._match_id = match_id
        self._timing = timing
        self._journal = journal
        self._tell = tell
        self._went_on = went_on
        self.agreed: set[int] = set()

    def begin(self, pauses: Iterable[Pause]) -> None:
        """Start again for a rebuild, with the pauses that were stored."""
        self.agreed.clear()
        self._timing.begin(pauses)

    @property
    def are_news(self) -> bool:
        """Whether there is something to tell to who comes new."""
        return bool(self.agreed) or self._timing.paused_since is not None

    def message(self) -> from_server.Paused:
        """How it stands."""
        paused = self._timing.paused_since is not None
        return from_server.Paused(match=self._match_id, agreed=sorted(self.agreed), paused=paused)

    def ask(self, seat: int, running: Collection[int], now: int, done: Callable[[], None], *, agree: bool) -> None:
        """A seat agrees, or does not any more.

        With the last of those that are `running` the match is paused; with the first that does not agree any more it
        goes on.

        Args: done: called once that is so; where a pause begins or ends, once that is stored.
        """
        paused = self._timing.paused_since is not None
        if agree:
            self.agreed.add(seat)
            if not paused and self.agreed.issuperset(running):
                self._timing.pause(now)
                self._record(Pause(self._match_id, self._timing.pauses, now), done)
                return
        elif paused:
            self.end(now, done)
            return
        else:
            self.agreed.discard(seat)
        self._tell()
        done()

    def end(self, now: int, done: Callable[[], None] = lambda: None) -> None:
        """The match goes on."""
        began = self._timing.paused_since
        assert began is not None
        self.agreed.clear()
        self._timing.go_on(now)
        self._went_on()
        self._record(Pause(self._match_id, self._timing.pauses, began, now), done)

    def _record(self, pause: Pause, done: Callable[[], None]) -> None:
        def stored() -> None:
            self._tell()
            done()

        self._journal.record(pause, stored)
