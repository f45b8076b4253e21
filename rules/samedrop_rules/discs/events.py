"""What happened in a drop, spelled out: as events in their wire form, and as lines for people.

Cells in events are [row, column], row 0 at the top; lists are in row-major order, as before the fall.
"""

from __future__ import annotations

from collections.abc import Sequence

from samedrop_rules.discs.grid import Wave
from samedrop_rules.discs.tables import (
    BIT_OF,
    BITS,
    CELLS,
    COLUMN_OF,
    FALLS,
    NUMBER_OF,
    ROW_OF,
    SIZE,
)
from samedrop_rules.game import Ended, Event
from samedrop_rules.race import STOPS

Drop = tuple[int, int, list[Wave], int, bool, str, int, int]
"""What one drop led to, in compact form: the disc; the cell where it came to rest; all waves; how many of them came
before the rise (-1: nothing rose); whether the board is empty at the end; why the run is over ("rise", "full", "tape",
or ""); the disc dealt next (0: none); the rise clock."""

_PAIRS = [[cell // SIZE, cell % SIZE] for cell in range(CELLS)]
_DISCS = [[ROW_OF[disc], COLUMN_OF[disc], NUMBER_OF[disc]] for disc in range(BITS + 1)]


def events_of(drop: Drop, rise_points: int, clear_points: int) -> list[Event]:
    """All events of a drop, in order (docs/rules/drop7.md, Events); a rise and an empty board give these points."""
    disc, cell, waves, risen, clear, cause, following, clock = drop
    events: list[Event] = [{"type": "drop", "disc": disc, "cell": _PAIRS[cell][:]}]
    if waves:
        events += map(_wave_event, waves)
    if risen >= 0:
        events.insert(1 + risen, {"type": "rise", "points": rise_points})
    if clear:
        events.append({"type": "bonus", "reason": "clear", "points": clear_points})
    if following:
        events.append({"type": "next", "disc": following, "clock": clock})
    else:
        ended = Ended.CENSORED if cause == "tape" else Ended.RULES
        events.append({"type": "over", "ended": ended.value, "cause": cause})
    return events


def _wave_event(wave: Wave) -> Event:
    number, cleared, cracking, opened, points, free = wave
    cracked = []
    while cracking:
        gray = cracking.bit_length()
        cracking ^= BIT_OF[gray]
        cracked.append(_DISCS[gray][:2])
    cleared_discs = []
    cleared_rows: dict[int, int] = {}
    for disc in cleared:
        row, column, _ = spelled = _DISCS[disc][:]
        cleared_discs.append(spelled)
        cleared_rows[column] = cleared_rows.get(column, 0) | 1 << row
    falls: list[list[int]] = []
    for column, rows in cleared_rows.items():
        if falling := FALLS[column][free[column]][rows]:
            falls += map(list, falling)
    if len(cleared_rows) > 1:
        falls.sort()
    return {
        "type": "wave",
        "wave": number,
        "cleared": cleared_discs,
        "cracked": cracked,
        "revealed": [_DISCS[disc][:] for disc in opened] if opened else [],
        "points": points,
        "falls": falls,
    }


def describe(events: Sequence[Event]) -> list[str]:
    """A line for each thing that a player would tell."""
    return [line for event in events if (line := _line(event))]


def _line(event: Event) -> str:
    match event:
        case {"type": "drop", "disc": disc, "cell": [_, int(column)]}:
            return f"dropped {disc} in column {column + 1}"
        case {"type": "wave", "wave": wave, "cleared": list(cleared), "cracked": list(cracked), "points": points}:
            parts = [f"{len(cleared)} cleared"]
            if cracked:
                parts.append(f"{len(cracked)} cracked")
            if revealed := event["revealed"]:
                assert isinstance(revealed, list)
                parts.append(f"{len(revealed)} opened")
            return f"wave {wave}: {', '.join(parts)}, +{points:,}"
        case {"type": "rise", "points": points}:
            return f"the board rises, +{points:,}" if points else "the board rises"
        case {"type": "bonus", "points": points}:
            return f"board clear, +{points:,}"
        case {"type": "next", "disc": disc, "clock": clock}:
            return f"next disc {disc}, rise in {clock}"
        case {"type": "over", "cause": cause}:
            return f"over: {_CAUSES.get(str(cause), str(cause))}"
    return ""


_CAUSES = {
    **STOPS,
    "rise": "the board cannot rise",
    "full": "the board is full",
    "tape": "the tape has run out",
}
