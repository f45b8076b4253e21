from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.model import Align, Rivals
from samedrop_rules import Game, covers, find_game
from samedrop_server.matches.match import Match
from samedrop_server.storage.loading import StoredRun
from samedrop_server.storage.records import Logged
from tests.server.matches.support import Scene, log_of, run_on
from tests.support.server import FakeSession
from tests.support.waiting import eventually

GAME: Game = find_game("drop7")
DEAL = GAME.deal({}, seed="friday")


def scene_with(*runs: StoredRun, **options: Any) -> Scene:
    return Scene(deal=DEAL, runs=runs, **options)


def told(scene: Scene, seat: int = 0) -> list[tuple[int, int]]:
    """The seat and turn of every step that the session of a seat was sent."""
    scene.flush()
    return steps_of(scene.sessions[seat])


def steps_of(session: FakeSession) -> list[tuple[int, int]]:
    frames = [one for one in session.take() if isinstance(one, from_server.Events)]
    return [(step.seat, step.turn) for frame in frames for step in frame.steps]


def in_stream(match: Match, seat: int | None) -> list[tuple[int, int]]:
    place = match.audience.find_place(seat, None)
    return [(step.seat, step.turn) for step in place.steps]


def stand(scene: Scene, seat: int | None = 0) -> list[model.SeatProgress]:
    return scene.match.audience.find_place(seat, None).progress


async def test_a_ghost_makes_its_turn_after_the_own_one() -> None:
    scene = scene_with(run_on(DEAL), seats=2)
    assert scene.match.facts.ghosts[0].seat == 2
    scene.play(0, 0)
    scene.play(0, 1)
    assert told(scene) == [(0, 0), (2, 0), (0, 1), (2, 1)]
    assert told(scene, 1) == [], "the other player has made no turn: rival and ghost are both ahead"
    scene.play(1, 0)
    assert told(scene, 1) == [(1, 0), (0, 0), (2, 0)]


async def test_each_player_races_the_ghost_at_the_own_pace() -> None:
    scene = scene_with(run_on(DEAL), seats=2)
    for turn in range(5):
        scene.play(0, turn, turn)
    scene.play(1, 0, 5)
    assert [one.turn for one in stand(scene, 0)] == [5, 1, 5]
    assert [one.turn for one in stand(scene, 1)] == [5, 1, 1]
    assert [one.turn for one in stand(scene, None)] == [5, 1, 5]
    scene.flush()
    news = [one for one in scene.sessions[1].take() if isinstance(one, from_server.Progress | from_server.Events)]
    assert {seat.seat for one in news for seat in getattr(one, "seats", getattr(one, "progress", []))} <= {0, 2}


async def test_the_ghost_says_what_it_said_when_it_was_played() -> None:
    run = run_on(DEAL, drop_limit=6)
    scene = scene_with(run, seats=1)
    views = scene.match.first_views()
    assert views[0] == views[1], "both see the same deal at the start"
    turn = 0
    while scene.match.table.ended(0) is None:
        scene.play(0, turn, scene.match.table.legal(0)[0]["column"])  # type: ignore[arg-type]
        turn += 1
    scene.flush()
    frames = [one for one in scene.sessions[0].take() if isinstance(one, from_server.Events)]
    steps = [step for frame in frames for step in frame.steps if step.seat == 1]
    assert [(step.turn, step.move, step.at, step.score, step.digest) for step in steps] == [
        (entry.turn, entry.move, entry.at, entry.score, entry.digest) for entry in run.log
    ]
    assert all(step.id is None for step in steps)
    assert stand(scene)[1].ended == "censored"
    for step in steps:
        views[1] = GAME.follow(views[1], step.events)
    scene.match.resume("r", 0, None, scene.sessions[0])
    again = next(one for one in scene.sessions[0].take() if isinstance(one, from_server.Resumed))
    assert again.views is not None
    assert again.views[1] == views[1]


