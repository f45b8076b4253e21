from __future__ import annotations

from samedrop_rules import Event
from samedrop_rules.row_clear.events import describe, summary

NEXT: Event = {"type": "next_shape", "piece": "O", "next": "T", "used": 1, "by": 0, "check": False}
PLACED: Event = {
    "type": "place_piece",
    "piece": "I",
    "rotation": 0,
    "column": 0,
    "cells": [[7, 0], [7, 1], [7, 2], [7, 3]],
}


def test_what_is_told_of_a_placement() -> None:
    rows = {"type": "rows", "cleared": [6, 7], "points": 2, "falls": []}
    assert describe([PLACED, rows, NEXT]) == ["placed I in A-D", "rows 1, 2 cleared, +2", "next O"]
    assert summary([PLACED, rows, NEXT]) == "Placed I in A-D, rows 1, 2 cleared, +2. Next O, then T."


def test_what_is_told_of_a_team() -> None:
    chosen = {"type": "propose", "piece": "I", "rotation": 1, "column": 5, "cells": [], "by": 0}
    assert describe([chosen]) == ["chose I r1 in F, which reaches above the board"]
    assert summary([chosen, {**NEXT, "check": True}]).endswith("The partner is to confirm or reject it.")
    assert describe([{"type": "reject", "by": 1, "reason": "a gap"}]) == ["rejected: a gap"]
    restart = {"type": "restart", "by": 0, "attempt": 2, "used": 3, "points": -1}
    assert describe([restart]) == ["gave up the attempt after 3 pieces and 1 row; attempt 2 starts"]


def test_what_is_told_of_the_end() -> None:
    high: Event = {"type": "too_high", "piece": "T", "rotation": 2, "column": 1}
    over: Event = {"type": "over", "ended": "rules", "cause": "too_high"}
    assert describe([high, over]) == ["T r2 in B-D reaches above the board", "over: a piece reached above the board"]
    assert summary([{"type": "over", "ended": "time", "cause": "time"}]) == "Your run is over: the time is up."
    assert summary([PLACED, {**NEXT, "next": None}]) == "Placed I in A-D. Next O, the last one known."
    assert describe([{"type": "sparkle"}]) == []
