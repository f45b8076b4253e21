"""Following a dice-drop view by events alone, as a client does that knows no rules.

The events are the engine's own and are trusted; checking a run is `replay`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from samedrop_rules.game import Event, View


def follow(view: View, events: Sequence[Event]) -> View:
    """See `Game.follow`: events about this seat, and those about all. Types that are not known here change nothing."""
    view = dict(view)
    for event in events:
        about = event.get("seat")
        if about is None:
            _take_common(view, event)
        elif about == view["seat"]:
            view["score"] = cast("int", view["score"]) + cast("int", event.get("points", 0))
            _take_own(view, event)
    return view


def _take_common(view: View, event: Event) -> None:
    match event:
        case {"type": "throw", "round": number, "dice": dice, "shape": shape, "block": block, "due": list(due)}:
            view |= {"round": number, "throw": {"dice": dice, "shape": shape}, "block": block}
            view["phase"] = "drop" if block is None else "block"
            view |= {"due": view["seat"] in due, "decided": False}
        case {"type": "cross", "letter": letter}:
            view["crossed"] = _with(view["crossed"], letter)


def _take_own(view: View, event: Event) -> None:
    match event:
        case {"type": "decided"}:
            view |= {"due": False, "decided": True, "turn": cast("int", view["turn"]) + 1}
        case {"type": "opening", "cell": cell, "number": number}:
            _fill(view, [cast("list[int]", cell)], [str(number)])
        case {"type": "block", "cells": list(cells)}:
            _fill(view, cells, ["X"] * len(cells))
        case {"type": "fill", "cells": list(cells), "numbers": list(numbers)}:
            _fill(view, cells, list(map(str, numbers)))
        case {"type": "combo", "kind": str(kind), "size": int(size), "cells": list(cells)}:
            view["used"] = sorted([*cast("list[list[int]]", view["used"]), *cells])
            if size == 8:
                view["eight"] = True
            else:
                view[kind] = _with(view[kind], size)
        case {"type": "circle", "letter": letter}:
            view["circled"] = _with(view["circled"], letter)
        case {"type": "full_rows", "rows": list(rows)}:
            view["rows_scored"] = sorted([*cast("list[int]", view["rows_scored"]), *rows])
        case {"type": "slide", "letter": str(letter), "notch": notch}:
            view["tiles"] = {**cast("dict[str, int]", view["tiles"]), letter: notch}
        case {"type": "over", "ended": ended}:
            view |= {"ended": ended, "due": False, "decided": False}


def _fill(view: View, cells: Sequence[Sequence[int]], marks: Sequence[str]) -> None:
    grid = [list(row) for row in cast("list[str]", view["grid"])]
    for (row, column), mark in zip(cells, marks, strict=True):
        grid[row][column] = mark
    view["grid"] = ["".join(row) for row in grid]


def _with(listed: object, one: object) -> object:
    return sorted([*cast("list[str]", listed), cast("str", one)])
