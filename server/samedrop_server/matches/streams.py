"""Streams: which steps of a match a receiver is told, and in which order (docs/protocol.md, Streams).

A stream is a pure fold over the stored log, so it comes out the same after a restart: the k-th step of a receiver is
the k-th step for good. Delivery, buffering and encoding are `follow`'s.
"""

from __future__ import annotations

from collections import deque
from operator import or_

from samedrop_protocol.model import Match, Rivals
from samedrop_rules import Draws, covers
from samedrop_server.matches.ghosts import Ghosts
from samedrop_server.matches.steps import Step


class Stream:
    """One receiver's steps, in order; number n is ``told[n - 1]``.

    Attributes:
        told: the steps.
        meeting: how far the receiver has met the ghosts of the match, if it has any.
    """

    __slots__ = ("meeting", "told")

    def __init__(self, ghosts: Ghosts | None = None) -> None:
        self.told: list[Step] = []
        self.meeting = None if ghosts is None else ghosts.meeting()

    def feed(self, step: Step) -> int:
        """Take the next step of the log; returns how many steps it brings to the end of `told`."""
        self.told.append(step)
        return 1


class Gallery(Stream):
    """What spectators are told: every step; of ghosts on a deal that is to stay secret only how they stand."""

    __slots__ = ("_secret_from",)

    def __init__(self, facts: Match, ghosts: Ghosts | None = None) -> None:
        super().__init__(ghosts)
        self._secret_from = ghosts.first if ghosts is not None and ghosts.secret else len(facts.boards)

    def feed(self, step: Step) -> int:
        """See `Stream.feed`."""
        return 0 if step.seat >= self._secret_from else super().feed(step)


class SeatStream(Stream):
    """What a seated player is told while running: rivals' steps only as `rivals` allows; all of them afterwards.

    Under `fair`, a rival's step waits until the player has been dealt every draw that it discloses, and until the
    same rival's earlier steps have been told. Ghosts are rivals, too; on a deal that is to stay secret they are told no
    further than that even when the player's run is over.
    """

    __slots__ = ("_held", "_secret_from", "known", "open", "rivals", "seat")

    def __init__(self, seat: int, facts: Match, dealt: Draws, ghosts: Ghosts | None = None) -> None:
        """Args: dealt: the draws that the seat has been dealt before its first turn."""
        super().__init__(ghosts)
        self.seat = seat
        self.rivals = facts.rivals
        self.known = dealt
        self.open = facts.rivals is Rivals.OPEN
        boards = len(facts.boards)
        self._held: list[deque[Step]] = [deque() for _ in range(boards)]
        # The first number of those who are never told further than the player has been dealt.
        self._secret_from = ghosts.first if ghosts is not None and ghosts.secret else boards

    def feed(self, step: Step) -> int:
        """See `Stream.feed`."""
        told = self.told
        if self.open and step.seat < self._secret_from:
            told.append(step)
            return 1
        if step.seat != self.seat:
            held = self._held[step.seat]
            may = self.open or self.rivals is Rivals.FAIR
            if may and not held and covers(self.known, step.disclosed):
                told.append(step)
                return 1
            held.append(step)
            return 0
        before = len(told)
        told.append(step)
        self.known = tuple(map(or_, self.known, step.disclosed))
        if step.ended is not None:
            self.open = True
            self._release_all()
        elif self.rivals is Rivals.FAIR:
            self._release_covered()
        return len(told) - before

    def _release_covered(self) -> None:
        for held in self._held:
            while held and covers(self.known, held[0].disclosed):
                self.told.append(held.popleft())

    def _release_all(self) -> None:
        waiting = sorted((step for held in self._held[: self._secret_from] for step in held), key=_by_log)
        self.told.extend(waiting)
        for held in self._held[: self._secret_from]:
            held.clear()
        self._release_covered()


def _by_log(step: Step) -> int:
    return step.number
