from __future__ import annotations

import asyncio

import pytest

from samedrop_protocol import from_server
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_server.matches import audience
from tests.server.matches.support import Scene, log_of
from tests.support.server import FakeSession


async def test_a_new_follower_takes_the_place_of_the_old_one() -> None:
    scene = Scene()
    back = FakeSession()
    scene.match.audience.follow(back, 0, 0)
    assert scene.match.audience.follows_seat(back, 0)
    scene.play(0, 0)
    assert back.take_only(from_server.Events).first == 1
    assert scene.sessions[0].take_only(from_server.Events).repeat, "the answer to the own move, and no more"


async def test_who_leaves_is_told_nothing_more() -> None:
    scene = Scene()
    scene.match.audience.leave(scene.sessions[1])
    scene.play(0, 0)
    scene.play(1, 0)
    assert not scene.match.audience.follows_seat(scene.sessions[1], 1)
    told = [message for message in scene.sessions[1].take() if isinstance(message, from_server.Events)]
    assert [frame.repeat for frame in told] == [True], "the answer to the own move, and nothing else"


async def test_who_is_far_behind_gets_a_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience, "EVENTS_AT_MOST", 2)
    scene = Scene(seats=1)
    for turn in range(4):
        scene.play(0, turn, turn)
    assert scene.match.audience.find_place(0, 2).answer == "events"
    place = scene.match.audience.find_place(0, 1)
    assert (place.answer, place.last, len(place.steps)) == ("snapshot", 4, 4)
    with pytest.raises(ProtocolError) as refused:
        scene.match.audience.find_place(0, 5)
    assert refused.value.code is ErrorCode.RESUME_AHEAD


async def test_spectators_of_a_delayed_match_see_it_late() -> None:
    scene = Scene(seats=1, spectator_delay=0.01)
    watcher = FakeSession()
    arrived = asyncio.Event()
    write = watcher.write

    def written(frame: bytes | str) -> None:
        write(frame)
        arrived.set()

    watcher.write = written  # type: ignore[method-assign]
    scene.match.resume("w", None, None, watcher)
    watcher.take()
    arrived.clear()
    scene.play(0, 0)
    assert watcher.take() == []
    assert scene.match.audience.find_place(None, None).progress[0].turn == 0
    async with asyncio.timeout(5):
        await arrived.wait()
    assert watcher.take_only(from_server.Events).first == 1
    scene.match.audience.close()


async def test_the_end_comes_after_all_steps() -> None:
    scene = Scene(drop_limit=1)
    watcher = FakeSession()
    scene.match.resume("w", None, None, watcher)
    watcher.take()
    scene.play(1, 0)
    scene.play(0, 0)
    for session in (*scene.sessions, watcher):
        told = session.take()
        assert isinstance(told[-1], from_server.MatchOver)
        steps = [step for message in told if isinstance(message, from_server.Events) for step in message.steps]
        assert {(step.seat, step.turn) for step in steps} == {(0, 0), (1, 0)}


async def test_a_rebuild_shows_spectators_no_more_and_nothing_twice() -> None:
    scene = Scene(seats=1, spectator_delay=60)
    scene.play(0, 0)
    scene.clock.advance(30)
    scene.play(0, 1)
    scene.clock.advance(40)
    scene.match.rebuild(log_of(scene))
    assert scene.match.audience.find_place(None, None).last == 1
    assert scene.match.audience.find_place(0, None).last == 2
    scene.clock.advance(20)
    scene.match.rebuild(log_of(scene))
    assert scene.match.audience.find_place(None, None).last == 2
    scene.match.audience.close()
