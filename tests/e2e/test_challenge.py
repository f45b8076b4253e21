"""A sealed challenge: friends play it hours apart, each once, and then everything opens."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from samedrop_client import Client, IllegalMove, Match, Refused, connect, verify_commitment
from samedrop_client.players import greedy_player, random_player
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Known, Rivals, RunId, Settings
from tests.e2e.support import served
from tests.e2e.test_games import samedrop
from tests.support.http import get
from tests.support.server import FakeClock

NOON = 1_900_022_400_000 - 43_200_000
HOUR = 3_600
DROP7 = Settings(options={"start_rows": 2}, drop_limit=12)


async def begin(client: Client, code: str, *ghosts: RunId) -> Match:
    """The client's run, alone in a room."""
    if client.room is not None:
        await client.room.leave()
    settings = Settings(challenge=code, countdown=0, game="dice-drop", rivals=Rivals.OPEN, ghosts=list(ghosts))
    room = await client.create_room(settings)
    assert (room.state.known, room.state.settings.game, room.state.settings.spectators) == (
        Known.SEALED,
        "drop7",
        False,
    )
    await room.start()
    return await room.next_match()


async def test_one_at_noon_and_one_at_night(tmp_path: Path) -> None:
    clock = FakeClock(NOON)
    async with (
        served(tmp_path, clock, rate_limits=0) as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
    ):
        challenge = await ann.challenge(DROP7, hours=24, title="Beat me")
        assert (challenge.title, challenge.host_name, challenge.open, challenge.runs) == ("Beat me", "ann", True, [])
        assert challenge.closes - challenge.opened == 24 * 1000 * HOUR
        code, deal = challenge.code, challenge.deal.deal

        match = await begin(ann, code.lower())
        assert (match.facts.deal.commitment, match.facts.drop_limit) == (challenge.deal.commitment, 12)
        over = await match.play(greedy_player(match))
        assert not isinstance(over.deal.seed, str)
        with pytest.raises(Refused, match="each has one run") as refused:
            await begin(ann, code)
        assert refused.value.code == ErrorCode.CHALLENGE_CLOSED

        clock.advance(11 * HOUR)
        for asked in (bob.match_record(match.id), bob.deal(deal)):
            with pytest.raises(Refused, match="later"):
                await asked
        page = await bob.get_challenge(f"{code[:3]}-{code[3:]}")
        assert [(run.name, run.score, run.first_sight) for run in page.runs] == [("ann", over.standings[0].score, True)]
        assert not isinstance(page.deal.seed, str)
        assert "seed" not in (await get(server, f"/api/v1/challenges/{code}")).json["challenge"]["deal"]
        second = await begin(bob, code, RunId(match=match.id))
        assert second.facts.deal.deal == deal
        assert [ghost.names for ghost in second.facts.ghosts] == ["ann (ghost)"]
        await second.play(random_player(second))
        steps = [(step.seat, step.turn) async for step in second]
        for turn in {turn for seat, turn in steps if seat == 1 and (0, turn) in steps}:
            assert steps.index((1, turn)) > steps.index((0, turn)), "the ghost never runs ahead"
        final = second.progress[1]
        assert (final.turn, final.score) == (over.standings[0].turns, over.standings[0].score)

        with pytest.raises(Refused, match="Only who made") as refused:
            await bob.close_challenge(code)
        clock.advance(14 * HOUR)
        with pytest.raises(Refused, match="no open challenge"):
            await begin(bob, code)
        page = await bob.get_challenge(code)
        assert (page.open, {run.name for run in page.runs}) == (False, {"ann", "bob"})
        assert page.deal.commitment == challenge.deal.commitment
        assert verify_commitment(page.deal)
        record = await bob.match_record(match.id)
        assert record.match.deal.seed == page.deal.seed
        assert [run async for run in bob.runs(deal, first_sight=True)] == page.runs
    exported = tmp_path / "match.json"
    exported.write_text(samedrop(tmp_path, "export", match.id), encoding="utf-8")
    assert "Nobody could know" in samedrop(tmp_path, "fair", "match.json", "--commitment", challenge.deal.commitment)
    flipped = json.loads(exported.read_text("utf-8"))
    flipped["deal"]["seed"] = flipped["deal"]["seed"][:-1] + chr(ord(flipped["deal"]["seed"][-1]) ^ 1)
    exported.write_text(json.dumps(flipped), encoding="utf-8")
    with pytest.raises(AssertionError, match="Not fair"):
        samedrop(tmp_path, "fair", "match.json")


