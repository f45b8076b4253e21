"""The queue of a row-clear deal (docs/rules/row-clear.md, Pieces and Chance)."""

from __future__ import annotations

from samedrop_rules.deal import Deal
from samedrop_rules.row_clear.grid import KINDS

FIXED = "IOTLIOTLIO"


class Queue:
    """The pieces of a deal, the same for every seat.

    Attributes:
        pieces: how many.
        seeded: whether chance decided them.
    """

    def __init__(self, deal: Deal) -> None:
        self.seeded = deal.options["queue"] == "seeded"
        self.pieces = int(deal.options["pieces"]) if self.seeded else len(FIXED)
        self._dealt = [] if self.seeded else list(FIXED)
        self._cursor = deal.cursor("pieces") if self.seeded else None

    def piece(self, k: int) -> str:
        """The k-th piece, below `pieces`."""
        while self._cursor is not None and k >= len(self._dealt):
            self._dealt += self._cursor.shuffle(KINDS)
        return self._dealt[k]

    def seen(self, used: int) -> int:
        """How many pieces a player knows who has used so many: the current and the next one, or all the fixed ten."""
        return min(used + 2, self.pieces) if self.seeded else self.pieces

    def mask(self, first: int, last: int) -> int:
        """The draws that pieces `first` to before `last` are: bit k for piece k; none, where chance decided nothing."""
        return (1 << last) - (1 << first) if self.seeded and last > first else 0
