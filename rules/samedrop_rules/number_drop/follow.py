"""Following a number-drop board by its events alone, as a client does that is not dealt the numbers itself.

The events are the engine's own and are trusted; checking a run is `replay`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from samedrop_rules.discs.follow import follow_discs
from samedrop_rules.game import Event, View
from samedrop_rules.number_drop.clock import drops_left


def follow(view: View, events: Sequence[Event]) -> View:
    """See `Game.follow`. Events of a type that is not known here change nothing."""
    view = dict(view)
    board = list(str(view["board"]))
    for event in events:
        view["score"] = cast("int", view["score"]) + cast("int", event.get("points", 0))
        follow_discs(board, event)
        match event:
            case {"type": "drop"}:
                view["turn"] = cast("int", view["turn"]) + 1
            case {"type": "next", "disc": disc, "clock": clock}:
                view["disc"], view["clock"] = disc, clock
            case {"type": "over", "ended": ended, "cause": cause}:
                view["ended"], view["disc"] = ended, 0
                # A rise that could not come leaves the clock at zero.
                view["clock"] = 0 if cause == "rise" else drops_left(str(view["mode"]), cast("int", view["turn"]))
    view["board"] = "".join(board)
    return view
