"""Following a drop7 board by its events alone, as a client does that is not dealt the numbers itself.

The events are the engine's own and are trusted; checking a run is `replay`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from samedrop_rules.discs.follow import follow_discs
from samedrop_rules.drop7.grid import Grid
from samedrop_rules.game import Event, View


def follow(view: View, events: Sequence[Event]) -> View:
    """See `Game.follow`. Events of a type that is not known here change nothing."""
    view = dict(view)
    board = list(str(view["board"]))
    clock = cast("int", view["clock"])
    ticked = True  # whether the clock has ticked since the last drop
    for event in events:
        view["score"] = cast("int", view["score"]) + cast("int", event.get("points", 0))
        follow_discs(board, event)
        match event:
            case {"type": "drop"}:
                view["turn"] = cast("int", view["turn"]) + 1
                ticked = False
            case {"type": "rise"}:
                clock, ticked = cast("int", view["drops_per_rise"]), True
            case {"type": "next", "disc": disc, "clock": int(told)}:
                view["disc"] = disc
                clock, ticked = told, True
            case {"type": "over", "ended": ended}:
                view["ended"], view["disc"] = ended, 0
                if not ticked and _settled(board):
                    clock -= 1
    view["board"], view["clock"] = "".join(board), clock
    return view


def _settled(board: list[str]) -> bool:
    """Whether nothing matches. A tape can run out in the middle of the waves, and then the clock has not ticked."""
    return not Grid.from_text("".join(board)).matching
