"""A move counts once, however often and over however many connections it is sent, and is always answered alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import JSON, MSGPACK, Codec
from samedrop_protocol.errors import ErrorCode
from samedrop_server.app import Running
from tests.e2e.support import Raw, raw, served, start_match
from tests.faults.players import QUICK, Player, player, token_of

REQUEST = "the-move"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with served(tmp_path) as running:
        yield running


def the_move(match: str, turn: int = 0) -> from_client.Move:
    return from_client.Move(id=REQUEST, match=match, turn=turn, move={"column": 3})


async def answer_to(client: Raw) -> tuple[from_server.Step, bool]:
    """The next answer to the move: its step, and whether it was told as a repeat."""
    while True:
        events = await client.until(from_server.Events)
        for step in events.steps:
            if step.id == REQUEST:
                return step, events.repeat


async def begin(client: Player, settings: model.Settings = QUICK) -> str:
    (started,) = await start_match(client, settings=settings)
    return started.match.match


async def turn_of(client: Player, match: str) -> int:
    return (await client.resumed(match)).progress[0].turn


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
async def test_sent_three_times_back_to_back(codec: Codec, server: Running) -> None:
    async with player(server, "ann", codec=codec) as ann:
        match = await begin(ann)
        for _ in range(3):
            await ann.send(the_move(match))
        answers = [await answer_to(ann) for _ in range(3)]
        assert [step for step, _ in answers] == [answers[0][0]] * 3
        assert [repeat for _, repeat in answers] == [False, True, True]
        assert await turn_of(ann, match) == 1


async def test_sent_again_before_and_after_others(server: Running) -> None:
    async with player(server, "ann") as ann:
        match = await begin(ann)
        await ann.send(the_move(match))
        first, _ = await answer_to(ann)
        for turn in (1, 2):
            await ann.move(match, turn, turn)
        await ann.send(the_move(match))
        assert await answer_to(ann) == (first, True)
        assert await turn_of(ann, match) == 3


@pytest.mark.parametrize("older_first", [True, False])
async def test_sent_from_two_sockets_at_once(older_first: bool, server: Running) -> None:
    async with player(server, "ann") as older, raw(server) as newer:
        match = await begin(older)
        hello = from_client.Hello(versions=[1], name="ann", token=token_of(older))
        sent = [older.send(the_move(match)), newer.send(hello)]
        await asyncio.gather(*(sent if older_first else reversed(sent)))
        await newer.until(from_server.Welcome)
        await newer.send(the_move(match))
        first, _ = await answer_to(newer)
        await newer.send(the_move(match))
        assert await answer_to(newer) == (first, True)
        resumed = await newer.ask(from_client.Resume(id="resume", match=match, last=0))
        assert resumed.progress[0].turn == 1


@pytest.mark.parametrize("resumes_first", [False, True])
async def test_sent_again_after_a_reconnect_that_ate_the_answer(resumes_first: bool, server: Running) -> None:
    async with player(server, "ann") as ann:
        match = await begin(ann)
        await ann.send(the_move(match))
        ann.cut()
        async with player(server, "ann", token_of(ann)) as again:
            if resumes_first:
                await again.resumed(match, 0)
            await again.send(the_move(match))
            step, _ = await answer_to(again)
            await again.send(the_move(match))
            assert await answer_to(again) == (step, True)
            resumed = await again.resumed(match, 0)
            assert (resumed.answer, resumed.progress[0].turn) == ("events", 1)
            assert await again.steps(1) == [step]


async def test_sent_again_after_a_restart_and_after_the_end(tmp_path: Path) -> None:
    async with served(tmp_path) as server, player(server, "ann") as ann:
        match = await begin(ann, model.Settings(countdown=0, drop_limit=2))
        token = token_of(ann)
        await ann.send(the_move(match))
        first, _ = await answer_to(ann)
    async with served(tmp_path) as server, player(server, "ann", token) as ann:
        await ann.send(the_move(match))
        assert await answer_to(ann) == (first, True)
        await ann.move(match, 1, 1)
        await ann.send(the_move(match))
        assert await answer_to(ann) == (first, True)


async def test_another_request_or_move_for_the_same_turn_is_stale(server: Running) -> None:
    async with player(server, "ann") as ann:
        match = await begin(ann)
        await ann.send(the_move(match))
        await answer_to(ann)
        for request, turn, column, code in (
            ("another", 0, 3, ErrorCode.STALE_TURN),
            (REQUEST, 0, 4, ErrorCode.STALE_TURN),
            ("another", 2, 3, ErrorCode.FUTURE_TURN),
            (REQUEST, 2, 3, ErrorCode.FUTURE_TURN),
        ):
            error = await ann.move(match, turn, column, request)
            assert (error.code, error.turn) == (code, 1)
        assert await turn_of(ann, match) == 1


async def test_giving_up_twice_ends_the_run_once(server: Running) -> None:
    async with player(server, "ann") as ann, player(server, "bob") as bob:
        (started, _) = await start_match(ann, bob, settings=QUICK)
        match = started.match.match
        answer = await ann.ask(from_client.Forfeit(id="bye", match=match))
        assert answer.steps[0].stopped == "forfeit"
        again = await ann.ask(from_client.Forfeit(id="bye", match=match))
        if isinstance(again, from_server.Error):
            assert again.code == ErrorCode.MATCH_OVER
        else:
            assert (again.steps, again.repeat) == (answer.steps, True)
        assert (await bob.resumed(match)).progress[0].ended == "forfeit"
