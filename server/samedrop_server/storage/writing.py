"""From records to rows. Everything happens in the caller's transaction; logs are `log`'s."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from samedrop_protocol import model
from samedrop_rules import Deal
from samedrop_server.storage import models
from samedrop_server.storage.errors import NotStored
from samedrop_server.storage.models import Admission, Challenge, Match, Partner, Player, Result, Room, Seat
from samedrop_server.storage.records import (
    ChangedRoom,
    ClosedChallenge,
    Finished,
    KeptRoom,
    NewChallenge,
    NewMatch,
    NewPlayer,
    NewRoom,
    Pause,
    RenamedPlayer,
)

_INSERT_PLAYER = insert(Player)
_INSERT_ROOM = insert(Room)
_CHANGE_ROOM = update(Room).where(Room.id == bindparam("room"))
_INSERT_ADMISSION = insert(Admission)
_CHANGE_ADMISSION = update(Admission).where(Admission.room_id == bindparam("room"))
_INSERT_MATCH = insert(Match)
_INSERT_SEAT = insert(Seat)
_INSERT_PARTNER = insert(Partner)
_INSERT_CHALLENGE = insert(Challenge)
_CLOSE = update(Challenge).where(Challenge.code == bindparam("challenge")).values(closes=bindparam("time"))
_INSERT_PAUSE = insert(models.Pause)
_END_PAUSE = (
    update(models.Pause)
    .where(models.Pause.match_id == bindparam("match"), models.Pause.number == bindparam("n"))
    .values(ended=bindparam("time"))
)
_INSERT_RESULT = insert(Result)
_RENAME = update(Player).where(Player.id == bindparam("player")).values(name=bindparam("new_name"))
_FINISH = (
    update(Match)
    .where(Match.id == bindparam("match"), Match.finished.is_(None))
    .values(finished=bindparam("time"), entries=bindparam("count"))
)


def insert_players(connection: Connection, players: Sequence[NewPlayer]) -> None:
    """Store new players."""
    connection.execute(_INSERT_PLAYER, [player._asdict() for player in players])


def insert_missing_players(connection: Connection, players: Sequence[NewPlayer]) -> None:
    """Store those of the players that are not there yet."""
    ids = select(Player.id).where(Player.id.in_([player.id for player in players]))
    known = set(connection.scalars(ids))
    missing = {player.id: player for player in players if player.id not in known}
    if missing:
        insert_players(connection, list(missing.values()))


def rename_players(connection: Connection, renamed: Sequence[RenamedPlayer]) -> None:
    """Store new names, in order."""
    connection.execute(_RENAME, [{"player": player.id, "new_name": player.name} for player in renamed])


def insert_rooms(connection: Connection, rooms: Sequence[NewRoom]) -> None:
    """Store new rooms."""
    made = [{"id": room.id, "code": room.code, "created": room.created, **_shown(room.kept)} for room in rooms]
    connection.execute(_INSERT_ROOM, made)
    connection.execute(_INSERT_ADMISSION, [{"room_id": room.id, **_admission(room.kept)} for room in rooms])


def change_rooms(connection: Connection, changed: Sequence[ChangedRoom]) -> None:
    """Store how rooms are now, in order."""
    connection.execute(_CHANGE_ROOM, [{"room": room.id, **_shown(room.kept)} for room in changed])
    connection.execute(_CHANGE_ADMISSION, [{"room": room.id, **_admission(room.kept)} for room in changed])


def _shown(kept: KeptRoom) -> dict[str, object]:
    return {"title": kept.title, "public": kept.public, "host_id": kept.host_id}


def _admission(kept: KeptRoom) -> dict[str, object]:
    return {"password": kept.password, "banned": list(kept.banned), "departed": list(kept.departed)}


def insert_matches(connection: Connection, matches: Sequence[NewMatch]) -> None:
    """Store new matches with their seats, and those of their deals that are not there yet."""
    _insert_deals(connection, [(match.deal, match.started) for match in matches])
    connection.execute(_INSERT_MATCH, [_match(match) for match in matches])
    held = [(match, seat) for match in matches for seat in match.seats]
    connection.execute(_INSERT_SEAT, [_held(match, seat.seat, seat) for match, seat in held])
    partners = [_held(match, seat.seat, seat.partner) for match, seat in held if seat.partner is not None]
    if partners:
        connection.execute(_INSERT_PARTNER, partners)


def _held(match: NewMatch, seat: int, holder: model.Seat | model.Partner) -> dict[str, object]:
    return {
        "match_id": match.id,
        "seat": seat,
        "player_id": holder.player,
        "name": holder.name,
        "started": match.started,
        "game": match.deal.game,
    }


def insert_challenges(connection: Connection, challenges: Sequence[NewChallenge]) -> None:
    """Store new challenges with their deals."""
    _insert_deals(connection, [(challenge.deal, challenge.opened) for challenge in challenges])
    rows = [
        {
            "code": one.code,
            "deal_id": one.deal.id,
            "title": one.title,
            "host_id": one.host_id,
            "settings": msgspec.to_builtins(one.settings),
            "opened": one.opened,
            "closes": one.closes,
        }
        for one in challenges
    ]
    connection.execute(_INSERT_CHALLENGE, rows)


def close_challenges(connection: Connection, closed: Sequence[ClosedChallenge]) -> None:
    """Store that challenges were opened to all."""
    connection.execute(_CLOSE, [{"challenge": one.code, "time": one.closed} for one in closed])


def store_pauses(connection: Connection, pauses: Sequence[Pause]) -> None:
    """Store pauses that begin, or end, in order.

    Raises:
        NotStored: one ends that did not begin.
    """
    for pause in pauses:
        if pause.ended is None:
            connection.execute(_INSERT_PAUSE, pause._asdict())
            continue
        end = {"match": pause.match_id, "n": pause.number, "time": pause.ended}
        if connection.execute(_END_PAUSE, end).rowcount != 1:
            raise NotStored(f"Pause {pause.number} of match {pause.match_id} did not begin.")


def _insert_deals(connection: Connection, deals: Sequence[tuple[Deal, int]]) -> None:
    # Both dialects know this clause, each as an extension of its own.
    insert_deal = sqlite.insert(models.Deal) if connection.dialect.name == "sqlite" else postgresql.insert(models.Deal)
    connection.execute(insert_deal.on_conflict_do_nothing(), [_deal(deal, created) for deal, created in deals])


def _deal(deal: Deal, created: int) -> dict[str, object]:
    return {
        "id": deal.id,
        "game": deal.game,
        "version": deal.version,
        "options": dict(deal.options),
        "seed": deal.seed,
        "tape": deal.tape,
        "commitment": deal.commitment,
        "created": created,
    }


def _match(match: NewMatch) -> dict[str, object]:
    return {
        "id": match.id,
        "room_id": match.room_id,
        "deal_id": match.deal.id,
        "game": match.deal.game,
        "known": match.known.value,
        "settings": msgspec.to_builtins(match.settings),
        "started": match.started,
    }


def finish_match(connection: Connection, finished: Finished, entries: int) -> None:
    """Store the result of a match whose log has so many entries.

    Raises:
        NotStored: the match is not there, or is finished already.
    """
    values = {"match": finished.match_id, "time": finished.finished, "count": entries}
    if connection.execute(_FINISH, values).rowcount != 1:
        raise NotStored(f"Match {finished.match_id} is not there, or is finished already.")
    results = [
        {
            "match_id": finished.match_id,
            "seat": row.seat,
            "rank": row.rank,
            "score": row.score,
            "turns": row.turns,
            "ended": row.ended,
        }
        for row in finished.standings
    ]
    connection.execute(_INSERT_RESULT, results)


def unfinished_ids(connection: Connection) -> list[str]:
    """The ids of the matches that run, oldest first."""
    statement = select(Match.id).where(Match.finished.is_(None)).order_by(Match.started, Match.id)
    return list(connection.scalars(statement))
