from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.model import Known, Phase
from samedrop_rules import find_game
from samedrop_server.players import Player
from samedrop_server.rooms.room import Room
from samedrop_server.storage.records import NewMatch, NewRoom
from tests.server.rooms.support import House, running

SHORT = model.Settings(countdown=0, drop_limit=1)


def two_in_a_room(house: House, settings: model.Settings = SHORT) -> tuple[Player, Player, Room]:
    ann, bob = house.person("ann"), house.person("bob")
    room = house.create(ann, settings)
    house.join(bob, room)
    room.set_ready(bob, True)
    return ann, bob, room


def play_out(house: House, room: Room) -> None:
    """One move for each seat, which is all that SHORT allows."""
    match = running(room)
    for seat in match.facts.seats:
        session = house.sessions[seat.player]
        message = from_client.Move(id=f"m{seat.seat}", match=match.id, turn=0, move={"column": 3})
        match.move(seat.seat, message, session)
    house.journal.commit()


async def test_a_match_is_told_once_it_is_stored() -> None:
    house = House()
    ann, bob, room = two_in_a_room(house)
    room.start(ann, from_client.Start(id="s"))
    assert not any(isinstance(message, from_server.Started) for message in house.told(bob).take())
    house.journal.commit()
    started = house.told(bob).take_only(from_server.Started)
    assert [seat.player for seat in started.match.seats] == [ann.id, bob.id]
    assert started.match.deal.known is Known.SEALED
    assert started.views[0]["turn"] == 0
    assert [type(record) for record in house.journal.stored] == [NewRoom, NewMatch]


async def test_the_countdown_runs_and_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    ann, bob, room = two_in_a_room(house, model.Settings(countdown=3))
    room.start(ann, from_client.Start(id="s"))
    countdown = house.told(bob).take_only(from_server.Countdown)
    assert (countdown.seconds, countdown.starts) == (3, house.clock.now() + 3000)
    with pytest.raises(ProtocolError) as error:
        room.start(ann, from_client.Start(id="s"))
    assert error.value.code is ErrorCode.WRONG_PHASE
    room.cancel_start(ann)
    assert house.told(bob).take_only(from_server.Countdown).cancelled
    assert room.series.phase is Phase.LOBBY
    with pytest.raises(ProtocolError):
        room.cancel_start(ann)


async def test_who_leaves_or_reloads_in_the_countdown_does_not_stop_the_others() -> None:
    house = House()
    ann, bob, room = two_in_a_room(house, model.Settings(countdown=3))
    cid = house.person("cid")
    house.join(cid, room)
    room.set_ready(cid, True)
    room.start(ann, from_client.Start(id="s"))
    house.hall.leave(bob)
    house.vanish(cid)
    room.series._begin()
    house.journal.commit()
    assert [seat.name for seat in running(room).facts.seats] == ["ann", "cid"]
    session = house.connect(cid)
    running(room).resume("r", 1, None, session)
    assert session.take_only(from_server.Resumed).answer == "snapshot"


async def test_if_everybody_leaves_in_the_countdown_there_is_no_match() -> None:
    house = House()
    ann, bob, room = two_in_a_room(house, model.Settings(countdown=3))
    cid = house.person("cid")
    house.join(cid, room)
    room.start(ann, from_client.Start(id="s", force=True))
    house.hall.leave(ann)
    house.hall.leave(bob)
    room.series._begin()
    assert room.series.phase is Phase.LOBBY


async def test_after_the_end_the_room_is_a_lobby_and_the_deal_is_disclosed() -> None:
    house = House()
    _, bob, room = two_in_a_room(house)
    house.start(room, room.members[room.host].player)
    play_out(house, room)
    over = house.told(bob).take_only(from_server.MatchOver)
    assert isinstance(over.deal.seed, str)
    assert len(over.deal.seed) == 32
    assert room.series.phase is Phase.LOBBY
    assert not any(member.ready for member in room.members.values())


async def test_a_rematch_on_the_same_deal_is_no_longer_sealed() -> None:
    house = House()
    ann, _, room = two_in_a_room(house)
    house.start(room, ann)
    first = running(room)
    play_out(house, room)
    room.rematch(ann, from_client.Rematch(id="r", same_deal=True))
    house.journal.commit()
    again = running(room)
    assert again.id != first.id
    assert again.facts.deal.deal == first.facts.deal.deal
    assert (first.facts.deal.known, again.facts.deal.known) == (Known.SEALED, Known.OPEN)
    play_out(house, room)
    room.rematch(ann, from_client.Rematch(id="r"))
    house.journal.commit()
    assert running(room).facts.deal.deal != first.facts.deal.deal
    assert set(house.hall.matches) == {running(room).id}


