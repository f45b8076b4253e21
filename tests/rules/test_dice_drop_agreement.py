"""dice-drop held against its naive second implementation: placements, combos, scoring, blocks, in thousands of games.

Decisions are random: any shape, arrangement, numbers for stars, placement, and often a combo.
"""

from __future__ import annotations

import random

import pytest

from samedrop_rules import Event, IllegalMove, Move
from samedrop_rules.dice_drop import DiceDrop
from samedrop_rules.dice_drop.combos import KINDS, find_combos
from samedrop_rules.dice_drop.table import DiceDropTable
from tests.support.naive.dice_drop import Cell, NaiveDiceDrop, NaiveSheet, every_combo, is_combo, placed

GAME = DiceDrop()
BATCHES = 8
GAMES_PER_BATCH = 250
EVERYTHING = 10**9
POSITIONS = 250


class Duel:
    """One deal, played by both."""

    def __init__(self, seed: str, seats: int, choice: random.Random) -> None:
        five, opening = choice.random() < 0.5, choice.random() < 0.3
        options = {"shapes": "five" if five else "four", "opening_number": opening}
        self.naive = NaiveDiceDrop(seed, seats, five, opening)
        table = GAME.table(GAME.deal(options, seed=seed), seats)
        assert isinstance(table, DiceDropTable)
        self.table = table
        self.choice = choice
        self.opening = opening

    def play(self) -> None:
        while not self.naive.over:
            due = self.naive.due()
            assert [seat for seat in range(self.table.seats) if self.table.due(seat)] == due
            self.choice.shuffle(due)
            scores = [sheet.score for sheet in self.naive.sheets]
            moves = {seat: self.decide(self.naive.sheets[seat], seat) for seat in due}
            for seat in due[:-1]:
                assert self.table.play(seat, moves[seat]).events == [{"type": "decided", "seat": seat}]
            assert [self.table.score(seat) for seat in range(self.table.seats)] == scores
            self.opening = False
            step = self.table.play(due[-1], moves[due[-1]])
            expected = self.naive.finish_round()
            assert step.events == [{"type": "decided", "seat": due[-1]}, *expected]
            self.check()
        assert self.table.over

    def decide(self, sheet: NaiveSheet, seat: int) -> Move:
        """A random decision, done on the naive sheet."""
        choice = self.choice
        if self.opening:
            column = choice.randrange(7)
            sheet.put([(13, column)], [str(seat + 1)])
            sheet.tell("opening", number=seat + 1, cell=[13, column])
            sheet.end_of_turn()
            return {"column": column}
        if self.naive.block:
            shape = self.naive.blocks[self.naive.block]
            place, cells = self.place(sheet, seat, shape)
            sheet.put(cells, ["X"] * len(cells))
            sheet.tell("block", letter=self.naive.block, cells=[list(cell) for cell in cells])
            sheet.end_of_turn()
            return place
        assert self.naive.throw is not None
        dice, face = self.naive.throw
        shape = choice.choice(self.naive.faces) if face == "*" else face
        place, cells = self.place(sheet, seat, shape)
        numbers = [choice.randrange(10) if one == "*" else int(one) for one in dice]
        choice.shuffle(numbers)
        sheet.put(cells, list(map(str, numbers)))
        sheet.tell("fill", shape=shape, cells=[list(cell) for cell in cells], numbers=list(numbers))
        move: dict[str, object] = {**place, "numbers": numbers}
        if face == "*" or choice.random() < 0.3:
            move["shape"] = shape
        if choice.random() < 0.4:
            self.combine(sheet, move)
        sheet.end_of_turn()
        return move

    def combine(self, sheet: NaiveSheet, move: dict[str, object]) -> None:
        """A random combo, if the grid offers one."""
        offered = every_combo(sheet.grid, sheet.used)
        combos = sorted((kind, sorted(cells)) for kind, cells in offered if sheet.may(kind, len(cells)))
        if combos:
            kind, combo = self.choice.choice(combos)
            self.choice.shuffle(combo)
            sheet.combine(kind, combo, self.naive.crossed)
            move["combo"] = {"kind": kind, "cells": [list(cell) for cell in combo]}

    def place(self, sheet: NaiveSheet, seat: int, shape: str) -> tuple[Move, list[Cell]]:
        """A random placement; those that do not fit are refused on the way."""
        while True:
            mirror, turns, column = self.choice.random() < 0.5, self.choice.randrange(4), self.choice.randrange(7)
            # Low ones more often, so that games are long enough for all that can happen.
            found = [placed(sheet.grid, shape, mirror, turns, self.choice.randrange(7)) for _ in range(2)]
            cells = placed(sheet.grid, shape, mirror, turns, column)
            if cells is None:
                continue
            if any(other is not None and min(other)[0] > min(cells)[0] for other in found):
                continue
            return {"mirror": mirror, "turns": turns, "column": column}, cells

    def check(self) -> None:
        naive = self.naive
        for seat, sheet in enumerate(naive.sheets):
            view = self.table.view(seat)
            shown = {
                "grid": sheet.picture(),
                "score": sheet.score,
                "identical": sorted(sheet.identical),
                "consecutive": sorted(sheet.consecutive),
                "eight": sheet.eight,
                "circled": sorted(sheet.circled),
                "crossed": sorted(naive.crossed),
                "rows_scored": sorted(sheet.rows),
                "used": sorted(map(list, sheet.used)),
                "round": naive.round,
                "block": naive.block or None,
                "blocks": naive.blocks,
            }
            assert {key: view[key] for key in shown} == shown


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_games_agree(batch: int) -> None:
    choice = random.Random(batch)
    for number in range(GAMES_PER_BATCH):
        Duel(f"{batch}/{number}", choice.choice([1, 2, 3, 6]) if number % 5 else 2, choice).play()


