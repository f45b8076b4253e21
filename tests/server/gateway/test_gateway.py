from __future__ import annotations

from pathlib import Path

import pytest
import structlog

from samedrop_protocol import from_server
from samedrop_protocol.errors import CloseCode
from samedrop_rules import GAMES
from samedrop_server.gateway.connection import Connection
from samedrop_server.gateway.gateway import game_info
from tests.e2e.support import raw, served
from tests.support.waiting import eventually


async def test_connections_are_counted_by_their_neighbourhood_as_long_as_they_are_open(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        gateway = server.gateway
        async with raw(server) as ann, raw(server) as bob:
            await ann.hello()
            await bob.hello()
            assert (len(gateway), gateway.connections_from("127.0.0.1")) == (2, 2)
            assert gateway.connections_from("127.0.0.2") == 0
        await eventually(lambda: not len(gateway))
        assert gateway.connections_from("127.0.0.1") == 0
        assert gateway.tally.opened == 2
        assert not gateway._at_home


async def test_a_fault_of_ours_ends_one_connection_and_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(self: Connection) -> None:
        raise RuntimeError("a fault")

    async with served(tmp_path) as server:
        with structlog.testing.capture_logs() as lines, monkeypatch.context() as patched:
            patched.setattr(Connection, "run", fail)
            async with raw(server) as ann:
                await ann.closed()
        assert [line["event"] for line in lines if line["log_level"] == "error"] == ["connection_failed"]
        assert caplog.records == []
        assert len(server.gateway) == 0
        async with raw(server) as bob:
            await bob.hello()


async def test_the_welcome_tells_the_games(tmp_path: Path) -> None:
    async with served(tmp_path) as server, raw(server) as ann:
        welcome = await ann.hello("Ann")
        assert (welcome.name, welcome.room, welcome.matches) == ("Ann", None, [])
        assert [info.game for info in welcome.games] == [game.id for game in GAMES]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_games_are_told_with_their_options(game: object) -> None:
    found = next(one for one in GAMES if one is game)
    info = game_info(found)
    assert (info.title, info.seats, info.pace) == (found.title, found.max_seats, found.pace.value)
    for told, option in zip(info.options, found.options, strict=True):
        assert (told.name, told.default) == (option.name, option.default)
        assert (told.minimum is None) == (isinstance(option.default, bool) or not isinstance(option.default, int))


async def test_closing_tells_everybody_first(tmp_path: Path) -> None:
    async with served(tmp_path) as server, raw(server) as ann:
        await ann.hello()
        await server.gateway.close()
        assert "resume" in (await ann.until(from_server.Closing)).text
        assert await ann.closed() == CloseCode.RESTARTING
