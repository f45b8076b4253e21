"""What a player can decide: the moves that are listed, the default move, and advice (docs/rules/dice-drop.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from samedrop_rules.dice_drop.chance import STAR, Throw
from samedrop_rules.dice_drop.combos import Combo, find_combos
from samedrop_rules.dice_drop.move import read_placement, read_slides
from samedrop_rules.dice_drop.shapes import COLUMNS, ROWS, Cell, Placement, default_order, landing, landings
from samedrop_rules.dice_drop.sheet import Sheet
from samedrop_rules.dice_drop.turn import OPENING, Situation, next_slides, play_turn, slide
from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Move

MoveDict = dict[str, object]


def thrown_numbers(now: Situation) -> list[int]:
    """The numbers in the order of the dice, 1 for a star."""
    assert now.throw is not None
    return [1 if face == STAR else int(face) for face in now.throw.dice]


def droppable(now: Situation) -> str:
    """The shapes that may be dropped."""
    assert now.throw is not None
    return now.shapes if now.throw.shape == STAR else now.throw.shape


def placed(placement: Placement) -> MoveDict:
    """A placement as a part of a move."""
    return {"turns": placement.turns, "mirror": placement.mirror, "column": placement.column}


# The moves that are listed


def legal_moves(sheet: Sheet, now: Situation) -> list[Move]:
    """See `Game.legal`: by shape, orientation, from the left; without a combo, then with the first of each kind."""
    if now.phase == OPENING:
        return [{"column": column} for column in range(COLUMNS)]
    if now.block is not None:
        return [placed(placement) for placement, _ in landings(sheet.heights, now.blocks[now.block])]
    moves: list[Move] = []
    first = _finish(sheet, now, 0)
    assert first is not None, "there is always one"
    slides = cast("list[MoveDict]", first.get("slides", []))
    after = _slid(sheet, now, slides)
    start: MoveDict = {"slides": slides} if slides else {}
    for shape in droppable(now):
        for placement, cells in landings(after.heights, shape):
            move = {**start, "shape": shape, **placed(placement), "numbers": thrown_numbers(now)}
            moves.append(move)
            moves += [{**move, "combo": _told(combo)} for combo in _first_combos(after, now, cells)]
    return moves + _other_slides(sheet, now, slides)


def _first_combos(sheet: Sheet, now: Situation, cells: list[Cell]) -> list[Combo]:
    filled = sheet.copy()
    filled.fill(cells, map(str, thrown_numbers(now)))
    return find_combos(filled.grid, filled.used, filled.open_sizes, listed=1)[0]


def _told(combo: Combo) -> MoveDict:
    return {"kind": combo.kind, "cells": [list(cell) for cell in combo.cells]}


def _other_slides(sheet: Sheet, now: Situation, slides: list[MoveDict]) -> list[Move]:
    """In solo: the default move with each other tile that may slide first."""
    others: list[Move] = []
    for letter in next_slides(sheet, now, 0):
        if letter != slides[0]["letter"]:
            move = _slide_first(sheet, now, 0, letter)
            if move is not None:
                others.append(move)
    return others


# The default move


def default_move(sheet: Sheet, now: Situation) -> Move:
    """See `Table.default` (The default move)."""
    if now.phase == OPENING:
        return {"column": 0, "default": True}
    if now.block is not None:
        placement = default_order(sheet.heights, now.blocks[now.block])[0]
        return {**placed(placement), "default": True}
    move = _finish(sheet, now, 0)
    assert move is not None, "there is always one"
    return {**move, "default": True}


def _finish(sheet: Sheet, now: Situation, made: int) -> MoveDict | None:
    """The first way to go on after so many slides; None if there is none."""
    letters = next_slides(sheet, now, made)
    if letters:
        return _slide_first(sheet, now, made, letters[0])
    shape = droppable(now)[0]
    for placement in default_order(sheet.heights, shape):
        return {"shape": shape, **placed(placement), "numbers": thrown_numbers(now)}
    return None


def _slide_first(sheet: Sheet, now: Situation, made: int, letter: str) -> MoveDict | None:
    """The first way to go on with a slide of that tile."""
    for placement, after in _after_slide(sheet, now, letter):
        rest = _finish(after, now, made + 1)
        if rest is not None:
            slid: MoveDict = {"letter": letter, **({} if placement is None else placed(placement))}
            return {"slides": [slid, *cast("list[MoveDict]", rest.pop("slides", []))], **rest}
    return None


def _after_slide(sheet: Sheet, now: Situation, letter: str) -> Iterator[tuple[Placement | None, Sheet]]:
    """Every sheet that a slide can lead to, in the order of the default move."""
    after = sheet.copy()
    if not slide(after, now, letter):
        yield None, after
        return
    shape = now.blocks[letter]
    for placement in default_order(after.heights, shape):
        dropped = after.copy()
        cells = landing(dropped.heights, shape, placement)
        assert cells is not None
        dropped.fill(cells, "X" * len(cells))
        yield placement, dropped


def _slid(sheet: Sheet, now: Situation, slides: list[MoveDict]) -> Sheet:
    """The sheet after these slides, which are allowed."""
    after = sheet.copy()
    for one in slides:
        letter = cast("str", one["letter"])
        if slide(after, now, letter):
            cells = landing(after.heights, now.blocks[letter], read_placement(one))
            assert cells is not None
            after.fill(cells, "X" * len(cells))
    return after


# Advice


def advise(sheet: Sheet, now: Situation, seat: int, due: bool, draft: Move) -> MoveDict:
    """See `Game.advise` (Advice).

    Raises:
        InvalidMove, IllegalMove: nothing can become of the draft.
    """
    if not due:
        if draft:
            raise IllegalMove("There is nothing for you to decide now; wait for the others.")
        return {"placements": []}
    if now.phase == OPENING:
        cells = [{"column": column, "cells": [[ROWS - 1, column]]} for column in range(COLUMNS)]
        return {"placements": cells} if "column" not in draft else _combos(sheet, now, seat, draft)
    if now.block is not None:
        shapes = [now.blocks[now.block]]
        return {"placements": _placements(sheet, shapes)} if "column" not in draft else _combos(sheet, now, seat, draft)
    if "column" in draft:
        return _combos(sheet, now, seat, draft)
    slides = read_slides(draft)
    after = sheet.copy()
    for number, (letter, placement) in enumerate(slides):
        _slide_in_draft(after, now, number, letter, placement)
    may = next_slides(after, now, len(slides))
    if may:
        return {"slides": [_slide_advice(after, now, letter) for letter in may]}
    return {"placements": _placements(after, droppable(now))}


def _combos(sheet: Sheet, now: Situation, seat: int, draft: Move) -> MoveDict:
    """The combos after a whole drop."""
    after = sheet.copy()
    play_turn(after, now, seat, {key: value for key, value in draft.items() if key not in ("combo", "default")})
    if now.phase == OPENING or now.block is not None:
        return {"combos": [], "more": False}
    combos, more = find_combos(after.grid, after.used, after.open_sizes)
    return {"combos": [_told(combo) for combo in combos], "more": more}


def _placements(sheet: Sheet, shapes: list[str] | str) -> list[MoveDict]:
    return [
        {"shape": shape, **placed(placement), "cells": [list(cell) for cell in cells]}
        for shape in shapes
        for placement, cells in landings(sheet.heights, shape)
    ]


def _slide_in_draft(sheet: Sheet, now: Situation, number: int, letter: str, placement: Placement | None) -> None:
    way = f"move.slides[{number}]"
    if letter not in next_slides(sheet, now, number):
        raise IllegalMove("That tile does not slide now.", f"{way}.letter")
    if slide(sheet, now, letter):
        cells = None if placement is None else landing(sheet.heights, now.blocks[letter], placement)
        if cells is None:
            raise IllegalMove(f"Tile {letter} is down: say where its shape drops.", f"{way}.column")
        sheet.fill(cells, "X" * len(cells))


def _slide_advice(sheet: Sheet, now: Situation, letter: str) -> MoveDict:
    after = sheet.copy()
    drops = slide(after, now, letter)
    shape = now.blocks[letter]
    return {"letter": letter, "shape": shape, "placements": _placements(after, [shape]) if drops else []}


def situation(view: Mapping[str, object]) -> Situation:
    """What a view shows of the round."""
    throw = cast("Mapping[str, str] | None", view["throw"])
    return Situation(
        cast("int", view["round"]),
        cast("str", view["phase"]),
        None if throw is None else Throw(throw["dice"], throw["shape"]),
        cast("str | None", view["block"]),
        cast("str", view["shapes"]),
        cast("Mapping[str, str]", view["blocks"]),
        frozenset(cast("list[str]", view["crossed"])),
    )