def random_grid(choice: random.Random) -> tuple[dict[Cell, str], set[Cell]]:
    """A grid with few different numbers, so that there are many combos, and some cells used."""
    marks = choice.choice(["123456", "1223", "3456X", "0123456789X"])
    grid = {
        (row, column): choice.choice(marks) for column in range(7) for row in range(13, 13 - choice.randrange(5), -1)
    }
    return grid, {cell for cell in grid if choice.random() < 0.1}


def test_all_combos_of_a_grid_are_found_and_no_others() -> None:
    choice = random.Random(9)
    sizes = dict.fromkeys(KINDS, range(3, 9))
    for _ in range(POSITIONS):
        grid, used = random_grid(choice)
        rows = [[grid.get((row, column), ".") for column in range(7)] for row in range(14)]
        found, more = find_combos(rows, used, sizes, listed=EVERYTHING)
        assert not more
        told = [(combo.kind, frozenset(combo.cells)) for combo in found]
        assert len(told) == len(set(told))
        assert set(told) == every_combo(grid, used)
        order = [(-len(combo.cells), KINDS.index(combo.kind)) for combo in found]
        assert order == sorted(order)
        some, more = find_combos(rows, used, sizes)
        counts = {key: order.count(key) for key in order}
        assert more == any(count > 40 for count in counts.values())
        assert len(some) == sum(min(40, count) for count in counts.values())


def test_whatever_cells_are_named_as_a_combo_both_say_the_same() -> None:
    choice = random.Random(10)
    taken = refused = 0
    for number in range(1500):
        table = GAME.table(GAME.deal({}, seed=f"combo {number}"), 1)
        assert isinstance(table, DiceDropTable)
        grid, used = random_grid(choice)
        if not grid:
            continue
        table.sheets[0].fill(grid, grid.values())
        table.sheets[0].used = set(used)
        default = table.default(0)
        assert default is not None
        move = {key: value for key, value in default.items() if key != "default"}
        shape, numbers = move["shape"], move["numbers"]
        assert isinstance(shape, str)
        assert isinstance(numbers, list)
        cells = placed(grid, shape, bool(move["mirror"]), int(str(move["turns"])), int(str(move["column"])))
        assert cells is not None
        after = {**grid, **dict(zip(cells, map(str, numbers), strict=True))}
        start = choice.choice(sorted(after))
        near = sorted(after, key=lambda cell: (abs(cell[0] - start[0]) + abs(cell[1] - start[1]), choice.random()))
        named = near[: choice.choice([3, 3, 3, 4, 5])]
        kind = choice.choice(KINDS)
        combo = {"kind": kind, "cells": [list(cell) for cell in named]}
        if len(named) >= 3 and is_combo(after, used, kind, set(named)):
            told: list[Event] = table.play(0, {**move, "combo": combo}).events
            assert any(event["type"] == "combo" for event in told)
            taken += 1
        elif len(named) >= 3:
            with pytest.raises(IllegalMove, match="combo"):
                table.play(0, {**move, "combo": combo})
            refused += 1
    assert taken > 20
    assert refused > 100
