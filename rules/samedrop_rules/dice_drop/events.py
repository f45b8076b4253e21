"""What happened in dice-drop, as lines for people. Who it is about is for the caller to say.

People name columns A to G and count rows from 1 at the bottom.
"""

from __future__ import annotations

from collections.abc import Sequence

from samedrop_rules.dice_drop.shapes import ROWS
from samedrop_rules.game import Event
from samedrop_rules.race import STOPS

LETTERS = "ABCDEFG"
"""Of the columns."""


def describe(events: Sequence[Event]) -> list[str]:
    """A line for each thing that a player would tell."""
    return [line for event in events if (line := _line(event))]


def _line(event: Event) -> str:
    for_nobody = " (time was up)" if event.get("default") else ""
    match event:
        case {"type": "opening", "number": number, "cell": list(cell)}:
            return f"wrote {number} at {_cells([cell])}{for_nobody}"
        case {"type": "slide", "letter": letter, "notch": notch}:
            return f"tile {letter} slides to notch {notch}"
        case {"type": "block", "letter": letter, "cells": list(cells)}:
            return f"block {letter} falls on {_cells(cells)}{for_nobody}"
        case {"type": "fill", "shape": shape, "cells": list(cells), "numbers": list(numbers)}:
            return f"dropped {shape}, {' '.join(map(str, numbers))} at {_cells(cells)}{for_nobody}"
        case {"type": "combo", "kind": kind, "size": size, "cells": list(cells)}:
            return f"{kind} combo of {size}: {_cells(cells)}, +{size}"
        case {"type": "column_done", "kind": kind, "points": points}:
            return f"all {kind} sizes done, +{points}"
        case {"type": "circle", "letter": letter}:
            return f"circles {letter}"
        case {"type": "full_rows", "rows": list(rows), "points": points}:
            return f"full {_rows(rows)}, +{points}"
        case {"type": "penalty", "rows": list(rows), "points": points}:
            return f"above the line in {_rows(rows)}, {points}"
        case {"type": "cross", "letter": letter}:
            return f"letter {letter} is crossed"
        case {"type": "throw", "round": number, "dice": str(dice), "shape": shape, "block": block}:
            falls = f"; block {block} falls" if block is not None else ""
            return f"round {number}: {' '.join(dice)}, shape {shape}{falls}"
        case {"type": "over", "cause": cause}:
            return f"over: {_CAUSES.get(str(cause), str(cause))}"
    return ""


def _cells(cells: Sequence[Sequence[int]]) -> str:
    return " ".join(f"{LETTERS[column]}{ROWS - row}" for row, column in cells)


def _rows(rows: Sequence[int]) -> str:
    numbers = " ".join(str(ROWS - row) for row in sorted(rows, reverse=True))
    return f"{'row' if len(rows) == 1 else 'rows'} {numbers}"


def summary(events: Sequence[Event]) -> str:
    """Everything in one line; before the round is resolved, that the decision is made."""
    lines = describe(events)
    if not lines:
        return "Decided; the others are still to decide."
    story = "; ".join(lines)
    return f"{story[0].upper()}{story[1:]}."


_CAUSES = {
    **STOPS,
    "line": "somebody is above the line",
    "tiles": "all tiles are down",
}
