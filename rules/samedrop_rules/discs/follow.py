"""Following the discs of a board by its events alone, as a client does that is not dealt the numbers itself.

The events are the engine's own and are trusted; checking a run is `replay`'s. Clock and end are each game's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from samedrop_rules.discs.tables import CRACKED, SIZE, SOLID
from samedrop_rules.game import Event


def follow_discs(board: list[str], event: Event) -> None:
    """Change the text form `board`, a character for each cell, by an event; those of other things change nothing."""
    match event:
        case {"type": "drop", "disc": disc, "cell": [int(row), int(column)]}:
            board[SIZE * row + column] = str(disc)
        case {"type": "wave"}:
            _apply_wave(board, event)
        case {"type": "rise"}:
            board[:] = board[SIZE:] + [str(SOLID)] * SIZE


def _apply_wave(board: list[str], event: Event) -> None:
    for row, column, _ in _cells(event["cleared"]):
        board[SIZE * row + column] = "0"
    for row, column in _cells(event["cracked"]):
        board[SIZE * row + column] = str(CRACKED)
    for row, column, number in _cells(event["revealed"]):
        board[SIZE * row + column] = str(number)
    falls = [(row, column, to_row, board[SIZE * row + column]) for row, column, to_row in _cells(event["falls"])]
    for row, column, _, _ in falls:
        board[SIZE * row + column] = "0"
    for _, column, to_row, disc in falls:
        board[SIZE * to_row + column] = disc


def _cells(listed: object) -> Iterable[Sequence[int]]:
    return cast("Iterable[Sequence[int]]", listed)
