"""What the server says becomes an exit code; a server of one's own."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import add_database, default_server, explained, own_server, read_text, server_explained
from samedrop_client.client import connect
from samedrop_client.errors import SamedropError, Unreachable, refusal
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.from_server import Error
from samedrop_server.app import CertificateUnusable, PortInUse
from samedrop_server.storage.errors import TooNew
from samedrop_server.storage.lock import ServerLock
from samedrop_server.storage.place import find_place


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Unreachable("no\x1b[2J way"), Exit.NETWORK),
        (refusal(Error(code=ErrorCode.ROOM_NOT_FOUND, text="no\x1b[2J way")), Exit.NETWORK),
        (refusal(Error(code=ErrorCode.SEED, text="no\x1b[2J way")), Exit.INPUT),
        (refusal(Error(code=ErrorCode.NAME, text="no\x1b[2J way")), Exit.INPUT),
    ],
)
def test_refusals_become_one_plain_line(error: SamedropError, code: Exit) -> None:
    with pytest.raises(CommandError) as caught, explained():
        raise error
    assert (caught.value.text, caught.value.exit_code) == ("no [2J way", code)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PortInUse("Cannot listen."), Exit.NETWORK),
        (CertificateUnusable("No certificate."), Exit.INPUT),
        (TooNew("Too new."), Exit.DATABASE),
    ],
)
def test_server_troubles_become_one_line(error: Exception, code: Exit) -> None:
    with pytest.raises(CommandError) as caught, server_explained():
        raise error
    assert (caught.value.text, caught.value.exit_code) == (str(error), code)


async def test_a_server_of_ones_own(tmp_path: Path) -> None:
    async with own_server(f"sqlite:///{tmp_path / 'own.db'}") as address, connect(address, name="Ann") as client:
        assert client.server.startswith("samedrop")


async def test_a_database_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        async with own_server(f"sqlite:///{tmp_path / 'missing' / 'own.db'}"):
            pass
    assert caught.value.exit_code == Exit.DATABASE


async def test_a_database_on_which_a_server_runs_leads_there(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'own.db'}"
    async with own_server(database) as address:
        with pytest.raises(CommandError, match=f"--server {address}") as caught:
            async with own_server(database):
                pass
    assert caught.value.exit_code == Exit.DATABASE
    assert "\n" not in caught.value.text
    with ServerLock(find_place(database)), pytest.raises(CommandError, match="--server"):
        async with own_server(database):
            pass


def test_places_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SAMEDROP_SERVER", raising=False)
    assert default_server() == "localhost"
    monkeypatch.setenv("SAMEDROP_SERVER", "games.example")
    monkeypatch.setenv("SAMEDROP_DATABASE", "sqlite:///elsewhere.db")
    assert default_server() == "games.example"
    parser = argparse.ArgumentParser()
    add_database(parser)
    assert parser.parse_args([]).database == "sqlite:///elsewhere.db"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for name in ("missing", "binary", ""):
        with pytest.raises(CommandError, match="cannot be read") as caught:
            read_text(str(tmp_path / name))
        assert caught.value.exit_code == Exit.INPUT
