"""Every game that is registered goes all the way: raced over sockets, stored, shown, verified, taken elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from samedrop_rules import GAMES, Game

TIMEOUT = 120


def samedrop(folder: Path, *words: str) -> str:
    """What `samedrop` says when it is run in `folder`."""
    command = [sys.executable, "-m", "samedrop_cli.main", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.id}-{game.version}")
def test_a_race_and_what_can_be_done_with_it(game: Game, tmp_path: Path) -> None:
    words = ["--game", game.id, "--players", "greedy,random", "--seed", "friday", "--drop-limit", "40"]
    raced = json.loads(samedrop(tmp_path, "race", *words, "--json"))
    match, standings = raced["match"], raced["standings"]
    assert raced["game"] == game.id
    shown = samedrop(tmp_path, "show", match)
    assert f"{game.id} {game.version}" in shown
    assert f"{standings[0]['score']:,}" in shown
    assert "0 differ" in samedrop(tmp_path, "verify", match)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "match.json").write_text(samedrop(tmp_path, "export", match), encoding="utf-8")
    samedrop(elsewhere, "db", "upgrade")
    assert match in samedrop(elsewhere, "import", "match.json")
    assert samedrop(elsewhere, "show", match) == shown
    assert "0 differ" in samedrop(elsewhere, "verify", "--all")
