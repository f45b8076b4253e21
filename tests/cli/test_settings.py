"""From the options of the command line to the settings of a room."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.settings import add_settings, read_settings
from samedrop_protocol.model import Align, Rivals, RunId, Settings

TAPE = {"discs": [1, 2, 3], "latent_rows": []}


def read(*words: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_settings(parser)
    return read_settings(parser.parse_args(words), countdown=0)


def test_nothing_said() -> None:
    assert read() == Settings(countdown=0)


def test_everything_said() -> None:
    words = "--seed friday --option start_rows=2 --option latent=true --drop-limit 9 --time-limit 60 --lockstep"
    assert read(*words.split(), "--rivals", "open") == Settings(
        seed="friday",
        options={"start_rows": 2, "latent": True},
        drop_limit=9,
        time_limit=60,
        lockstep=True,
        rivals=Rivals.OPEN,
        countdown=0,
    )


def test_ghosts() -> None:
    settings = read("--ghost", "m1", "--ghost", "best", "--ghost", "m2/3", "--align", "time")
    assert settings.ghosts == [RunId(match="m1"), RunId(match="m2", seat=3)]
    assert settings.align is Align.TIME
    for wrong in ("", "/1", "m1/", "m1/x", "m1/16", "m1/-1"):
        with pytest.raises(CommandError, match="MATCH/SEAT"):
            read("--ghost", wrong)


def test_a_tape(tmp_path: Path) -> None:
    file = tmp_path / "tape.json"
    file.write_text(json.dumps(TAPE))
    assert read("--tape", str(file)).tape == TAPE


def test_an_unknown_game_is_left_to_the_server() -> None:
    assert read(
        "--game", "next-game", "--option", "depth=3", "--option", "mode=fast", "--option", "calm=no"
    ) == Settings(game="next-game", options={"depth": 3, "mode": "fast", "calm": False}, countdown=0)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--option", "start_rows"], Exit.USAGE, "NAME=VALUE"),
        (["--option", "start_rows=7"], Exit.INPUT, "0 to 6"),
        (["--option", "start_rows=many"], Exit.INPUT, "0 to 6"),
        (["--option", "colour=red"], Exit.INPUT, "start_rows"),
        (["--option", "latent=3"], Exit.INPUT, "true or false"),
        (["--seed", " "], Exit.INPUT, "seed"),
        (["--seed", "x" * 65], Exit.INPUT, "64"),
        (["--tape", "no-such-file.json"], Exit.INPUT, "no-such-file.json"),
    ],
)
def test_what_is_not_usable(words: list[str], code: Exit, said: str) -> None:
    with pytest.raises(CommandError, match=said) as caught:
        read(*words)
    assert caught.value.exit_code == code


@pytest.mark.parametrize("content", [b"", b"[1, 2]", b'{"discs": [9], "latent_rows": []}', b"\xff", b"[" * 100_000])
def test_tapes_that_are_none(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "tape.json"
    file.write_bytes(content)
    with pytest.raises(CommandError, match=r"tape\.json") as caught:
        read("--tape", str(file))
    assert caught.value.exit_code == Exit.INPUT


@pytest.mark.parametrize("words", [["--drop-limit", "0"], ["--time-limit", "-1"], ["--drop-limit", "x"]])
def test_limits_are_positive(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        read(*words)
