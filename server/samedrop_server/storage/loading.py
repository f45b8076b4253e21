"""Reading what the server needs: players, the matches that run, and whole logs. All take a connection.

Call them through `Database.read`, which gives one unchanging state. Lists and pages of finished matches are
`samedrop_server.history`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, Row, select

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
        finished: None while it runs.
        log: in order, each entry with the id of the request that made it.
    """

    id: str
    room_id: str | None
    room_code: str
    room_title: str
    room_public: bool
    room_host: str
    deal: Deal
    known: model.Known
    settings: model.Settings
    started: int
    finished: int | None
    seats: tuple[model.Seat, ...]
    log: tuple[StoredEntry, ...]

    def facts(self, room: str) -> model.Match:
        """The facts of the match as they are told while it runs, in the room of that code."""
        return match_facts(self, room, disclosed=False)


def match_facts(stored: StoredMatch, room: str, *, disclosed: bool) -> model.Match:
    """The facts of a match as they are told; with the seed or tape once `disclosed`."""
    settings = stored.settings
    return model.Match(
        match=stored.id,
        room=room,
        deal=public_deal(stored.deal, stored.known, disclosed=disclosed),
        seats=list(stored.seats),
        started=stored.started,
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
    rows = connection.execute(
        _MATCHES.where(models.Match.finished.is_(None)).order_by(models.Match.started, models.Match.id)
    ).all()
    logs = {row.id: read_chunks(connection, row.id) for row in rows}
    _add_journal(connection, logs)
    return [_stored(connection, row, logs[row.id]) for row in rows]


def load_match(connection: Connection, match_id: str) -> StoredMatch | None:
    """The match of that id, running or finished, with its whole log.

    Raises:
        DamagedLog: what is stored contradicts itself.
    """
    row = connection.execute(_MATCHES.where(models.Match.id == match_id)).one_or_none()
    if row is None:
        return None
    log = read_chunks(connection, match_id)
    if row.finished is None:
        _add_journal(connection, {match_id: log})
    elif len(log) != row.entries:
        raise DamagedLog(f"The log of match {match_id} has {len(log)} entries, not {row.entries}.")
    return _stored(connection, row, log)


def load_seats(connection: Connection, match_ids: Sequence[str]) -> dict[str, list[model.Seat]]:
    """The seats of those matches, each in order."""
    statement = select(models.Seat).where(models.Seat.match_id.in_(match_ids)).order_by(models.Seat.seat)
    seats: dict[str, list[model.Seat]] = {match_id: [] for match_id in match_ids}
    for row in connection.execute(statement):
        seats[row.match_id].append(model.Seat(seat=row.seat, player=row.player_id, name=row.name))
    return seats


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


def _stored(connection: Connection, row: Row[tuple[object, ...]], log: Sequence[Logged]) -> StoredMatch:
    return StoredMatch(
        id=row.id,
        room_id=row.room_id,
        room_code=row.code or NO_ROOM,
        room_title=row.title or "",
        room_public=bool(row.public),
        room_host=row.host_id or "",
        deal=Deal(row.game, row.version, row.options, seed=row.seed, tape=row.tape),
        known=model.Known(row.known),
        settings=msgspec.convert(row.settings, model.Settings),
        started=row.started,
        finished=row.finished,
        seats=tuple(load_seats(connection, [row.id])[row.id]),
        log=tuple(map(stored_entry, log)),
    )
