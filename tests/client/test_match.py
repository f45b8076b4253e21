"""A match as a client follows it: views, moves exactly once, coming back, suspension, lockstep, result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from samedrop_client.client import Client
from samedrop_client.errors import Disconnected, IllegalMove, MatchOver, Refused, StaleTurn
from samedrop_client.match import Match
from samedrop_protocol import from_server
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.events import Drop, Over
from samedrop_protocol.from_client import Forfeit, GetMatch, Hello, Move, Pause, Ping, Resume, Watch
from samedrop_rules import Ended, View
from samedrop_rules import Move as RulesMove
from tests.support.playbook import Playbook
from tests.support.scene import BOB, MATCH, ok, pong, refusal, room, welcome
from tests.support.scene import Scene as NewScene


@pytest.fixture
def scene() -> NewScene:
    return NewScene()


def begin(scene: NewScene) -> Playbook:
    """Ann is in the room, and the match starts."""
    return Playbook().expects(Hello).says(welcome(room=room()), scene.started())


async def started(client: Client) -> Match:
    assert client.room is not None
    return await client.room.next_match()


def moves(scene: NewScene, *columns: int, seat: int = 0) -> list[Callable[[str], from_server.ServerMessage]]:
    """Makes the step that answers each move."""
    return [lambda request, column=column: scene.play(seat, column, request) for column in columns]  # type: ignore[misc]


async def test_the_start_tells_facts_and_views(scene: NewScene) -> None:
    async with begin(scene) as book, book.connect() as client:
        match = await started(client)
        assert (match.id, match.seat, match.turn, match.game.id) == (MATCH, 0, 0, "drop7")
        assert match.view() == scene.first_views[0]
        assert match.view(1) == scene.first_views[1]
        assert match.legal() == [{"column": column} for column in range(7)]
        assert match.ended is None


async def test_a_move_returns_its_stored_step_and_the_views_follow(scene: NewScene) -> None:
    book = begin(scene)
    for turn, answer in enumerate(moves(scene, 3, 3, 2, 6)):
        book.expects(Move, match=MATCH, turn=turn).answers(answer)
    async with book, book.connect() as client:
        match = await started(client)
        for turn, column in enumerate((3, 3, 2, 6)):
            step = await match.move({"column": column})
            assert (step.turn, step.move) == (turn, {"column": column})
        assert match.turn == 4
        assert match.view() == scene.table.view(0)
        assert match.progress == scene.progress()


async def test_rivals_are_followed_too(scene: NewScene) -> None:
    book = begin(scene).says(scene.play(1, 0), scene.play(1, 1), scene.play(0, 5), scene.stop(1, Ended.FORFEIT))
    book.expects(Ping).answers(pong)
    async with book, book.connect() as client:
        match = await started(client)
        await client.ping()
        assert match.view(1) == scene.table.view(1)
        assert match.progress == scene.progress()
        assert match.turn == 1


async def test_held_back_steps_do_not_turn_progress_back(scene: NewScene) -> None:
    first, second = scene.play(1, 0), scene.play(1, 1)
    progress = from_server.Progress(match=MATCH, seats=scene.progress()[1:])
    later = asyncio.Event()
    book = begin(scene).says(progress, first).expects(Ping).answers(pong)
    book.waits_for(later).says(second).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        match = await started(client)
        await client.ping()
        assert match.progress[1].turn == 2
        assert match.view(1)["turn"] == 1
        later.set()
        await client.ping()
        assert match.view(1) == scene.table.view(1)


async def test_steps_and_events_can_be_iterated_by_several_readers(scene: NewScene) -> None:
    steps = [scene.play(0, 3), scene.play(1, 3), scene.stop(0, Ended.FORFEIT)]
    async with begin(scene).says(*steps, scene.over()) as book, book.connect() as client:
        match = await started(client)
        for _ in range(2):
            assert [step.seat async for step in match] == [0, 1, 0]
        events = [event async for event in match.events()]
        assert events[0] == (0, Drop(disc=3, cell=(5, 3)))
        assert (0, Over(ended="forfeit", cause="forfeit")) in events


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (ErrorCode.MOVE_ILLEGAL, IllegalMove),
        (ErrorCode.MOVE_INVALID, IllegalMove),
        (ErrorCode.STALE_TURN, StaleTurn),
        (ErrorCode.FUTURE_TURN, StaleTurn),
        (ErrorCode.MATCH_OVER, MatchOver),
        (ErrorCode.STORAGE, Refused),
    ],
)
async def test_refused_moves_change_nothing(scene: NewScene, code: ErrorCode, expected: type[Refused]) -> None:
    async with begin(scene).expects(Move).answers(refusal(code, turn=5)) as book, book.connect() as client:
        match = await started(client)
        with pytest.raises(expected) as caught:
            await match.move({"column": 9})
        assert caught.value.turn == 5
        assert match.view() == scene.first_views[0]
        assert match.turn == 0


async def test_forfeit(scene: NewScene) -> None:
    book = begin(scene).expects(Forfeit, match=MATCH).answers(lambda request: scene.stop(0, Ended.FORFEIT, request))
    async with book, book.connect() as client:
        match = await started(client)
        await match.forfeit()
        assert match.ended == "forfeit"
        assert match.legal() == []


# Coming back.


async def test_comes_back_to_the_events_that_it_missed(scene: NewScene) -> None:
    book = begin(scene).says(scene.play(0, 3), scene.play(1, 0)).cuts()
    scene.play(1, 1)
    scene.play(1, 2)
    book.expects(Hello).says(welcome(room=room(), matches=(MATCH,)))
    book.expects(Resume, match=MATCH, last=2).answers(scene.resumed(2)).says(scene.events(3))
    book.expects(Ping).answers(pong)
    async with book, book.connect() as client:
        match = await started(client)
        while match.last < 4:
            await match.changed()
        await client.ping()
        steps = aiter(match)
        assert [(await anext(steps)).turn for _ in range(4)] == [0, 0, 1, 2]
        assert match.view(1) == scene.table.view(1)
        assert (match.progress, match.turn) == (scene.progress(), 1)


async def test_comes_back_to_a_snapshot(scene: NewScene) -> None:
    book = begin(scene).cuts()
    for column in (0, 1, 2):
        scene.play(0, column)
        scene.play(1, column)
    later = scene.resumed(6, snapshot=True)
    views = scene.views()
    book.expects(Hello).says(welcome(room=room())).expects(Resume, last=0).answers(later)
    book.expects(Move, turn=3).answers(*moves(scene, 5))
    async with book, book.connect() as client:
        match = await started(client)
        while match.last < 6:
            await match.changed()
        assert [match.view(0), match.view(1)] == views
        await match.move({"column": 5})
        assert match.view() == scene.table.view(0)


async def test_a_move_whose_answer_was_lost_is_sent_again_and_applied_once(scene: NewScene) -> None:
    book = begin(scene).expects(Move, turn=0).cuts()
    book.expects(Hello).says(welcome(room=room(), matches=(MATCH,)))
    book.expects(Resume, last=0).answers(scene.resumed(0)).expects(Move, turn=0).answers(*moves(scene, 3))
    async with book, book.connect() as client:
        match = await started(client)
        await match.move({"column": 3})
        assert match.view() == scene.table.view(0)
    sent = [message for message in book.heard if isinstance(message, Move)]
    assert sent[0] == sent[1]


async def test_a_move_that_was_stored_before_the_loss_is_answered_by_the_missed_events(scene: NewScene) -> None:
    heard, stored = asyncio.Event(), asyncio.Event()
    book = begin(scene).expects(Move).sets(heard).waits_for(stored).cuts()
    book.expects(Hello).says(welcome(room=room(), matches=(MATCH,))).expects(Resume, last=0)
    async with book, book.connect() as client:
        match = await started(client)
        move = asyncio.create_task(match.move({"column": 3}))
        await heard.wait()
        request = book.heard[-1]
        assert isinstance(request, Move)
        message = scene.play(0, 3, request.id)
        book.answers(scene.resumed(0)).says(message).expects(Move).says(scene.events(1, repeat=True))
        stored.set()
        step = await move
        await book.done()
        assert step.turn == 0
        assert match.view() == scene.table.view(0)
        assert (match.last, match.turn) == (1, 1)


async def test_a_repeated_answer_is_not_applied_again(scene: NewScene) -> None:
    book = begin(scene).expects(Move).answers(*moves(scene, 3)).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        match = await started(client)
        await match.move({"column": 3})
        book.says(scene.events(1, repeat=True)).expects(Ping).answers(pong)
        await client.ping()
        await client.ping()
        assert match.view() == scene.table.view(0)


async def test_moves_wait_for_the_resumed_stream(scene: NewScene) -> None:
    welcomed = asyncio.Event()
    book = begin(scene).cuts().expects(Hello).waits_for(welcomed).says(welcome(room=room(), matches=(MATCH,)))
    book.expects(Resume).answers(scene.resumed(0)).expects(Move).answers(*moves(scene, 1))
    async with book, book.connect() as client:
        match = await started(client)
        await book.noticed.wait()
        move = asyncio.create_task(match.move({"column": 1}))
        await asyncio.sleep(0)
        welcomed.set()
        assert (await move).turn == 0


async def test_a_gap_in_the_steps_is_filled_by_resuming(scene: NewScene) -> None:
    scene.play(0, 0)
    scene.play(0, 1)
    gap = scene.play(0, 2)
    book = begin(scene).says(gap).expects(Resume, last=0).answers(scene.resumed(0)).says(scene.events(1))
    async with book, book.connect() as client:
        match = await started(client)
        while match.last < 3:
            await match.changed()
        assert match.view() == scene.table.view(0)


async def test_a_server_that_forgot_is_asked_for_a_snapshot(scene: NewScene) -> None:
    book = begin(scene).says(scene.play(0, 0), scene.play(0, 1)).cuts()
    book.expects(Hello).says(welcome(room=room()))
    book.expects(Resume, last=2).answers(refusal(ErrorCode.RESUME_AHEAD))
    forgetful = NewScene()
    forgetful.play(0, 0)
    book.expects(Resume, last=None).answers(forgetful.resumed(1, snapshot=True))
    async with book, book.connect() as client:
        match = await started(client)
        await book.done()
        while match.last != 1:
            await match.changed()
        assert match.turn == 1
        assert match.view() == forgetful.table.view(0)


async def test_a_match_that_is_gone_fails(scene: NewScene) -> None:
    book = begin(scene).cuts().expects(Hello).says(welcome())
    book.expects(Resume).answers(refusal(ErrorCode.MATCH_NOT_FOUND, "Gone."))
    book.expects(GetMatch, match=MATCH).answers(refusal(ErrorCode.MATCH_NOT_FOUND))
    async with book, book.connect() as client:
        match = await started(client)
        with pytest.raises(Refused, match="Gone"):
            await match.result()
        with pytest.raises(Refused, match="Gone"):
            _ = [step async for step in match]


async def test_a_match_that_ended_and_is_gone_is_looked_up(scene: NewScene) -> None:
    """The last move was stored, and its answer lost; the room plays something else by now."""
    book = begin(scene).says(scene.play(1, 2)).expects(Move, turn=0).cuts()
    scene.play(0, 3)
    scene.play(1, 4)
    over, record = scene.over(), scene.record()
    book.expects(Hello).says(welcome()).expects(Resume).answers(refusal(ErrorCode.MATCH_NOT_FOUND))
    book.expects(GetMatch, match=MATCH).answers(lambda re: from_server.MatchPage(re=re, record=record))
    async with book, book.connect() as client:
        match = await started(client)
        step = await match.move({"column": 3})
        assert (step.turn, step.events) == (0, scene.steps[1].events)
        assert await match.result() == over
        assert [(step.seat, step.turn) async for step in match] == [(1, 0), (0, 0), (1, 1), (0, 1), (1, 2)]
        assert [match.view(seat) for seat in (0, 1)] == scene.views()
        assert match.legal() == []


async def test_a_move_that_came_too_late_for_a_match_that_is_gone(scene: NewScene) -> None:
    book = begin(scene).expects(Move, turn=0).cuts()
    scene.over()
    record = scene.record()
    book.expects(Hello).says(welcome()).expects(Resume).answers(refusal(ErrorCode.MATCH_NOT_FOUND))
    book.expects(GetMatch, match=MATCH).answers(lambda re: from_server.MatchPage(re=re, record=record))
    async with book, book.connect() as client:
        match = await started(client)
        with pytest.raises(MatchOver):
            await match.move({"column": 3})
        assert match.ended == "time"


async def test_over_while_away(scene: NewScene) -> None:
    book = begin(scene).cuts()
    over = scene.over()
    book.expects(Hello).says(welcome(room=room())).expects(Resume, last=0).answers(scene.resumed(0)).says(over)
    async with book, book.connect() as client:
        match = await started(client)
        assert await match.result() == over


async def test_the_end_of_the_connection_ends_the_match(scene: NewScene) -> None:
    async with begin(scene).expects(Ping).answers(pong).closes(4001) as book, book.connect() as client:
        match = await started(client)
        await client.ping()
        with pytest.raises(Disconnected):
            await match.result()
        with pytest.raises(Disconnected):
            await match.move({"column": 0})


# Suspension.


async def test_a_move_waits_out_a_suspension(scene: NewScene) -> None:
    book = begin(scene).expects(Move)
    book.says(from_server.Suspended(match=MATCH, text="No disk."))
    book.answers(lambda request: from_server.Error(code=ErrorCode.MATCH_SUSPENDED, text="No disk.", re=request))
    book.says(from_server.Continued(match=MATCH)).expects(Resume, last=0).answers(scene.resumed(0))
    book.expects(Move).answers(*moves(scene, 3))
    async with book, book.connect() as client:
        match = await started(client)
        assert (await match.move({"column": 3})).turn == 0
        assert match.suspended is None
    sent = [message for message in book.heard if isinstance(message, Move)]
    assert sent[0] == sent[1]
    assert book.notices == ["No disk.", "The match goes on."]


async def test_a_move_without_answer_is_sent_again_after_a_suspension(scene: NewScene) -> None:
    book = begin(scene).expects(Move).says(from_server.Suspended(match=MATCH, text="No disk."))
    book.says(from_server.Continued(match=MATCH)).expects(Resume, last=0).answers(scene.resumed(0))
    book.expects(Move).answers(*moves(scene, 3))
    async with book, book.connect() as client:
        match = await started(client)
        await match.move({"column": 3})
        assert match.view() == scene.table.view(0)


# Pauses.


def paused(*agreed: int, now: bool = False) -> from_server.Paused:
    return from_server.Paused(match=MATCH, agreed=list(agreed), paused=now)


async def test_a_move_waits_for_the_end_of_a_pause(scene: NewScene) -> None:
    book = begin(scene).says(paused(0, 1, now=True)).expects(Ping).answers(pong)
    book.expects(Move).answers(refusal(ErrorCode.MATCH_PAUSED, turn=0)).says(paused()).expects(Move)
    book.answers(*moves(scene, 3))
    async with book, book.connect() as client:
        match = await started(client)
        await client.ping()
        assert (match.agreed, match.paused) == ([0, 1], True)
        assert (await match.move({"column": 3})).turn == 0
        assert (match.agreed, match.paused) == ([], False)
    sent = [message for message in book.heard if isinstance(message, Move)]
    assert sent[0] == sent[1]


async def test_a_pause_can_refuse_a_move(scene: NewScene) -> None:
    book = begin(scene).expects(Move).answers(refusal(ErrorCode.MATCH_PAUSED, turn=0))
    async with book, book.connect() as client:
        match = await started(client)
        with pytest.raises(Refused) as refused:
            await match.move({"column": 3}, through_pauses=False)
        assert refused.value.code == ErrorCode.MATCH_PAUSED


async def test_agreeing_and_going_on(scene: NewScene) -> None:
    book = begin(scene).expects(Pause, match=MATCH, agree=True).says(paused(0)).answers(ok)
    book.expects(Pause, match=MATCH, agree=False).says(paused()).answers(ok)
    book.expects(Pause).answers(refusal(ErrorCode.MATCH_NO_PAUSE))
    async with book, book.connect() as client:
        match = await started(client)
        await match.pause()
        assert (match.agreed, match.paused) == ([0], False)
        await match.go_on()
        assert match.agreed == []
        with pytest.raises(Refused):
            await match.pause()


async def test_a_pause_that_ended_while_away_is_over(scene: NewScene) -> None:
    cut, back = asyncio.Event(), asyncio.Event()
    book = begin(scene).says(paused(0, 1, now=True)).expects(Ping).answers(pong).waits_for(cut).cuts()
    book.expects(Hello).says(welcome(token=None, room=room(), matches=(MATCH,)))
    book.expects(Resume).answers(scene.resumed(0)).sets(back).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        match = await started(client)
        await client.ping()
        assert match.paused
        cut.set()
        await back.wait()
        await client.ping()
        assert (match.agreed, match.paused) == ([], False)


async def test_a_pause_without_answer_is_asked_for_again_after_a_suspension(scene: NewScene) -> None:
    book = begin(scene).expects(Pause).says(from_server.Suspended(match=MATCH, text="No disk."))
    book.says(from_server.Continued(match=MATCH)).expects(Resume, last=0).answers(scene.resumed(0))
    book.expects(Pause, agree=True).says(paused(0)).answers(ok)
    async with book, book.connect() as client:
        match = await started(client)
        await match.pause()
        assert match.agreed == [0]


async def test_a_pause_without_answer_is_asked_for_again_after_a_lost_connection(scene: NewScene) -> None:
    book = begin(scene).expects(Pause).cuts()
    book.expects(Hello).says(welcome(token=None, room=room(), matches=(MATCH,)))
    book.expects(Resume).answers(scene.resumed(0)).expects(Pause).says(paused(0)).answers(ok)
    async with book, book.connect() as client:
        match = await started(client)
        await match.pause()
        assert match.agreed == [0]


async def test_a_move_waits_through_a_pause_that_is_told_after_it_was_refused(scene: NewScene) -> None:
    book = begin(scene).expects(Move).answers(refusal(ErrorCode.MATCH_PAUSED, turn=0))
    book.says(paused(0, 1, now=True), paused()).expects(Move).answers(*moves(scene, 3))
    async with book, book.connect() as client:
        match = await started(client)
        assert (await match.move({"column": 3})).turn == 0


# Playing.


async def test_play_to_the_result() -> None:
    scene = NewScene(drop_limit=3)
    book = begin(scene)
    for answer in moves(scene, 0, 0, 0):
        book.expects(Move).answers(answer)
    seen: list[View] = []

    def choose(view: View, legal: list[RulesMove]) -> RulesMove:
        seen.append(view)
        return legal[0]

    async with book, book.connect() as client:
        match = await started(client)
        playing = asyncio.create_task(match.play(choose))
        await book.done()
        over = scene.over()
        assert not playing.done()
        await book.say(over)
        assert await playing == over
        assert [view["turn"] for view in seen] == [0, 1, 2]


async def test_play_takes_an_async_chooser() -> None:
    scene = NewScene(drop_limit=1)
    book = begin(scene).expects(Move).answers(*moves(scene, 6))

    async def choose(view: View, legal: list[RulesMove]) -> RulesMove:
        await asyncio.sleep(0)
        return legal[-1]

    async with book, book.connect() as client:
        match = await started(client)
        playing = asyncio.create_task(match.play(choose))
        await book.done()
        await book.say(scene.over())
        await playing


async def test_play_ends_when_the_run_is_stopped_meanwhile(scene: NewScene) -> None:
    book = begin(scene).expects(Move).answers(refusal(ErrorCode.MATCH_OVER)).says(scene.stop(0, Ended.TIME))
    async with book, book.connect() as client:
        match = await started(client)
        playing = asyncio.create_task(match.play(lambda view, legal: legal[0]))
        await book.done()
        await book.say(scene.over())
        assert (await playing).standings[0].ended == "time"


async def test_lockstep_waits_for_the_others_without_choosing_again() -> None:
    scene = NewScene(drop_limit=2, lockstep=True)
    go = asyncio.Event()
    book = begin(scene).expects(Move, turn=0).answers(*moves(scene, 0)).waits_for(go)
    book.answers(*moves(scene, 4, seat=1)).expects(Move, turn=1).answers(refusal(ErrorCode.WAIT))
    chosen: list[View] = []
    chosen_twice = asyncio.Event()

    def choose(view: View, legal: list[RulesMove]) -> RulesMove:
        chosen.append(view)
        if len(chosen) == 2:
            chosen_twice.set()
        return legal[0]

    async with book, book.connect() as client:
        match = await started(client)
        playing = asyncio.create_task(match.play(choose))
        await chosen_twice.wait()
        assert [seat.player for seat in match.waits_for] == [BOB]
        go.set()
        await book.done()
        await book.say(from_server.Progress(match=MATCH, seats=scene.progress()[1:]))
        await book.hear(Move)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    assert len(chosen) == 2


# Watching.


async def test_watching_without_a_seat(scene: NewScene) -> None:
    scene.play(0, 0)
    book = Playbook().expects(Hello).says(welcome(player="player-eve"))
    book.expects(Watch, match=MATCH, last=None).answers(scene.resumed(1, snapshot=True)).says(scene.play(1, 2)).cuts()
    book.expects(Hello).says(welcome(player="player-eve")).expects(Watch, last=2).answers(scene.resumed(2))
    over = scene.over()
    book.says(over)
    async with book, book.connect() as client:
        match = await client.watch(MATCH)
        assert match.seat is None
        assert await match.result() == over
        assert match.view(1)["turn"] == 1
        with pytest.raises(ValueError, match="seat"):
            match.view()
        assert match.ended is None


async def test_watching_a_match_that_is_just_over(scene: NewScene) -> None:
    snapshot = scene.resumed(0, snapshot=True)
    book = (
        Playbook().expects(Hello).says(welcome(player="player-eve")).expects(Watch).answers(snapshot).says(scene.over())
    )
    async with book, book.connect() as client:
        match = await client.watch(MATCH)
        assert (await match.result()).match == MATCH
