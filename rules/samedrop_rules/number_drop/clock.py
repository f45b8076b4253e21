"""When rows of number-drop rise (docs/rules/number-drop.md, Rising rows)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MODES: Mapping[str, Sequence[int]] = {"normal": (30,), "sequence": (30, 25, 20, 15, 10, 5)}
"""By mode: drops to the first rise, then from each rise to the next; the last one for all that follow."""


def drops_between(mode: str, rises: int) -> int:
    """What the clock is set to after so many rises."""
    intervals = MODES[mode]
    return intervals[min(rises, len(intervals) - 1)]


def drops_left(mode: str, drops: int) -> int:
    """How many drops are left until a row must rise, after so many drops; all rises due until then have come."""
    rises = 0
    while drops >= (interval := drops_between(mode, rises)):
        drops -= interval
        rises += 1
    return interval - drops
