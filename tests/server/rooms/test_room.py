from __future__ import annotations

from collections.abc import Callable

import pytest

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.model import Known, Phase, Role
from tests.server.rooms.support import House


def refused(error: pytest.ExceptionInfo[ProtocolError]) -> ErrorCode:
    return error.value.code


async def test_members_see_the_room_change() -> None:
    house = House()
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann)
    house.join(bob, room)
    seen = house.told(ann).take_only(from_server.RoomState).room
    assert [(member.name, member.role, member.ready, member.online) for member in seen.members] == [
        ("ann", Role.PLAYER, False, True),
        ("bob", Role.PLAYER, False, True),
    ]
    assert (seen.host, seen.phase, seen.code) == (ann.id, Phase.LOBBY, room.code)


async def test_names_are_unique_by_look() -> None:
    house = House()
    room = house.create(house.person("Alice"))
    other = house.players.know("id-2", "Аlice")
    house.connect(other)
    house.join(other, room)
    assert [member.name for member in room.members.values()] == ["Alice", "Аlice 2"]


async def test_the_code_is_read_in_any_form() -> None:
    house = House()
    room = house.create(house.person("ann"))
    typed = f" {room.code[:3].lower()}-{room.code[3:].lower()} "
    assert house.hall.join(house.person("bob"), from_client.JoinRoom(id="j", code=typed)) is room
    with pytest.raises(ProtocolError) as error:
        house.hall.join(house.person("cid"), from_client.JoinRoom(id="j", code="ZZZZZZ"))
    assert refused(error) is ErrorCode.ROOM_NOT_FOUND


async def test_one_room_at_a_time() -> None:
    house = House()
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann)
    other = house.create(bob)
    with pytest.raises(ProtocolError) as error:
        house.join(ann, other)
    assert refused(error) is ErrorCode.ALREADY_IN_ROOM
    with pytest.raises(ProtocolError) as error:
        house.create(ann)
    assert refused(error) is ErrorCode.ALREADY_IN_ROOM
    assert list(room.members) == [ann.id]


async def test_a_full_room_and_a_full_server_say_so() -> None:
    house = House(max_rooms=1, max_members=1)
    room = house.create(house.person("ann"))
    with pytest.raises(ProtocolError) as error:
        house.join(house.person("bob"), room)
    assert refused(error) is ErrorCode.ROOM_FULL
    with pytest.raises(ProtocolError) as error:
        house.create(house.person("cid"))
    assert refused(error) is ErrorCode.ROOM_LIMIT


async def test_only_the_host_may_configure_start_cancel_rematch_and_kick() -> None:
    house = House()
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann)
    house.join(bob, room)
    attempts: list[Callable[[], None]] = [
        lambda: room.configure(bob, from_client.ConfigureRoom(id="x", public=True)),
        lambda: room.start(bob, from_client.Start(id="x")),
        lambda: room.cancel_start(bob),
        lambda: room.rematch(bob, from_client.Rematch(id="x")),
        lambda: room.kick(bob, from_client.Kick(id="x", player=ann.id)),
    ]
    for attempt in attempts:
        with pytest.raises(ProtocolError) as error:
            attempt()
        assert refused(error) is ErrorCode.NOT_HOST
    assert (room.public, room.series.phase, len(room.members)) == (False, Phase.LOBBY, 2)


@pytest.mark.parametrize(
    ("settings", "code", "field"),
    [
        (model.Settings(game="chess"), ErrorCode.GAME_UNKNOWN, "settings.game"),
        (model.Settings(version=99), ErrorCode.GAME_UNKNOWN, "settings.game"),
        (model.Settings(options={"start_rows": 9}), ErrorCode.OPTIONS, "settings.options.start_rows"),
        (model.Settings(options={"colour": "red"}), ErrorCode.OPTIONS, "settings.options.colour"),
        (model.Settings(options={"latent": 1}), ErrorCode.OPTIONS, "settings.options.latent"),
        (model.Settings(seed="\x07"), ErrorCode.SEED, "settings.seed"),
        (model.Settings(seed="x" * 65), ErrorCode.SEED, "settings.seed"),
        (model.Settings(seed="a", tape={"discs": [1]}), ErrorCode.TAPE, "settings.tape"),
        (model.Settings(tape={"discs": [9]}), ErrorCode.TAPE, "settings.tape.discs[0]"),
    ],
)
async def test_bad_settings_are_refused_and_change_nothing(
    settings: model.Settings, code: ErrorCode, field: str
) -> None:
    house = House()
    ann = house.person("ann")
    room = house.create(ann)
    before = room.settings
    with pytest.raises(ProtocolError) as error:
        room.configure(ann, from_client.ConfigureRoom(id="x", settings=settings))
    assert (refused(error), error.value.field) == (code, field)
    assert room.settings == before
    with pytest.raises(ProtocolError):
        house.create(house.person("bob"), settings)
    assert list(house.hall.rooms) == [room.code]


