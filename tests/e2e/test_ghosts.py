"""Stored runs are raced again: alone, beside people, across a restart, in a challenge, and by the command line."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from samedrop_client import Client, Match, Refused, connect
from samedrop_client.players import greedy_player, random_player
from samedrop_protocol import from_server
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Align, Known, Rivals, RunId, Settings
from samedrop_rules import GAMES, Pace
from tests.e2e.support import served
from tests.e2e.test_games import samedrop
from tests.support.http import get

QUICK = Settings(drop_limit=15, countdown=0)


async def begin(client: Client, settings: Settings) -> Match:
    if client.room is not None:
        await client.room.leave()
    room = await client.create_room(settings)
    await room.start()
    return await room.next_match()


async def stored_run(client: Client, settings: Settings = QUICK) -> RunId:
    """A run of greedy moves."""
    match = await begin(client, settings)
    await match.play(greedy_player(match))
    return RunId(match=match.id)


@pytest.mark.parametrize("game", [game.id for game in GAMES if game.pace is not Pace.ROUNDS])
async def test_two_people_race_a_ghost(tmp_path: Path, game: str) -> None:
    async with (
        served(tmp_path) as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
    ):
        run = await stored_run(ann, Settings(game=game, drop_limit=15, countdown=0))
        room = ann.room
        assert room is not None
        await room.configure(settings=Settings(ghosts=[run], countdown=0, drop_limit=15))
        assert (room.state.settings.game, room.state.known) == (game, Known.OPEN)
        other = await bob.join_room(room.code)
        await other.ready()
        await room.start()
        matches = [await one.next_match() for one in (room, other)]
        ghost = matches[0].boards[2]
        assert (ghost.names, ghost.seat) == ("ann (ghost)", 2)
        overs = await asyncio.gather(
            *(one.play(make(one)) for one, make in zip(matches, (greedy_player, random_player), strict=True))
        )
        record = await ann.match_record(run.match)
        ended = record.standings[0]
        for match in matches:
            stands = match.progress[2]
            assert (stands.turn, stands.score, stands.ended) == (ended.turns, ended.score, ended.ended)
            steps = [step async for step in match if step.seat == 2]
            assert [(step.move, step.digest) for step in steps] == [(line.move, line.digest) for line in record.log]
        assert matches[0].view(2) == matches[0].view(0), "the same player made the same moves"
        assert [row.name for row in overs[0].standings] in (["ann", "bob"], ["bob", "ann"])
        raced = await ann.match_record(matches[0].id)
        assert [one.run for one in raced.match.ghosts] == [run]
        assert {line.seat for line in raced.log} == {0, 1}
        answer = await get(server, f"/api/v1/matches/{matches[0].id}")
        assert answer.json["record"]["match"]["ghosts"][0]["run"] == {"match": run.match}


@pytest.mark.parametrize("align", Align)
async def test_a_race_with_ghosts_survives_a_restart(tmp_path: Path, align: Align) -> None:
    async with AsyncExitStack() as stack:
        async with served(tmp_path) as server:
            ann = await stack.enter_async_context(connect(server.url, name="ann"))
            run = await stored_run(ann)
            match = await begin(ann, Settings(ghosts=[run], align=align, drop_limit=10, countdown=0))
            for _ in range(4):
                await match.move(match.legal()[0])
            before = [(step.seat, step.turn) for step in await seen(match)]
            port = server.port
        async with served(tmp_path, port=port):
            await match.play(greedy_player(match))
            steps = [(step.seat, step.turn) for step in await seen(match)]
            assert steps[: len(before)] == before
            assert sorted(steps) == sorted({*steps}), "nothing comes twice"
            assert [turn for seat, turn in steps if seat == 1] == list(range(15))
            assert match.progress[1].ended == "censored"
            await stack.aclose()


async def seen(match: Match) -> list[from_server.Step]:
    """The steps that came so far."""
    reader = aiter(match)
    steps: list[from_server.Step] = []
    while len(steps) < match.last:
        steps.append(await anext(reader))
    return steps


async def test_what_may_not_be_raced(tmp_path: Path) -> None:
    async with (
        served(tmp_path) as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
    ):
        run = await stored_run(ann)
        rounds = await stored_run(ann, Settings(game="dice-drop", drop_limit=2, countdown=0))
        for wrong in ([RunId(match="none")], [run, run], [rounds], [RunId(match=run.match, seat=3)]):
            with pytest.raises(Refused) as refused:
                await bob.create_room(Settings(ghosts=wrong))
            assert refused.value.code == ErrorCode.GHOST
        with pytest.raises(Refused) as refused:
            await bob.create_room(Settings(ghosts=[RunId(match="many", seat=number) for number in range(9)]))
        assert refused.value.code == ErrorCode.INVALID
        challenge = await ann.challenge(QUICK)
        for client, settings in (
            (ann, Settings(challenge=challenge.code, ghosts=[run])),
            (bob, Settings(daily=True, ghosts=[run])),
        ):
            with pytest.raises(Refused) as refused:
                await client.create_room(settings)
            assert refused.value.code == ErrorCode.GHOST
        with pytest.raises(Refused) as refused:
            await bob.challenge(Settings(ghosts=[run]))
        assert refused.value.code == ErrorCode.GHOST
        assert bob.room is None


async def test_the_days_deal_with_a_ghost(tmp_path: Path) -> None:
    async with (
        served(tmp_path, daily_secret="a secret of the server") as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
    ):
        daily = Settings(daily=True, drop_limit=15, countdown=0)
        run = await stored_run(ann, daily)
        with pytest.raises(Refused, match="deal of the day"):
            await bob.create_room(Settings(ghosts=[run]))
        match = await begin(bob, Settings(daily=True, ghosts=[run], rivals=Rivals.OPEN, countdown=0, drop_limit=3))
        assert match.facts.rivals == "fair", "a ghost never tells what comes on a deal that others are yet to play"
        over = await match.play(greedy_player(match))
        assert not isinstance(over.deal.seed, str)
        assert match.progress[1].ended == "censored"
        steps = [step async for step in match if step.seat == 1]
        assert len(steps) < 15


def test_commands_race_ghosts(tmp_path: Path) -> None:
    first = json.loads(samedrop(tmp_path, "race", "--players", "greedy,random", "--drop-limit", "12", "--json"))
    told = samedrop(tmp_path, "race", "--players", "random", "--ghost", f"{first['match']}/0", "--drop-limit", "12")
    assert "greedy (ghost)" in told
    assert first["deal"] in told
    best = samedrop(
        tmp_path, "race", "--players", "random", "--deal", first["deal"], "--ghost", "best", "--align", "time"
    )
    assert "(ghost)" in best
    listed = samedrop(tmp_path, "deal", first["deal"])
    assert listed.count("greedy") == 1, "a ghost is nobody's run"
    assert listed.count("random") == 3
    for words, text in (
        (["--ghost", "best"], "--ghost best needs --deal or --challenge"),
        (["--ghost", "m/x"], "write MATCH, or MATCH/SEAT"),
        (["--ghost", "nothing"], "There is no finished run"),
    ):
        with pytest.raises(AssertionError, match=text):
            samedrop(tmp_path, "race", "--players", "random", *words)
