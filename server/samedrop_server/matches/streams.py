"""Streams: which steps of a match a receiver is told, and in which order (docs/protocol.md, Streams).

A stream is a pure fold over the stored log, so it comes out the same after a restart: the k-th step of a receiver is
the k-th step for good. Delivery, buffering and encoding are `follow`'s.
"""

from __future__ import annotations

from collections import deque
from operator import or_

from samedrop_protocol.model import Rivals
from samedrop_rules import Draws, covers
from samedrop_server.matches.steps import Step


class Stream:
    """One receiver's steps, in order; number n is ``told[n - 1]``."""

    __slots__ = ("told",)

    def __init__(self) -> None:
        self.told: list[Step] = []

    def feed(self, step: Step) -> int:
        """Take the next step of the log; returns how many steps it brings to the end of `told`."""
        self.told.append(step)
        return 1


class SeatStream(Stream):
    """What a seated player is told while running: rivals' steps only as `rivals` allows; all of them afterwards.

    Under `fair`, a rival's step waits until the player has been dealt every draw that it discloses, and until the
    same rival's earlier steps have been told.
    """

    __slots__ = ("_held", "known", "open", "rivals", "seat")

    def __init__(self, seat: int, rivals: Rivals, dealt: Draws, seats: int) -> None:
        """Args: dealt: the draws that the seat has been dealt before its first turn."""
        super().__init__()
        self.seat = seat
        self.rivals = rivals
        self.known = dealt
        self.open = rivals is Rivals.OPEN
        self._held: list[deque[Step]] = [deque() for _ in range(seats)]

    def feed(self, step: Step) -> int:
        """See `Stream.feed`."""
        told = self.told
        if self.open:
            told.append(step)
            return 1
        if step.seat != self.seat:
            held = self._held[step.seat]
            if self.rivals is Rivals.FAIR and not held and covers(self.known, step.disclosed):
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
        waiting = sorted((step for held in self._held for step in held), key=lambda step: step.number)
        self.told.extend(waiting)
        for held in self._held:
            held.clear()
