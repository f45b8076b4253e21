"""drop7 held against its naive second implementation, drop by drop, in thousands of random games.

Every event is compared, the board is also rebuilt from the events alone as a client would, and each disclosed draw must
be one that was really needed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from samedrop_rules import Ended, Event, IllegalMove, Move, Step, Table
from samedrop_rules.drop7 import Drop7
from samedrop_rules.drop7.board import Drop7Board
from tests.support.disc_events import Follower, bits, without_falls
from tests.support.naive.deal import below, stream_bytes
from tests.support.naive.drop7 import NaiveDrop7, Tape, Wave

GAME = Drop7()
BATCHES = 20
GAMES_PER_BATCH = 260
MAXIMUM_DROPS_PER_RISE = 7
UNKNOWN = 10
"""A numbered disc whose number the player does not know: occupied, neither gray nor ever matching."""


class Blind(NaiveDrop7):
    """The game as its player can look ahead: a gray disc opens to a number that nobody knows."""

    def number_under(self, row: int, column: int) -> int:
        return UNKNOWN

    def matches(self, row: int, column: int) -> bool:
        return self.board[row][column] != UNKNOWN and super().matches(row, column)


def wave_event(wave: Wave) -> Event:
    return {
        "type": "wave",
        "wave": wave.number,
        "cleared": [list(cell) for cell in wave.cleared],
        "cracked": [list(cell) for cell in wave.cracked],
        "revealed": [list(cell) for cell in wave.revealed],
        "points": wave.points,
    }


def expected_events(naive: NaiveDrop7, disc: int, cell: tuple[int, int], waves: list[Wave]) -> Iterator[Event]:
    """What the drop just made in `naive` should be told as, without the falls."""
    yield {"type": "drop", "disc": disc, "cell": list(cell)}
    for index, wave in enumerate(waves):
        if naive.rise_after == index:
            yield {"type": "rise", "points": 17_000}
        yield wave_event(wave)
    if naive.rise_after == len(waves):
        yield {"type": "rise", "points": 17_000}
    if naive.bonus:
        yield {"type": "bonus", "reason": "clear", "points": 70_000}
    if naive.cause in ("", "drop_limit"):
        yield {"type": "next", "disc": naive.disc, "clock": naive.clock}
    if naive.over:
        ended = Ended.RULES if naive.cause in ("rise", "full") else Ended.CENSORED
        yield {"type": "over", "ended": ended.value, "cause": naive.cause}


class Duel:
    """One deal, played by both."""

    def __init__(self, naive: NaiveDrop7, table: Table) -> None:
        self.naive = naive
        self.table = table
        self.follower = Follower(naive.board)
        self.reveals = 0
        self.opened: set[int] = set()

    def play(self, choice: random.Random) -> None:
        """To the end, both by the same random moves."""
        self.check_position()
        while not self.naive.over:
            self.check_refusals()
            self.drop(choice.choice(self.naive.legal()))
            self.check_position()
        with pytest.raises(IllegalMove):
            self.table.play(0, {"column": 0})

    def drop(self, column: int) -> None:
        naive = self.naive
        disc = naive.disc
        row = max(row for row in range(7) if naive.board[row][column] == 0)
        waves = naive.drop(column)
        step = self.table.play(0, {"column": column})
        expected = list(expected_events(naive, disc, (row, column), waves))
        assert [without_falls(event) for event in step.events] == expected
        for event in step.events:
            self.follower.see(event)
        self.check_draws(step, [number for wave in waves for _, _, number in wave.revealed])

    def check_position(self) -> None:
        naive = self.naive
        view = self.table.view(0)
        shown = (view["board"], view["disc"], view["clock"], view["score"], view["turn"])
        disc = 0 if naive.over else naive.disc
        assert shown == (naive.text(), disc, naive.clock, naive.score, naive.drops)
        assert (self.table.score(0), self.table.turn(0)) == (naive.score, naive.drops)
        assert self.follower.text() == naive.text()
        assert self.table.over == naive.over
        moves: list[Move] = [{"column": column} for column in naive.legal()]
        assert self.table.legal(0) == moves
        assert GAME.legal(view) == moves

    def check_refusals(self) -> None:
        full = [column for column in range(7) if column not in self.naive.legal()]
        for column in full:
            before = self.table.digest(0)
            with pytest.raises(IllegalMove):
                self.table.play(0, {"column": column})
            assert self.table.digest(0) == before

    def check_draws(self, step: Step, revealed: list[int]) -> None:
        """The draws disclosed are exactly those of the next disc and of the numbers revealed."""
        discs, reveals, rows = step.disclosed
        dealt_next = any(event["type"] == "next" for event in step.events)
        assert bits(discs) == ([self.naive.drops] if dealt_next else [])
        if self.naive.latent:
            taken = bits(rows)
            assert reveals == 0
            assert self.opened.isdisjoint(taken)
            self.opened.update(taken)
            assert sorted(self.naive.laid[k // 7][k % 7] for k in taken) == sorted(revealed)
        else:
            assert rows == 0
            assert bits(reveals) == list(range(self.reveals, self.reveals + len(revealed)))
            self.reveals += len(revealed)


def dealt_from_seed(number: int) -> Duel:
    seed = f"agreement/{number}"
    start_rows, drops_per_rise, latent = number % 7, 1 + number // 7 % MAXIMUM_DROPS_PER_RISE, number % 2 == 1
    options = {"start_rows": start_rows, "drops_per_rise": drops_per_rise, "latent": latent}
    naive = NaiveDrop7(seed, start_rows=start_rows, drops_per_rise=drops_per_rise, latent=latent)
    return Duel(naive, GAME.table(GAME.deal(options, seed=seed), 1))


def dealt_from_tape(number: int) -> Duel:
    """Tapes of all lengths, so that discs, hidden rows or moves run out, or nothing does."""
    source = stream_bytes(f"agreement/tape/{number}", "tape")
    discs = [1 + below(source, 7) for _ in range(1 + below(source, 60))]
    rows = [[1 + below(source, 7) for _ in range(7)] for _ in range(below(source, 16))]
    moves = 1 + below(source, 30) if number % 3 == 0 else None
    start_rows, drops_per_rise = number % 7, 1 + number // 7 % MAXIMUM_DROPS_PER_RISE
    tape: dict[str, object] = {"discs": discs, "latent_rows": rows, "maximum_moves": moves}
    if number % 2:
        scripted = {"format": "drop7-scripted-round-v1", "id": "round-01", "name": "Round", "generatorSeedHex": "0x1"}
        tape = {**scripted, "discs": discs, "latentRows": rows, "maximumMoves": moves}
    options = {"start_rows": start_rows, "drops_per_rise": drops_per_rise, "latent": number % 5 == 0}
    naive = NaiveDrop7("", start_rows=start_rows, drops_per_rise=drops_per_rise, tape=Tape(discs, rows, moves))
    return Duel(naive, GAME.table(GAME.deal(options, tape=tape), 1))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_games_agree(batch: int) -> None:
    causes = set()
    for number in range(batch * GAMES_PER_BATCH, (batch + 1) * GAMES_PER_BATCH):
        duel = dealt_from_seed(number)
        duel.play(random.Random(number))
        causes.add(duel.naive.cause)
    assert causes >= {"rise"}


def test_games_from_tapes_agree() -> None:
    causes = set()
    for number in range(600):
        duel = dealt_from_tape(number)
        duel.play(random.Random(number))
        causes.add(duel.naive.cause)
    assert causes == {"rise", "full", "tape", "drop_limit"}


def test_a_chain_after_a_rise_that_empties_the_board_agrees() -> None:
    board, rows = "0" * 35 + "1300000" + "3322220", [[7, 6, 5, 4, 3, 2, 1]]
    naive = NaiveDrop7.at(board, 2, 1, [], Tape([2, 4], rows))
    real = Drop7Board.at(board, [2, 4], clock=1, rows=rows)
    waves = naive.drop(6)
    events = real.play({"column": 6}).events
    assert [without_falls(event) for event in events] == list(expected_events(naive, 2, (6, 6), waves))
    assert naive.bonus
    assert (real.grid.text, real.score) == (naive.text(), naive.score)


def test_the_outlook_is_the_points_of_a_blind_look_ahead() -> None:
    judged = cleared = 0
    # The multiples of seven start on an empty board, where a drop that leaves it empty is in sight now and then.
    for number in [*range(50), *range(56, 400, 7)]:
        duel = dealt_from_seed(number)
        naive = duel.naive
        while not naive.over:
            view = duel.table.view(0)
            looks = {}
            for column in naive.legal():
                blind = Blind("", drops_per_rise=naive.drops_per_rise)
                blind.board = [list(line) for line in naive.board]
                blind.disc, blind.clock = naive.disc, naive.clock
                blind.drop(column)
                discs = sum(naive.board[row][column] != 0 for row in range(7))
                looks[column] = (blind.score, discs, column)
            outlooks = {column: GAME.outlook(view, {"column": column}) for column in looks}
            assert {column: outlook[0] for column, outlook in outlooks.items()} == {
                column: look[0] for column, look in looks.items()
            }
            greedy = min(looks, key=lambda column: (-looks[column][0], *looks[column][1:]))
            assert max(outlooks, key=lambda column: outlooks[column]) == greedy
            duel.drop(greedy)
            judged += 1
            cleared += max(score for score, _, _ in looks.values()) >= 70_000
    assert judged > 1000
    assert cleared > 0