async def test_the_host_closes_early_and_it_survives_a_restart(tmp_path: Path) -> None:
    clock = FakeClock(NOON)
    async with AsyncExitStack() as stack:
        async with served(tmp_path, clock, rate_limits=0) as server:
            ann = await stack.enter_async_context(connect(server.url, name="ann"))
            code = (await ann.challenge(DROP7)).code
            match = await begin(ann, code)
            await match.move(match.legal()[0])
            port = server.port
        async with served(tmp_path, clock, rate_limits=0, port=port):
            over = await match.play(greedy_player(match))
            assert over.standings[0].turns == 12
            assert not isinstance(over.deal.seed, str)
            with pytest.raises(Refused, match="each has one run"):
                await begin(ann, code)
            page = await ann.close_challenge(code)
            assert not page.open
            assert verify_commitment(page.deal)
            with pytest.raises(Refused, match="no open challenge"):
                await ann.close_challenge(code)
            await stack.aclose()


async def test_who_is_still_playing_when_it_closes_is_not_told_what_comes(tmp_path: Path) -> None:
    clock = FakeClock(NOON)
    async with (
        served(tmp_path, clock, rate_limits=0) as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
    ):
        code = (await ann.challenge(DROP7, hours=1)).code
        match = await begin(bob, code)
        await match.move(match.legal()[0])
        clock.advance(2 * HOUR)
        for client in (ann, bob):
            page = await client.get_challenge(code)
            assert not page.open
            assert not isinstance(page.deal.seed, str)
        over = await match.play(greedy_player(match))
        page = await bob.get_challenge(code)
        assert page.deal.seed == over.deal.seed
        assert verify_commitment(page.deal)


async def test_what_cannot_be_a_challenge(tmp_path: Path) -> None:
    async with served(tmp_path, FakeClock(NOON), rate_limits=0) as server, connect(server.url, name="ann") as ann:
        for wrong in (Settings(seed="friday"), Settings(daily=True), Settings(challenge="ABCDEF")):
            with pytest.raises(Refused) as refused:
                await ann.challenge(wrong)
            assert refused.value.code in (ErrorCode.INVALID, ErrorCode.OPTIONS)
        with pytest.raises(Refused) as refused:
            await ann.challenge(Settings(options={"start_rows": 99}))
        assert refused.value.code == ErrorCode.OPTIONS
        for code in ("ABCDEF", "a\x00b"):
            with pytest.raises(Refused) as refused:
                await ann.get_challenge(code)
            assert refused.value.code == ErrorCode.CHALLENGE_NOT_FOUND
        with pytest.raises(Refused) as refused:
            await ann.create_room(Settings(challenge="ABCDEF"))
        assert refused.value.code == ErrorCode.CHALLENGE_CLOSED
        for _ in range(20):
            await ann.challenge(DROP7)
        with pytest.raises(Refused, match="as many open challenges"):
            await ann.challenge(DROP7)


async def test_nobody_watches_or_joins_a_run(tmp_path: Path) -> None:
    async with (
        served(tmp_path, FakeClock(NOON), rate_limits=0) as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
    ):
        code = (await ann.challenge(DROP7)).code
        room = await ann.create_room(Settings(challenge=code, countdown=0), public=True)
        other = await bob.join_room(room.code)
        await other.ready()
        with pytest.raises(Refused, match="1 seat for 2"):
            await room.start()
        await other.leave()
        await room.start()
        match = await room.next_match()
        with pytest.raises(Refused):
            await bob.watch(match.id)
        with pytest.raises(IllegalMove):
            await match.move({"column": 9})
