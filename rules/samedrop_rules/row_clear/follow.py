"""Following a row-clear board by its events alone, as a client does that knows no rules.

The events are the engine's own and are trusted; checking a run is `replay`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from samedrop_rules.game import Event, View
from samedrop_rules.row_clear.grid import COLUMNS, KINDS, ROWS


def follow(view: View, events: Sequence[Event]) -> View:
    """See `Game.follow`. Events of a type that is not known here change nothing."""
    view = dict(view)
    for event in events:
        view["score"] = cast("int", view["score"]) + cast("int", event.get("points", 0))
        match event:
            case {"type": "propose", "rotation": rotation, "column": column}:
                view["pending"] = {"rotation": rotation, "column": column}
            case {"type": "confirm", "by": by}:
                view["pending"], view["chooser"] = None, by
            case {"type": "reject"}:
                view["pending"] = None
            case {"type": "place_piece"}:
                view["board"], view["used"] = _placed(view, event), cast("int", view["used"]) + 1
            case {"type": "rows", "cleared": list(cleared)}:
                kept = [list(row) for number, row in enumerate(_board(view)) if number not in cleared]
                view["board"] = [[0] * COLUMNS for _ in cleared] + kept
            case {"type": "restart", "used": used, "points": int(points), "attempt": attempt}:
                view["abandoned"] = [*cast("list[list[int]]", view["abandoned"]), [used, -points]]
                view |= {"board": [[0] * COLUMNS for _ in range(ROWS)], "used": 0, "chooser": 0, "pending": None}
                view["attempt"] = attempt
            case {"type": "next_shape"}:
                view["queue"] = _known(view, event)
            case {"type": "over", "ended": ended}:
                view["ended"] = ended
        if event["type"] in _DECISIONS:
            view["turn"] = cast("int", view["turn"]) + 1
    return view


_DECISIONS = ("place_piece", "too_high", "propose", "reject", "restart")
"""One of them comes with each decision; with `confirm` it is what becomes of the piece."""


def _board(view: View) -> list[list[int]]:
    return cast("list[list[int]]", view["board"])


def _placed(view: View, event: Event) -> list[list[int]]:
    board = [list(row) for row in _board(view)]
    for row, column in cast("list[list[int]]", event["cells"]):
        board[row][column] = KINDS.index(cast("str", event["piece"])) + 1
    return board


def _known(view: View, event: Event) -> list[str]:
    queue, used = list(cast("list[str]", view["queue"])), cast("int", event["used"])
    for number, piece in ((used, event["piece"]), (used + 1, event["next"])):
        if piece is not None and number == len(queue):
            queue.append(cast("str", piece))
    return queue
