"""The command line as a whole: help, versions, how it ends, and what a bare install can do."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from importlib import metadata

import pytest

from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.main import COMMANDS, SERVER_PARTS, main


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    for command in COMMANDS:
        assert re.search(rf"^    {command.name}\s", printed, re.M)
        assert command.help in printed
    assert "samedrop play --name Bob --join" in printed


def test_nothing_said_is_helped_but_not_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == Exit.USAGE
    assert "to begin with" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"samedrop {metadata.version('samedrop')}\n"


@pytest.mark.parametrize("words", [["histroy"], ["race", "--nonsense"], ["race", "--seed", "a", "--tape", "b"]])
def test_misuse_ends_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == Exit.USAGE
    assert "usage: samedrop" in capsys.readouterr().err


WITHOUT_SERVER = ModuleNotFoundError("No module named 'sqlalchemy.orm'", name="sqlalchemy.orm")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (CommandError("The file is empty.", Exit.INPUT), Exit.INPUT, "samedrop: The file is empty."),
        (KeyboardInterrupt(), Exit.INTERRUPTED, ""),
        (
            ModuleNotFoundError("No module named 'sqlalchemy.orm'", name="sqlalchemy.orm"),
            Exit.NOT_INSTALLED,
            "[server]",
        ),
        (BrokenPipeError(), Exit.OK, ""),
    ],
)
def test_how_a_command_ends(
    error: BaseException, code: Exit, words: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(args: argparse.Namespace) -> int:
        raise error

    monkeypatch.setattr("samedrop_cli.race.run", fail)
    assert main(["race"]) == code
    assert words in capfd.readouterr().err


def test_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(args: argparse.Namespace) -> int:
        raise ModuleNotFoundError("No module named 'samedrop_cli.typo'", name="samedrop_cli.typo")

    monkeypatch.setattr("samedrop_cli.race.run", fail)
    with pytest.raises(ModuleNotFoundError):
        main(["race"])


BARE = """
import sys
class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {parts!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Bare())
from samedrop_cli.main import main
sys.exit(main({words!r}))
"""


def bare(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command where the server part is not installed."""
    program = BARE.format(parts=set(SERVER_PARTS), words=list(words))
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["play", "--help"], ["race", "--help"]])
def test_a_bare_install_helps(words: list[str]) -> None:
    done = bare(*words)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "words", [["serve"], ["serve", "--help"], ["race"], ["history"], ["show", "x"], ["db", "check"]]
)
def test_a_bare_install_says_what_is_missing(words: list[str]) -> None:
    done = bare(*words)
    assert done.returncode == Exit.NOT_INSTALLED
    assert done.stderr.count("\n") == 1
    assert "pip install 'samedrop[server]'" in done.stderr


def test_a_bare_install_reaches_for_servers() -> None:
    done = bare("race", "--server", "localhost:1")
    assert done.returncode == Exit.NETWORK
    assert "cannot be reached" in done.stderr


HELP = """
import sys
from samedrop_cli.main import main
try:
    main(["--help"])
except SystemExit:
    print(sorted(sys.modules))
"""


def test_help_loads_neither_server_nor_client() -> None:
    done = subprocess.run([sys.executable, "-c", HELP], capture_output=True, text=True, timeout=60, check=True)
    assert not [name for name in ("samedrop_server", "samedrop_client", "websockets") if f"'{name}'" in done.stdout]
