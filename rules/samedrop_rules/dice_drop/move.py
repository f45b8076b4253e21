"""A decision of dice-drop in its wire form, checked as far as its form goes (docs/rules/dice-drop.md, Move)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from samedrop_rules.dice_drop.chance import LETTERS
from samedrop_rules.dice_drop.combos import GREATEST, KINDS, SMALLEST
from samedrop_rules.dice_drop.shapes import COLUMNS, ROWS, SHAPES, Cell, Placement
from samedrop_rules.errors import InvalidMove
from samedrop_rules.game import Move

MOST_SLIDES = 2


class Slide(NamedTuple):
    """A tile's slide; with a placement if its shape drops."""

    letter: str
    placement: Placement | None


class Drop(NamedTuple):
    """A decision of a drop round."""

    slides: tuple[Slide, ...]
    shape: str | None
    placement: Placement
    numbers: tuple[int, ...]
    combo: tuple[str, tuple[Cell, ...]] | None


def read_column(move: Move) -> int:
    """The column of an opening."""
    return _whole(_mapping(move, "move"), "column", COLUMNS, "move")


def read_placement(move: Move, way: str = "move") -> Placement:
    """A placement."""
    fields = _mapping(move, way)
    mirror = fields.get("mirror", False)
    if not isinstance(mirror, bool):
        raise InvalidMove("mirror must be true or false.", f"{way}.mirror")
    return Placement(mirror, _whole(fields, "turns", 4, way), _whole(fields, "column", COLUMNS, way))


def read_drop(move: Move) -> Drop:
    """A decision of a drop round.

    Raises:
        InvalidMove
    """
    fields = _mapping(move, "move")
    shape = fields.get("shape")
    if shape is not None and not (isinstance(shape, str) and shape in SHAPES):
        raise InvalidMove("shape must be the letter of a shape.", "move.shape")
    return Drop(read_slides(fields), shape, read_placement(move), _numbers(fields), _combo(fields.get("combo")))


def read_slides(move: Move) -> tuple[Slide, ...]:
    """The slides of a decision; none where it names none."""
    listed = move.get("slides", [])
    if not isinstance(listed, list | tuple) or len(listed) > MOST_SLIDES:
        raise InvalidMove(f"slides must be a list of at most {MOST_SLIDES}.", "move.slides")
    return tuple(_slide(slide, f"move.slides[{number}]") for number, slide in enumerate(listed))


def _slide(slide: object, way: str) -> Slide:
    fields = _mapping(slide, way)
    letter = fields.get("letter")
    if not isinstance(letter, str) or len(letter) != 1 or letter not in LETTERS:
        raise InvalidMove("letter must be one of A to E.", f"{way}.letter")
    return Slide(letter, read_placement(fields, way) if "column" in fields else None)


def _numbers(fields: Mapping[str, object]) -> tuple[int, ...]:
    numbers = fields.get("numbers")
    if (
        not isinstance(numbers, list | tuple)
        or len(numbers) != 4
        or not all(type(number) is int and 0 <= number <= 9 for number in numbers)
    ):
        raise InvalidMove("numbers must be four whole numbers from 0 to 9, one for each cell.", "move.numbers")
    return tuple(numbers)


def _combo(combo: object) -> tuple[str, tuple[Cell, ...]] | None:
    if combo is None:
        return None
    fields = _mapping(combo, "move.combo")
    kind, cells = fields.get("kind"), fields.get("cells")
    if kind not in KINDS:
        raise InvalidMove("kind must be identical or consecutive.", "move.combo.kind")
    if not isinstance(cells, list | tuple) or not SMALLEST <= len(cells) <= GREATEST:
        raise InvalidMove(f"A combo has {SMALLEST} to {GREATEST} cells.", "move.combo.cells")
    read = [_cell(cell) for cell in cells]
    if len(set(read)) < len(read):
        raise InvalidMove("A combo names each cell once.", "move.combo.cells")
    return str(kind), tuple(read)


def _cell(cell: object) -> Cell:
    if isinstance(cell, list | tuple) and len(cell) == 2:
        row, column = cell
        if type(row) is int and type(column) is int and 0 <= row < ROWS and 0 <= column < COLUMNS:
            return row, column
    raise InvalidMove("A cell is [row, column], rows from 0 to 13 and columns from 0 to 6.", "move.combo.cells")


def _mapping(value: object, way: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise InvalidMove(f"{'A move' if way == 'move' else way} must be an object.", way)
    return value


def _whole(fields: Mapping[str, object], name: str, below: int, way: str) -> int:
    number = fields.get(name)
    if type(number) is not int or not 0 <= number < below:
        raise InvalidMove(f"{name} must be a whole number from 0 to {below - 1}.", f"{way}.{name}")
    return number
