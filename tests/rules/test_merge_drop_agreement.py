"""merge-drop held against its naive second implementation, placement by placement, in thousands of random games.

Every event is compared, falls too: the board that the events lead to must be that of the naive model.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from samedrop_rules import Event, IllegalMove, Move
from samedrop_rules.merge_drop import MergeDrop
from samedrop_rules.merge_drop.board import MergeDropBoard
from samedrop_rules.merge_drop.grid import Grid
from samedrop_rules.race import RaceTable
from tests.support.disc_events import bits
from tests.support.naive.merge_drop import MergeStep, NaiveMergeDrop, Placement

GAME = MergeDrop()
BATCHES = 16
GAMES_PER_BATCH = 190
CHECKED_EVERY = 8


class Follower:
    """A client that knows no rules: it draws the board from the events."""

    def __init__(self) -> None:
        self.board = [[0] * 6 for _ in range(12)]

    def see(self, event: Event) -> None:
        match event:
            case {"type": "place", "tiles": list(tiles)}:
                for row, column, value in tiles:
                    assert self.board[row][column] == 0
                    self.board[row][column] = value
            case {"type": "rise_row", "numbers": list(numbers)}:
                assert self.board[0] == [0] * 6
                self.board = [*self.board[1:], list(numbers)]
            case {"type": "merge", "merged": list(merged), "made": list(made), "falls": list(falls)}:
                for row, column, _, _ in merged:
                    assert self.board[row][column] != 0
                    self.board[row][column] = 0
                for row, column, value in made:
                    self.board[row][column] = value
                self.fall(falls)

    def fall(self, falls: list[list[int]]) -> None:
        assert falls == sorted(falls)
        moved = [(to_row, column, self.board[row][column]) for row, column, to_row in falls]
        for row, column, to_row in falls:
            assert to_row > row
            self.board[row][column] = 0
        for row, column, value in moved:
            assert value != 0
            assert self.board[row][column] == 0
            self.board[row][column] = value


def merge_events(steps: list[MergeStep]) -> Iterator[Event]:
    for step in steps:
        merged = [[*cell, *to] for to, group in step.groups for cell in group]
        yield {
            "type": "merge",
            "step": step.number,
            "merged": sorted(merged),
            "made": [list(made) for made in step.made],
            "points": step.points,
        }
        if step.milestone:
            yield {"type": "milestone", "tile": step.milestone}


def expected_events(naive: NaiveMergeDrop, steps: list[MergeStep]) -> Iterator[Event]:
    """What the placement just made in `naive` should be told as, without the falls."""
    yield {"type": "place", "tiles": [list(tile) for tile in naive.rested]}
    yield from merge_events(steps)
    if naive.risen is not None:
        yield {"type": "rise_row", "numbers": naive.risen}
        yield from merge_events(naive.after_rise)
    if naive.over:
        yield {"type": "over", "ended": "rules", "cause": naive.cause}
    else:
        piece, following = list(naive.piece), list(naive.following)
        yield {"type": "next_piece", "piece": piece, "next": following, "clock": naive.clock}


def move_of(placement: Placement) -> Move:
    return {"column": placement[0], "rotation": placement[1]}


class Duel:
    """One deal, played by both."""

    def __init__(self, seed: str) -> None:
        self.naive = NaiveMergeDrop(seed)
        self.table = GAME.table(GAME.deal({}, seed=seed), 1)
        assert isinstance(self.table, RaceTable)
        board = self.table.boards[0]
        assert isinstance(board, MergeDropBoard)
        self.board = board
        self.follower = Follower()
        self.legal = self.naive.legal()

    def set_up(self, columns: list[list[int]]) -> None:
        """Put these tiles on both boards before the first piece."""
        for column, values in enumerate(columns):
            for value in values:
                self.naive.put(column, value)
        self.board.grid = Grid(value for line in self.naive.board for value in line)
        self.follower.board = [list(line) for line in self.naive.board]
        self.legal = self.naive.legal()

    def play(self, choice: random.Random) -> None:
        """To the end, both by the same random placements."""
        self.check_position()
        while not self.naive.over:
            self.place(choice.choice(self.legal))
            if self.naive.placed % CHECKED_EVERY == 0 or self.naive.over:
                self.check_position()
                self.check_refusals()

    def place(self, placement: Placement) -> None:
        naive = self.naive
        steps = naive.place(placement)
        step = self.table.play(0, move_of(placement))
        told = [{key: value for key, value in event.items() if key != "falls"} for event in step.events]
        assert told == list(expected_events(naive, steps))
        for event in step.events:
            self.follower.see(event)
        assert self.follower.board == naive.board
        self.legal = naive.legal()
        pieces, rows = step.disclosed
        first = 2 * (naive.placed + 1)
        assert bits(pieces) == ([] if naive.over else [first, first + 1])
        row = 6 * (naive.placed // 8 - 1)
        assert bits(rows) == ([] if naive.risen is None else list(range(row, row + 6)))

    def check_position(self) -> None:
        naive, view = self.naive, self.table.view(0)
        piece, following = ([], []) if naive.over else (list(naive.piece), list(naive.following))
        shown = {"board": naive.board, "piece": piece, "next": following, "clock": naive.clock, "score": naive.score}
        assert {key: view[key] for key in shown} == shown
        assert view["turn"] == naive.placed
        assert self.table.over == naive.over
        moves = [move_of(placement) for placement in self.legal]
        assert self.table.legal(0) == moves
        assert GAME.legal(view) == moves

    def check_refusals(self) -> None:
        before = self.table.digest(0)
        for placement in {(column, rotation) for column in range(6) for rotation in range(4)} - set(self.legal):
            with pytest.raises(IllegalMove):
                self.table.play(0, move_of(placement))
        assert self.table.digest(0) == before


def tall(choice: random.Random) -> list[list[int]]:
    """Columns from the left, each from the bottom up, that leave little room; none of their tiles merge."""
    return [[32 << (height + 2 * column) % 5 for height in range(choice.randint(8, 10))] for column in range(6)]


def staircase(choice: random.Random) -> list[list[int]]:
    """A column that waits for one more tile to become one great tile."""
    columns: list[list[int]] = [[] for _ in range(6)]
    columns[choice.randrange(6)] = [1024, 512, 256, 128, 64, 32, 16, 8][: choice.randint(1, 8)]
    return columns


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_games_agree(batch: int) -> None:
    causes = set()
    for number in range(batch * GAMES_PER_BATCH, (batch + 1) * GAMES_PER_BATCH):
        duel = Duel(f"agreement/{number}")
        duel.play(random.Random(number))
        causes.add(duel.naive.cause)
    assert causes >= {"rise"}


@pytest.mark.parametrize("start", [tall, staircase])
def test_games_from_rare_positions_agree(start: Callable[[random.Random], list[list[int]]]) -> None:
    causes = set()
    milestones = 0
    for number in range(100):
        choice = random.Random(number)
        duel = Duel(f"rare/{number}")
        duel.set_up(start(choice))
        duel.play(choice)
        causes.add(duel.naive.cause)
        milestones += duel.naive.reported
    assert causes == ({"rise", "full"} if start is tall else {"rise"})
    assert milestones or start is tall


def test_the_outlook_is_what_the_naive_model_comes_to() -> None:
    judged = 0
    for number in range(8):
        duel = Duel(f"outlook/{number}")
        naive = duel.naive
        while not naive.over and naive.placed < 120:
            view = duel.table.view(0)
            looks = {placement: look(naive, placement) for placement in duel.legal}
            outlooks = {placement: GAME.outlook(view, move_of(placement)) for placement in duel.legal}
            assert {placement: outlook[0] for placement, outlook in outlooks.items()} == {
                placement: -seen[0] for placement, seen in looks.items()
            }
            greedy = min(looks, key=lambda placement: looks[placement])
            assert max(outlooks, key=lambda placement: outlooks[placement]) == greedy
            duel.place(greedy)
            judged += 1
    assert judged > 500


def look(naive: NaiveMergeDrop, placement: Placement) -> tuple[int, ...]:
    """What the greedy player looks at, smallest first (docs/rules/merge-drop.md, The greedy player)."""
    blind = NaiveMergeDrop("")
    blind.board = [list(line) for line in naive.board]
    blind.piece = naive.piece
    points = sum(step.points for step in blind.place(placement))
    tiles = {(r, c): value for r, line in enumerate(blind.board) for c, value in enumerate(line) if value}
    height = max(12 - row for row, _ in tiles)
    beside = [((row, column), at) for row, column in tiles for at in ((row + 1, column), (row, column + 1))]
    apart = sum(tiles[a] in (2 * tiles[b], tiles[b] // 2) for a, b in beside if b in tiles)
    return -points, len(tiles), height, -apart, *placement
