from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from samedrop_cli.exits import Exit
from samedrop_cli.main import main
from samedrop_cli.tokens import TokenStore, home
from samedrop_client import Client, connect
from samedrop_client.players import greedy_player, random_player
from samedrop_protocol.model import Settings
from samedrop_server.app import Running
from tests.e2e.support import served
from tests.support.server import FakeClock

NOON = 1_900_022_400_000 - 43_200_000
"""2030-03-17, 12:00 UTC."""
DAY = 86_400
TODAY = Settings(daily=True, drop_limit=9, countdown=0)


async def race(client: Client, *, well: bool) -> int:
    """The score of a run on the deal of the day."""
    if client.room is None:
        await client.create_room(TODAY)
    assert client.room is not None
    await (client.room.start() if client.room.match is None else client.room.rematch())
    match = await client.room.next_match()
    over = await match.play(greedy_player(match) if well else random_player(match))
    return over.standings[0].score


class Shell:
    """Runs `samedrop daily` at that server."""

    def __init__(self, server: Running, capsys: pytest.CaptureFixture[str]) -> None:
        self._server = server
        self._capsys = capsys

    async def __call__(self, *words: str) -> tuple[int, list[str], str]:
        self._capsys.readouterr()
        code = await asyncio.to_thread(main, ["daily", *words, "--server", self._server.url])
        printed = self._capsys.readouterr()
        return (
            code,
            [line for line in printed.out.splitlines() if not line.startswith("20") or "run counts" in line],
            printed.err,
        )


async def test_two_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SAMEDROP_HOME", str(tmp_path / "home"))
    clock = FakeClock(NOON)
    async with (
        served(tmp_path, clock) as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
    ):
        daily = Shell(server, capsys)
        code, lines, _ = await daily("--name", "eve")
        assert code == Exit.OK
        assert lines == [
            "The drop7 deal of 2030-03-17: until 2030-03-18 00:00 UTC. Play it: samedrop play --game drop7 --daily",
            "Your streak: 0 days.",
            "",
            "Nobody has finished the drop7 deal of 2030-03-17.",
        ]
        first = await race(ann, well=False)
        clock.advance(60)
        second = await race(ann, well=True)
        clock.advance(60)
        other = await race(bob, well=True)
        assert first < second == other, "the seed must make it so"
        _, lines, _ = await daily()
        assert lines[2].startswith("  2030-03-17  3 matches  deal ")
        assert lines[4] == "2030-03-17, each player's first run counts:"
        assert [line.split()[:3] for line in lines[5:]] == [["1.", "bob", f"{other:,}"], ["2.", "ann", f"{first:,}"]]
        assert lines[1] == "With --name you are told your streak."
        _, lines, _ = await daily("--each", "best")
        assert [line.split()[:3] for line in lines[5:]] == [["1.", "ann", f"{second:,}"], ["1.", "bob", f"{other:,}"]]
        clock.advance(DAY)
        _, lines, _ = await daily()
        assert lines[-1] == "Nobody has finished the drop7 deal of 2030-03-18."
        _, lines, _ = await daily("--day", "2030-03-17")
        assert lines[4] == "2030-03-17, each player's first run counts:"
        assert len(lines) == 7
        TokenStore(home(os.environ)).keep(server.url, "ann", ann.token)
        assert (await daily("--name", "ann"))[1][1] == "Your streak: 1 day."


@pytest.mark.parametrize("day", ["yesterday", "2030-02-30", "9999-12-31", ""])
def test_what_is_no_day(day: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["daily", "--day", day])
    assert ended.value.code == Exit.USAGE
    assert "write it as 2030-01-31" in capsys.readouterr().err


async def test_who_is_in_the_middle_of_it_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAMEDROP_HOME", str(tmp_path / "home"))
    async with (
        served(tmp_path, FakeClock(NOON)) as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
    ):
        await race(ann, well=True)
        room = await bob.create_room(TODAY)
        await room.start()
        await room.next_match()
        TokenStore(home(os.environ)).keep(server.url, "bob", bob.token)
        code, _, complaint = await Shell(server, capsys)("--name", "bob")
        assert code == Exit.NO
        assert "You are playing this deal" in complaint
