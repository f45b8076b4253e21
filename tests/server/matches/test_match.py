from __future__ import annotations

import math
from typing import Any

import pytest

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_rules import Ended, Entry, ReplayMismatch
from samedrop_server.matches import match
from samedrop_server.storage.records import Finished, Logged
from tests.server.matches.support import Scene, log_of
from tests.support.server import FakeSession


async def test_nobody_is_told_of_a_move_before_it_is_stored() -> None:
    scene = Scene()
    scene.move(0, 0)
    scene.flush()
    assert [session.take() for session in scene.sessions] == [[], []]
    scene.journal.commit()
    answer = scene.sessions[0].take_only(from_server.Events)
    assert (answer.first, answer.steps[0].id, answer.steps[0].turn, answer.repeat) == (1, "s0t0", 0, False)
    logged = scene.journal.stored[0]
    assert isinstance(logged, Logged)
    assert (logged.match_id, logged.number, logged.seat, logged.turn, logged.move) == ("m1", 1, 0, 0, '{"column":3}')
    assert (logged.score, logged.digest) == (answer.steps[0].score, answer.steps[0].digest)


async def test_a_rival_who_is_behind_gets_progress_now_and_the_step_later() -> None:
    scene = Scene()
    scene.play(0, 0)
    scene.flush()
    progress = scene.sessions[1].take_only(from_server.Progress)
    assert [(seat.seat, seat.turn) for seat in progress.seats] == [(0, 1)]
    scene.play(1, 0)
    frame = scene.sessions[1].take_only(from_server.Events)
    assert [(step.seat, step.turn) for step in frame.steps] == [(1, 0), (0, 0)]


@pytest.mark.parametrize(
    ("column", "code"),
    [
        (7, ErrorCode.MOVE_INVALID),
        (-1, ErrorCode.MOVE_INVALID),
        (3.0, ErrorCode.MOVE_INVALID),
        ("3", ErrorCode.MOVE_INVALID),
        (True, ErrorCode.MOVE_INVALID),
        (None, ErrorCode.MOVE_INVALID),
        (2**63, ErrorCode.MOVE_INVALID),
        (math.nan, ErrorCode.MOVE_INVALID),
        ([3], ErrorCode.MOVE_INVALID),
        ({}, ErrorCode.MOVE_INVALID),
    ],
)
async def test_a_bad_column_changes_nothing(column: object, code: ErrorCode) -> None:
    scene = Scene()
    before = scene.match.table.digest(0)
    with pytest.raises(ProtocolError) as refused:
        scene.move(0, 0, column)
    assert (refused.value.code, refused.value.field, refused.value.turn) == (code, "move.column", 0)
    assert scene.match.table.digest(0) == before
    assert scene.journal.waiting == []


async def test_a_full_column_is_illegal() -> None:
    scene = Scene(seats=1, seed="friday")
    turn = 0
    while {"column": 0} in scene.match.table.legal(0):
        scene.play(0, turn, 0)
        turn += 1
    assert scene.match.table.ended(0) is None, "the seed must fill the column before the run ends"
    with pytest.raises(ProtocolError) as refused:
        scene.move(0, turn, 0)
    assert (refused.value.code, refused.value.field) == (ErrorCode.MOVE_ILLEGAL, "move.column")
    assert scene.match.table.turn(0) == turn


async def test_stale_and_future_turns_name_the_current_one() -> None:
    scene = Scene()
    for turn in range(5):
        scene.play(0, turn, turn)
    digest = scene.match.table.digest(0)
    for turn, code in [(4, ErrorCode.STALE_TURN), (7, ErrorCode.FUTURE_TURN)]:
        with pytest.raises(ProtocolError) as refused:
            scene.move(0, turn, 6, request="other")
        assert (refused.value.code, refused.value.turn, refused.value.field) == (code, 5, "turn")
    assert scene.match.table.digest(0) == digest


async def test_a_repeat_is_applied_once_and_answered_the_same() -> None:
    scene = Scene()
    scene.move(0, 0, request="x")
    scene.move(0, 0, request="x")
    scene.journal.commit()
    first, again = (message for message in scene.sessions[0].take() if isinstance(message, from_server.Events))
    assert (first.repeat, again.repeat) == (False, True)
    assert (first.first, first.steps) == (again.first, again.steps)
    elsewhere = FakeSession()
    scene.match.move(0, from_client.Move(id="x", match="m1", turn=0, move={"column": 3}), elsewhere)
    third = elsewhere.take_only(from_server.Events)
    assert (third.repeat, third.first, third.steps) == (True, again.first, again.steps)
    assert len(scene.journal.stored) == 1


