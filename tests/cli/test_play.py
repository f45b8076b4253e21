"""`samedrop play`: who plays where. What happens in the room is test_play_session's."""

from __future__ import annotations

import argparse

import pytest
from msgspec.structs import replace

from samedrop_cli import play
from samedrop_cli.exits import CommandError, Exit
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.from_client import Hello, JoinRoom, LeaveRoom
from samedrop_protocol.model import Phase
from tests.support.playbook import Playbook
from tests.support.scene import CODE, room, room_state, welcome


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    play.add_parser(parser.add_subparsers())
    return parser.parse_args(["play", *words])


def outside() -> Playbook:
    return Playbook().expects(Hello).says(welcome())


def inside(phase: Phase = Phase.LOBBY) -> Playbook:
    return Playbook().expects(Hello).says(welcome(room=room(phase=phase)))


def left(request: str) -> from_server.RoomLeft:
    return from_server.RoomLeft(reason="left", re=request)


async def test_a_new_player_makes_a_room() -> None:
    async with outside() as book, book.connect() as client:
        assert await play.enter(client, join=None, create=False) is None


async def test_a_new_player_joins_a_room(capsys: pytest.CaptureFixture[str]) -> None:
    async with outside().expects(JoinRoom, code="k7q-xm2").answers(room_state()) as book, book.connect() as client:
        entered = await play.enter(client, join="k7q-xm2", create=False)
        assert entered is client.room
    assert capsys.readouterr().out == f"You are in room {CODE}.\n"


async def test_a_room_with_a_password_is_joined_with_it() -> None:
    book = outside().expects(JoinRoom, code=CODE, password="herring").answers(room_state())
    async with book, book.connect() as client:
        assert await play.enter(client, join=CODE, create=False, password=parse("--password", "herring").password)


@pytest.mark.parametrize("join", [None, CODE, "k7q xm-2"])
async def test_a_player_who_comes_back_is_where_the_race_was_left(
    join: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    async with inside(Phase.PLAYING) as book, book.connect() as client:
        assert await play.enter(client, join=join, create=False) is client.room
    assert capsys.readouterr().out == f"You are back in room {CODE}.\n"


async def test_who_wants_another_room_leaves_the_lobby() -> None:
    other = room(code="OTHER2")
    book = inside().expects(LeaveRoom).answers(left).expects(JoinRoom).answers(room_state(other))
    async with book, book.connect() as client:
        entered = await play.enter(client, join="OTHER2", create=False)
        assert entered is not None
        assert entered.code == "OTHER2"


async def test_who_wants_a_new_room_leaves_the_lobby() -> None:
    async with inside().expects(LeaveRoom).answers(left) as book, book.connect() as client:
        assert await play.enter(client, join=None, create=True) is None


async def test_a_running_race_is_not_left_by_accident() -> None:
    async with inside(Phase.PLAYING) as book, book.connect() as client:
        with pytest.raises(CommandError, match=CODE) as caught:
            await play.enter(client, join="OTHER2", create=False)
    assert caught.value.exit_code == Exit.NETWORK


async def test_the_list_of_rooms(capsys: pytest.CaptureFixture[str]) -> None:
    one = model.RoomSummary(
        code=CODE, title="Fri\x1bday", phase=Phase.LOBBY, game="drop7", players=2, spectators=0, host="Ann"
    )
    book = outside()
    for rooms in ([], [one], [replace(one, locked=True, title="")]):
        book.expects(from_client.ListRooms)
        book.answers(lambda re, rooms=rooms: from_server.Rooms(re=re, rooms=rooms))  # type: ignore[misc]
    async with book, book.connect() as client:
        await play.list_rooms(client)
        assert "no public room" in capsys.readouterr().out
        await play.list_rooms(client)
        assert capsys.readouterr().out == f"{CODE}  drop7  lobby  2 players, host Ann  Fri day\n"
        await play.list_rooms(client)
        assert capsys.readouterr().out == f"{CODE}  drop7  lobby  2 players, host Ann  (password)\n"


def test_an_unreachable_server_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("SAMEDROP_HOME", str(tmp_path))
    for address in ("localhost:1", "not an address"):
        with pytest.raises(CommandError) as caught:
            play.run(parse("--server", address, "--name", "Ann"))
        assert caught.value.exit_code == Exit.NETWORK
        assert "\n" not in caught.value.text
