"""Reading what the server needs: players, the matches that run, and whole logs. All take a connection.

Call them through `Database.read`, which gives one unchanging state. Lists and pages of finished matches are
`samedrop_server.history`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, RowMapping, select

from samedrop_protocol import model
from samedrop_rules import Deal
from samedrop_server.matches.deals import public_deal
from samedrop_server.storage import models
from samedrop_server.storage.errors import DamagedLog
from samedrop_server.storage.log import StoredEntry, add_new, read_chunks, read_commits, stored_entry
from samedrop_server.storage.records import Logged

NO_ROOM = "-"
"""The room code of a match that was imported."""


class StoredPlayer(NamedTuple):
    """A player as stored."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as stored.

    Attributes:
        room_id: None where it was imported; the other room attributes are empty then.
        deal_id, commitment: as they were stored when it was dealt; those of `deal`, unless somebody changed it.
        finished: None while it runs.
        entries: of the whole log.
        log: in order, each entry with the id of the request that made it.
    """

    id: str
    room_id: str | None
    room_code: str
    room_title: str
    room_public: bool
    room_host: str
    deal: Deal
    deal_id: str
    commitment: str
    known: model.Known
    settings: model.Settings
    started: int
    finished: int | None
    entries: int
    seats: tuple[model.Seat, ...]
    log: tuple[StoredEntry, ...]

    def facts(self, room: str, *, disclosed: bool = False) -> model.Match:
        """The facts as they are told, in the room of that code; with the seed or tape only once `disclosed`."""
        settings = self.settings
        return model.Match(
            match=self.id,
            room=room,
            deal=public_deal(self.deal, self.known, disclosed=disclosed),
            seats=list(self.seats),
            started=self.started,
            rivals=settings.rivals,
            drop_limit=settings.drop_limit,
            time_limit=settings.time_limit,
            lockstep=settings.lockstep,
        )


def load_player(connection: Connection, token_hash: str) -> StoredPlayer | None:
    """The player whose token has that hash."""
    statement = select(models.Player.id, models.Player.name).where(models.Player.token_hash == token_hash)
    row = connection.execute(statement).one_or_none()
    return None if row is None else StoredPlayer(*row)


def load_unfinished(connection: Connection) -> list[StoredMatch]:
    """All matches that run, oldest first.

    Raises:
        DamagedLog: what is stored contradicts itself.
    """
    statement = _MATCHES.where(models.Match.finished.is_(None)).order_by(models.Match.started, models.Match.id)
    rows = connection.execute(statement).mappings().all()
    logs = {row["id"]: read_chunks(connection, row["id"]) for row in rows}
    _add_journal(connection, logs)
    return [_stored(connection, row, logs[row["id"]]) for row in rows]


def load_match(connection: Connection, match_id: str) -> StoredMatch | None:
    """The match of that id, running or finished, with its whole log.

    Raises:
        DamagedLog: what is stored contradicts itself.
    """
    row = _find(connection, match_id)
    if row is None:
        return None
    log = read_chunks(connection, match_id)
    if row["finished"] is None:
        _add_journal(connection, {match_id: log})
    elif len(log) != row["entries"]:
        raise DamagedLog(f"The log of match {match_id} has {len(log)} entries, not {row['entries']}.")
    return _stored(connection, row, log)


def load_finished(connection: Connection, match_id: str, first: int, limit: int) -> StoredMatch | None:
    """The match of that id if it is finished, with a page of its log: `limit` entries from number `first` (1) on.

    Raises:
        DamagedLog: what is stored contradicts itself.
    """
    row = _find(connection, match_id)
    if row is None or row["finished"] is None:
        return None
    return _stored(connection, row, read_chunks(connection, match_id, first, first + limit - 1))


def _find(connection: Connection, match_id: str) -> RowMapping | None:
    return connection.execute(_MATCHES.where(models.Match.id == match_id)).mappings().one_or_none()


def _seats(connection: Connection, match_id: str) -> tuple[model.Seat, ...]:
    statement = select(models.Seat).where(models.Seat.match_id == match_id).order_by(models.Seat.seat)
    rows = connection.execute(statement)
    return tuple(model.Seat(seat=row.seat, player=row.player_id, name=row.name) for row in rows)


_MATCHES = (
    select(
        models.Match.id,
        models.Match.room_id,
        models.Match.known,
        models.Match.settings,
        models.Match.started,
        models.Match.finished,
        models.Match.entries,
        models.Room.code,
        models.Room.title,
        models.Room.public,
        models.Room.host_id,
        models.Match.deal_id,
        models.Deal.commitment,
        models.Deal.game,
        models.Deal.version,
        models.Deal.options,
        models.Deal.seed,
        models.Deal.tape,
    )
    .join(models.Deal, models.Deal.id == models.Match.deal_id)
    .outerjoin(models.Room, models.Room.id == models.Match.room_id)
)


def _add_journal(connection: Connection, logs: dict[str, list[Logged]]) -> None:
    for _, entries in read_commits(connection):
        for entry in entries:
            log = logs.get(entry.match_id)
            if log is not None:
                add_new(log, entry)


def _stored(connection: Connection, row: RowMapping, log: Sequence[Logged]) -> StoredMatch:
    try:
        settings, known = msgspec.convert(row["settings"], model.Settings), model.Known(row["known"])
    except ValueError as error:
        raise DamagedLog(f"Match {row['id']} is damaged: {error}.") from error
    return StoredMatch(
        id=row["id"],
        room_id=row["room_id"],
        room_code=row["code"] or NO_ROOM,
        room_title=row["title"] or "",
        room_public=bool(row["public"]),
        room_host=row["host_id"] or "",
        deal=Deal(row["game"], row["version"], row["options"], seed=row["seed"], tape=row["tape"]),
        deal_id=row["deal_id"],
        commitment=row["commitment"],
        known=known,
        settings=settings,
        started=row["started"],
        finished=row["finished"],
        entries=row["entries"] or len(log),
        seats=_seats(connection, row["id"]),
        log=tuple(map(stored_entry, log)),
    )
