"""Two people race in two terminals, at a server that runs as a process of its own."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from samedrop_cli.exits import Exit
from tests.support.terminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")


def folder(tmp_path: Path, name: str) -> Path:
    made = tmp_path / name
    made.mkdir(exist_ok=True)
    return made


def serve(tmp_path: Path, port: int = 0) -> Terminal:
    return Terminal(["serve", "--port", str(port), "--database", "sqlite:///games.db"], folder(tmp_path, "server"))


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with serve(tmp_path) as server:
        yield server.reads(r"players connect to (ws://\S+)")[1]
        server.interrupts()
        assert server.ends() == Exit.OK


def person(tmp_path: Path, name: str, address: str, *words: str) -> Terminal:
    return Terminal(["play", "--server", address, "--name", name, *words], folder(tmp_path, name))


def host(tmp_path: Path, address: str, *words: str) -> tuple[Terminal, str]:
    ann = person(tmp_path, "Ann", address, "--countdown", "0", *words)
    return ann, ann.reads(r"--join (\w+)")[1]


def test_two_people_race_to_the_end(tmp_path: Path, address: str) -> None:
    ann, code = host(tmp_path, address, "--drop-limit", "6", "--seed", "friday")
    with ann, person(tmp_path, "Bob", address, "--join", code.lower()) as bob:
        bob.reads("You are in room")
        bob.types("ready")
        bob.types("say good luck \x1b[31m")
        ann.reads("Everybody is ready")
        ann.reads(r"Bob: good luck *\[31m")
        ann.types("start")
        for player, column in ((ann, 4), (bob, 1)):
            player.reads("Drop7, deal f067wk609w6k: Ann, Bob")
            for _ in range(6):
                player.types(str(column))
        for player in (ann, bob):
            player.reads("Dropped 3 in column")
            player.reads("Your run is over")
            player.reads(r" 1\. (Ann|Bob) ")
            player.reads(r" 2\. (Ann|Bob) ")
            player.reads(r"samedrop show \w+")
        ann.types("rematch same")
        for player in (ann, bob):
            player.reads("Drop7, deal f067wk609w6k")
            player.types("quit!")
            assert player.ends() == Exit.OK
        assert "\x1b" not in ann.screen


def test_a_player_who_hangs_up_comes_back_to_the_same_board(tmp_path: Path, address: str) -> None:
    ann, code = host(tmp_path, address, "--seed", "friday")
    with ann:
        ann.types("start")
        ann.reads("Drop7, deal")
        ann.types("drop 2")
        ann.reads("Dropped 3 in column 2")
        ann.presses(b"\x04")
        ann.reads("Your place is kept")
        assert ann.ends() == Exit.OK
    with person(tmp_path, "Ann", address) as again:
        again.reads(f"You are back in room {code}")
        again.reads("score 0, drops 1")
        again.types("2")
        again.reads("Dropped 2 in column 2")
        again.interrupts()
        assert again.ends() == Exit.INTERRUPTED
    with person(tmp_path, "Ann", address, "--join", "ABCDEF") as elsewhere:
        elsewhere.reads(f"racing in room {code}")
        assert elsewhere.ends() == Exit.NETWORK


def test_a_player_elsewhere_takes_over(tmp_path: Path, address: str) -> None:
    ann, code = host(tmp_path, address)
    with ann, person(tmp_path, "Ann", address) as newer:
        newer.reads(f"You are back in room {code}")
        ann.reads("connected elsewhere")
        assert ann.ends() == Exit.NETWORK


def test_a_race_goes_on_after_the_server_restarted(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with serve(tmp_path, port) as server:
        address = server.reads(r"players connect to (ws://\S+)")[1]
        ann, _ = host(tmp_path, address, "--seed", "friday", "--drop-limit", "3")
        ann.types("start")
        ann.reads("Drop7, deal")
        ann.types("4")
        ann.reads("Dropped 3 in column 4")
        server.process.kill()
        server.process.wait()
    with ann:
        ann.reads("The connection is lost")
        ann.types("4")
        with serve(tmp_path, port):
            ann.reads("The connection is back")
            ann.reads("Dropped 2 in column 4: 2 waves, 2 cleared, 1 cracked, 1 opened, \\+46")
            ann.types("7")
            ann.reads(r" 1\. Ann  53  3 moves")
            ann.types("quit")
            assert ann.ends() == Exit.OK


def test_no_such_room(tmp_path: Path, address: str) -> None:
    with person(tmp_path, "Ann", address, "--join", "NOSUCH", "--guest") as ann:
        assert ann.ends() == Exit.NETWORK
        assert ann.screen == "samedrop: There is no room with that code.\n"
    assert not (tmp_path / "Ann" / "home").exists()
