"""Boards of merge-drop written column by column."""

from __future__ import annotations

from collections.abc import Sequence

from samedrop_rules import Event
from samedrop_rules.merge_drop.board import MergeDropBoard
from samedrop_rules.merge_drop.chance import Chance


def tiles_of(*columns: Sequence[int]) -> list[int]:
    """The tiles of a board given by its columns from the left, each from the bottom up."""
    tiles = [0] * 72
    for column, values in enumerate(columns):
        for height, value in enumerate(values):
            tiles[6 * (11 - height) + column] = value
    return tiles


def columns_of(tiles: Sequence[int]) -> list[list[int]]:
    """The columns of a board, each from the bottom up; those on the right that are empty are left out."""
    columns = [[tile for tile in tiles[column::6][::-1] if tile] for column in range(6)]
    while columns and not columns[-1]:
        columns.pop()
    return columns


def board(
    *columns: Sequence[int],
    pieces: Sequence[Sequence[int]] = ((2, 2), (2, 2), (2, 2)),
    rows: Sequence[Sequence[int]] = (),
    turn: int = 0,
) -> MergeDropBoard:
    """A board to play on: the current piece and those that follow, and the rows that rise."""
    chance = Chance(lambda k: list(pieces[k - turn]), lambda g: list(rows[g - turn // 8]))
    return MergeDropBoard(chance, tiles_of(*columns), turn)


def place(played: MergeDropBoard, column: int, rotation: int = 0) -> list[Event]:
    """Play one piece; its events."""
    return played.play({"column": column, "rotation": rotation}).events


def types(events: Sequence[Event]) -> list[object]:
    """The types of events, in order."""
    return [event["type"] for event in events]
