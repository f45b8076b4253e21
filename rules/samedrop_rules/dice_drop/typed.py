"""Decisions of dice-drop as people type them.

``3`` · ``3 r1 m`` · ``T 3 r1 5172`` · ``3 5172; same A1 A2 B1`` · ``slide B; slide D 2 r1; T 3 5172; run A1 B1 C1``
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from samedrop_rules.dice_drop.choices import situation, thrown_numbers
from samedrop_rules.dice_drop.events import LETTERS
from samedrop_rules.dice_drop.shapes import ROWS
from samedrop_rules.dice_drop.turn import DROP
from samedrop_rules.errors import InvalidMove
from samedrop_rules.game import Move, View

_PLACEMENT = r"([1-7A-G])(?:\s+r([0-3]))?(\s+m)?"
_DROP = re.compile(
    rf"(?:(?:drop|place)\s+)?(?:([IOTLS])\s+)?{_PLACEMENT}(?:\s+([0-9]{{4}}))?", re.ASCII | re.IGNORECASE
)
_SLIDE = re.compile(rf"slide\s+([A-E])(?:\s+{_PLACEMENT})?", re.ASCII | re.IGNORECASE)
_COMBO = re.compile(r"(same|run)((?:\s+[A-G](?:1[0-4]|[1-9]))+)", re.ASCII | re.IGNORECASE)
_HELP = (
    "Type the leftmost column; if you like quarter turns, m for mirrored, the numbers in the order of the shape's "
    "cells, and a combo: such as 3, or T 3 r1 m 5172; same A1 A2 B1 (or run ...). With tiles: slide B; 3."
)


def parse_decision(text: str, view: View) -> Move:
    """The move that a person typed.

    Raises:
        InvalidMove
    """
    move: dict[str, object] = {}
    slides: list[Mapping[str, object]] = []
    for part in map(str.strip, text.split(";")):
        if typed := _SLIDE.fullmatch(part):
            placement = _placement(*typed.group(2, 3, 4)) if typed[2] else {}
            slides.append({"letter": typed[1].upper(), **placement})
        elif (typed := _COMBO.fullmatch(part)) and "combo" not in move:
            kind = "identical" if typed[1].lower() == "same" else "consecutive"
            move["combo"] = {"kind": kind, "cells": [_cell(name) for name in typed[2].split()]}
        elif (typed := _DROP.fullmatch(part)) and "column" not in move:
            move |= _drop(typed, view)
        else:
            raise InvalidMove(_HELP, "move.column")
    if "column" not in move:
        raise InvalidMove(_HELP, "move.column")
    return {**move, "slides": slides} if slides else move


def _drop(typed: re.Match[str], view: View) -> dict[str, object]:
    shape, column, turns, mirror, numbers = typed.groups()
    move = _placement(column, turns, mirror)
    if view["phase"] == "opening":
        return {"column": move["column"]}
    if view["phase"] == DROP:
        move["numbers"] = list(map(int, numbers)) if numbers else thrown_numbers(situation(view))
        if shape:
            move["shape"] = shape.upper()
    return move


def _placement(column: str, turns: str | None, mirror: str | None) -> dict[str, object]:
    number = int(column) - 1 if column.isdigit() else LETTERS.index(column.upper())
    return {"turns": int(turns or 0), "mirror": mirror is not None, "column": number}


def _cell(name: str) -> list[int]:
    return [ROWS - int(name[1:]), LETTERS.index(name[0].upper())]


def prompt(view: View) -> str:
    """What there is to decide on, in a few words."""
    if view["ended"]:
        return "over"
    if not view["due"]:
        return "wait for the others"
    if view["phase"] == "opening":
        return f"write {cast('int', view['seat']) + 1} into a column"
    throw, block = cast("Mapping[str, str]", view["throw"]), cast("str | None", view["block"])
    if block is not None:
        return f"block {block}: {cast('Mapping[str, str]', view['blocks'])[block]}"
    return f"throw {' '.join(throw['dice'])}, shape {throw['shape']}"
