"""What happened at the gateway, as plain numbers: counting must cost nothing, reading is somebody else's."""

from __future__ import annotations

from collections import Counter

from samedrop_protocol.errors import ErrorCode


class Tally:
    """Counts since the start of the server.

    Attributes:
        opened: connections.
        moves: accepted moves, repeats among them.
        slow: connections that were closed because their reader was too slow.
        errors: errors told, by code.
    """

    __slots__ = ("errors", "moves", "opened", "slow")

    def __init__(self) -> None:
        self.opened = 0
        self.moves = 0
        self.slow = 0
        self.errors: Counter[ErrorCode] = Counter(dict.fromkeys(ErrorCode, 0))
