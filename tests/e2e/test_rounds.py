"""A game in rounds over real sockets: hidden decisions, blocks, the time of a turn, coming back in the middle."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from samedrop_client import Client, IllegalMove, Match, Refused, connect
from samedrop_client.players import greedy_player, random_player
from samedrop_protocol import from_client, from_server
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Settings
from samedrop_server.app import Running
from tests.e2e.support import raw, served, start_match
from tests.e2e.test_games import samedrop

DICE = Settings(game="dice-drop", seed="friday", countdown=0)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with served(tmp_path) as running:
        yield running


async def started(server: Running, stack: AsyncExitStack, names: str, settings: Settings = DICE) -> list[Match]:
    """The same match for clients of these names (a letter each)."""
    clients: list[Client] = [await stack.enter_async_context(connect(server.url, name=name)) for name in names]
    room = await clients[0].create_room(settings)
    for client in clients[1:]:
        await (await client.join_room(room.code)).ready()
    await room.start()
    return [await client.room.next_match() for client in clients if client.room is not None]


async def test_six_players_with_blocks(server: Running, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        matches = await started(server, stack, "abcdef")
        players = [greedy_player, random_player]
        runs = [match.play(players[number % 2](match)) for number, match in enumerate(matches)]
        told: Counter[str] = Counter()

        async def listen() -> None:
            async for _, event in matches[3].events():
                told[type(event).__name__] += 1

        results, _ = await asyncio.gather(asyncio.gather(*runs), listen())
        assert len({result.standings[0].score for result in results}) == 1
        assert told["Block"] > 0
        assert told["Cross"] > 0
        assert told["Over"] == 6
        for match in matches:
            assert [match.view(seat) for seat in range(6)] == [matches[0].view(seat) for seat in range(6)]
            assert [one.score for one in match.progress] == [match.view(seat)["score"] for seat in range(6)]
    shown = samedrop(tmp_path, "show", matches[0].id)
    assert "a: dropped" in shown
    assert "block" in shown
    assert "0 differ" in samedrop(tmp_path, "verify", matches[0].id)


async def test_no_frame_tells_what_others_decided_before_all_have(server: Running) -> None:
    async with raw(server) as ann, raw(server) as bob:
        await ann.hello("ann")
        await bob.hello("bob")
        first, _ = await start_match(ann, bob, settings=DICE)
        match = first.match.match
        table = server.hall.matches[match].table
        move = dict(table.legal(0)[3])
        answer = await ann.ask(from_client.Move(id="m", match=match, turn=0, move=move))
        assert [step.events for step in answer.steps] == [[{"type": "decided", "seat": 0}]]
        assert answer.steps[0].move is None
        assert answer.steps[0].score == 0
        told = await bob.until(from_server.Events)
        assert told.steps[0].move is None
        resumed = await bob.ask(from_client.Resume(id="r", match=match))
        assert resumed.views == [table.view(0), table.view(1)]
        assert resumed.views[0]["grid"] == ["." * 7] * 14
        second = await bob.ask(from_client.Move(id="n", match=match, turn=0, move=dict(table.legal(1)[0])))
        fills = [event for step in second.steps for event in step.events if event["type"] == "fill"]
        assert [event["seat"] for event in fills] == [0, 1]
        again = await ann.ask(from_client.Move(id="m", match=match, turn=0, move=move))
        assert (again.steps[0].turn, again.repeat) == (0, True)


async def test_who_decides_too_late_gets_the_default(tmp_path: Path) -> None:
    """Ann does nothing at all; her seat is played, and marked, until the game is over."""
    settings = Settings(game="dice-drop", seed="friday", countdown=0, turn_limit=1, drop_limit=2)
    async with served(tmp_path) as server, AsyncExitStack() as stack:
        ann, bob = await started(server, stack, "ab", settings)
        assert ann.facts.turn_limit == 1
        over = await bob.play(greedy_player(bob))
        assert [row.turns for row in over.standings] == [2, 2]
        record = await stack.enter_async_context(connect(server.url, name="c"))
        log = (await record.match_record(ann.id)).log
        marked = [(entry.move or {}).get("default") for entry in log if entry.seat == ann.seat]
        assert marked == [True, True]
        assert all("default" not in (entry.move or {}) for entry in log if entry.seat == bob.seat)
        assert ann.view(0)["turn"] == 2


async def test_a_round_survives_a_restart(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        async with served(tmp_path) as server:
            ann, bob = await started(server, stack, "ab")
            await ann.move(ann.legal()[0])
            port = server.port
        async with served(tmp_path, port=port):
            await bob.move(bob.legal()[0])
            while not ann.legal():
                await ann.changed()
            assert ann.view()["round"] == 1
            results = await asyncio.gather(ann.play(greedy_player(ann)), bob.play(random_player(bob)))
            assert results[0].standings == results[1].standings
            await stack.aclose()


async def test_advice_over_the_wire(server: Running) -> None:
    async with AsyncExitStack() as stack:
        ann, bob = await started(server, stack, "ab")
        advice = await ann.advice()
        placements = advice["placements"]
        assert isinstance(placements, list)
        throw = ann.view()["throw"]
        assert isinstance(throw, dict)
        numbers = [1 if face == "*" else int(face) for face in throw["dice"]]
        draft = {**{key: value for key, value in placements[0].items() if key != "cells"}, "numbers": numbers}
        assert (await ann.advice(draft)).keys() == {"combos", "more"}
        with pytest.raises(IllegalMove) as refused:
            await ann.advice({**draft, "numbers": [9, 9, 9, 9]})
        assert refused.value.field == "draft.numbers"
        await ann.move(draft)
        assert await ann.advice() == {"placements": []}
        assert (await bob.advice())["placements"] == placements


async def test_how_many_may_play_is_the_games_to_say(server: Running) -> None:
    async with AsyncExitStack() as stack:
        with pytest.raises(Refused, match="6 seats for 7") as refused:
            await started(server, stack, "abcdefg")
        assert refused.value.code == ErrorCode.ROOM_FULL
    async with AsyncExitStack() as stack:
        with pytest.raises(Refused, match="1 seat for 2"):
            await started(server, stack, "ab", Settings(game="dice-drop", options={"solo": True}, countdown=0))
    async with AsyncExitStack() as stack:
        (ann,) = await started(server, stack, "a", Settings(game="dice-drop", options={"solo": True}, countdown=0))
        assert (await ann.play(greedy_player(ann))).standings[0].ended == "rules"


async def test_a_turn_limit_is_for_turns_that_all_share(server: Running) -> None:
    async with connect(server.url, name="a") as client:
        with pytest.raises(Refused, match="turn limit") as refused:
            await client.create_room(Settings(turn_limit=5))
        assert (refused.value.code, refused.value.field) == (ErrorCode.INVALID, "settings.turn_limit")
        await client.create_room(Settings(turn_limit=5, lockstep=True))