async def test_there_is_no_rematch_before_the_first_match() -> None:
    house = House()
    ann, _, room = two_in_a_room(house)
    with pytest.raises(ProtocolError) as error:
        room.rematch(ann, from_client.Rematch(id="r"))
    assert error.value.code is ErrorCode.WRONG_PHASE


async def test_a_match_that_cannot_be_stored_does_not_start() -> None:
    house = House()
    ann, bob, room = two_in_a_room(house)
    room.start(ann, from_client.Start(id="s"))
    (beginning,) = house.hall.matches.values()
    house.journal.fail()
    house.told(bob).take()
    room.series.not_stored(beginning)
    assert house.told(bob).take_only(from_server.Error).code == ErrorCode.STORAGE
    assert room.series.phase is Phase.LOBBY
    assert house.hall.matches == {}
    room.set_ready(bob, True)
    house.start(room, ann)
    assert running(room).facts.seats[1].player == bob.id


async def test_a_new_series_is_stored_as_a_room_of_its_own() -> None:
    house = House()
    ann, bob, room = two_in_a_room(house, SHORT)
    for change in (False, True, False):
        if change:
            other = from_client.ConfigureRoom(id="c", settings=model.Settings(countdown=0, drop_limit=1, seats=3))
            room.configure(ann, other)
        room.set_ready(bob, True)
        house.start(room, ann)
        play_out(house, room)
    rooms = [record for record in house.journal.stored if isinstance(record, NewRoom)]
    matches = [record for record in house.journal.stored if isinstance(record, NewMatch)]
    assert [record.code for record in rooms] == [room.code] * 2
    assert [record.room_id for record in matches] == [rooms[0].id, rooms[1].id, rooms[1].id]


async def test_a_series_whose_first_match_was_not_stored_begins_with_the_next() -> None:
    house = House()
    ann, bob, room = two_in_a_room(house, SHORT)
    house.start(room, ann)
    play_out(house, room)
    room.series.start_over()
    room.set_ready(bob, True)
    room.start(ann, from_client.Start(id="s"))
    (beginning,) = (match for match in house.hall.matches.values() if not match.over)
    house.journal.fail()
    room.series.not_stored(beginning)
    room.set_ready(bob, True)
    house.start(room, ann)
    rooms = [record.id for record in house.journal.stored if isinstance(record, NewRoom)]
    matches = [record.room_id for record in house.journal.stored if isinstance(record, NewMatch)]
    assert rooms == matches
    assert len(rooms) == 2


async def test_a_decided_series_stays_decided_if_the_next_match_cannot_be_stored() -> None:
    house = House()
    ann, bob, room = two_in_a_room(house, model.Settings(countdown=0, drop_limit=1, first_to=1))
    house.start(room, ann)
    play_out(house, room)
    decided = room.series.score.public()
    assert decided is not None
    assert decided.winners
    room.rematch(ann, from_client.Rematch(id="r"))
    (beginning,) = (match for match in house.hall.matches.values() if not match.over)
    house.journal.fail()
    room.series.not_stored(beginning)
    assert room.series.score.public() == decided
    (told,) = (message for message in house.told(bob).take()[-1:] if isinstance(message, from_server.RoomState))
    assert told.room.series == decided
    room.rematch(ann, from_client.Rematch(id="r"))
    house.journal.commit()
    assert room.series.score.public() is None


async def test_leaving_forfeits_and_the_others_play_on() -> None:
    house = House()
    ann, bob, room = two_in_a_room(house, model.Settings(countdown=0))
    house.start(room, ann)
    house.hall.leave(bob)
    house.journal.commit()
    match = running(room)
    assert match.table.ended(1) == "forfeit"
    assert match.table.ended(0) is None
    assert room.series.phase is Phase.PLAYING


async def test_seats_that_are_away_or_idle_too_long_forfeit() -> None:
    house = House(absence_limit=60, idle_limit=300)
    ann, bob, room = two_in_a_room(house, model.Settings(countdown=0))
    house.start(room, ann)
    house.vanish(bob)
    house.clock.advance(59)
    house.hall.tidy()
    match = running(room)
    assert match.table.ended(1) is None
    house.clock.advance(2)
    house.hall.tidy()
    assert (match.table.ended(0), match.table.ended(1)) == (None, "forfeit")
    house.clock.advance(300)
    house.hall.tidy()
    house.journal.commit()
    assert match.over


