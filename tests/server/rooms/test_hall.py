from __future__ import annotations

from collections.abc import Callable

import pytest

from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.model import Role
from tests.server.rooms.support import QUICK, House


async def test_only_public_rooms_are_listed() -> None:
    house = House()
    house.create(house.person("ann"))
    shown = house.create(house.person("bob"), public=True)
    (summary,) = house.hall.public_rooms()
    assert (summary.code, summary.host, summary.players, summary.spectators) == (shown.code, "bob", 1, 0)


async def test_who_is_in_no_room_is_told_so() -> None:
    house = House()
    with pytest.raises(ProtocolError) as error:
        house.hall.room_of(house.person("ann"))
    assert error.value.code is ErrorCode.NOT_IN_ROOM


async def test_seats_and_watching_are_for_whom_they_are_for() -> None:
    house = House()
    ann, bob, cid = (house.person(name) for name in ("ann", "bob", "cid"))
    room = house.create(ann)
    house.join(bob, room, Role.SPECTATOR)
    house.start(room, ann)
    match = room.series.match
    assert match is not None
    assert house.hall.seat(ann, match.id) == (match, 0)
    assert house.hall.watchable(bob, match.id) is match
    expected: list[tuple[Callable[[], object], ErrorCode]] = [
        (lambda: house.hall.seat(bob, match.id), ErrorCode.MATCH_NOT_SEATED),
        (lambda: house.hall.seat(cid, match.id), ErrorCode.MATCH_NOT_FOUND),
        (lambda: house.hall.seat(ann, "nothing"), ErrorCode.MATCH_NOT_FOUND),
        (lambda: house.hall.watchable(ann, match.id), ErrorCode.MATCH_NO_WATCHING),
        (lambda: house.hall.watchable(cid, match.id), ErrorCode.MATCH_NOT_FOUND),
    ]
    for attempt, code in expected:
        with pytest.raises(ProtocolError) as error:
            attempt()
        assert error.value.code is code
    assert house.hall.running_matches(ann) == [match.id]
    assert house.hall.running_matches(bob) == []


async def test_watching_can_be_off() -> None:
    house = House()
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann, model.Settings(countdown=0, spectators=False), public=True)
    house.start(room, ann)
    assert room.series.match is not None
    with pytest.raises(ProtocolError) as error:
        house.hall.watchable(bob, room.series.match.id)
    assert error.value.code is ErrorCode.MATCH_NO_WATCHING


async def test_a_thousand_vanished_rooms_leave_nothing_behind() -> None:
    house = House(linger=60)
    for number in range(1000):
        player = house.person(f"p{number}")
        room = house.create(player)
        if number % 2:
            house.start(room, player)
        house.vanish(player)
    assert len(house.hall.rooms) == 1000
    house.clock.advance(61)
    house.hall.tidy()
    assert len(house.hall.rooms) == 500
    house.clock.advance(3600)
    for _ in range(3):
        house.hall.tidy()
        house.journal.commit()
        house.clock.advance(61)
    assert (len(house.hall.rooms), len(house.hall.matches), len(house.players)) == (0, 0, 0)


async def test_who_comes_back_in_time_is_still_there() -> None:
    house = House(linger=60)
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann, QUICK)
    house.join(bob, room)
    house.vanish(bob)
    house.clock.advance(59)
    house.hall.tidy()
    house.connect(bob)
    house.clock.advance(10)
    house.hall.tidy()
    assert list(room.members) == [ann.id, bob.id]
