"""A player who comes back, with raw sockets: what is told, what is not told twice, and what stays refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import CloseCode, ErrorCode
from samedrop_server.app import Running
from tests.e2e.support import Raw, raw, served, start_match

LONG = model.Settings(countdown=0, seed="friday")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with served(tmp_path) as running:
        yield running


async def resume(client: Raw, match: str, last: int | None) -> from_server.Resumed:
    answer = await client.ask(from_client.Resume(id=client.id(), match=match, last=last))
    assert isinstance(answer, from_server.Resumed)
    return answer


async def test_a_cut_connection_comes_back_to_the_same_seat_score_and_board(server: Running) -> None:
    async with raw(server) as first:
        welcome = await first.hello("ann")
        (started,) = await start_match(first, settings=LONG)
        match = started.match.match
        stored = [await first.move(match, turn, turn % 7) for turn in range(9)][-1]
        first.socket.transport.abort()
        async with raw(server) as again:
            back = await again.hello("ann", welcome.token)
            assert (back.player, back.token, back.matches) == (welcome.player, None, [match])
            assert back.room is not None
            snapshot = await resume(again, match, None)
            assert (snapshot.answer, snapshot.last) == ("snapshot", 9)
            assert snapshot.progress[0].score == stored.steps[0].score
            assert snapshot.views is not None
            assert snapshot.views[0]["turn"] == 9
            assert (await again.move(match, 9, 0)).steps[0].turn == 9


async def test_what_was_missed_comes_in_order_and_once(server: Running) -> None:
    async with raw(server) as ann, raw(server) as bob:
        token = (await ann.hello("ann")).token
        await bob.hello("bob")
        started, _ = await start_match(ann, bob, settings=LONG)
        match = started.match.match
        for turn in range(5):
            await ann.move(match, turn, turn)
        ann.socket.transport.abort()
        for turn in range(3):
            await bob.move(match, turn, turn)
        async with raw(server) as again:
            await again.hello("ann", token)
            assert (await resume(again, match, 5)).answer == "events"
            missed = await again.until(from_server.Events)
            assert (missed.first, [(step.seat, step.turn) for step in missed.steps]) == (6, [(1, 0), (1, 1), (1, 2)])
            assert (await resume(again, match, 8)).answer == "up_to_date"
            ahead = await again.ask(from_client.Resume(id="ahead", match=match, last=9))
            assert (ahead.code, ahead.field) == (ErrorCode.RESUME_AHEAD, "last")


async def test_a_move_sent_again_after_a_reconnect_is_answered_the_same(server: Running) -> None:
    async with raw(server) as first, raw(server) as second:
        welcome = await first.hello("ann")
        (started,) = await start_match(first, settings=LONG)
        match = started.match.match
        stored = await first.move(match, 0, 3, request="x")
        await second.hello("ann", welcome.token)
        assert await first.closed() == CloseCode.REPLACED
        again = await second.move(match, 0, 3, request="x")
        assert (again.repeat, again.steps) == (True, stored.steps)
        for turn, code in [(0, ErrorCode.STALE_TURN), (2, ErrorCode.FUTURE_TURN)]:
            error = await second.move(match, turn, 3)
            assert (error.code, error.turn) == (code, 1)


async def test_an_unfinished_match_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with served(tmp_path) as server, raw(server) as client:
        token = (await client.hello("ann")).token
        (started,) = await start_match(client, settings=model.Settings(countdown=0, seed="friday", drop_limit=4))
        match = started.match.match
        before = [await client.move(match, turn, turn, request=f"m{turn}") for turn in range(3)]
        await server.gateway.close()
        assert isinstance(await client.until(from_server.Closing), from_server.Closing)
        assert await client.closed() == CloseCode.RESTARTING
    async with served(tmp_path) as server, raw(server) as client:
        assert (await client.hello("ann", token)).matches == [match]
        assert (await resume(client, match, 0)).answer == "events"
        told = await client.until(from_server.Events)
        assert told.steps == [frame.steps[0] for frame in before]
        assert (await client.move(match, 2, 2, request="m2")).steps == before[2].steps
        await client.move(match, 3, 3)
        over = await client.until(from_server.MatchOver)
        assert over.deal.seed == "friday"


async def test_spectators_watch_public_rooms_only(server: Running) -> None:
    async with raw(server) as ann, raw(server) as eve:
        await ann.hello("ann")
        await eve.hello("eve")
        (started,) = await start_match(ann, settings=LONG)
        match = started.match.match
        refused = await eve.ask(from_client.Watch(id="w", match=match))
        assert refused.code == ErrorCode.MATCH_NOT_FOUND
        await ann.ask(from_client.Move(id="m", match=match, turn=0, move={"column": 3}))
        stranger = await eve.move(match, 1, 3)
        assert stranger.code == ErrorCode.MATCH_NOT_FOUND