async def test_the_rest_of_the_ghost_comes_when_the_own_run_is_over() -> None:
    run = run_on(DEAL, turns=8)
    scene = scene_with(run, seats=2)
    scene.play(0, 0)
    scene.match.forfeit(0, "f", scene.sessions[0])
    scene.journal.commit()
    assert in_stream(scene.match, 0) == [(0, 0), (2, 0), (0, 1), *((2, turn) for turn in range(1, 9))]
    assert stand(scene)[2].ended == "forfeit"
    assert in_stream(scene.match, None) == [(0, 0), (2, 0), (0, 1), (2, 1)]


async def test_the_result_is_the_players_own() -> None:
    scene = scene_with(run_on(DEAL), seats=1)
    scene.play(0, 0)
    scene.match.forfeit(0, "f", scene.sessions[0])
    scene.journal.commit()
    over = next(one for one in scene.sessions[0].take() if isinstance(one, from_server.MatchOver))
    assert [row.seat for row in over.standings] == [0]
    assert {record.seat for record in scene.journal.stored if isinstance(record, Logged)} == {0}


async def test_scores_only_until_the_own_run_is_over() -> None:
    scene = scene_with(run_on(DEAL, turns=3), seats=1, rivals=Rivals.SCORES)
    scene.play(0, 0)
    assert told(scene) == [(0, 0)]
    assert stand(scene)[1].turn == 1
    scene.play(0, 1)
    (frame,) = [one for one in scene.sessions[0].take() if isinstance(one, from_server.Events)]
    assert [one.seat for one in frame.progress] == [1]
    scene.match.forfeit(0, "f", scene.sessions[0])
    scene.journal.commit()
    assert told(scene) == [(0, 2), (1, 0), (1, 1), (1, 2), (1, 3)]


async def test_of_a_secret_deal_nothing_is_told_that_was_not_dealt() -> None:
    scene = scene_with(run_on(DEAL), seats=1, secret=True)
    watcher = FakeSession()
    scene.match.resume("w", None, None, watcher)
    for turn in range(3):
        scene.play(0, turn, turn)
    scene.match.forfeit(0, "f", scene.sessions[0])
    scene.journal.commit()
    ghost = [turn for seat, turn in in_stream(scene.match, 0) if seat == 1]
    assert ghost, "as far as was dealt"
    assert len(ghost) < len(run_on(DEAL).log)
    known = scene.match.table.knowledge(0)
    place = scene.match.audience.find_place(0, None)
    assert all(covers(known, step.disclosed) for step in place.steps)
    assert place.progress[1].ended is not None, "how it ended is told"
    scene.flush()
    assert all(seat == 0 for seat, _ in steps_of(watcher))


async def test_several_ghosts_go_turn_by_turn() -> None:
    scene = scene_with(run_on(DEAL, "a", turns=2), run_on(DEAL, "b"), seats=1, rivals=Rivals.OPEN)
    for turn in range(4):
        scene.play(0, turn, turn)
    stream = in_stream(scene.match, 0)
    assert [one for one in stream if one[1] == 0] == [(0, 0), (1, 0), (2, 0)]
    assert [turn for seat, turn in stream if seat == 1] == [0, 1, 2], "the stop comes with the turn that was not made"
    assert [turn for seat, turn in stream if seat == 2] == [0, 1, 2, 3]


# Aligned by time


async def test_by_time_a_ghost_goes_on_by_itself() -> None:
    run = run_on(DEAL, every=10, turns=3)
    scene = scene_with(run, seats=1, align=Align.TIME, rivals=Rivals.OPEN)
    scene.match.open()
    scene.clock.advance(0.020)
    await eventually(lambda: [one.turn for one in stand(scene)] == [0, 2])
    assert in_stream(scene.match, 0) == [(1, 0), (1, 1)]
    scene.match.close()


