"""Turns that seats share: whom a match waits for, and the clock that does not wait for ever.

Only games in rounds and races in lockstep have such turns. The clock of a turn starts when its opening is told, so that
nobody's turn is shorter because storing took long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from samedrop_protocol import model
from samedrop_rules import Pace, Table


def awaited(table: Table, *, lockstep: bool) -> list[int]:
    """The seats that have to decide before others can go on; in a free race nobody waits, so all that still run."""
    due = [seat for seat in range(table.seats) if table.due(seat)]
    if not lockstep or not due:
        return due
    slowest = min(map(table.turn, due))
    return [seat for seat in due if table.turn(seat) == slowest]


class Turns:
    """The turns of one match.

    Attributes:
        awaited: the seats that have to decide before others can go on.
    """

    def __init__(self, facts: model.Match, run_out: Callable[[], None]) -> None:
        """Args: run_out: called when the time of a turn is up; `awaited` are those who let it run out."""
        self._lockstep = facts.lockstep
        self._seconds = facts.turn_limit
        self._run_out = run_out
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, table: Table) -> None:
        """Start, or start again for a rebuild; no time runs yet."""
        self.stop()
        self._table = table
        self._shared = self._lockstep or table.game.pace is Pace.ROUNDS
        self._opening = 0
        self.awaited = awaited(table, lockstep=self._lockstep)

    def waits_for(self, seat: int) -> bool:
        """Whether this seat has to decide before others can go on; without shared turns: whether it may decide."""
        return seat in self.awaited if self._shared else self._table.due(seat)

    def decided(self, number: int, mover: int) -> Collection[int]:
        """Step `number`, a decision of `mover`, is made: the seats that are to decide anew because of it."""
        if not self._shared:
            return ()
        before = set(self.awaited) - {mover}
        self.awaited = awaited(self._table, lockstep=self._lockstep)
        opened = [seat for seat in self.awaited if seat not in before]
        if opened:
            self._opening = number
            self.stop()
        return opened

    def told(self, number: int) -> None:
        """Step `number` is told (0: the start of the match): if a turn opened with it, its time runs."""
        if number == self._opening:
            self._run()

    def reopen(self, told: int) -> None:
        """The match goes on, told up to step `told`: a turn that is open by then has its whole time again."""
        if self._opening <= told:
            self._run()

    def _run(self) -> None:
        if self._seconds is not None and self.awaited:
            self.stop()
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._run_out)

    def stop(self) -> None:
        """No time runs."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
