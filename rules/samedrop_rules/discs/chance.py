"""Where the numbers of discs come from: the streams of a seed, or a tape (docs/rules/drop7.md, Chance).

A `Chance` is shared by all boards of a table; what hides under the gray discs of one board is told by a `Drawn` or
`Buried` of that board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from samedrop_rules.deal import Deal
from samedrop_rules.discs.tables import BIT_OF, CELLS, COLUMN_OF, GRAYS_ABOVE_OF, SIZE, SOLID


class Chance(NamedTuple):
    """The numbers of a deal, 1 to 7; 0 stands for one that a tape does not hold.

    Attributes:
        discs: the k-th disc to drop.
        reveals: the number of the k-th gray disc that a player opens, where it is drawn then.
        rows: the number under the gray disc of covered row k // 7, column k % 7, where it is fixed in advance.
    """

    discs: Mapping[int, int]
    reveals: Mapping[int, int]
    rows: Mapping[int, int]


class TapeNumbers(dict[int, int]):
    """Numbers by index, 0 where there are none."""

    def __missing__(self, k: int) -> int:
        return 0


def seed_chance(deal: Deal) -> Chance:
    """The numbers of a seed."""
    return Chance(*(deal.stream(label, SIZE, first=1) for label in Chance._fields))


def tape_chance(discs: Sequence[int], rows: Sequence[Sequence[int]]) -> Chance:
    """The numbers of a tape, all fixed in advance."""
    row_numbers = [number for row in rows for number in row]
    return Chance(TapeNumbers(enumerate(discs)), TapeNumbers(), TapeNumbers(enumerate(row_numbers)))


class Drawn:
    """Numbers that are drawn when gray discs open: the k-th to open takes the k-th draw.

    Attributes:
        reveals, rows: the draws taken so far of the streams of these names, as bit masks (`rows` stays 0).
    """

    __slots__ = ("_count", "_numbers", "reveals", "rows")

    def __init__(self, chance: Chance) -> None:
        self._numbers = chance.reveals
        self._count = 0
        self.reveals = 0
        self.rows = 0

    def lay(self) -> None:
        """A covered row is laid below all others: nothing to note."""

    def open(self, opening: int, discs: int) -> list[int]:
        """See `grid.Hidden.open`."""
        opened = []
        count = self._count
        while opening:
            gray = opening.bit_length()
            opening ^= BIT_OF[gray]
            opened.append(gray - SOLID + self._numbers[count])
            count += 1
        self._count = count
        self.reveals = (1 << count) - 1
        return opened


class Buried:
    """Numbers that lie under the gray discs from the first.

    A gray disc never leaves its column, nor passes another one there. So it is enough to keep, for each column, the
    draws of its gray discs from the top down.

    Attributes:
        reveals, rows: the draws disclosed so far of the streams of these names, as bit masks (`reveals` stays 0).
    """

    __slots__ = ("_columns", "_laid", "_numbers", "reveals", "rows")

    def __init__(self, chance: Chance, grays: Sequence[int] | None = None) -> None:
        """At the start of a game; or at a position with so many `grays` by column.

        There the k-th gray disc of a column, from the top, belongs to covered row k, and the next row laid is row 7.
        """
        self._numbers = chance.rows
        self._laid = 0 if grays is None else CELLS
        counts = (0,) * SIZE if grays is None else grays
        self._columns = [[SIZE * row + column for row in range(count)] for column, count in enumerate(counts)]
        self.reveals = 0
        self.rows = 0

    def lay(self) -> None:
        """A covered row is laid below all others."""
        for draws in self._columns:
            draws.append(self._laid)
            self._laid += 1

    def open(self, opening: int, discs: int) -> list[int] | None:
        """See `grid.Hidden.open`."""
        opened = []
        places = []
        while opening:
            gray = opening.bit_length()
            opening ^= BIT_OF[gray]
            draws = self._columns[COLUMN_OF[gray]]
            index = (discs & GRAYS_ABOVE_OF[gray]).bit_count()
            number = self._numbers[draws[index]]
            if not number:
                return None
            places.append((draws, index))
            opened.append(gray - SOLID + number)
        # From the bottom up, so that the indexes of those above still hold.
        for draws, index in reversed(places):
            self.rows |= 1 << draws.pop(index)
        return opened


class Unknown:
    """Numbers as a viewer knows them who has not been dealt them: not at all."""

    def open(self, opening: int, discs: int) -> tuple[int, ...]:
        """See `grid.Hidden.open`."""
        return ()
