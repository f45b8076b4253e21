"""Sheets and situations to look at."""

from __future__ import annotations

from collections.abc import Iterable

from samedrop_rules import Move
from samedrop_rules.dice_drop import DiceDrop
from samedrop_rules.dice_drop.chance import Throw
from samedrop_rules.dice_drop.shapes import ROWS
from samedrop_rules.dice_drop.sheet import Sheet
from samedrop_rules.dice_drop.table import DiceDropTable
from samedrop_rules.dice_drop.turn import DROP, Situation

GAME = DiceDrop()
BLOCKS = {"A": "V3", "B": "I3", "C": "U5", "D": "X5", "E": "T5"}
TILES = {"A": "S", "B": "O", "C": "T", "D": "I", "E": "L"}


def sheet_of(*rows: str, used: Iterable[tuple[int, int]] = (), solo: bool = False) -> Sheet:
    """A sheet whose lowest rows are these, from the top."""
    sheet = Sheet(dict.fromkeys("ABCDE", 0) if solo else None)
    for row, marks in enumerate(rows, ROWS - len(rows)):
        cells = [(row, column) for column, mark in enumerate(marks) if mark != "."]
        sheet.fill(cells, marks.replace(".", ""))
    sheet.used = set(used)
    return sheet


def thrown(dice: str = "1457", shape: str = "T", *, crossed: str = "", block: str | None = None) -> Situation:
    """A round with this throw."""
    phase = DROP if block is None else "block"
    return Situation(3, phase, Throw(dice, shape), block, "IOTL", BLOCKS, frozenset(crossed))


def solo(dice: str = "1457", shape: str = "T") -> Situation:
    """A round with this throw, with tiles."""
    return thrown(dice, shape)._replace(blocks=TILES)


def new_table(seats: int = 1, seed: str = "friday", **options: object) -> DiceDropTable:
    table = GAME.table(GAME.deal(options, seed=seed), seats)
    assert isinstance(table, DiceDropTable)
    return table


def drop(column: int, numbers: str, turns: int = 0, **more: object) -> Move:
    return {"turns": turns, "mirror": False, "column": column, "numbers": list(map(int, numbers)), **more}
