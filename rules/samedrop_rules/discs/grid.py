"""A board of discs as bits: dropping, waves, rising. What games judge in ways of their own, they say in a subclass.

Holds no clock, score or chance: numbers that open are asked of the caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import getitem
from typing import ClassVar, Protocol, Self

from samedrop_rules.discs.tables import (
    ABOVE_OF,
    BIT_OF,
    CELLS,
    COLUMN_OF,
    DISC,
    DOWN,
    DOWN_CHANGE,
    FULL_ROW,
    GRAYS_BESIDE_OF,
    ROW_BITS,
    SIZE,
    SOLID_ROW,
)

Wave = tuple[int, list[int], int, Sequence[int], int, list[int]]
"""One wave in compact form: its number; the discs that cleared; the gray bits that cracked; the discs that opened;
points; the free cells of each column before it. Discs are bits (see `tables`), lists are in row-major order."""

_DIGITS = b"0123456789"
# The byte of a cell for each digit of the text form; only there, a cracked disc has bit 6 beside that of gray.
_BYTES = bytes([0, *(1 << number for number in range(SIZE)), 0x80, 0xC0])
_TO_TEXT = bytes.maketrans(_BYTES, _DIGITS)
_TO_DISCS = bytes.maketrans(_DIGITS, _BYTES[:-1] + b"\x80")
_TO_CRACKED = bytes.maketrans(_DIGITS, bytes(9) + b"\x80")


class Hidden(Protocol):
    """Says what gray discs hold."""

    def open(self, opening: int, discs: int) -> Sequence[int] | None:
        """The discs that appear where the gray bits `opening` open in one wave, as bits, row-major.

        A disc left out is one that nobody knows: it fills its cell and matches nothing. `discs` is the board before
        the wave. None: a number is missing; nothing has changed then.
        """


class DiscGrid:
    """A board, by the bits of `tables`.

    A game's own:
        ACROSS, ACROSS_CHANGE: which numbers match along a row (`tables.lines_across`, `tables.changes_across`).
        POINTS: points of one disc that clears in wave k.
        OPENED_BY_TWO: the gray bits that two hits in one wave open even where the disc was solid.

    Attributes:
        discs: all discs; cracked ones are gray here.
        cracked: the gray bits of the cracked discs.
        free: by column, how many cells are empty above its top disc.
        masks: by row, which columns are occupied.
    """

    __slots__ = ("_across", "_down", "cracked", "discs", "free", "masks")

    ACROSS: ClassVar[list[list[int]]]
    ACROSS_CHANGE: ClassVar[list[list[int]]]
    POINTS: ClassVar[Sequence[int]]
    OPENED_BY_TWO: ClassVar[int]

    def __init__(self) -> None:
        """An empty board."""
        self.discs = 0
        self.cracked = 0
        self.free = [SIZE] * SIZE
        self.masks = [0] * SIZE
        # In each occupied cell the number that matches its line along the row, and along the column.
        self._across = 0
        self._down = 0

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The board of a text form of 49 characters.

        Raises:
            ValueError: not of that form, or a disc hangs in the air.
        """
        if len(text) != CELLS or not text.isascii() or not text.isdigit():
            raise ValueError("a board is 49 digits")
        columns = [text[column::SIZE].lstrip("0") for column in range(SIZE)]
        if any("0" in column for column in columns):
            raise ValueError("a disc hangs in the air")
        grid = cls()
        grid.discs = int.from_bytes(text.encode().translate(_TO_DISCS), "big")
        grid.cracked = int.from_bytes(text.encode().translate(_TO_CRACKED), "big")
        grid.free = free = [SIZE - len(column) for column in columns]
        grid.masks = [sum(1 << column for column in range(SIZE) if free[column] <= row) for row in range(SIZE)]
        grid._across = sum(map(getitem, cls.ACROSS, grid.masks))
        grid._down = sum(map(getitem, DOWN, free))
        return grid

    @property
    def text(self) -> str:
        """The text form: 49 characters, row by row from the top (docs/rules/drop7.md)."""
        return self.bytes.decode()

    @property
    def bytes(self) -> bytes:
        """The text form, as ASCII."""
        return (self.discs | self.cracked >> 1).to_bytes(CELLS, "big").translate(_TO_TEXT)

    @property
    def empty(self) -> bool:
        """Whether there is no disc."""
        return not self.masks[-1]

    @property
    def matching(self) -> int:
        """The bits of the discs that match."""
        return self.discs & (self._across | self._down)

    def drop(self, column: int, disc: int) -> int:
        """Let `disc` (1 to 7, or 8 for gray) fall into a column that has room; returns the bits that now match."""
        row = self.free[column] - 1
        self.free[column] = row
        cell = SIZE * row + column
        mask = self.masks[row] | 1 << column
        self.masks[row] = mask
        self.discs = discs = self.discs | DISC[disc][cell]
        self._across = across = self._across ^ self.ACROSS_CHANGE[cell][mask]
        self._down = down = self._down ^ DOWN_CHANGE[cell]
        return discs & (across | down)

    def rise(self) -> int:
        """Move every row up by one and fill the bottom row with solid gray; returns the bits that now match.

        The top row must be empty.
        """
        self.discs = self.discs << ROW_BITS | SOLID_ROW
        self.cracked <<= ROW_BITS
        self.free = [free - 1 for free in self.free]
        del self.masks[0]
        self.masks.append(FULL_ROW)
        self._across = self._across << ROW_BITS | self.ACROSS[-1][FULL_ROW]
        self._down = sum(map(getitem, DOWN, self.free))
        return self.matching

    def settle(self, matching: int, waves: list[Wave], hidden: Hidden) -> bool:
        """Let waves run from the bits that match until none does, adding each to `waves` and counting on from there.

        Returns:
            False if a number was missing: the wave that needs it has then not taken place.
        """
        free, masks, across_change = self.free, self.masks, self.ACROSS_CHANGE
        discs, cracked, across, down = self.discs, self.cracked, self._across, self._down
        number = len(waves)
        while matching:
            cleared: list[int] = []
            hit = hit_again = 0
            rest = matching
            while rest:
                disc = rest.bit_length()
                rest ^= BIT_OF[disc]
                cleared.append(disc)
                if beside := discs & GRAYS_BESIDE_OF[disc]:
                    hit_again |= hit & beside
                    hit |= beside
            opened: Sequence[int] = ()
            if hit:
                if opening := hit_again & self.OPENED_BY_TWO | hit & cracked:
                    if (found := hidden.open(opening, discs)) is None:
                        break
                    opened = found
                    hit ^= opening
                    cracked &= ~opening
                    discs ^= opening
                    for disc in opened:
                        discs |= BIT_OF[disc]
                cracked |= hit
            number += 1
            waves.append((number, cleared, hit, opened, len(cleared) * self.POINTS[number], free[:]))
            discs ^= matching
            # From the top down: a removal moves only the cells above it, those further down are still where they were.
            for disc in cleared:
                above = ABOVE_OF[disc]
                if falling := discs & above:
                    discs ^= falling ^ falling >> ROW_BITS
                    if falling := cracked & above:
                        cracked ^= falling ^ falling >> ROW_BITS
                column = COLUMN_OF[disc]
                row = free[column]
                free[column] = row + 1
                cell = SIZE * row + column
                across ^= across_change[cell][masks[row]]
                down ^= DOWN_CHANGE[cell]
                masks[row] ^= 1 << column
            matching = discs & (across | down)
        self.discs, self.cracked, self._across, self._down = discs, cracked, across, down
        return not matching