async def test_configuring_asks_everybody_again_and_hides_the_seed() -> None:
    house = House()
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann)
    house.join(bob, room)
    room.set_ready(bob, True)
    house.told(bob).take()
    settings = model.Settings(seed="friday", countdown=0)
    room.configure(ann, from_client.ConfigureRoom(id="x", settings=settings, title="Friday\nnight", public=True))
    seen = house.told(bob).take_only(from_server.RoomState).room
    assert (seen.title, seen.public, seen.known) == ("Friday night", True, Known.OPEN)
    assert seen.settings.seed is None
    assert not seen.members[1].ready


async def test_start_names_who_is_not_ready_unless_forced() -> None:
    house = House()
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann)
    house.join(bob, room)
    with pytest.raises(ProtocolError) as error:
        room.start(ann, from_client.Start(id="s"))
    assert refused(error) is ErrorCode.NOT_READY
    assert "bob" in error.value.text
    house.start(room, ann, force=True)
    assert room.series.match is not None
    assert [seat.name for seat in room.series.match.facts.seats] == ["ann"]


async def test_spectators_take_no_seat_and_are_not_asked() -> None:
    house = House()
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann)
    house.join(bob, room, Role.SPECTATOR)
    with pytest.raises(ProtocolError) as error:
        room.set_ready(bob, True)
    assert refused(error) is ErrorCode.WRONG_PHASE
    house.start(room, ann)
    started = house.told(bob).take_only(from_server.Started)
    assert [seat.name for seat in started.match.seats] == ["ann"]


async def test_more_players_than_seats_cannot_start() -> None:
    house = House()
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann, model.Settings(seats=1, countdown=0))
    house.join(bob, room)
    room.set_ready(bob, True)
    with pytest.raises(ProtocolError) as error:
        room.start(ann, from_client.Start(id="s"))
    assert (refused(error), error.value.field) == (ErrorCode.ROOM_FULL, "settings.seats")


async def test_the_host_passes_on_when_the_host_leaves_or_vanishes() -> None:
    house = House()
    ann, bob, cid = (house.person(name) for name in ("ann", "bob", "cid"))
    room = house.create(ann)
    house.join(bob, room)
    house.join(cid, room)
    house.hall.leave(ann)
    assert room.host == bob.id
    house.vanish(bob)
    assert room.host == cid.id
    house.vanish(cid)
    assert room.host == cid.id
    house.connect(bob)
    assert room.host == bob.id


async def test_a_kicked_member_is_told_and_stays_out() -> None:
    house = House()
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann)
    house.join(bob, room)
    room.kick(ann, from_client.Kick(id="k", player=bob.id))
    assert house.told(bob).take_only(from_server.RoomLeft).reason == "kicked"
    with pytest.raises(ProtocolError) as error:
        house.join(bob, room)
    assert refused(error) is ErrorCode.ROOM_NOT_FOUND
    with pytest.raises(ProtocolError) as error:
        room.kick(ann, from_client.Kick(id="k", player=ann.id))
    assert refused(error) is ErrorCode.NO_SUCH_MEMBER


async def test_chat_reaches_everybody_as_plain_text() -> None:
    house = House()
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann)
    house.join(bob, room)
    text = "<img src=x onerror=alert(1)> [bold]\x1b[31m\u202e"
    room.chat(ann, from_client.Chat(id="t", text=text))
    line = house.told(bob).take_only(from_server.ChatLine)
    assert (line.name, line.text) == ("ann", "<img src=x onerror=alert(1)> [bold][31m")
    with pytest.raises(ProtocolError) as error:
        room.chat(ann, from_client.Chat(id="t", text="\u200b"))
    assert refused(error) is ErrorCode.INVALID
