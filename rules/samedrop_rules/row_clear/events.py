"""What happened in a decision of row-clear, spelled out: as events in their wire form, and as lines for people.

Cells in events are [row, column], row 0 at the top. People count rows from 1 at the bottom and name columns A to F.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from samedrop_rules.game import Event
from samedrop_rules.race import STOPS
from samedrop_rules.row_clear.grid import COLUMNS, ROWS, SHAPES, Cell, falls, wire_row
from samedrop_rules.row_clear.move import Decision

if TYPE_CHECKING:
    from samedrop_rules.row_clear.board import RowClearBoard

LETTERS = "ABCDEF"


def _cells(cells: Iterable[Cell]) -> list[list[int]]:
    return sorted([wire_row(row), column] for row, column in cells)


def place_piece(piece: str, chosen: Decision, cells: Sequence[Cell]) -> Event:
    """A piece came to rest."""
    return {
        "type": "place_piece",
        "piece": piece,
        "rotation": chosen.rotation,
        "column": chosen.column,
        "cells": _cells(cells),
    }


def propose(piece: str, chosen: Decision, cells: Sequence[Cell], by: int) -> Event:
    """A placement waits to be checked; without cells it would reach above the board."""
    fits = max(row for row, _ in cells) < ROWS
    return {**place_piece(piece, chosen, cells if fits else []), "type": "propose", "by": by}


def too_high(piece: str, chosen: Decision) -> Event:
    """A piece would have reached above the board: it was not placed."""
    return {"type": "too_high", "piece": piece, "rotation": chosen.rotation, "column": chosen.column}


def rows(full: Sequence[int]) -> Event:
    """Full rows went, and those above them came down."""
    return {
        "type": "rows",
        "cleared": sorted(wire_row(row) for row in full),
        "points": len(full),
        "falls": sorted([wire_row(row), wire_row(to)] for row, to in falls(full)),
    }


def restart(board: RowClearBoard, by: int) -> Event:
    """An attempt was abandoned: what it had come to; its points go."""
    return {"type": "restart", "by": by, "attempt": board.attempt + 1, "used": board.used, "points": -board.score}


def next_shape(board: RowClearBoard) -> Event:
    """What is to be decided next, by whom; `next` is null where there is none, or none is known."""
    known, following = board.queue.seen(board.used), board.used + 1
    return {
        "type": "next_shape",
        "piece": board.piece,
        "next": board.queue.piece(following) if following < known else None,
        "used": board.used,
        "by": board.decider,
        "check": board.pending is not None,
    }


def describe(events: Sequence[Event]) -> list[str]:
    """A line for each thing that a player would tell."""
    return [line for event in events if (line := _line(event))]


def _line(event: Event) -> str:
    match event:
        case {"type": "place_piece"}:
            return f"placed {_where(event)}"
        case {"type": "propose", "cells": cells}:
            return f"chose {_where(event)}{'' if cells else ', which reaches above the board'}"
        case {"type": "confirm"}:
            return "confirmed"
        case {"type": "reject", "reason": reason}:
            return f"rejected: {reason}"
        case {"type": "too_high"}:
            return f"{_where(event)} reaches above the board"
        case {"type": "rows", "cleared": list(cleared)}:
            numbers = ", ".join(str(ROWS - row) for row in sorted(cleared, reverse=True))
            return f"{'row' if len(cleared) == 1 else 'rows'} {numbers} cleared, +{len(cleared)}"
        case {"type": "restart", "attempt": attempt, "used": used, "points": int(points)}:
            after = f"{used} {'piece' if used == 1 else 'pieces'} and {-points} {'row' if points == -1 else 'rows'}"
            return f"gave up the attempt after {after}; attempt {attempt} starts"
        case {"type": "next_shape", "piece": piece, "check": check}:
            return "to be checked" if check else f"next {piece}"
        case {"type": "over", "cause": cause}:
            return f"over: {_CAUSES.get(str(cause), str(cause))}"
    return ""


def _where(event: Event) -> str:
    """``T r1 in C-D``"""
    piece, rotation, column = str(event["piece"]), event["rotation"], event["column"]
    assert isinstance(rotation, int)
    assert isinstance(column, int)
    last = column + max(x for _, x in SHAPES[piece, rotation])
    columns = LETTERS[column] if last == column else f"{LETTERS[column]}-{LETTERS[min(last, COLUMNS - 1)]}"
    return f"{piece}{f' r{rotation}' if rotation else ''} in {columns}"


def summary(events: Sequence[Event]) -> str:
    """A whole decision in one line of full sentences, with what comes next."""
    told = [line for event in events if event["type"] not in ("next_shape", "over") for line in [_line(event)]]
    following = ""
    for event in events:
        match event:
            case {"type": "next_shape", "check": True}:
                following = "The partner is to confirm or reject it."
            case {"type": "next_shape", "piece": piece, "next": str(after)}:
                following = f"Next {piece}, then {after}."
            case {"type": "next_shape", "piece": piece}:
                following = f"Next {piece}, the last one known."
            case {"type": "over"}:
                following = f"Your run is over: {_CAUSES.get(str(event['cause']), '')}."
    story = ", ".join(told)
    return f"{story[0].upper()}{story[1:]}. {following}" if story else following


_CAUSES = {
    **STOPS,
    "too_high": "a piece reached above the board",
    "queue": "all pieces are placed",
}
