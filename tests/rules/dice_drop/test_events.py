from __future__ import annotations

from samedrop_rules import Event
from samedrop_rules.dice_drop.events import describe, summary


def test_what_is_told() -> None:
    events: list[Event] = [
        {"type": "decided", "seat": 0},
        {"type": "opening", "seat": 0, "number": 1, "cell": [13, 2]},
        {"type": "slide", "seat": 0, "letter": "B", "notch": 4},
        {"type": "block", "seat": 0, "letter": "B", "cells": [[13, 0], [13, 1], [12, 0]], "default": True},
        {"type": "fill", "seat": 0, "shape": "T", "cells": [[11, 3], [12, 3]], "numbers": [5, 1]},
        {"type": "combo", "seat": 0, "kind": "identical", "size": 3, "cells": [[13, 0]], "points": 3},
        {"type": "column_done", "seat": 0, "kind": "identical", "points": 10},
        {"type": "circle", "seat": 0, "letter": "A"},
        {"type": "full_rows", "seat": 0, "rows": [12, 13], "points": 4},
        {"type": "penalty", "seat": 0, "rows": [2], "points": -5},
        {"type": "cross", "letter": "A"},
        {"type": "throw", "round": 1, "dice": "51*7", "shape": "T", "block": "B", "due": [0]},
        {"type": "over", "seat": 0, "ended": "rules", "cause": "line"},
        {"type": "sparkle"},
    ]
    assert describe(events) == [
        "wrote 1 at C1",
        "tile B slides to notch 4",
        "block B falls on A1 B1 A2 (time was up)",
        "dropped T, 5 1 at D3 D2",
        "identical combo of 3: A1, +3",
        "all identical sizes done, +10",
        "circles A",
        "full rows 1 2, +4",
        "above the line in row 12, -5",
        "letter A is crossed",
        "round 1: 5 1 * 7, shape T; block B falls",
        "over: somebody is above the line",
    ]
    assert summary(events[:1]) == "Decided; the others are still to decide."
    assert summary(events[6:8]) == "All identical sizes done, +10; circles A."
