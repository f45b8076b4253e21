"""The clock: the one place where the server reads the time, so that tests can set it."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """A source of wall-clock time."""

    def now(self) -> int:
        """UTC milliseconds since 1970."""


class SystemClock:
    """The machine's clock, which never steps back while the server runs."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        """See `Clock.now`."""
        return (self._offset + time.monotonic_ns()) // 1_000_000
