"""The time of a match, with and without pauses."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from samedrop_protocol import model
from samedrop_rules import find_game
from samedrop_server.matches.deals import public_deal
from samedrop_server.matches.timing import Timing
from samedrop_server.storage.records import Pause
from tests.support.server import FakeClock

START = FakeClock().now()


class Timed:
    """The timing of a match that has just begun, and what it called."""

    def __init__(self, time_limit: int | None = None) -> None:
        deal = find_game("drop7").deal({}, seed="friday")
        facts = model.Match(
            match="m1",
            room="ABC234",
            deal=public_deal(deal, model.Known.OPEN, disclosed=False),
            seats=[],
            started=START,
            time_limit=time_limit,
        )
        self.clock = FakeClock()
        self.ups = 0
        self.ghosts: list[int] = []
        self.timing = Timing(facts, self.clock, self._up, self.ghosts.append)

    def _up(self) -> None:
        self.ups += 1

    async def turn_the_loop(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)


@given(st.lists(st.integers(0, 100_000), min_size=1, max_size=9))
def test_pauses_are_left_out_of_the_time_however_they_come(spans: list[int]) -> None:
    timed = Timed()
    played = 0
    pauses: list[Pause] = []
    for index, span in enumerate(spans):
        timed.clock.time += span
        if index % 2:
            timed.timing.go_on(timed.clock.now())
            pauses[-1] = pauses[-1]._replace(ended=timed.clock.now())
        else:
            played += span
            timed.timing.pause(timed.clock.now())
            pauses.append(Pause("m1", timed.timing.pauses, timed.clock.now()))
        assert timed.timing.played() == played
    again = Timed()
    again.clock.time = timed.clock.time
    again.timing.begin(pauses)
    assert again.timing.played() == played
    assert (again.timing.pauses, again.timing.paused_since, again.timing.went_on) == (
        timed.timing.pauses,
        timed.timing.paused_since,
        timed.timing.went_on,
    )


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9), st.integers(0, 60))
def test_moments_and_times_of_the_match_are_told_from_each_other(spans: list[int], later: int) -> None:
    """Compared with what is counted millisecond by millisecond."""
    timed = Timed()
    running: list[bool] = []
    for index, span in enumerate(spans):
        timed.clock.time += span
        running += [index % 2 == 0] * span
        (timed.timing.go_on if index % 2 else timed.timing.pause)(timed.clock.now())
    timed.clock.time += later
    running += [len(spans) % 2 == 0] * later
    for moment in range(len(running) + 1):
        assert timed.timing.played_by(START + moment) == sum(running[:moment])
    for at in range(timed.timing.played() + 1):
        first = next(moment for moment in range(len(running) + 1) if sum(running[:moment]) == at)
        assert timed.timing.moment(at) == START + first
    assert timed.timing.played_by(START - 5) == 0


def test_a_clock_that_is_put_back_makes_no_time_negative() -> None:
    timed = Timed()
    timed.clock.advance(-10)
    assert timed.timing.played() == 0
    timed.timing.pause(timed.clock.now())
    timed.clock.advance(-10)
    timed.timing.go_on(timed.clock.now())
    timed.clock.advance(25)
    assert timed.timing.played() == 5000


async def test_the_limit_counts_played_time_only() -> None:
    timed = Timed(time_limit=10)
    timed.clock.advance(9)
    timed.timing.pause(timed.clock.now())
    timed.clock.advance(100)
    timed.timing.run()
    await timed.turn_the_loop()
    assert (timed.ups, timed.timing.is_up) == (0, False)
    timed.timing.go_on(timed.clock.now())
    assert not timed.timing.is_up
    timed.clock.advance(1)
    assert timed.timing.is_up
    timed.timing.run()
    await timed.turn_the_loop()
    assert timed.ups == 1


async def test_without_a_limit_time_is_never_up() -> None:
    timed = Timed()
    timed.clock.advance(10**6)
    timed.timing.run()
    await timed.turn_the_loop()
    assert (timed.ups, timed.timing.is_up) == (0, False)


async def test_ghosts_are_given_the_time_that_they_wait_for() -> None:
    timed = Timed()
    timed.clock.advance(3)
    timed.timing.wait_for(2000)
    await timed.turn_the_loop()
    assert timed.ghosts == [3000]
    timed.timing.wait_for(None)
    timed.timing.wait_for(2500)
    timed.timing.stop()
    await timed.turn_the_loop()
    assert timed.ghosts == [3000]
