"""`samedrop serve`: its options are the server's settings."""

from __future__ import annotations

import argparse
import socket
from pathlib import Path

import pytest

from samedrop_cli import serve
from samedrop_cli.exits import CommandError, Exit
from samedrop_server.settings import Settings
from samedrop_server.storage.lock import ServerLock
from samedrop_server.storage.place import find_place


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    serve.add_parser(parser.add_subparsers())
    return parser.parse_args(["serve", *words])


def test_every_setting_is_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse("--help")
    printed = capsys.readouterr().out
    for name in Settings.model_fields:
        assert f"--{name.replace('_', '-')}" in printed


def test_the_command_line_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEDROP_PORT", "8001")
    monkeypatch.setenv("SAMEDROP_HOST", "0.0.0.0")
    settings = serve.read_settings(parse("--port", "8002", "--no-http", "--log-level", "debug", "--gather", "0.5"))
    assert (settings.port, settings.host, settings.http) == (8002, "0.0.0.0", False)
    assert (settings.log_level, settings.gather) == ("debug", 0.5)


@pytest.mark.parametrize(("option", "value"), [("--port", "99999"), ("--port", "x"), ("--max-rooms", "0")])
def test_a_wrong_option_is_named(option: str, value: str) -> None:
    with pytest.raises(CommandError, match=f"^{option}: ") as caught:
        serve.read_settings(parse(option, value))
    assert caught.value.exit_code == Exit.USAGE


def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEDROP_MAX_ROOMS", "many")
    with pytest.raises(CommandError, match=r"^SAMEDROP_MAX_ROOMS: ") as caught:
        serve.read_settings(parse())
    assert caught.value.exit_code == Exit.USAGE


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        args = parse("--port", port, "--database", f"sqlite:///{tmp_path / 'a.db'}")
        with pytest.raises(CommandError, match=port) as caught:
            serve.run(args)
    assert caught.value.exit_code == Exit.NETWORK


@pytest.mark.parametrize("database", ["sqlite:///{}/missing/a.db", "nonsense", "mysql://x/y", "sqlite:///{}"])
def test_a_database_that_cannot_be_used(database: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        serve.run(parse("--port", "0", "--database", database.format(tmp_path)))
    assert caught.value.exit_code == Exit.DATABASE
    assert "\n" not in caught.value.text


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--origins", "games.example", "'games.example' is not an origin"),
        ("--trusted-proxies", "proxy.example", "does not appear to be"),
        ("--path-prefix", "/a b", "such as /drop"),
        ("--ping-interval", "26", "25"),
        ("--tls-key", "key.pem", "certificate"),
    ],
)
def test_what_is_wrong_is_said_in_words(option: str, value: str, said: str) -> None:
    with pytest.raises(CommandError, match=f"^{option}: .*{said}") as caught:
        serve.read_settings(parse(option, value))
    assert "Value error" not in caught.value.text


def test_a_certificate_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"missing\.pem") as caught:
        serve.run(
            parse("--port", "0", "--database", f"sqlite:///{tmp_path / 'a.db'}", "--tls-certificate", "missing.pem")
        )
    assert caught.value.exit_code == Exit.INPUT


def test_a_database_on_which_another_server_runs(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'a.db'}"
    with ServerLock(find_place(database)) as lock:
        lock.tell("ws://127.0.0.1:7077/ws")
        with pytest.raises(
            CommandError, match=r"in use by another samedrop server .*ws://127\.0\.0\.1:7077/ws"
        ) as caught:
            serve.run(parse("--port", "0", "--database", database))
    assert caught.value.exit_code == Exit.DATABASE
    assert "\n" not in caught.value.text
    # It was not even migrated.
    assert not (tmp_path / "a.db").exists()


def test_without_migrations_an_empty_database_is_not_used(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        serve.run(parse("--port", "0", "--no-migrate", "--database", f"sqlite:///{tmp_path / 'a.db'}"))
    assert caught.value.exit_code == Exit.DATABASE