async def test_nobody_forfeits_in_a_pause_and_it_ends_by_itself() -> None:
    house = House(absence_limit=60, idle_limit=300, pause_limit=3600)
    ann, bob, room = two_in_a_room(house, model.Settings(countdown=0))
    house.start(room, ann)
    match = running(room)
    for player in (ann, bob):
        found, seat = house.hall.pausable(player, match.id)
        found.pause(seat, from_client.Pause(id="p", match=match.id), house.told(player))
    house.journal.commit()
    house.vanish(bob)
    house.clock.advance(3599)
    house.hall.tidy()
    assert match.timing.paused_since is not None
    house.clock.advance(1)
    house.hall.tidy()
    house.journal.commit()
    assert house.told(ann).take()[-1] == from_server.Paused(match=match.id, agreed=[], paused=False)
    house.clock.advance(59)
    house.hall.tidy()
    assert (match.table.ended(0), match.table.ended(1)) == (None, None)
    house.clock.advance(2)
    house.hall.tidy()
    assert (match.table.ended(0), match.table.ended(1)) == (None, "forfeit")


async def test_the_deal_of_the_day_is_not_paused() -> None:
    house = House()
    ann = house.person("ann")
    room = house.create(ann, model.Settings(daily=True, countdown=0))
    house.start(room, ann)
    with pytest.raises(ProtocolError) as error:
        house.hall.pausable(ann, running(room).id)
    assert error.value.code is ErrorCode.MATCH_NO_PAUSE


async def test_the_deal_of_the_day_is_not_paused_when_played_again_either() -> None:
    house = House()
    ann = house.person("ann")
    room = house.create(ann, model.Settings(daily=True, countdown=0, drop_limit=1))
    house.start(room, ann)
    play_out(house, room)
    room.rematch(ann, from_client.Rematch(id="r", same_deal=True))
    house.journal.commit()
    assert running(room).facts.deal.known is Known.DAILY
    with pytest.raises(ProtocolError) as error:
        house.hall.pausable(ann, running(room).id)
    assert error.value.code is ErrorCode.MATCH_NO_PAUSE


async def test_other_settings_leave_no_deal_to_play_again() -> None:
    house = House()
    ann, _, room = two_in_a_room(house)
    house.start(room, ann)
    play_out(house, room)
    deal = running(room).deal.id
    room.configure(
        ann, from_client.ConfigureRoom(id="c", settings=model.Settings(countdown=0, drop_limit=1, time_limit=60))
    )
    room.rematch(ann, from_client.Rematch(id="r", same_deal=True))
    house.journal.commit()
    assert running(room).deal.id == deal
    play_out(house, room)
    room.configure(ann, from_client.ConfigureRoom(id="c", settings=model.Settings(game="merge-drop", countdown=0)))
    with pytest.raises(ProtocolError) as error:
        room.rematch(ann, from_client.Rematch(id="r", same_deal=True))
    assert (error.value.code, error.value.field) == (ErrorCode.WRONG_PHASE, "same_deal")
    assert room.series.phase is Phase.LOBBY


async def test_a_challenge_is_not_taken_for_the_same_deal() -> None:
    house = House()
    ann = house.person("ann")
    game = find_game("drop7")
    room = house.create(ann, replace(SHORT, version=game.version, options=dict(game.deal({}, seed="x").options)))
    house.start(room, ann)
    play_out(house, room)
    opening = from_client.CreateChallenge(id="c", settings=model.Settings(drop_limit=1))
    house.journal.recorded.clear()
    making = asyncio.create_task(house.hall.challenges.make(ann.id, opening))
    await house.journal.recorded.wait()
    house.journal.commit()
    code = await making
    room.configure(ann, from_client.ConfigureRoom(id="c", settings=model.Settings(challenge=code, countdown=0)))
    with pytest.raises(ProtocolError) as error:
        room.rematch(ann, from_client.Rematch(id="r", same_deal=True))
    assert error.value.field == "same_deal"


async def test_a_deal_that_was_never_told_is_not_the_one_to_play_again() -> None:
    house = House()
    ann, _, room = two_in_a_room(house)
    house.start(room, ann)
    play_out(house, room)
    first = running(room)
    room.rematch(ann, from_client.Rematch(id="r"))
    (beginning,) = (match for match in house.hall.matches.values() if not match.over)
    house.journal.fail()
    room.series.not_stored(beginning)
    room.rematch(ann, from_client.Rematch(id="r", same_deal=True))
    house.journal.commit()
    assert running(room).deal == first.deal != beginning.deal


async def test_the_time_limit_ends_the_match() -> None:
    house = House()
    ann, bob, room = two_in_a_room(house, model.Settings(countdown=0, time_limit=1))
    room.start(ann, from_client.Start(id="s"))
    house.clock.advance(1)
    house.journal.commit()
    house.journal.recorded.clear()
    async with asyncio.timeout(5):
        await house.journal.recorded.wait()
    house.journal.commit()
    over = house.told(bob).take_only(from_server.MatchOver)
    assert {standing.ended for standing in over.standings} == {"time"}
