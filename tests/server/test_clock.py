from __future__ import annotations

import time

from samedrop_server.clock import SystemClock


def test_the_clock_shows_utc_milliseconds_and_never_steps_back() -> None:
    clock = SystemClock()
    first = clock.now()
    assert abs(first - time.time() * 1000) < 5_000
    assert clock.now() >= first
