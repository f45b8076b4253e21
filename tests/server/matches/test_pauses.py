"""Pauses: by agreement of all who play on, ended by any of them; what stands still, and what is refused meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_rules import Ended
from samedrop_server.matches.pauses import MAX_PAUSES
from samedrop_server.storage.records import Logged, Pause
from tests.server.matches.support import Scene, log_of, run_on
from tests.support.server import FakeSession


def ask(scene: Scene, seat: int, *, agree: bool = True) -> None:
    scene.match.pause(seat, from_client.Pause(id=f"p{seat}", match="m1", agree=agree), scene.sessions[seat])


def pause(scene: Scene) -> None:
    """All agree, and it is stored."""
    for seat in range(len(scene.sessions)):
        if scene.match.table.ended(seat) is None:
            ask(scene, seat)
    scene.journal.commit()


def told(session: FakeSession) -> list[tuple[list[int], bool]]:
    return [(one.agreed, one.paused) for one in session.take() if isinstance(one, from_server.Paused)]


def refusal(scene: Scene, seat: int, turn: int) -> ErrorCode:
    with pytest.raises(ProtocolError) as refused:
        scene.move(seat, turn)
    return refused.value.code


def stored(scene: Scene) -> list[Pause]:
    return [record for record in scene.journal.stored if isinstance(record, Pause)]


async def test_a_match_is_paused_once_all_agree_and_it_is_stored() -> None:
    scene = Scene()
    ask(scene, 1)
    assert [type(one) for one in scene.sessions[1].take()] == [from_server.Paused, from_server.Ok]
    assert told(scene.sessions[0]) == [([1], False)]
    scene.play(0, 0)
    ask(scene, 0)
    assert refusal(scene, 0, 1) is ErrorCode.MATCH_PAUSED
    assert told(scene.sessions[1]) == []
    scene.journal.commit()
    assert [type(one) for one in scene.sessions[0].take()[-2:]] == [from_server.Paused, from_server.Ok]
    assert told(scene.sessions[1]) == [([0, 1], True)]
    assert refusal(scene, 1, 0) is ErrorCode.MATCH_PAUSED
    assert stored(scene) == [Pause("m1", 1, scene.clock.now())]


async def test_any_of_them_ends_it() -> None:
    scene = Scene()
    pause(scene)
    scene.clock.advance(60)
    ask(scene, 1, agree=False)
    scene.journal.commit()
    assert told(scene.sessions[0])[-1] == ([], False)
    now = scene.clock.now()
    assert stored(scene)[1:] == [Pause("m1", 1, now - 60_000, now)]
    scene.clock.advance(1)
    scene.play(0, 0)
    assert log_of(scene)[0][0].at == 1000
    assert scene.match.timing.played() == 1000


async def test_who_agreed_may_take_it_back() -> None:
    scene = Scene()
    ask(scene, 0)
    ask(scene, 0)
    ask(scene, 0, agree=False)
    ask(scene, 1)
    assert told(scene.sessions[1]) == [([0], False), ([0], False), ([], False), ([1], False)]
    assert scene.journal.waiting == []
    scene.play(0, 0)


async def test_only_those_whose_runs_go_on_are_asked() -> None:
    scene = Scene(seats=3)
    scene.match.stop(2, Ended.FORFEIT)
    scene.journal.commit()
    with pytest.raises(ProtocolError) as refused:
        ask(scene, 2)
    assert refused.value.code is ErrorCode.MATCH_OVER
    pause(scene)
    assert scene.match.timing.paused_since is not None


async def test_one_may_give_up_in_a_pause_and_the_match_can_end_in_it() -> None:
    scene = Scene()
    pause(scene)
    for seat in range(2):
        scene.match.forfeit(seat, f"f{seat}", scene.sessions[seat])
    scene.journal.commit()
    assert scene.match.over
    assert [entry.at for entry, _ in log_of(scene)] == [0, 0]
    scene.match.end_pause()
    assert scene.journal.waiting == []


async def test_who_is_left_in_a_pause_goes_on_alone() -> None:
    scene = Scene()
    pause(scene)
    scene.match.forfeit(1, "f", scene.sessions[1])
    scene.journal.commit()
    with pytest.raises(ProtocolError) as refused:
        ask(scene, 1, agree=False)
    assert refused.value.code is ErrorCode.MATCH_OVER
    ask(scene, 0, agree=False)
    scene.journal.commit()
    scene.play(0, 0)


async def test_a_clock_that_is_put_back_in_a_pause_takes_no_time_back() -> None:
    scene = Scene()
    scene.play(0, 0)
    scene.clock.advance(10)
    pause(scene)
    scene.clock.advance(-30)
    ask(scene, 0, agree=False)
    scene.journal.commit()
    scene.play(0, 1)
    times = [entry.at for entry, _ in log_of(scene)]
    assert times == sorted(times)
    again = Scene()
    again.clock.time = scene.clock.time
    again.match.rebuild(log_of(scene), [one for one in stored(scene) if one.ended is not None])
    assert again.match.timing.played() == scene.match.timing.played()


async def test_who_asks_again_in_a_pause_changes_nothing() -> None:
    scene = Scene()
    pause(scene)
    ask(scene, 0)
    assert scene.journal.waiting == []
    assert told(scene.sessions[1])[-1] == ([0, 1], True)


async def test_a_repeated_move_is_answered_in_a_pause() -> None:
    scene = Scene()
    scene.play(0, 0)
    pause(scene)
    scene.sessions[0].take()
    scene.move(0, 0)
    assert scene.sessions[0].take_only(from_server.Events).repeat


async def test_who_comes_back_is_told_of_it() -> None:
    scene = Scene()
    back = FakeSession()
    ask(scene, 0)
    scene.match.resume("r", 1, 0, back)
    assert told(back) == [([0], False)]
    ask(scene, 1)
    scene.journal.commit()
    watcher = FakeSession()
    scene.match.resume("r", None, None, watcher)
    assert told(watcher) == [([0, 1], True)]


async def test_a_pause_begins_when_the_run_of_the_last_who_had_not_agreed_is_over() -> None:
    scene = Scene(seats=3)
    ask(scene, 0)
    ask(scene, 1)
    scene.match.forfeit(2, "f", scene.sessions[2])
    scene.journal.commit()
    assert [type(record) for record in scene.journal.stored] == [Logged, Pause]
    assert told(scene.sessions[0])[-1] == ([0, 1], True)
    assert refusal(scene, 0, 0) is ErrorCode.MATCH_PAUSED


async def test_who_is_done_agrees_to_nothing_any_more() -> None:
    scene = Scene(seats=3)
    ask(scene, 2)
    scene.match.forfeit(2, "f", scene.sessions[2])
    assert told(scene.sessions[0]) == [([2], False)]
    scene.journal.commit()
    assert told(scene.sessions[0]) == [([], False)]
    ask(scene, 0)
    assert told(scene.sessions[0]) == [([0], False)]
    scene.play(1, 0)


async def test_nobody_pauses_alone_against_the_clock_when_the_others_are_done() -> None:
    for timed in (Scene(time_limit=60), Scene(lockstep=True, turn_limit=60)):
        ask(timed, 0)
        timed.match.forfeit(1, "f", timed.sessions[1])
        timed.journal.commit()
        timed.play(0, 0)
        with pytest.raises(ProtocolError) as refused:
            ask(timed, 0)
        assert refused.value.code is ErrorCode.MATCH_NO_PAUSE
        timed.match.close()
    for other in (Scene(), Scene(seats=1, time_limit=60)):
        if len(other.sessions) > 1:
            other.match.forfeit(1, "f", other.sessions[1])
        pause(other)
        assert other.match.timing.paused_since is not None
        other.match.close()


async def test_a_match_is_paused_so_often_at_most() -> None:
    scene = Scene(seats=1)
    for _ in range(MAX_PAUSES):
        pause(scene)
        ask(scene, 0, agree=False)
        scene.journal.commit()
    with pytest.raises(ProtocolError) as refused:
        ask(scene, 0)
    assert refused.value.code is ErrorCode.MATCH_NO_PAUSE
    scene.play(0, 0)
    assert len(stored(scene)) == 2 * MAX_PAUSES


async def test_a_pause_that_begins_and_ends_at_once_is_told_as_one() -> None:
    scene = Scene()
    for seat in range(2):
        ask(scene, seat)
    ask(scene, 1, agree=False)
    scene.move(0, 0)
    scene.sessions[0].take()
    scene.journal.commit()
    messages = scene.sessions[0].take()
    assert [(one.agreed, one.paused) for one in messages if isinstance(one, from_server.Paused)] == [
        ([0, 1], True),
        ([], False),
    ]
    assert isinstance(messages[-1], from_server.Events)


async def test_nothing_is_told_of_a_pause_before_it_is_stored() -> None:
    scene = Scene()
    for seat in (0, 1, 0):
        ask(scene, seat)
    assert told(scene.sessions[1]) == [([0], False)]
    assert sum(isinstance(one, from_server.Ok) for one in scene.sessions[0].take()) == 1
    back = FakeSession()
    scene.match.resume("r", 1, 0, back)
    assert told(back) == [([0], False)]
    scene.journal.commit()
    assert told(scene.sessions[0]) == [([0, 1], True)] * 2


async def test_a_match_that_ended_in_a_pause_is_over_and_not_paused() -> None:
    scene = Scene(seats=1)
    pause(scene)
    scene.match.forfeit(0, "f", scene.sessions[0])
    scene.journal.commit()
    back = FakeSession()
    scene.match.resume("r", 0, 0, back)
    assert told(back) == []


# What stands still


async def test_the_clock_of_a_turn_stands_still_and_starts_anew() -> None:
    scene = Scene(lockstep=True, turn_limit=100)
    scene.match.open()
    scene.move(0, 0)
    pause(scene)
    scene.match._turn_is_up()
    assert scene.journal.waiting == []
    before = scene.match._turns._timer
    assert before is not None
    scene.clock.advance(500)
    ask(scene, 1, agree=False)
    assert not before.cancelled()
    scene.match._turn_is_up()  # that the match goes on is not stored yet
    assert len(scene.journal.waiting) == 1
    scene.journal.commit()
    assert before.cancelled()
    assert scene.match._turns._timer is not None
    assert scene.match.last_move == [scene.clock.now()] * 2
    scene.match.close()


async def test_a_turn_that_was_decided_before_the_pause_opens_after_it() -> None:
    scene = Scene(lockstep=True, turn_limit=0)
    scene.move(0, 0)
    scene.move(1, 0)
    pause(scene)
    for _ in range(5):
        await asyncio.sleep(0)
    assert scene.journal.waiting == []
    assert scene.match.table.ended(0) is None
    ask(scene, 0, agree=False)
    scene.journal.commit()
    scene.journal.recorded.clear()
    await scene.journal.recorded.wait()
    scene.journal.commit()
    assert scene.match.table.ended(0) == "time"


async def test_a_turn_that_opens_in_a_pause_has_its_time_after_it() -> None:
    scene = Scene(seats=3, lockstep=True, turn_limit=100)
    scene.match.open()
    scene.move(0, 0)
    scene.move(1, 0)
    for seat in range(3):
        ask(scene, seat)
    scene.match.forfeit(2, "f", scene.sessions[2])
    scene.journal.commit()
    assert scene.match._turns._timer is None  # it was stopped when the turn before was decided
    ask(scene, 1, agree=False)
    scene.journal.commit()
    assert scene.match._turns._timer is not None
    scene.play(0, 1)
    scene.match.close()


async def test_what_comes_back_in_a_pause_is_the_same_after_a_rebuild() -> None:
    run = run_on(Scene().match.deal, every=1000, turns=8)
    scene = Scene(seats=1, runs=[run], align=model.Align.TIME)
    scene.match.open()
    scene.clock.advance(3.2)
    scene.match._time_passes(scene.match.timing.played())
    scene.play(0, 0)
    pause(scene)
    scene.clock.advance(1000)
    back = FakeSession()
    scene.match.resume("r", 0, None, back)
    before = back.take()[0]
    scene.match.suspend()
    scene.match.rebuild(log_of(scene), stored(scene))
    back.take()
    scene.match.resume("r", 0, None, back)
    after = back.take()[0]
    assert isinstance(before, from_server.Resumed)
    assert isinstance(after, from_server.Resumed)
    assert (after.last, after.progress, after.views) == (before.last, before.progress, before.views)
    scene.match.close()


def paused_beside_a_ghost() -> Scene:
    """A match that is paused after 2.5 seconds, beside a ghost that moves once a second."""
    run = run_on(Scene().match.deal, every=1000, turns=30)
    scene = Scene(seats=1, runs=[run], align=model.Align.TIME)
    scene.match.open()
    scene.clock.advance(2.5)
    scene.match._time_passes(scene.match.timing.played())
    pause(scene)
    return scene


async def test_ghosts_by_time_stand_still() -> None:
    scene = paused_beside_a_ghost()
    scene.clock.advance(100)
    scene.match._time_passes(scene.match.timing.played())
    assert scene.match.audience.find_place(0, None).progress[1].turn == 2
    ask(scene, 0, agree=False)
    scene.journal.commit()
    scene.clock.advance(1)
    scene.match._time_passes(scene.match.timing.played())
    assert scene.match.audience.find_place(0, None).progress[1].turn == 3
    scene.match.close()


async def test_ghosts_by_time_wait_until_it_is_stored_that_the_match_goes_on() -> None:
    scene = paused_beside_a_ghost()
    ask(scene, 0, agree=False)
    scene.clock.advance(10)
    scene.match._time_passes(scene.match.timing.played())
    assert scene.match.audience.find_place(0, None).progress[1].turn == 2
    scene.journal.fail()
    scene.match.suspend()
    scene.match._time_passes(scene.match.timing.played())
    last = scene.match.audience.find_place(0, None).last
    scene.match.rebuild(log_of(scene), stored(scene))
    back = FakeSession()
    scene.match.resume("r", 0, last, back)
    assert isinstance(back.take()[0], from_server.Resumed)
    assert scene.match.audience.find_place(0, None).progress[1].turn == 2
    ask(scene, 0, agree=False)
    scene.journal.commit()
    scene.clock.advance(1)
    scene.match._time_passes(scene.match.timing.played())
    assert scene.match.audience.find_place(0, None).progress[1].turn == 3
    scene.match.close()


async def test_no_turn_runs_out_in_a_pause_after_a_rebuild() -> None:
    scene = Scene(lockstep=True, turn_limit=0)
    pause(scene)
    ask(scene, 1, agree=False)
    scene.journal.fail()
    scene.match.suspend()
    scene.match.rebuild(log_of(scene), stored(scene))
    assert scene.match._turns._timer is None
    again = Scene(lockstep=True, turn_limit=100)
    again.match.rebuild(log_of(scene), stored(scene))
    assert again.match._turns._timer is None
    ask(again, 1, agree=False)
    again.journal.commit()
    assert again.match._turns._timer is not None
    again.match.close()


@pytest.mark.parametrize("restarted", [False, True])
async def test_delayed_spectators_come_back_after_a_rebuild_in_a_pause(restarted: bool) -> None:
    run = run_on(Scene().match.deal, every=1000, turns=8)
    scene = Scene(seats=1, spectator_delay=5, runs=[run], align=model.Align.TIME)
    scene.clock.advance(2.5)
    scene.play(0, 0)
    scene.clock.advance(0.01)
    pause(scene)
    scene.clock.advance(4)
    scene.match.suspend()
    scene.match.rebuild(log_of(scene), stored(scene))
    assert [step.seat for step in scene.match.audience.find_place(None, None).steps] == [1]
    scene.clock.advance(2)
    if restarted:
        again = Scene(seats=1, spectator_delay=5, runs=[run], align=model.Align.TIME)
        again.clock.time = scene.clock.time
        again.match.rebuild(log_of(scene), stored(scene))
        scene.match.close()
        scene = again
    else:
        scene.match.suspend()
        scene.match.rebuild(log_of(scene), stored(scene))
    assert [step.seat for step in scene.match.audience.find_place(None, None).steps] == [1, 1, 0]
    scene.match.close()


# Storage trouble, and restarts


async def test_a_pause_that_was_not_stored_is_none() -> None:
    scene = Scene()
    ask(scene, 0)
    ask(scene, 1)
    assert len(scene.journal.fail()) == 1
    scene.match.suspend()
    with pytest.raises(ProtocolError) as refused:
        ask(scene, 0)
    assert refused.value.code is ErrorCode.MATCH_SUSPENDED
    scene.match.rebuild(log_of(scene))
    assert told(scene.sessions[0])[-1] == ([], False)
    scene.play(0, 0)


async def test_a_pause_whose_end_was_not_stored_lasts() -> None:
    scene = Scene()
    pause(scene)
    ask(scene, 1, agree=False)
    scene.journal.fail()
    scene.match.suspend()
    scene.clock.advance(60)
    scene.match.rebuild(log_of(scene), stored(scene))
    assert told(scene.sessions[0])[-1] == ([], True)
    assert refusal(scene, 0, 0) is ErrorCode.MATCH_PAUSED
    ask(scene, 0, agree=False)
    scene.journal.commit()
    assert scene.match.timing.played() == 0
    scene.play(0, 0)


async def test_a_suspended_match_is_not_ended_from_a_pause() -> None:
    scene = Scene()
    pause(scene)
    scene.match.suspend()
    scene.match.end_pause()
    assert scene.journal.waiting == []
    assert scene.match.timing.paused_since is not None
