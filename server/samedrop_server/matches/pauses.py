"""Pauses of a match: by agreement of all who play on, ended by any of them.

Like moves, a pause is decided at once and told once it is stored: moves are refused from the decision on, and nothing
that time brings about (turns, limits, ghosts) goes on before everybody can be told that the match does. Leaves to
others: the time that stands still meanwhile (`timing`), and what a paused match refuses (`match`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from functools import partial

from msgspec.structs import replace

from samedrop_protocol import from_server, model
from samedrop_protocol.errors import ProtocolError
from samedrop_server.journal import Journal
from samedrop_server.matches import refusals
from samedrop_server.matches.timing import Timing
from samedrop_server.storage.records import Pause

MAX_PAUSES = 100
"""Pauses of one match, at most: all of them are told with its record."""

Done = Callable[[], None]


def _nothing() -> None:
    pass


class Pauses:
    """See the module.

    Attributes:
        agreed: the seats that agree to a pause, as decided.
        told: how it stands, as stored and told.
    """

    def __init__(
        self,
        facts: model.Match,
        timing: Timing,
        journal: Journal,
        tell: Callable[[from_server.Paused], None],
        went_on: Callable[[], None],
    ) -> None:
        """Args: tell: tells everybody; went_on: called when the match goes on, once that is stored and told."""
        self._match_id = facts.match
        self._nobody_alone = len(facts.seats) > 1 and (facts.time_limit or facts.turn_limit) is not None
        self._timing = timing
        self._journal = journal
        self._tell = tell
        self._went_on = went_on
        self.agreed: set[int] = set()
        self.told = self._now()
        self._unstored: deque[list[Done]] = deque()

    def begin(self, pauses: Iterable[Pause]) -> None:
        """Start again for a rebuild, with the pauses that were stored."""
        self.agreed.clear()
        self._unstored.clear()
        self._timing.begin(pauses)
        self.told = self._now()

    @property
    def still(self) -> bool:
        """Whether time stands still: the match is paused, or it is not stored yet that it goes on."""
        return bool(self._unstored) or self._timing.paused_since is not None

    @property
    def are_news(self) -> bool:
        """Whether there is something to tell to who comes new."""
        return self.told.paused or bool(self.told.agreed)

    def _now(self) -> from_server.Paused:
        paused = self._timing.paused_since is not None
        return from_server.Paused(match=self._match_id, agreed=sorted(self.agreed), paused=paused)

    # Decide

    def agree(self, seat: int, running: Collection[int], now: int, done: Done) -> None:
        """A seat agrees; with the last of those that are `running` the match is paused.

        Args: done: called once that is so; where a pause begins, once that is stored.

        Raises:
            ProtocolError: there were too many pauses; or all others in a race against the clock are done.
        """
        refusal = self._refusal(running)
        if refusal is not None and self._timing.paused_since is None:
            raise refusal
        self.agreed.add(seat)
        if self._all_agree(running):
            self._begin(now, done)
        else:
            self._then(done)

    def disagree(self, seat: int, now: int, done: Done) -> None:
        """A seat does not agree, or not any more; a pause ends. `done` as in `agree`."""
        if self._timing.paused_since is not None:
            self.end(now, done)
        else:
            self.agreed.discard(seat)
            self._then(done)

    def only_of(self, running: Collection[int], now: int) -> None:
        """The runs of others are over: they are not asked any more, so perhaps all agree who are left."""
        self.agreed.intersection_update(running)
        if self._all_agree(running) and self._refusal(running) is None:
            self._begin(now, _nothing)

    def end(self, now: int, done: Done = _nothing) -> None:
        """The match goes on."""
        began = self._timing.paused_since
        assert began is not None
        self.agreed.clear()
        self._timing.go_on(now)
        self._record(Pause(self._match_id, self._timing.pauses, began, now), done)

    def _all_agree(self, running: Collection[int]) -> bool:
        """Whether a pause is to begin."""
        return self._timing.paused_since is None and bool(running) and self.agreed.issuperset(running)

    def _refusal(self, running: Collection[int]) -> ProtocolError | None:
        """Why no pause may begin, if so."""
        if self._timing.pauses >= MAX_PAUSES:
            return refusals.paused_too_often(MAX_PAUSES)
        return refusals.paused_alone() if self._nobody_alone and len(running) == 1 else None

    def _begin(self, now: int, done: Done) -> None:
        self._timing.pause(now)
        self._record(Pause(self._match_id, self._timing.pauses, now), done)

    # Record, then tell

    def _record(self, pause: Pause, done: Done) -> None:
        self._unstored.append([partial(self._tell_now, self._now(), done)])
        self._journal.record(pause, self._stored)

    def _then(self, done: Done) -> None:
        """Tell how it stands; after what is to be told before."""
        tell = partial(self._tell_now, self._now(), done)
        if self._unstored:
            self._unstored[-1].append(tell)
        else:
            tell()

    def _stored(self) -> None:
        for tell in self._unstored.popleft():
            tell()
        if not self.still:
            self._went_on()

    def _tell_now(self, message: from_server.Paused, done: Done) -> None:
        self.told = message
        self._tell(message)
        done()

    def tell_only_of(self, running: Iterable[int]) -> None:
        """As far as is told, only the runs of these go on: what others agreed to counts no more."""
        agreed = sorted(set(self.told.agreed).intersection(running))
        if agreed != self.told.agreed:
            self._tell_now(replace(self.told, agreed=agreed), _nothing)
