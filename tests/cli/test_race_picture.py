"""The picture of a race."""

from __future__ import annotations

import asyncio

import pytest

from samedrop_cli.race_picture import RacePicture
from samedrop_client.match import Match
from samedrop_protocol import from_server
from tests.support.playbook import Playbook
from tests.support.scene import ANN, BOB, Scene


def seen_by(player: str, scene: Scene) -> Match:
    return Match(Playbook().connect()._connection, player, scene.facts, scene.first_views)


async def printed(matches: list[Match], told: list[from_server.Events], over: from_server.MatchOver) -> None:
    shows = [asyncio.create_task(show) for show in RacePicture(matches).shows()]
    for events in told:
        for match in matches:
            match.take(events)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    for match in matches:
        match.finish(over)
    await asyncio.gather(*shows)


async def test_steps_as_they_come_and_boards_after_each_round(capsys: pytest.CaptureFixture[str]) -> None:
    scene = Scene("friday", drop_limit=2)
    matches = [seen_by(ANN, scene), seen_by(BOB, scene)]
    told = [scene.play(seat, 3) for seat in (0, 1, 0, 1)]
    await printed(matches, told, scene.over())
    lines = capsys.readouterr().out.splitlines()
    moves = [line for line in lines if line.endswith(":") and "move" in line]
    assert moves == ["Ann, move 1:", "Bob, move 1:", "Ann, move 2:", "Bob, move 2:"]
    assert "  dropped 3 in column 4" in lines
    assert "  wave 1: 1 cleared, 1 cracked, +7" in lines
    heads = [number for number, line in enumerate(lines) if line.split() == ["Ann", "Bob"]]
    assert len(heads) == 2
    assert lines.index("Bob, move 1:") < heads[0] < lines.index("Ann, move 2:")
    assert heads[1] > lines.index("Bob, move 2:")


async def test_rivals_elsewhere_are_shown_as_ours_see_them(capsys: pytest.CaptureFixture[str]) -> None:
    scene = Scene("friday", drop_limit=1)
    told = [scene.play(1, 0), scene.play(0, 6)]
    await printed([seen_by(ANN, scene)], told, scene.over())
    out = capsys.readouterr().out
    assert "Bob, move" not in out
    assert ". . . . . . 3       3 . . . . . ." in out


def test_no_picture() -> None:
    assert RacePicture([]).shows() == []
