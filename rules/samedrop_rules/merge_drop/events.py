"""What happened in a placement, spelled out: as events in their wire form, and as lines for people.

Cells in events are [row, column], row 0 at the top; lists are in row-major order, as before the step.
"""

from __future__ import annotations

from collections.abc import Sequence

from samedrop_rules.game import Event
from samedrop_rules.merge_drop.grid import CELLS, COLUMNS, Merge
from samedrop_rules.race import STOPS

MILESTONE = 2048

_PAIRS = [[cell // COLUMNS, cell % COLUMNS] for cell in range(CELLS)]


def place_event(cells: Sequence[int], piece: Sequence[int]) -> Event:
    """A piece's tiles came to rest in these cells."""
    return {"type": "place", "tiles": [[*_PAIRS[cell], value] for cell, value in zip(cells, piece, strict=True)]}


def merge_event(merge: Merge) -> Event:
    """One step of a chain."""
    return {
        "type": "merge",
        "step": merge.number,
        "merged": [[*_PAIRS[cell], *_PAIRS[to]] for cell, to in merge.merged],
        "made": [[*_PAIRS[cell], value] for cell, value in merge.made],
        "points": merge.points,
        "falls": [[*_PAIRS[cell], to // COLUMNS] for cell, to in merge.falls],
    }


def describe(events: Sequence[Event]) -> list[str]:
    """A line for each thing that a player would tell."""
    return [line for event in events if (line := _line(event))]


def _line(event: Event) -> str:
    match event:
        case {"type": "place", "tiles": [[_, int(column), first], [_, int(other), second]]}:
            if column == other:
                return f"placed {first} and {second} in column {column + 1}"
            return f"placed {first} in column {column + 1}, {second} in column {other + 1}"
        case {"type": "merge", "step": step, "merged": list(merged), "made": list(made), "points": points}:
            values = ", ".join(str(value) for _, _, value in made)
            return f"step {step}: {len(merged)} tiles become {values}, +{points:,}"
        case {"type": "milestone", "tile": tile}:
            return f"milestone: a tile of {tile}"
        case {"type": "rise_row", "numbers": list(numbers)}:
            return f"a row rises: {spaced(numbers)}"
        case {"type": "next_piece", "piece": list(piece), "next": list(following), "clock": clock}:
            return f"piece {spaced(piece)}, then {spaced(following)}, rise in {clock}"
        case {"type": "over", "cause": cause}:
            return f"over: {_CAUSES.get(str(cause), str(cause))}"
    return ""


def summary(events: Sequence[Event]) -> str:
    """A whole placement in one line: ``Placed 4 in column 1, 2 in column 2: 4 tiles merged, …``"""
    placed, following = "", ""
    merged = best = points = 0
    more: list[str] = []
    for event in events:
        match event:
            case {"type": "place"}:
                placed = _line(event).capitalize()
            case {"type": "merge", "merged": list(tiles), "made": list(made), "points": int(scored)}:
                merged += len(tiles)
                best = max(best, *(value for _, _, value in made))
                points += scored
            case {"type": "milestone" | "rise_row"}:
                more.append(_line(event))
            case {"type": "next_piece" | "over"}:
                following = f" {_line(event).capitalize()}." if event["type"] == "next_piece" else " Your run is over."
    parts = [f"{merged} tiles merged", f"greatest made {best}", f"+{points:,}"] if merged else []
    told = ": ".join([placed, ", ".join(parts + more)] if parts or more else [placed])
    return f"{told}.{following}" if placed else following.strip()


def spaced(numbers: Sequence[object]) -> str:
    """Numbers as people read them: ``2 8``."""
    return " ".join(map(str, numbers))


_CAUSES = {
    **STOPS,
    "rise": "a tile was pushed into the top row",
    "full": "no placement fits",
}
