from __future__ import annotations

import asyncio

from samedrop_protocol import from_server
from samedrop_rules import find_game
from samedrop_server.matches.turns import awaited
from tests.server.matches.support import Scene

AT_ONCE = 0
"""A turn limit that runs out as soon as the loop gets to it."""


async def nothing_is_recorded(scene: Scene) -> bool:
    """Whether the clock does nothing, though the loop got to it."""
    for _ in range(5):
        await asyncio.sleep(0)
    return not scene.journal.waiting


def test_in_a_free_race_nobody_waits() -> None:
    game = find_game("drop7")
    table = game.table(game.deal({}, seed="friday"), 3)
    table.play(1, {"column": 3})
    assert awaited(table, lockstep=False) == [0, 1, 2]
    assert awaited(table, lockstep=True) == [0, 2]


async def test_who_lets_the_time_of_a_turn_run_out_is_stopped() -> None:
    scene = Scene(seats=3, lockstep=True, turn_limit=AT_ONCE)
    scene.match.open()
    scene.play(1, 0)
    await scene.journal.recorded.wait()
    scene.journal.recorded.clear()
    await scene.journal.recorded.wait()
    scene.journal.commit()
    assert [scene.match.table.ended(seat) for seat in range(3)] == ["time", None, "time"]
    frame = scene.sessions[0].take_only(from_server.Events)
    assert frame.steps[-1].stopped == "time"


async def test_the_clock_of_a_turn_starts_when_its_opening_is_told() -> None:
    scene = Scene(lockstep=True, turn_limit=AT_ONCE)
    scene.move(0, 0)
    scene.move(1, 0)
    assert scene.match.is_awaited(0)
    scene.match._turns.stop()
    assert len(scene.journal.waiting) == 2
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(scene.journal.waiting) == 2
    scene.journal.commit()
    scene.journal.recorded.clear()
    await scene.journal.recorded.wait()
    scene.journal.commit()
    assert [scene.match.table.ended(seat) for seat in range(2)] == ["time", "time"]
    assert scene.match.over


async def test_after_a_pause_the_clock_starts_only_for_a_turn_whose_opening_is_told() -> None:
    scene = Scene(lockstep=True, turn_limit=100)
    turns = scene.match._turns
    scene.match.open()
    scene.move(0, 0)
    scene.move(1, 0)
    turns.stop()
    turns.reopen(scene.match.decisions.stored)
    assert turns._timer is None
    scene.journal.commit()
    timer = turns._timer
    assert timer is not None
    turns.reopen(scene.match.decisions.stored)
    assert timer.cancelled()
    assert turns._timer is not timer
    scene.match.close()


async def test_a_move_within_the_turn_does_not_start_the_clock_again() -> None:
    scene = Scene(lockstep=True, turn_limit=100)
    scene.match.open()
    timer = scene.match._turns._timer
    scene.play(0, 0)
    assert scene.match._turns._timer is timer
    scene.play(1, 0)
    assert scene.match._turns._timer is not timer


async def test_no_clock_runs_in_a_suspended_match_nor_after_its_end() -> None:
    scene = Scene(lockstep=True, turn_limit=AT_ONCE)
    scene.match.suspend()
    scene.match.open()
    assert await nothing_is_recorded(scene)
    scene = Scene(lockstep=True, turn_limit=AT_ONCE)
    scene.match.time_is_up()
    scene.journal.commit()
    scene.match.open()
    assert await nothing_is_recorded(scene)


async def test_a_rebuilt_match_gives_the_open_turn_its_whole_time() -> None:
    scene = Scene(lockstep=True, turn_limit=100)
    scene.match.open()
    timer = scene.match._turns._timer
    scene.match.suspend()
    scene.match.rebuild([])
    assert timer is not None
    assert timer.cancelled()
    assert scene.match._turns._timer is not timer
    scene.match.close()
    assert scene.match._turns._timer is None


async def test_who_waits_in_lockstep_is_not_awaited() -> None:
    scene = Scene(lockstep=True)
    scene.play(0, 0)
    assert not scene.match.is_awaited(0)
    assert scene.match.is_awaited(1)
    scene.clock.advance(1000)
    scene.play(1, 0)
    assert scene.match.last_move == [scene.clock.now()] * 2