async def test_the_same_request_with_another_move_is_stale() -> None:
    scene = Scene()
    scene.play(0, 0, 3)
    with pytest.raises(ProtocolError) as refused:
        scene.move(0, 0, 4)
    assert refused.value.code is ErrorCode.STALE_TURN


async def test_a_mover_who_does_not_follow_is_answered_all_the_same() -> None:
    scene = Scene(follow=False)
    scene.play(0, 0)
    answer = scene.sessions[0].take_only(from_server.Events)
    assert answer.steps[0].id == "s0t0"


async def test_lockstep_waits_for_everybody() -> None:
    scene = Scene(lockstep=True)
    scene.play(0, 0)
    with pytest.raises(ProtocolError) as refused:
        scene.move(0, 1)
    assert refused.value.code is ErrorCode.WAIT
    scene.play(1, 0)
    scene.play(0, 1)
    scene.match.stop(1, Ended.FORFEIT)
    scene.play(0, 2)


async def test_the_drop_limit_ends_the_match_and_discloses_the_seed() -> None:
    scene = Scene(drop_limit=3)
    for turn in range(3):
        scene.play(0, turn)
        scene.play(1, turn)
    for session in scene.sessions:
        over = session.take_only(from_server.MatchOver)
        assert over.deal.seed == "friday"
        assert [standing.ended for standing in over.standings] == ["censored", "censored"]
        assert [standing.rank for standing in over.standings] == [1, 1]
    finished = scene.journal.stored[-1]
    assert isinstance(finished, Finished)
    assert finished.match_id == "m1"
    assert scene.over == [scene.match]
    with pytest.raises(ProtocolError) as refused:
        scene.move(0, 3)
    assert refused.value.code is ErrorCode.MATCH_OVER


async def test_who_forfeits_comes_last() -> None:
    scene = Scene(drop_limit=2)
    for turn in range(2):
        scene.play(1, turn)
    scene.play(0, 0)
    scene.match.forfeit(0, "f1", scene.sessions[0])
    scene.journal.commit()
    over = scene.sessions[0].take_only(from_server.MatchOver)
    assert [(standing.seat, standing.ended) for standing in over.standings] == [(1, "censored"), (0, "forfeit")]
    with pytest.raises(ProtocolError) as refused:
        scene.match.forfeit(0, "f2", scene.sessions[0])
    assert refused.value.code is ErrorCode.MATCH_OVER


async def test_time_is_up_for_everybody_who_still_plays() -> None:
    scene = Scene()
    scene.play(0, 0)
    scene.match.time_is_up()
    scene.match.time_is_up()
    scene.journal.commit()
    over = scene.sessions[1].take_only(from_server.MatchOver)
    assert {standing.ended for standing in over.standings} == {"time"}
    stops = [record.stopped for record in scene.journal.stored if isinstance(record, Logged) and record.stopped]
    assert stops == ["time", "time"]


# Coming back


async def resume(scene: Scene, seat: int | None, last: int | None, session: FakeSession) -> list[Any]:
    scene.match.resume("r1", seat, last, session)
    return session.take()


async def test_resume_has_four_answers() -> None:
    scene = Scene()
    for turn in range(3):
        scene.play(0, turn, turn)
    back = FakeSession()
    resumed, *rest = await resume(scene, 0, 3, back)
    assert (resumed.answer, resumed.last, rest) == ("up_to_date", 3, [])
    resumed, events = await resume(scene, 0, 1, back)
    assert (resumed.answer, resumed.last) == ("events", 1)
    assert (events.first, [step.turn for step in events.steps]) == (2, [1, 2])
    (resumed,) = await resume(scene, 0, None, back)
    assert (resumed.answer, resumed.last) == ("snapshot", 3)
    assert resumed.views[0] == scene.match.table.view(0)
    assert resumed.views[1]["turn"] == 0
    with pytest.raises(ProtocolError) as refused:
        scene.match.resume("r2", 0, 4, back)
    assert refused.value.code is ErrorCode.RESUME_AHEAD


async def test_a_snapshot_shows_no_more_of_a_rival_than_was_told() -> None:
    scene = Scene()
    for turn in range(4):
        scene.play(0, turn, turn)
    scene.play(1, 0)
    back = FakeSession()
    resumed, *_ = await resume(scene, 1, None, back)
    assert resumed.views[0]["turn"] == 1
    assert resumed.progress[0].turn == 4


