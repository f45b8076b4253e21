"""row-clear held against its naive second implementation, decision by decision, in thousands of random games.

Teams propose, reject, confirm and restart at random; every event is compared, and the board drawn from events alone.
"""

from __future__ import annotations

import random

import pytest

from samedrop_rules import Event, IllegalMove, Move
from samedrop_rules.row_clear import RowClear
from tests.support.naive.row_clear import LETTERS, NaiveRowClear

GAME = RowClear()
BATCHES = 8
GAMES_PER_BATCH = 400
CHECKED_EVERY = 10
KINDS = [("fixed", 10, 1), ("fixed", 10, 2), ("seeded", 24, 1), ("seeded", 24, 2)]


class Duel:
    """One deal, played by both."""

    def __init__(self, seed: str, queue: str, pieces: int, team: int, choice: random.Random) -> None:
        options = {"queue": queue, "pieces": pieces, "team": team}
        self.naive = NaiveRowClear(seed, queue, pieces, team)
        self.table = GAME.table(GAME.deal(options, seed=seed), 1)
        self.choice = choice
        self.seeded = queue == "seeded"
        self.known = self.seen(0)
        self.deepest = 0
        self.turns = 0
        self.drawn = [[0] * 6 for _ in range(8)]

    def seen(self, used: int) -> int:
        return min(used + 2, len(self.naive.queue))

    def play(self) -> None:
        while not self.naive.over:
            self.check_view()
            self.decide()
        self.check_view()
        assert self.table.over

    def decide(self) -> None:
        naive, choice = self.naive, self.choice
        if naive.used and choice.random() < 0.03:
            return self.restart()
        if naive.team == 1:
            rotation, column = self.fitting()
            return self.send({"rotation": rotation, "column": column}, self.settled(rotation, column))
        if naive.waiting is None:
            rotation, column = self.fitting()
            naive.waiting = (rotation, column)
            cells = self.cells(rotation, column)
            event = {**self.piece(rotation, column), "type": "propose", "cells": cells, "by": naive.chooser}
            return self.send({"rotation": rotation, "column": column, "by": naive.chooser}, [event])
        by, (rotation, column) = 1 - naive.chooser, naive.waiting
        naive.waiting = None
        if choice.random() < 0.3:
            return self.send({"reject": " no ", "by": by}, [{"type": "reject", "by": by, "reason": "no"}])
        naive.chooser = by
        return self.send({"confirm": True, "by": by}, [{"type": "confirm", "by": by}, *self.settled(rotation, column)])

    def fitting(self) -> tuple[int, int]:
        while True:
            rotation, column = self.choice.randrange(4), self.choice.randrange(6)
            if self.naive.where(rotation, column) is not None:
                return rotation, column
            with pytest.raises(IllegalMove, match="wall"):
                self.table.play(0, {"rotation": rotation, "column": column, "by": self.naive.chooser})

    def piece(self, rotation: int, column: int) -> Event:
        return {"piece": self.naive.queue[self.naive.used], "rotation": rotation, "column": column}

    def cells(self, rotation: int, column: int) -> list[list[int]]:
        cells = self.naive.where(rotation, column)
        assert cells is not None
        if any(row > 8 for _, row in cells):
            return []
        return sorted([8 - row, LETTERS.index(letter)] for letter, row in cells)

    def settled(self, rotation: int, column: int) -> list[Event]:
        """Place it in the naive model; what is to be told of that."""
        naive, told, cells = self.naive, self.piece(rotation, column), self.cells(rotation, column)
        full = naive.place(rotation, column)
        if naive.over == "too_high":
            return [{**told, "type": "too_high"}]
        events: list[Event] = [{**told, "type": "place_piece", "cells": cells}]
        if full:
            above = [row for row in range(8, min(full), -1) if row not in full]
            falls = [[8 - row, 8 - row + len([gone for gone in full if gone < row])] for row in above]
            cleared = sorted(8 - row for row in full)
            events.append({"type": "rows", "cleared": cleared, "points": len(full), "falls": falls})
        return events

    def restart(self) -> None:
        by = self.choice.randrange(self.naive.team)
        used, rows = self.naive.used, self.naive.rows
        self.naive.restart()
        attempt = len(self.naive.attempts) + 1
        event = {"type": "restart", "by": by, "attempt": attempt, "used": used, "points": -rows}
        self.send({"restart": True, "by": by}, [event])

    def send(self, move: Move, expected: list[Event]) -> None:
        naive = self.naive
        step = self.table.play(0, move)
        self.turns += 1
        self.deepest = max(self.deepest, naive.used)
        now = self.seen(self.deepest)
        if naive.over:
            expected = [*expected, {"type": "over", "ended": "rules", "cause": naive.over}]
        else:
            decider = naive.chooser if naive.waiting is None else 1 - naive.chooser
            after = naive.queue[naive.used + 1] if naive.used + 1 < len(naive.queue) else None
            following = {"type": "next_shape", "piece": naive.queue[naive.used], "next": after, "used": naive.used}
            expected = [*expected, {**following, "by": decider, "check": naive.waiting is not None}]
        assert step.events == expected
        draws = range(self.known, now) if self.seeded else []
        assert step.disclosed == (sum(1 << draw for draw in draws),)
        self.known = now
        for event in step.events:
            self.draw(event)
        assert self.drawn == naive.wire_board()

    def draw(self, event: Event) -> None:
        match event:
            case {"type": "place_piece", "piece": str(piece), "cells": list(cells)}:
                for row, column in cells:
                    assert self.drawn[row][column] == 0
                    self.drawn[row][column] = " IOTL".index(piece)
            case {"type": "rows", "cleared": list(cleared), "falls": list(falls)}:
                assert all(all(self.drawn[row]) for row in cleared)
                moved = {to: self.drawn[row] for row, to in falls}
                untouched = {row: line for row, line in enumerate(self.drawn) if row > max(cleared)}
                self.drawn = [{**moved, **untouched}.get(row, [0] * 6) for row in range(8)]
            case {"type": "restart"}:
                self.drawn = [[0] * 6 for _ in range(8)]

    def check_view(self) -> None:
        naive, view = self.naive, self.table.view(0)
        known = self.seen(self.deepest) if self.seeded else 10
        waiting = naive.waiting
        assert view == {
            "board": naive.wire_board(),
            "queue": naive.queue[:known],
            "pieces": len(naive.queue),
            "used": naive.used,
            "attempt": len(naive.attempts) + 1,
            "abandoned": [list(attempt) for attempt in naive.attempts],
            "team": naive.team,
            "chooser": naive.chooser,
            "pending": None if waiting is None else {"rotation": waiting[0], "column": waiting[1]},
            "score": naive.rows,
            "turn": self.turns,
            "ended": "rules" if naive.over else None,
        }
        if not naive.over and waiting is None and self.turns % CHECKED_EVERY == 0:
            told = GAME.advise(view, {})["moves"]
            assert isinstance(told, list)
            for move in told:
                assert move["cells"] == self.cells(move["rotation"], move["column"])


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_games_agree(batch: int) -> None:
    choice = random.Random(batch)
    for number in range(GAMES_PER_BATCH):
        Duel(f"{batch}/{number}", *KINDS[number % len(KINDS)], choice).play()


