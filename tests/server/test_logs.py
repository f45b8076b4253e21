from __future__ import annotations

import json
import logging
import warnings
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
import structlog

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import JSON
from samedrop_server.logs import configure_logging, websockets_logger
from samedrop_server.players import Players, token_hash
from tests.e2e.support import raw, served

SECRETS = ("herring", "friday-seed", "chatter")


async def conversation(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that can go right and wrong with secrets in it; returns the tokens."""
    identify = Players.identify
    tokens: list[str] = []

    async def fail(self: Players, name: str, token: str | None) -> Any:
        if name == "faulty":
            secret = f"{token}"
            raise RuntimeError(f"a fault with a token of {len(secret)} characters in its variables")
        return await identify(self, name, token)

    monkeypatch.setattr(Players, "identify", fail)
    async with served(folder) as server:
        async with raw(server, JSON) as ann:
            token = (await ann.hello()).token
            assert token is not None
            tokens.append(token)
            settings = model.Settings(countdown=0, seed="friday-seed")
            code = (await ann.ask(from_client.CreateRoom(id="1", settings=settings, password="herring"))).room.code
            await ann.ask(from_client.ConfigureRoom(id="2", password="herring 2"))
            await ann.ask(from_client.Chat(id="3", text="chatter"))
            await ann.send(from_client.Start(id="4"))
            match = (await ann.until(from_server.Started)).match.match
            await ann.move(match, 0, 3)
            await ann.socket.send(f'{{"type":"hello","token":"{token}","versions":1}}')
            await ann.until(from_server.Error)
            await ann.socket.send(f'{{"type":"dance","token":"{token}"')
            await ann.until(from_server.Error)
        async with raw(server) as again:
            await again.send(from_client.Hello(versions=[1], name="faulty", token=token))
            await again.until(from_server.Error)
            await again.send(from_client.Hello(versions=[1], name="ann", token=token[::-1]))
            await again.until(from_server.Error)
            tokens.append(token[::-1])
            await again.hello("ann", token)
            async with raw(server) as third:
                await third.hello("ann", token)
                await again.closed()
        async with raw(server) as bob:
            tokens.append((await bob.hello("bob")).token or "")
            await bob.ask(from_client.JoinRoom(id="1", code=code, password="herring 3"))
    return tokens


@pytest.mark.parametrize("form", ["text", "json"])
async def test_secrets_are_never_logged(
    form: Literal["text", "json"], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("debug", form)
    tokens = await conversation(tmp_path, monkeypatch)
    printed = "".join(capsys.readouterr())
    for event in ("connected", "handler_failed", "refused", "match_started", "room_created", "http"):
        assert event in printed
    assert len(tokens) == 3
    for secret in (*tokens, *map(token_hash, tokens), *SECRETS):
        assert secret not in printed


async def test_each_line_of_json_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("debug", "json")
    await conversation(tmp_path, monkeypatch)
    logging.getLogger("some.library").warning("two\nlines %s", "and é")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("a warning", stacklevel=1)
    structlog.get_logger("samedrop_server.any").info("odd", value=object(), text="\x1b[31m\u2028\n", bytes=b"\xff")
    lines = [msgspec.json.decode(line) for line in capsys.readouterr().err.splitlines()]
    assert len(lines) > 20
    for line in lines:
        assert {"event", "level", "timestamp"} <= set(line)
    (failed,) = [line for line in lines if line["event"] == "handler_failed"]
    assert "RuntimeError: a fault" in failed["exception"]
    assert lines[-3]["event"] == "two\nlines and é"
    assert "a warning" in lines[-2]["event"]
    assert lines[-1]["text"] == "\x1b[31m\u2028\n"


async def test_at_the_usual_level_only_comings_goings_and_matches_are_logged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("info", "json")
    async with served(tmp_path) as server, raw(server) as ann:
        await ann.hello()
        settings = model.Settings(countdown=0, drop_limit=3)
        await ann.ask(from_client.CreateRoom(id="1", settings=settings))
        await ann.send(from_client.Start(id="2"))
        match = (await ann.until(from_server.Started)).match.match
        for turn in range(3):
            await ann.move(match, turn, turn)
        await ann.until(from_server.MatchOver)
        await ann.ask(from_client.LeaveRoom(id="3"))
    events = [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()]
    assert events == ["connected", "room_created", "match_started", "match_over", "room_closed", "disconnected"]


async def test_what_clients_call_themselves_cannot_draw_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("info", "text")
    async with served(tmp_path) as server, raw(server) as ann:
        await ann.send(from_client.Hello(versions=[1], name="ann", client="\x1b[2J\nfake\u202e line"))
        await ann.until(from_server.Welcome)
    (connected,) = [line for line in capsys.readouterr().err.splitlines() if "connected" in line and "dis" not in line]
    assert "fake line" in connected
    assert "\x1b[2J" not in connected
    assert "\u202e" not in connected


def test_the_websockets_library_says_only_what_is_a_fault(caplog: pytest.LogCaptureFixture) -> None:
    logger = websockets_logger()
    caplog.set_level(logging.DEBUG)
    logger.debug("< TEXT a token")
    logger.info("connection open")
    logger.error("opening handshake failed", exc_info=True)
    assert caplog.records == []
    logger.error("unexpected internal error")
    assert [record.getMessage() for record in caplog.records] == ["unexpected internal error"]
    assert websockets_logger() is logger
    assert not logger.isEnabledFor(logging.DEBUG)
