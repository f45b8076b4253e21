"""Teams of two on one board, over real sockets: choosing and checking, and what is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

import samedrop_migrations
from samedrop_client import Client, IllegalMove, Match, Refused, connect
from samedrop_client.players import greedy_player, random_player
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Settings
from samedrop_rules import matchfile
from samedrop_server.app import Running
from samedrop_server.storage.database import Database
from samedrop_server.transfer import import_match, load_match_file
from tests.e2e.support import served
from tests.e2e.test_games import samedrop

TEAM = Settings(game="row-clear", options={"team": 2, "queue": "seeded"}, seed="friday", countdown=0)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with served(tmp_path) as running:
        yield running


async def gathered(server: Running, stack: AsyncExitStack, names: str) -> list[Client]:
    """Clients of these names (a letter each) in one room, all ready."""
    clients = [await stack.enter_async_context(connect(server.url, name=name)) for name in names]
    room = await clients[0].create_room(TEAM)
    for client in clients[1:]:
        await (await client.join_room(room.code)).ready()
    return clients


async def started(clients: list[Client]) -> list[Match]:
    assert clients[0].room is not None
    await clients[0].room.start()
    return [await client.room.next_match() for client in clients if client.room is not None]


async def caught_up(matches: list[Match]) -> None:
    """Return once all partners have been told as much as any of them."""
    last = max(match.last for match in matches)
    for match in matches:
        while match.last < last:
            await match.changed()


async def test_a_team_plays_with_a_rejection_and_a_restart(server: Running, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        clients = await gathered(server, stack, "ab")
        team = await started(clients)
        ann, bob = team
        assert (ann.seat, ann.by, bob.seat, bob.by) == (0, 0, 0, 1)
        assert ann.facts.seats[0].names == "a & b"
        assert bob.legal() == []
        with pytest.raises(IllegalMove, match="Your partner chooses"):
            await bob.move({"rotation": 0, "column": 0})
        await ann.move({"rotation": 0, "column": 0, "by": 1})  # who decided is not for the client to say
        await caught_up(team)
        assert ann.legal() == []
        assert bob.legal() == [{"confirm": True, "by": 1}]
        with pytest.raises(IllegalMove, match="Your partner checks"):
            await ann.move({"confirm": True})
        await bob.move({"reject": "rather to the right"})
        await caught_up(team)
        await ann.move({"rotation": 0, "column": 2})
        await caught_up(team)
        await bob.move({"confirm": True})
        await caught_up(team)
        assert bob.view()["used"] == 1
        assert bob.legal()
        assert not ann.legal()
        await ann.move({"restart": True})
        await caught_up(team)
        assert ann.view() == bob.view()
        assert ann.view()["attempt"] == 2
        results = await asyncio.gather(*(match.play(greedy_player(match)) for match in team))
        assert results[0].standings == results[1].standings
        assert results[0].standings[0].names == "a & b"
        record = await clients[1].match_record(ann.id)
        decided = [entry.move for entry in record.log]
        assert {"reject": "rather to the right", "by": 1} in decided
        assert {"restart": True, "by": 0} in decided
        listed = [one.match async for one in clients[0].matches(player="b")]
        assert listed == [ann.id]
    shown = samedrop(tmp_path, "show", ann.id)
    assert "rejected: rather to the right" in shown
    assert "attempt 2 starts" in shown
    assert "b, turn 2" in shown
    assert "0 differ" in samedrop(tmp_path, "verify", ann.id)


async def test_teams_race_and_a_file_keeps_who_played(server: Running, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        clients = await gathered(server, stack, "abcd")
        matches = await started(clients)
        assert [(match.seat, match.by) for match in matches] == [(0, 0), (0, 1), (1, 0), (1, 1)]
        runs = [match.play((greedy_player, random_player)[number % 2](match)) for number, match in enumerate(matches)]
        results = await asyncio.gather(*runs)
        assert {row.names for row in results[0].standings} == {"a & b", "c & d"}
        found = [one.match async for one in clients[0].matches(player=clients[3].player)]
        assert found == [matches[0].id]
    database = Database(f"sqlite:///{tmp_path / 'samedrop.db'}")
    file = database.read_now(lambda connection: load_match_file(connection, matches[0].id))
    database.close()
    assert file is not None
    matchfile.verify(file)
    assert matchfile.read_match_file(matchfile.to_json(file)) == file
    assert [(seat.name, seat.partner and seat.partner.name) for seat in file.seats] == [("a", "b"), ("c", "d")]
    elsewhere = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    samedrop_migrations.upgrade(elsewhere)
    database = Database(elsewhere)
    assert database.write_now(lambda connection: import_match(connection, file))
    assert not database.write_now(lambda connection: import_match(connection, file))
    assert database.read_now(lambda connection: load_match_file(connection, file.match)) == file
    database.close()


async def test_a_team_needs_two(server: Running) -> None:
    async with AsyncExitStack() as stack:
        clients = await gathered(server, stack, "abc")
        with pytest.raises(Refused, match="one more player") as refused:
            await started(clients)
        assert refused.value.code == ErrorCode.NOT_READY


async def test_the_run_of_a_team_ends_with_either_partner(server: Running) -> None:
    async with AsyncExitStack() as stack:
        clients = await gathered(server, stack, "ab")
        ann, _ = await started(clients)
        assert clients[1].room is not None
        await clients[1].room.leave()
        over = await ann.result()
        assert [row.ended for row in over.standings] == ["forfeit"]


async def test_both_partners_come_back_after_a_restart_of_the_server(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        async with served(tmp_path) as server:
            clients = await gathered(server, stack, "ab")
            ann, bob = await started(clients)
            await ann.move({"rotation": 0, "column": 0})
            await caught_up([ann, bob])
            port = server.port
        async with served(tmp_path, port=port):
            results = await asyncio.gather(*(match.play(greedy_player(match)) for match in (ann, bob)))
            assert results[0].standings == results[1].standings
            assert results[0].standings[0].ended == "rules"
            await stack.aclose()