async def test_a_snapshot_holds_nothing_that_is_not_stored() -> None:
    scene = Scene()
    scene.play(0, 0)
    scene.move(0, 1)
    back = FakeSession()
    resumed, *_ = await resume(scene, 0, None, back)
    assert (resumed.last, resumed.views[0]["turn"]) == (1, 1)
    scene.journal.commit()
    assert back.take_only(from_server.Events).first == 2


async def test_resume_after_the_end_brings_the_result() -> None:
    scene = Scene(seats=1, drop_limit=1)
    scene.play(0, 0)
    resumed, over = await resume(scene, 0, 1, FakeSession())
    assert resumed.answer == "up_to_date"
    assert isinstance(over, from_server.MatchOver)


async def test_nobody_plays_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "MAX_TURNS", 3)
    scene = Scene()
    for turn in range(2):
        scene.play(0, turn)
    assert scene.match.table.ended(0) is None
    scene.play(0, 2)
    frames = [message for message in scene.sessions[0].take() if isinstance(message, from_server.Events)]
    assert [step.stopped for step in frames[-1].steps] == [None, "censored"]
    assert (scene.match.table.ended(0), scene.match.table.ended(1), scene.match.over) == ("censored", None, False)
    for turn in range(3):
        scene.play(1, turn)
    assert scene.match.over
    again = Scene()
    again.match.rebuild(log_of(scene))
    assert again.match.table.digest(1) == scene.match.table.digest(1)
    assert again.match.table.over


# Storage trouble


async def test_a_match_whose_move_was_not_stored_goes_on_from_what_is() -> None:
    scene = Scene()
    scene.play(0, 0)
    scene.play(1, 0)
    scene.move(0, 1, 4)
    assert len(scene.journal.fail()) == 1
    for session in scene.sessions:
        session.take()
    scene.match.suspend()
    assert isinstance(scene.sessions[1].take()[0], from_server.Suspended)
    with pytest.raises(ProtocolError) as refused:
        scene.move(0, 1, 4)
    assert (refused.value.code, refused.value.retry_after) == (ErrorCode.MATCH_SUSPENDED, 1.0)
    scene.match.rebuild(log_of(scene))
    assert isinstance(scene.sessions[0].take()[-1], from_server.Continued)
    scene.play(0, 1, 4)
    answer = scene.sessions[0].take_only(from_server.Events)
    assert (answer.first, [(step.seat, step.turn) for step in answer.steps]) == (2, [(1, 0), (0, 1)])


async def test_a_rebuilt_match_tells_the_same_streams() -> None:
    scene, other = Scene(), Scene()
    for turn in range(4):
        scene.play(0, turn, turn)
    for turn in range(3):
        scene.play(1, turn, 6 - turn)
    other.match.rebuild(log_of(scene))
    for seat in (0, 1, None):
        was, now = FakeSession(), FakeSession()
        assert await resume(scene, seat, 0, was) == await resume(other, seat, 0, now)


async def test_a_log_that_does_not_replay_is_refused() -> None:
    scene, other = Scene(), Scene()
    scene.play(0, 0)
    [(entry, request)] = log_of(scene)
    wrong = Entry(entry.seat, entry.turn, entry.move, None, entry.at, entry.score + 1, entry.digest)
    with pytest.raises(ReplayMismatch):
        other.match.rebuild([(wrong, request)])


async def test_a_finished_table_without_a_stored_result_is_finished_again() -> None:
    scene, other = Scene(seats=1, drop_limit=1), Scene(seats=1, drop_limit=1)
    scene.play(0, 0)
    other.match.rebuild(log_of(scene))
    other.journal.commit()
    assert other.match.over
    assert isinstance(other.journal.stored[0], Finished)


# Watching


async def test_spectators_see_everything_at_once() -> None:
    scene = Scene()
    watcher = FakeSession()
    scene.match.resume("w", None, None, watcher)
    watcher.take()
    scene.play(0, 0)
    scene.play(0, 1)
    scene.flush()
    frame = watcher.take_only(from_server.Events)
    assert [(step.seat, step.turn) for step in frame.steps] == [(0, 0), (0, 1)]
    scene.match.audience.leave(watcher)
    scene.play(0, 2)
    scene.flush()
    assert watcher.take() == []


async def test_nothing_sent_before_the_end_holds_the_seed() -> None:
    scene = Scene(seed="a-secret-of-sixteen")
    watcher = FakeSession()
    scene.match.resume("w", None, None, watcher)
    scene.play(0, 0)
    back = FakeSession()
    scene.match.resume("r", 1, None, back)
    for session in (*scene.sessions, watcher, back):
        assert "a-secret-of-sixteen" not in repr(session.take())
    assert scene.match.facts.deal.known is model.Known.OPEN
