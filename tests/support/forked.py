"""Deals that agree only on what somebody has been dealt: the same seed, but every other draw comes from another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from samedrop_rules import Cursor, Deal, Stream

Item = TypeVar("Item")


class ForkedStream(Stream):
    """Draw k is the first deal's where bit k of `known` is set, the other's elsewhere."""

    def __init__(self, first: Stream, other: Stream, known: int) -> None:
        dict.__init__(self)
        self._first, self._other, self._known = first, other, known

    def __missing__(self, k: int) -> int:
        return (self._first if self._known >> k & 1 else self._other)[k]


class ForkedCursor(Cursor):
    """For shuffled bags: item k of all bags is the first deal's where bit k of `known` is set.

    The unknown rest of a bag comes in the opposite order, a bag of which nothing is known from the other deal.
    """

    __slots__ = ("_first", "_known", "_other", "_shuffled")

    def __init__(self, first: Cursor, other: Cursor, known: int) -> None:
        self._first, self._other, self._known = first, other, known
        self._shuffled = 0

    def below(self, n: int) -> int:
        raise NotImplementedError("only bags are forked")

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        first, other = self._first.shuffle(items), self._other.shuffle(items)
        dealt = [self._known >> self._shuffled + k & 1 for k in range(len(items))]
        self._shuffled += len(items)
        count = dealt.index(0) if 0 in dealt else len(items)
        return first[:count] + first[count:][::-1] if count else other


@dataclass(frozen=True)
class ForkedDeal(Deal):
    """A deal with the id and commitment of another one, and of its draws only those that are `known`, by stream."""

    known: Mapping[str, int] = field(default_factory=dict)

    def stream(self, label: str, n: int, first: int = 0) -> Stream:
        return ForkedStream(super().stream(label, n, first), Stream("the other", label, n, first), self.known[label])

    def cursor(self, label: str) -> Cursor:
        return ForkedCursor(super().cursor(label), Cursor("the other", label), self.known[label])


def forked(deal: Deal, known: Mapping[str, int]) -> ForkedDeal:
    return ForkedDeal(deal.game, deal.version, deal.options, deal.seed, deal.tape, known=known)
