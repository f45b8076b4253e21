"""What a decision of dice-drop leads to on the player's own sheet (docs/rules/dice-drop.md, Rounds, Resolving, Solo).

`play_turn` works on a sheet that may be thrown away: it is how a decision is checked, done, and looked ahead at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from samedrop_rules.dice_drop.chance import LETTERS, STAR, Throw
from samedrop_rules.dice_drop.combos import KINDS, Combo, read_combo
from samedrop_rules.dice_drop.move import Drop, Slide, read_column, read_drop, read_placement
from samedrop_rules.dice_drop.shapes import ROWS, Cell, Placement, landing
from samedrop_rules.dice_drop.sheet import ABOVE_LINE, ALL_SIZES, FULL_ROW, TILE_NOTCHES, Sheet
from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Event, Move

OPENING, DROP, BLOCK = "opening", "drop", "block"


class Situation(NamedTuple):
    """What all know of a round.

    Attributes:
        number: of the round, from 0.
        phase: opening, drop or block.
        throw: None before the first.
        block: the letter whose block falls, or None.
        shapes: those of the shape die.
        blocks: the shape of each letter.
        crossed: letters.
    """

    number: int
    phase: str
    throw: Throw | None
    block: str | None
    shapes: str
    blocks: Mapping[str, str]
    crossed: frozenset[str]


class Turn(NamedTuple):
    """What a decision led to.

    Attributes:
        events: without the seat.
        crossed: letters that it crossed (solo).
    """

    events: list[Event]
    crossed: frozenset[str]


def play_turn(sheet: Sheet, now: Situation, seat: int, move: Move) -> Turn:
    """Do what `move` says on `sheet`, and score it.

    Raises:
        InvalidMove, IllegalMove: `sheet` may have changed nevertheless.
    """
    crossed: frozenset[str] = frozenset()
    if now.phase == OPENING:
        events = [_open(sheet, seat, read_column(move))]
    elif now.block is not None:
        events = [_drop_block(sheet, now.block, now.blocks[now.block], read_placement(move), "move.column")]
    else:
        drop = read_drop(move)
        events, crossed = _slide_all(sheet, now, drop.slides)
        events += _drop(sheet, now, drop)
        if drop.combo is not None:
            events += _combine(sheet, now.crossed | crossed, *drop.combo)
    events += _count_rows(sheet)
    if move.get("default") is True:
        events = [{**event, "default": True} if event["type"] in _BY_DEFAULT else event for event in events]
    return Turn(events, crossed)


_BY_DEFAULT = ("opening", "block", "fill")


def _open(sheet: Sheet, seat: int, column: int) -> Event:
    cell = (ROWS - 1, column)
    sheet.fill([cell], [str(seat + 1)])
    return {"type": "opening", "number": seat + 1, "cell": list(cell)}


def _drop_block(sheet: Sheet, letter: str, shape: str, placement: Placement, way: str) -> Event:
    cells = _land(sheet, shape, placement, way)
    sheet.fill(cells, "X" * len(cells))
    return {"type": "block", "letter": letter, "cells": [list(cell) for cell in cells]}


def _land(sheet: Sheet, shape: str, placement: Placement, way: str) -> list[Cell]:
    cells = landing(sheet.heights, shape, placement)
    if cells is None:
        raise IllegalMove(f"{shape} does not fit there.", way)
    return cells


def _drop(sheet: Sheet, now: Situation, drop: Drop) -> list[Event]:
    assert now.throw is not None
    shape = _chosen_shape(now, drop.shape)
    if not fits_dice(now.throw.dice, drop.numbers):
        raise IllegalMove(f"These are not the numbers of the dice: {' '.join(now.throw.dice)}.", "move.numbers")
    cells = _land(sheet, shape, drop.placement, "move.column")
    sheet.fill(cells, map(str, drop.numbers))
    event: Event = {
        "type": "fill",
        "shape": shape,
        "cells": [list(cell) for cell in cells],
        "numbers": list(drop.numbers),
    }
    return [event]


def _chosen_shape(now: Situation, shape: str | None) -> str:
    assert now.throw is not None
    if now.throw.shape == STAR:
        if shape is None or shape not in now.shapes:
            raise IllegalMove(f"The shape die shows a star: choose one of {' '.join(now.shapes)}.", "move.shape")
        return shape
    if shape not in (None, now.throw.shape):
        raise IllegalMove(f"The shape die shows {now.throw.shape}.", "move.shape")
    return now.throw.shape


def fits_dice(dice: str, numbers: tuple[int, ...]) -> bool:
    """Whether these four numbers are those of the dice, with any number for each star."""
    shown = Counter(dice)
    stars = shown.pop(STAR, 0)
    return sum((Counter(map(str, numbers)) - shown).values()) == stars


def _combine(sheet: Sheet, crossed: frozenset[str], kind: str, cells: tuple[Cell, ...]) -> list[Event]:
    size = len(cells)
    if size not in sheet.open_sizes[kind]:
        raise IllegalMove(f"You have done a combo of {size} already.", "move.combo")
    combo = read_combo(sheet.grid, sheet.used, kind, cells)
    if combo is None:
        raise IllegalMove(f"These cells are no {kind} combo.", "move.combo.cells")
    sheet.score_combo(combo)
    events: list[Event] = [combo_event(combo)]
    if size <= len(LETTERS) + 2:
        if sheet.all_done(kind):
            sheet.score += ALL_SIZES
            events.append({"type": "column_done", "kind": kind, "points": ALL_SIZES})
        letter = LETTERS[size - 3]
        if letter not in crossed and all(size in sheet.done[one] for one in KINDS):
            sheet.circled.add(letter)
            events.append({"type": "circle", "letter": letter})
    return events


def combo_event(combo: Combo) -> Event:
    """A combo, without the seat."""
    size = len(combo.cells)
    cells = [list(cell) for cell in combo.cells]
    return {"type": "combo", "kind": combo.kind, "size": size, "cells": cells, "points": size}


def _count_rows(sheet: Sheet) -> list[Event]:
    events: list[Event] = []
    if full := sheet.full_rows():
        sheet.rows_scored.update(full)
        sheet.score += FULL_ROW * len(full)
        events.append({"type": "full_rows", "rows": full, "points": FULL_ROW * len(full)})
    if above := sheet.rows_above():
        sheet.score += ABOVE_LINE * len(above)
        events.append({"type": "penalty", "rows": above, "points": ABOVE_LINE * len(above)})
    return events


# Solo


def next_slides(sheet: Sheet, now: Situation, made: int) -> list[str]:
    """The letters of the tiles of which one slides next, after so many slides; none if nothing slides any more."""
    if sheet.tiles is None or now.throw is None:
        return []
    left = [letter for letter, notches in sheet.tiles.items() if notches < TILE_NOTCHES]
    if made == 0:
        return left
    if made > 1 or not now.throw.starred:
        return []
    return left if now.throw.shape == STAR else [one for one in left if now.blocks[one] == now.throw.shape]


def slide(sheet: Sheet, now: Situation, letter: str) -> bool:
    """Slide a tile a notch; whether its shape drops now."""
    assert sheet.tiles is not None
    sheet.tiles[letter] += 1
    return sheet.tiles[letter] == TILE_NOTCHES and letter not in sheet.circled


def _slide_all(sheet: Sheet, now: Situation, slides: tuple[Slide, ...]) -> tuple[list[Event], frozenset[str]]:
    events: list[Event] = []
    crossed = set()
    for number, (letter, placement) in enumerate(slides):
        way = f"move.slides[{number}]"
        may = next_slides(sheet, now, number)
        if letter not in may:
            raise IllegalMove(f"That tile does not slide now{': ' + ' '.join(may) if may else ''}.", f"{way}.letter")
        drops = slide(sheet, now, letter)
        assert sheet.tiles is not None
        events.append({"type": "slide", "letter": letter, "notch": sheet.tiles[letter]})
        if sheet.tiles[letter] == TILE_NOTCHES:
            crossed.add(letter)
            events.append({"type": "cross", "letter": letter})
        if drops:
            if placement is None:
                raise IllegalMove(f"Tile {letter} is down: say where its shape drops.", f"{way}.column")
            events.append(_drop_block(sheet, letter, now.blocks[letter], placement, f"{way}.column"))
    if next_slides(sheet, now, len(slides)):
        raise IllegalMove("Another tile has to slide before the drop.", "move.slides")
    return events, frozenset(crossed)
