"""Following a merge-drop board by its events alone, as a client does that is not dealt the numbers itself.

The events are the engine's own and are trusted; checking a run is `replay`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from samedrop_rules.game import Event, View
from samedrop_rules.merge_drop.chance import PIECES_PER_RISE

Rows = list[list[int]]


def follow(view: View, events: Sequence[Event]) -> View:
    """See `Game.follow`. Events of a type that is not known here change nothing."""
    view = dict(view)
    board = [list(row) for row in cast("Rows", view["board"])]
    for event in events:
        view["score"] = cast("int", view["score"]) + cast("int", event.get("points", 0))
        match event:
            case {"type": "place", "tiles": tiles}:
                for row, column, value in _lists(tiles):
                    board[row][column] = value
                view["turn"] = cast("int", view["turn"]) + 1
                view["clock"] = cast("int", view["clock"]) - 1
            case {"type": "merge"}:
                _apply_merge(board, event)
            case {"type": "rise_row", "numbers": list(numbers)}:
                board = [*board[1:], list(numbers)]
                view["clock"] = PIECES_PER_RISE
            case {"type": "next_piece", "piece": list(piece), "next": list(following), "clock": clock}:
                view["piece"], view["next"], view["clock"] = list(piece), list(following), clock
            case {"type": "over", "ended": ended}:
                view["ended"], view["piece"], view["next"] = ended, [], []
    view["board"] = board
    return view


def _apply_merge(board: Rows, event: Event) -> None:
    for row, column, _, _ in _lists(event["merged"]):
        board[row][column] = 0
    for row, column, value in _lists(event["made"]):
        board[row][column] = value
    falls = [(row, column, to_row, board[row][column]) for row, column, to_row in _lists(event["falls"])]
    for row, column, _, _ in falls:
        board[row][column] = 0
    for _, column, to_row, value in falls:
        board[to_row][column] = value


def _lists(listed: object) -> Iterable[Sequence[int]]:
    return cast("Iterable[Sequence[int]]", listed)
