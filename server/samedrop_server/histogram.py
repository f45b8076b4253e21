"""A histogram of plain numbers: cheap to count into, read by whoever shows it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate


class Histogram:
    """How many values fell below each bound.

    Attributes:
        bounds: ascending; each is the largest value of its class. A last class takes what is above all of them.
        counts: values in each class.
        total: the sum of all values.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def cumulative(self) -> list[int]:
        """How many values are at most each bound, and at last how many there are."""
        return list(accumulate(self.counts))