async def test_by_time_it_waits_for_what_is_being_stored() -> None:
    scene = scene_with(run_on(DEAL, every=10), seats=1, align=Align.TIME, rivals=Rivals.OPEN)
    scene.match.open()
    scene.clock.advance(0.015)
    scene.move(0, 0)
    scene.clock.advance(0.010)
    scene.match._time_passes(scene.match.timing.played())
    assert in_stream(scene.match, 0) == [], "the ghost's clock ran, but the move from before is not stored yet"
    scene.journal.commit()
    assert in_stream(scene.match, 0)[:2] == [(1, 0), (0, 0)]
    await eventually(lambda: (1, 1) in in_stream(scene.match, 0))
    scene.match.close()


async def test_by_time_it_is_held_back_like_a_rival() -> None:
    scene = scene_with(run_on(DEAL, every=10), seats=1, align=Align.TIME)
    scene.match.open()
    scene.clock.advance(0.050)
    await eventually(lambda: stand(scene)[1].turn == 5)
    assert in_stream(scene.match, 0) == [], "it has been dealt discs that the player has not"
    scene.play(0, 0)
    assert in_stream(scene.match, 0)[:2] == [(0, 0), (1, 0)]
    scene.match.close()


async def test_spectators_see_it_late() -> None:
    scene = scene_with(run_on(DEAL, every=1), seats=1, align=Align.TIME, spectator_delay=0.02)
    scene.match.open()
    scene.clock.advance(0.005)
    await eventually(lambda: stand(scene, 0)[1].turn >= 4)
    assert stand(scene, None)[1].turn == 0
    await eventually(lambda: stand(scene, None)[1].turn >= 4)
    scene.match.close()


@settings(max_examples=30, deadline=None)
@given(
    moves=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6), st.integers(0, 60)), max_size=25),
    align=st.sampled_from(Align),
    rivals=st.sampled_from(Rivals),
    secret=st.booleans(),
)
async def test_streams_come_out_the_same_after_a_restart(
    moves: list[tuple[int, int, int]], align: Align, rivals: Rivals, secret: bool
) -> None:
    runs = (run_on(DEAL, "a", every=30, turns=6), run_on(DEAL, "b", every=47))
    if secret and rivals is Rivals.OPEN:
        rivals = Rivals.FAIR
    scene = scene_with(*runs, seats=2, align=align, rivals=rivals, secret=secret)
    scene.match.open()
    turns = [0, 0]
    for seat, column, pause in moves:
        scene.clock.advance(pause / 1000)
        if pause % 3 == 0:
            scene.match._time_passes(scene.match.timing.played())
        if {"column": column} in scene.match.table.legal(seat):
            scene.move(seat, turns[seat], column)
            turns[seat] += 1
            if pause % 2:
                scene.journal.commit()
    scene.journal.commit()
    scene.match._time_passes(scene.match.timing.played())
    before = [in_stream(scene.match, seat) for seat in (0, 1, None)]
    stood = [stand(scene, seat) for seat in (0, 1, None)]
    scene.match.rebuild(log_of(scene))
    assert [in_stream(scene.match, seat) for seat in (0, 1, None)] == before
    assert [stand(scene, seat) for seat in (0, 1, None)] == stood
    scene.match.close()


async def test_a_move_is_answered_as_ever() -> None:
    scene = scene_with(run_on(DEAL), seats=1)
    scene.play(0, 0)
    scene.sessions[0].take()
    scene.match.move(0, from_client.Move(id="s0t0", match="m1", turn=0, move={"column": 3}), scene.sessions[0])
    frame = scene.sessions[0].take_only(from_server.Events)
    assert (frame.repeat, frame.steps[0].id) == (True, "s0t0")


@pytest.mark.parametrize("align", Align)
async def test_the_clock_stops_with_the_match(align: Align) -> None:
    scene = scene_with(run_on(DEAL, every=10), seats=1, align=align)
    scene.match.open()
    scene.match.forfeit(0, "f", scene.sessions[0])
    scene.journal.commit()
    assert scene.match.over
    assert scene.match.timing._timers == []
