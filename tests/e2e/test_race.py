"""Whole races of built-in players."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from samedrop_cli.exits import Exit
from samedrop_client import Client, connect
from samedrop_client.players import greedy_player
from samedrop_protocol.model import Settings
from samedrop_rules import find_game
from tests.e2e.support import served

TIMEOUT = 120


def race(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `samedrop race` in `folder`."""
    command = [sys.executable, "-m", "samedrop_cli.main", "race", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False)


def result(folder: Path, *words: str) -> dict[str, object]:
    """The result of a race, which must be the only line on stdout."""
    done = race(folder, *words, "--json")
    assert done.returncode == Exit.OK, done.stderr
    (line,) = done.stdout.splitlines()
    read: dict[str, object] = json.loads(line)
    assert set(read) == {"match", "deal", "game", "options", "standings"}
    return read


def test_the_same_players_and_seed_reach_the_same_scores(tmp_path: Path) -> None:
    first, again = (result(tmp_path, "--players", "greedy,random,random", "--seed", "friday") for _ in range(2))
    assert first["deal"] == again["deal"] == "f067wk609w6k"
    assert first["match"] != again["match"]
    assert first["standings"] == again["standings"]
    standings = first["standings"]
    assert isinstance(standings, list)
    assert {row["name"] for row in standings} == {"greedy", "random", "random 2"}
    assert all(row["ended"] == "rules" and row["turns"] > 5 for row in standings)


def test_how_it_is_played_does_not_change_the_scores(tmp_path: Path) -> None:
    words = ["--players", "greedy,random", "--seed", "friday", "--drop-limit", "15"]
    scores = result(tmp_path, *words)["standings"]
    for extra in (["--lockstep"], ["--rivals", "open"], ["--rivals", "scores"]):
        assert result(tmp_path, *words, *extra)["standings"] == scores


def test_options(tmp_path: Path) -> None:
    words = ["--seed", "x", "--option", "start_rows=3", "--option", "latent=true", "--drop-limit", "4"]
    done = result(tmp_path, *words, "--names", "Zoë,Bob")
    assert done["options"] == {"start_rows": 3, "latent": True, "drops_per_rise": 5}
    standings = done["standings"]
    assert isinstance(standings, list)
    assert {row["name"] for row in standings} == {"Zoë", "Bob"}
    assert [row["ended"] for row in standings] == ["censored"] * 2


def test_a_tape(tmp_path: Path) -> None:
    tape = {"discs": [1, 2, 3, 4, 5, 6, 7], "latent_rows": [[1, 2, 3, 4, 5, 6, 7]] * 3}
    (tmp_path / "tape.json").write_text(json.dumps(tape))
    done = result(tmp_path, "--tape", "tape.json")
    deal = find_game("drop7").deal({}, tape=tape)
    assert done["deal"] == deal.id
    standings = done["standings"]
    assert isinstance(standings, list)
    assert all(row["turns"] <= 7 for row in standings)


def test_what_a_person_sees(tmp_path: Path) -> None:
    done = race(tmp_path, "--seed", "friday", "--drop-limit", "3", "--database", "sqlite:///elsewhere.db")
    assert done.returncode == Exit.OK
    for words in ("greedy, move 3:", "random, move 3:", "dropped 3 in column", " 1. ", "More: samedrop show "):
        assert words in done.stdout
    assert len([line for line in done.stdout.splitlines() if line.split() == ["greedy", "random"]]) == 3
    assert (tmp_path / "elsewhere.db").exists()
    assert done.stderr.startswith("Room ")


def test_quiet(tmp_path: Path) -> None:
    done = race(tmp_path, "--seed", "friday", "--drop-limit", "3", "--quiet")
    assert len(done.stdout.splitlines()) == 4


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--option", "start_rows=9"], Exit.INPUT),
        (["--tape", "missing.json"], Exit.INPUT),
        (["--seed", ""], Exit.INPUT),
        (["--game", "chess"], Exit.INPUT),
        (["--database", "nonsense"], Exit.DATABASE),
        (["--server", "localhost:1"], Exit.NETWORK),
        (["--players", "clever"], Exit.USAGE),
    ],
)
def test_what_goes_wrong_is_one_line(words: list[str], code: Exit, tmp_path: Path) -> None:
    done = race(tmp_path, *words, "--drop-limit", "1")
    assert done.returncode == code
    assert done.stdout == ""
    last = done.stderr.splitlines()[-1]
    assert last.startswith("samedrop: ")
    assert "Traceback" not in done.stderr


async def test_joining_a_room_that_somebody_else_hosts(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.url, name="Ann") as ann:
        room = await ann.create_room(Settings(seed="friday", drop_limit=4, countdown=0))
        racing = await _spawn(tmp_path, "--server", server.url, "--join", room.code, "--players", "random,random")
        await room.until(lambda: sum(member.ready for member in room.players) == 2)
        await room.start()
        over = await _play_greedily(ann)
        out, _ = await racing.communicate()
    assert racing.returncode == Exit.OK
    assert [row["score"] for row in json.loads(out)["standings"]] == over


async def test_waiting_for_people(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.url, name="Ann") as ann:
        racing = await _spawn(
            tmp_path, "--server", server.url, "--players", "greedy", "--wait", "2", "--public", "--drop-limit", "4"
        )
        assert racing.stderr is not None
        code = (await racing.stderr.readline()).split()[1].decode()
        await racing.stderr.readline()
        assert [room.code for room in await ann.rooms()] == [code]
        room = await ann.join_room(code)
        await room.ready()
        over = await _play_greedily(ann)
        out, _ = await racing.communicate()
    assert [row["score"] for row in json.loads(out)["standings"]] == over
    assert len(set(over)) == 1, "the same player on the same deal"


async def _play_greedily(client: Client) -> list[int]:
    assert client.room is not None
    match = await client.room.next_match()
    over = await match.play(greedy_player(match))
    return [row.score for row in over.standings]


async def _spawn(folder: Path, *words: str) -> asyncio.subprocess.Process:
    command = [sys.executable, "-m", "samedrop_cli.main", "race", *words, "--json"]
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=pipe, stderr=pipe)
