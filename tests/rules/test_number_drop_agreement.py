"""number-drop held against its naive second implementation, drop by drop, in thousands of random games.

Every event is compared, the board is also rebuilt from the events alone as a client would, and each disclosed draw must
be one that was really needed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from samedrop_rules import Event, IllegalMove, Move, Step, Table
from samedrop_rules.number_drop import NumberDrop
from tests.support.disc_events import Follower, bits, without_falls
from tests.support.naive.number_drop import Link, NaiveNumberDrop

GAME = NumberDrop()
BATCHES = 16
GAMES_PER_BATCH = 190
CHECKED_EVERY = 8
UNKNOWN = 10
"""A numbered disc whose number the player does not know: occupied, neither gray nor ever matching."""


class Blind(NaiveNumberDrop):
    """The game as its player can look ahead: a gray disc opens to a number that nobody knows."""

    def number_under(self, row: int, column: int) -> int:
        return UNKNOWN


def wave_event(link: Link) -> Event:
    return {
        "type": "wave",
        "wave": link.number,
        "cleared": [list(cell) for cell in link.cleared],
        "cracked": [list(cell) for cell in link.cracked],
        "revealed": [list(cell) for cell in link.opened],
        "points": link.points,
    }


def expected_events(naive: NaiveNumberDrop, disc: int, cell: tuple[int, int], links: list[Link]) -> Iterator[Event]:
    """What the drop just made in `naive` should be told as, without the falls."""
    yield {"type": "drop", "disc": disc, "cell": list(cell)}
    yield from map(wave_event, links)
    if naive.after_rise is not None:
        yield {"type": "rise", "points": 0}
        yield from map(wave_event, naive.after_rise)
    if naive.over:
        yield {"type": "over", "ended": "rules", "cause": naive.cause}
    else:
        yield {"type": "next", "disc": naive.disc, "clock": naive.clock}


class Duel:
    """One deal, played by both."""

    def __init__(self, naive: NaiveNumberDrop, table: Table) -> None:
        self.naive = naive
        self.table = table
        self.follower = Follower(naive.board)
        self.reveals = 0
        self.opened: set[int] = set()

    def play(self, choice: random.Random) -> None:
        """To the end, both by the same random moves."""
        self.check_position()
        while not self.naive.over:
            self.drop(choice.choice(self.naive.legal()))
            # What happens is compared at every drop; where it leads, now and then and at the end.
            if self.naive.drops % CHECKED_EVERY == 0 or self.naive.over:
                self.check_position()
                self.check_refusals()
        with pytest.raises(IllegalMove):
            self.table.play(0, {"column": 0})

    def drop(self, column: int) -> None:
        naive = self.naive
        disc = naive.disc
        row = max(row for row in range(7) if naive.board[row][column] == 0)
        links = naive.drop(column)
        step = self.table.play(0, {"column": column})
        assert [without_falls(event) for event in step.events] == list(
            expected_events(naive, disc, (row, column), links)
        )
        for event in step.events:
            self.follower.see(event)
        self.check_draws(step, [number for link in links + (naive.after_rise or []) for _, _, number in link.opened])

    def check_position(self) -> None:
        naive = self.naive
        view = self.table.view(0)
        shown = (view["board"], view["disc"], view["clock"], view["score"], view["turn"])
        disc = 0 if naive.over else naive.disc
        assert shown == (naive.text(), disc, naive.clock, naive.score, naive.drops)
        assert self.follower.board == naive.board
        assert self.table.over == naive.over
        moves: list[Move] = [{"column": column} for column in naive.legal()]
        assert self.table.legal(0) == moves

    def check_refusals(self) -> None:
        for column in () if self.naive.over else set(range(7)) - set(self.naive.legal()):
            before = self.table.digest(0)
            with pytest.raises(IllegalMove):
                self.table.play(0, {"column": column})
            assert self.table.digest(0) == before

    def check_draws(self, step: Step, opened: list[int]) -> None:
        """The draws disclosed are exactly those of the next disc and of the numbers opened."""
        discs, reveals, rows, start = step.disclosed
        assert bits(discs) == ([] if self.naive.over else [self.naive.drops])
        assert start == 0
        if self.naive.latent:
            taken = bits(rows)
            assert reveals == 0
            assert self.opened.isdisjoint(taken)
            self.opened.update(taken)
            assert sorted(self.naive.laid[k // 7][k % 7] for k in taken) == sorted(opened)
        else:
            assert rows == 0
            assert bits(reveals) == list(range(self.reveals, self.reveals + len(opened)))
            self.reveals += len(opened)


def dealt(number: int) -> Duel:
    seed = f"agreement/{number}"
    mode, start_discs, latent = "normal" if number % 3 == 0 else "sequence", number % 8, number % 2 == 1
    naive = NaiveNumberDrop(seed, mode=mode, start_discs=start_discs, latent=latent)
    options = {"mode": mode, "start_discs": start_discs, "latent": latent}
    return Duel(naive, GAME.table(GAME.deal(options, seed=seed), 1))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_games_agree(batch: int) -> None:
    causes = set()
    for number in range(batch * GAMES_PER_BATCH, (batch + 1) * GAMES_PER_BATCH):
        duel = dealt(number)
        duel.play(random.Random(number))
        causes.add(duel.naive.cause)
    assert causes == {"rise", "full"}


def test_the_outlook_is_the_points_of_a_blind_look_ahead() -> None:
    judged = risen = 0
    for number in range(12):
        duel = dealt(number)
        naive = duel.naive
        while not naive.over and naive.drops < 200:
            view = duel.table.view(0)
            looks = {}
            for column in naive.legal():
                blind = Blind("", mode=naive.mode, start_discs=0)
                blind.board = [list(line) for line in naive.board]
                blind.disc, blind.clock = naive.disc, naive.clock
                blind.drop(column)
                discs = sum(naive.board[row][column] != 0 for row in range(7))
                looks[column] = (blind.score, discs, column)
                risen += bool(blind.after_rise)
            outlooks = {column: GAME.outlook(view, {"column": column}) for column in looks}
            assert {column: outlook[0] for column, outlook in outlooks.items()} == {
                column: look[0] for column, look in looks.items()
            }
            greedy = min(looks, key=lambda column: (-looks[column][0], *looks[column][1:]))
            assert max(outlooks, key=lambda column: outlooks[column]) == greedy
            duel.drop(greedy)
            judged += 1
    assert judged > 1000
    assert risen > 10
