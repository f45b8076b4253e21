"""`samedrop race`: who races, and the result as JSON. Whole races are in tests/e2e."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path

import pytest

from samedrop_cli import race
from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.race import Entrant, read_entrants, result_json
from samedrop_client import connect
from samedrop_client.errors import RoomLeft
from samedrop_client.match import Match
from samedrop_protocol import from_server
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.from_client import Hello
from tests.e2e.support import served
from tests.support.playbook import Playbook
from tests.support.scene import ANN, MATCH, Scene, room, welcome


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    race.add_parser(parser.add_subparsers())
    return parser.parse_args(["race", *words])


def test_who_races() -> None:
    assert read_entrants("greedy", None) == [Entrant("greedy", "greedy")]
    assert read_entrants("greedy, random", "Ann, Bob") == [Entrant("Ann", "greedy"), Entrant("Bob", "random")]
    assert len(read_entrants(",".join(["random"] * 32), None)) == 32


@pytest.mark.parametrize(
    ("players", "names", "said"),
    [
        ("clever", None, "greedy, random"),
        ("", None, "There is no player"),
        ("greedy,random", "Ann", "--names"),
        (",".join(["random"] * 33), None, "16"),
    ],
)
def test_who_cannot_race(players: str, names: str | None, said: str) -> None:
    with pytest.raises(CommandError, match=said) as caught:
        read_entrants(players, names)
    assert caught.value.exit_code == Exit.USAGE


def test_joining_needs_a_server() -> None:
    with pytest.raises(CommandError, match="--server") as caught:
        race.run(parse("--join", "K7QXM2"))
    assert caught.value.exit_code == Exit.USAGE


def in_room(*messages: from_server.ServerMessage) -> Playbook:
    return Playbook().expects(Hello).says(welcome(room=room()), *messages)


async def test_the_match_that_starts() -> None:
    scene = Scene("friday")
    async with in_room(scene.started()) as book, book.connect() as client:
        assert client.room is not None
        assert (await race.seated(client.room)).seat == 0


async def test_a_match_that_cannot_start_is_not_waited_for() -> None:
    refused = from_server.Error(code=ErrorCode.STORAGE, text="It did not start.")
    async with in_room(refused) as book, book.connect() as client:
        assert client.room is not None
        with pytest.raises(CommandError, match="It did not start") as caught:
            await race.seated(client.room)
    assert caught.value.exit_code == Exit.DATABASE


async def test_being_removed_before_the_start() -> None:
    async with in_room(from_server.RoomLeft(reason="kicked")) as book, book.connect() as client:
        assert client.room is not None
        with pytest.raises(RoomLeft, match="removed"):
            await race.seated(client.room)


async def test_the_result_is_one_line_of_json() -> None:
    scene = Scene("friday")
    scene.play(1, 3)
    match = Match(Playbook().connect()._connection, ANN, scene.facts, scene.first_views)
    line = result_json(match, scene.over())
    assert "\n" not in line
    assert json.loads(line) == {
        "match": MATCH,
        "deal": "f067wk609w6k",
        "game": "drop7",
        "options": {"start_rows": 1, "latent": False, "drops_per_rise": 5},
        "standings": [
            {"name": "Ann", "score": 0, "turns": 0, "ended": "time"},
            {"name": "Bob", "score": 0, "turns": 1, "ended": "time"},
        ],
    }


async def test_a_race_behind_a_password(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        words = ("--server", server.url, "--drop-limit", "2", "--quiet", "--password", "herring")
        code = await asyncio.to_thread(race.run, parse("--players", "greedy,random", *words))
        assert code == Exit.OK
        async with connect(server.url, name="Ann") as ann:
            (one,) = [summary async for summary in ann.matches()]
            assert len(one.standings) == 2