def test_the_greedy_player_chooses_what_the_page_says() -> None:
    choice = random.Random(5)
    for number in range(60):
        duel = Duel(f"greedy {number}", "seeded", 24, 1, choice)
        while not duel.naive.over:
            view = duel.table.view(0)
            looked = {(move["rotation"], move["column"]): GAME.outlook(view, move) for move in GAME.legal(view)}
            best = max(looked, key=lambda one: looked[one])
            assert best == min(looked, key=lambda one: page_order(duel.naive, *one))  # type: ignore[arg-type]
            duel.decide()


def page_order(naive: NaiveRowClear, rotation: int, column: int) -> tuple[int, ...]:
    """The less the better, in the order of the page."""
    after = NaiveRowClear("any")
    after.queue, after.board, after.used = naive.queue, dict(naive.board), naive.used
    cells = after.where(rotation, column)
    assert cells is not None
    cleared = len(after.place(rotation, column))
    heights = {letter: max([row for at, row in after.board if at == letter], default=0) for letter in LETTERS}
    holes = sum((letter, row) not in after.board for letter in LETTERS for row in range(1, heights[letter]))
    top = 8 if after.over == "too_high" else max(heights.values())
    above = after.over == "too_high"
    return -cleared, above, top, holes, min(row for _, row in cells), column, rotation
