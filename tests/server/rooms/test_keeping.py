"""What is recorded of a room, and when."""

from __future__ import annotations

from samedrop_protocol import from_client, model
from samedrop_server.rooms.room import Room
from samedrop_server.storage.records import ChangedRoom, KeptRoom, NewRoom
from tests.server.rooms.support import House, running

SEATS = model.Settings(countdown=0, seats=4)


def kept(house: House) -> list[KeptRoom]:
    """What was recorded of rooms since the last call."""
    house.journal.commit()
    stored, house.journal.stored = house.journal.stored, []
    return [record.kept for record in stored if isinstance(record, NewRoom | ChangedRoom)]


def started(house: House) -> Room:
    """A room in which ann, bob and cid play."""
    ann, bob, cid = (house.person(name) for name in ("ann", "bob", "cid"))
    room = house.create(ann, SEATS)
    for player in (bob, cid):
        house.join(player, room)
        room.set_ready(player, True)
    house.start(room, ann)
    return room


async def test_a_room_is_recorded_with_its_first_match_and_when_it_changes_in_one() -> None:
    house = House()
    ann, bob, cid, dan = (house.players.know(f"id-{name}", name) for name in ("ann", "bob", "cid", "dan"))
    room = started(house)
    assert kept(house) == [KeptRoom(host_id="id-ann")]
    house.connect(dan)
    house.join(dan, room, model.Role.SPECTATOR)
    house.hall.tidy()
    assert kept(house) == []
    house.hall.leave(bob)
    assert kept(house) == [KeptRoom(host_id="id-ann", departed=("id-bob",))]
    room.kick(ann, from_client.Kick(id="k", player=cid.id))
    assert kept(house) == [KeptRoom(host_id="id-ann", banned=("id-cid",), departed=("id-bob", "id-cid"))]
    house.join(bob, room)
    assert kept(house) == [KeptRoom(host_id="id-ann", banned=("id-cid",), departed=("id-cid",))]


async def test_what_changed_between_matches_is_recorded_with_the_next() -> None:
    house = House()
    ann = house.person("ann")
    room = house.create(ann, model.Settings(countdown=0), public=True)
    house.start(room, ann)
    assert kept(house) == [KeptRoom(public=True, host_id="id-ann")]
    running(room).forfeit(0, "f", house.told(ann))
    house.journal.commit()
    room.configure(ann, from_client.ConfigureRoom(id="c", public=False, title="Cods", password="herring"))
    assert kept(house) == []
    room.rematch(ann, from_client.Rematch(id="r"))
    (record,) = kept(house)
    assert (record.title, record.public) == ("Cods", False)
    assert record.password is not None


async def test_a_room_that_all_have_left_has_a_host_still() -> None:
    house = House()
    room = started(house)
    for member in list(room.members.values()):
        house.hall.leave(member.player)
    assert {record.host_id for record in kept(house)} <= {"id-ann", "id-bob", "id-cid"}
    assert not room.members


async def test_a_change_that_was_not_stored_is_recorded_again() -> None:
    house = House()
    room = started(house)
    kept(house)
    house.hall.leave(house.players.know("id-bob", "bob"))
    (lost,) = [record for record in house.journal.fail() if isinstance(record, ChangedRoom)]
    house.hall.tidy()
    assert kept(house) == []
    room.series.keeping.not_stored(lost._replace(id="another"))
    house.hall.tidy()
    assert kept(house) == []
    room.series.keeping.not_stored(lost)
    house.hall.tidy()
    assert kept(house) == [lost.kept]
