"""Ghosts: stored runs that are raced again, beside the players of a match.

A ghost is not a seat: nothing of it enters the log or the result of the match. Its steps come from its stored log, and
take their places in each receiver's stream by a pure rule, so that a stream comes out the same after a restart:

* aligned by turn, a ghost's k-th step follows on the receiver's own k-th (for spectators: on the first of anybody's),
* aligned by time, it comes before the first step of the match that was decided later after the start;
* once the receiver's own run is over, all the rest comes.

What of it may be told is `streams`' to say, as it is for rivals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from samedrop_protocol import model
from samedrop_rules import Deal, Entry, Game, View, apply
from samedrop_server.matches.steps import Step
from samedrop_server.storage.loading import StoredRun


class Ghost:
    """One stored run, played again as far as anybody has met it.

    Attributes:
        seat: the number of its steps in this match.
    """

    def __init__(self, run: StoredRun, seat: int, game: Game, deal: Deal) -> None:
        """Args: deal: of the match, and so of the run."""
        self.seat = seat
        self.new_table = partial(game.table, deal, 1, run.drop_limit)
        self._log = run.log
        self._table = self.new_table()
        self._steps: list[Step] = []

    def entry(self, index: int) -> Entry | None:
        """Line `index` of its log, from 0; None after the last."""
        return self._log[index] if index < len(self._log) else None

    def step(self, index: int) -> Step:
        """What line `index` of its log led to."""
        while len(self._steps) <= index:
            entry = self._log[len(self._steps)]
            decided, table = apply(self._table, entry), self._table
            step = Step(
                len(self._steps) + 1, self.seat, entry.turn, entry.move, decided, entry.at, entry.score, entry.digest,
                table.ended(0), None,
            )  # fmt: skip
            self._steps.append(step)
        return self._steps[index]


class Ghosts:
    """All ghosts of a match.

    Attributes:
        by_time: aligned by time, not by turn.
        first: the number of the first of them: so many seats there are.
        secret: the deal stays secret after the match, so nothing is told of it that was not dealt in it.
    """

    def __init__(self, runs: Sequence[StoredRun], facts: model.Match, game: Game, deal: Deal, *, secret: bool) -> None:
        """Args: runs: in the order of the ghosts in `facts`."""
        self.by_time = facts.align is model.Align.TIME
        self.secret = secret
        self.first = len(facts.seats)
        self._all = [Ghost(run, seat, game, deal) for seat, run in enumerate(runs, self.first)]

    def meeting(self) -> Meeting:
        """A receiver's meeting with them, from the start."""
        return Meeting(self._all, by_time=self.by_time)

    def views(self, steps: Sequence[Step] = ()) -> list[View]:
        """What is seen of each after `steps`, of which some are theirs."""
        tables = [ghost.new_table() for ghost in self._all]
        for step in steps:
            if step.seat >= self.first:
                apply(tables[step.seat - self.first], replace(step.entry(), seat=0))
        return [table.view(0) for table in tables]


class Meeting:
    """How far one receiver has met the ghosts.

    Attributes:
        progress: where each of them stands, for this receiver.
    """

    def __init__(self, ghosts: Sequence[Ghost], *, by_time: bool) -> None:
        self.progress = [model.SeatProgress(seat=ghost.seat, turn=0, score=0) for ghost in ghosts]
        self._ghosts = ghosts
        self._by_time = by_time
        self._met = [0] * len(ghosts)

    def go_on(self, upto: int | None) -> list[Step]:
        """The steps that are met now: up to that turn, or that many milliseconds after the start; None: all the rest.

        Turn by turn (or in the order of time), and in each by number.
        """
        steps = []
        while (found := self._next()) is not None and (upto is None or found[0] <= upto):
            number = found[1]
            ghost = self._ghosts[number]
            step = ghost.step(self._met[number])
            self._met[number] += 1
            self.progress[number] = step.progress()
            steps.append(step)
        return steps

    def next_time(self) -> int | None:
        """Aligned by time: when the next step is met, in milliseconds after the start; None if there is none."""
        found = self._next()
        return None if found is None else found[0]

    def _next(self) -> tuple[int, int] | None:
        """The turn or time of the next step, and the index of its ghost."""
        waiting = []
        for number, ghost in enumerate(self._ghosts):
            entry = ghost.entry(self._met[number])
            if entry is not None:
                waiting.append((entry.at if self._by_time else entry.turn, number))
        return min(waiting, default=None)
