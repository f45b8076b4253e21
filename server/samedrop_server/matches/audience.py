"""The audience of a match: who follows it, and what each of them is told of a stored step.

Every seat has a stream of its own (`streams`), which both players of a team are told; everybody else shares the
gallery, which sees every step, `delay` seconds late. Nothing here decides anything, and nothing is told here that is
not stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from samedrop_protocol import from_server, model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_rules import Table, View
from samedrop_server.matches.follow import Flusher, Follow, Listener
from samedrop_server.matches.ghosts import Ghosts
from samedrop_server.matches.steps import Step
from samedrop_server.matches.streams import Gallery, SeatStream, Stream

EVENTS_AT_MOST = 1_000
"""A receiver that is further behind gets a snapshot instead of the events."""


class Place(NamedTuple):
    """How a receiver takes up a stream (see `from_server.Resumed`)."""

    answer: str
    last: int
    steps: list[Step]
    """What makes up the snapshot; empty for the other answers."""
    progress: list[model.SeatProgress]


class Audience:
    """Everybody who is told of one match.

    Attributes:
        delay: of what spectators are told, in seconds.
        live: where each seat stands, as stored.
        over: the message that ended the match, once told to the players.
    """

    def __init__(self, facts: model.Match, flusher: Flusher, delay: float, ghosts: Ghosts | None = None) -> None:
        self._facts = facts
        self._ghosts = ghosts
        self._flusher = flusher
        self.delay = delay
        self._timers: set[asyncio.TimerHandle] = set()
        self._players: list[dict[int, Follow]] = [{} for _ in facts.seats]
        self._watchers: list[Follow] = []
        self._shown_number = 0
        self._shown_over = False
        self.over: Struct | None = None

    def begin(self, table: Table) -> None:
        """Start, or start again for a rebuild, at the first position. Followers keep their place in their streams."""
        self._stop_timers()
        seats = range(table.seats)
        self.live = [model.SeatProgress(seat=seat, turn=table.turn(seat), score=table.score(seat)) for seat in seats]
        self._shown = list(self.live)
        self._gallery = Gallery(self._facts, self._ghosts)
        self._streams = [SeatStream(seat, self._facts, table.knowledge(seat), self._ghosts) for seat in seats]
        for stream, players in zip(self._streams, self._players, strict=True):
            for player in players.values():
                player.stream, player.progress = stream, self.live
        for watcher in self._watchers:
            watcher.stream, watcher.progress = self._gallery, self._shown

    # What is told

    def take(self, step: Step, age: float) -> None:
        """Fold in a stored step of that age (in seconds) without telling a player: for rebuilding.

        What spectators were shown they stay shown.
        """
        if self._ghosts is not None and self._ghosts.by_time:
            self._pass_time(step.at, tell=False)
        for stream in self._streams:
            stream.feed(step)
            if self._ghosts is not None and stream.seat == step.seat:
                self._meet_after(stream, (), step)
        progress = self._set_live(step)
        if age >= self.delay or step.number <= self._shown_number:
            self._show(step, progress)
        else:
            self._later(self.delay - age, lambda: self._show(step, progress))

    def _set_live(self, step: Step) -> model.SeatProgress:
        self.live[step.seat] = progress = step.progress()
        for other in step.others:
            self.live[other.seat] = other
        return progress

    def tell(self, step: Step) -> None:
        """Fold in a stored step and plan the frames of everybody who may know."""
        mover = step.seat
        progress = self._set_live(step)
        if self._ghosts is not None and self._ghosts.by_time:
            self._pass_time(step.at)
        for stream, players in zip(self._streams, self._players, strict=True):
            gained = stream.feed(step)
            if self._ghosts is not None and stream.seat == mover:
                self._meet_after(stream, players.values(), step)
            for player in players.values():
                if step.others:
                    player.news.update(other.seat for other in step.others)
                if stream.seat == mover:
                    self._flusher.urgent(player)
                    continue
                if not gained:
                    player.news.add(mover)
                self._flusher.lazy(player)
        if self.delay:
            self._later(self.delay, lambda: self._show(step, progress))
        else:
            self._show(step, progress)

    def _show(self, step: Step, progress: model.SeatProgress) -> None:
        self._shown_number = max(self._shown_number, step.number)
        by_time = self._ghosts is not None and self._ghosts.by_time
        if by_time:
            self._meet(self._gallery, self._watchers, step.at)
        self._gallery.feed(step)
        if self._ghosts is not None and not by_time:
            self._meet(self._gallery, self._watchers, step.turn)
        self._shown[step.seat] = progress
        for other in step.others:
            self._shown[other.seat] = other
        for watcher in self._watchers:
            watcher.news.update(other.seat for other in step.others)
            self._flusher.lazy(watcher)

    # Ghosts

    def pass_time(self, at: int) -> None:
        """So many milliseconds have passed since the start: ghosts that are aligned by time go on."""
        self._pass_time(at)
        if self.delay:
            self._later(self.delay, lambda: self._meet(self._gallery, self._watchers, at))
        else:
            self._meet(self._gallery, self._watchers, at)

    def catch_up(self, at: int) -> None:
        """Spectators have met the ghosts that are aligned by time as far as that: for rebuilding."""
        if self._ghosts is not None and self._ghosts.by_time:
            self._meet(self._gallery, (), at)

    def next_time(self) -> int | None:
        """When the next step of a ghost that is aligned by time is met; None if there is none."""
        times = [stream.meeting.next_time() for stream in self._streams if stream.meeting is not None]
        return min((time for time in times if time is not None), default=None)

    def _pass_time(self, at: int, *, tell: bool = True) -> None:
        for stream, players in zip(self._streams, self._players, strict=True):
            self._meet(stream, players.values() if tell else (), at)

    def _meet_after(self, stream: Stream, follows: Iterable[Follow], step: Step) -> None:
        """Meet the ghosts that follow on the receiver's own `step`."""
        if step.ended is not None:
            self._meet(stream, follows, None)
        elif self._ghosts is not None and not self._ghosts.by_time:
            self._meet(stream, follows, step.turn)

    def _meet(self, stream: Stream, follows: Iterable[Follow], upto: int | None) -> None:
        """See `Meeting.go_on`."""
        for step in () if stream.meeting is None else stream.meeting.go_on(upto):
            told = stream.feed(step)
            for follow in follows:
                if not told:
                    follow.news.add(step.seat)
                self._flusher.lazy(follow)

    # What is told at the end, and to all

    def tell_over(self, message: Struct) -> None:
        """The match is over: everybody gets the rest of the steps, then `message`."""
        self.over = message
        _finish([player for players in self._players for player in players.values()], message)
        if self.delay:
            self._later(self.delay, self._show_over)
        else:
            self._show_over()

    def _show_over(self) -> None:
        self._shown_over = True
        self._meet(self._gallery, self._watchers, None)
        if self.over is not None:
            _finish(self._watchers, self.over)

    def broadcast(self, message: Struct) -> None:
        """Tell everybody something that is not part of the streams."""
        for follows in (*(players.values() for players in self._players), self._watchers):
            for follow in follows:
                follow.listener.tell(message)

    def repeat(self, step: Step, listener: Listener) -> None:
        """Answer the request that made `step`, again, or to a listener that does not get it by following."""
        for player in self._players[step.seat].values():
            if player.listener is listener:
                player.flush()
        codec = listener.codec
        first = self._streams[step.seat].told.index(step) + 1
        listener.write(codec.encode_events(self._facts.match, first, [step.encoded(codec)], repeat=True))

    # Who is told

    def take_up(
        self,
        listener: Listener,
        seat: int | None,
        last: int | None,
        by: int,
        request: str,
        now: int,
        views: Callable[[Sequence[Step]], list[View]],
    ) -> None:
        """Answer a receiver, and tell it what comes after that.

        Args:
            seat, last, by: see `find_place` and `follow`.
            request, now: for the answer.
            views: what is seen of every seat and ghost after these steps.

        Raises:
            ProtocolError: see `find_place`.
        """
        place = self.find_place(seat, last)
        listener.tell(
            from_server.Resumed(
                re=request,
                match=self._facts,
                answer=place.answer,
                last=place.last,
                progress=place.progress,
                time=now,
                views=views(place.steps) if place.answer == "snapshot" else None,
            )
        )
        self.follow(listener, seat, place.last, by)

    def find_place(self, seat: int | None, last: int | None) -> Place:
        """How a receiver that has seen `last` steps (None: nothing) takes up the stream of `seat` or the gallery.

        Raises:
            ProtocolError: `last` is more than was ever told.
        """
        stream: Stream = self._gallery if seat is None else self._streams[seat]
        told = stream.told
        progress = list(self._shown if seat is None else self.live)
        if stream.meeting is not None:
            progress += stream.meeting.progress
        if last is not None and last > len(told):
            raise ProtocolError(ErrorCode.RESUME_AHEAD, f"The newest step has number {len(told)}.", field="last")
        if last is None or len(told) - last > EVENTS_AT_MOST:
            return Place("snapshot", len(told), list(told), progress)
        return Place("up_to_date" if last == len(told) else "events", last, [], progress)

    def follow(self, listener: Listener, seat: int | None, last: int, by: int = 0) -> None:
        """From now on, tell `listener` what comes after number `last`; at once what is there already.

        Args: by: which of the players of the seat it is.
        """
        self.leave(listener)
        if seat is None:
            follow = Follow(self._facts.match, listener, self._gallery, self._shown, last)
            self._watchers.append(follow)
        else:
            follow = Follow(self._facts.match, listener, self._streams[seat], self.live, last)
            self._players[seat][by] = follow
        follow.flush()
        if self.over is not None and (seat is not None or self._shown_over):
            listener.tell(self.over)

    def follows_seat(self, listener: Listener, seat: int) -> bool:
        """Whether `listener` is told the stream of `seat`."""
        for player in self._players[seat].values():  # noqa: SIM110 - asked for every move, and faster so
            if player.listener is listener:
                return True
        return False

    def leave(self, listener: Listener) -> None:
        """Tell `listener` nothing more."""
        self._players = [
            {by: player for by, player in players.items() if player.listener is not listener}
            for players in self._players
        ]
        self._watchers = [watcher for watcher in self._watchers if watcher.listener is not listener]

    def close(self) -> None:
        """Drop everybody and everything that was planned."""
        self._stop_timers()
        self._players = [{} for _ in self._players]
        self._watchers.clear()

    def _stop_timers(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        def run() -> None:
            self._timers.discard(timer)
            act()

        timer = asyncio.get_running_loop().call_later(seconds, run)
        self._timers.add(timer)


def _finish(follows: list[Follow], message: Struct) -> None:
    for follow in follows:
        follow.flush()
        follow.listener.tell(message)
