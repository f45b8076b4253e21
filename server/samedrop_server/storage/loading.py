"""Reading what the server needs: players, the matches that run, and whole logs. All take a connection.

Call them through `Database.read`, which gives one unchanging state. Lists and pages of finished matches are
`samedrop_server.history`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec
import structlog
from sqlalchemy import Connection, RowMapping, select

from samedrop_protocol import model
from samedrop_rules import Deal, Entry
from samedrop_server.matches.deals import match_facts, public_deal
from samedrop_server.storage import models
from samedrop_server.storage.errors import DamagedLog
from samedrop_server.storage.log import StoredEntry, read_journal, read_moves, stored_entry, whole_log
from samedrop_server.storage.records import KeptRoom, Logged, NewChallenge, Pause
from samedrop_server.storage.standings import load_partners, load_series
from samedrop_server.storage.writing import unfinished_ids

log = structlog.get_logger(__name__)

NO_ROOM = "-"
"""The room code of a match that was imported."""


class StoredPlayer(NamedTuple):
    """A player as stored."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class StoredRun:
    """What one seat did in a finished match.

    Attributes:
        run: its match and seat.
        held: the seat and who held it.
        deal, known, started, drop_limit: of its match.
        log: the entries of the seat, as those of a match of one seat.
    """

    run: model.RunId
    held: model.Seat
    deal: Deal
    known: model.Known
    started: int
    drop_limit: int | None
    log: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as stored.

    Attributes:
        room_id: None where it was imported; the other room attributes are empty then.
        room: as it was last kept.
        deal_id, commitment: as they were stored when it was dealt; those of `deal`, unless somebody changed it.
        finished: None while it runs.
        entries: of the whole log.
        log: in order, each entry with the id of the request that made it.
        ghosts: the stored runs that are, or were, raced in it.
        pauses: those that the players agreed on, in order.
        ghost_runs: the same with all that was done in them, if it is running.
        series: if it is running, the results of the matches before it in its series, in order.
    """

    id: str
    room_id: str | None
    room_code: str
    room: KeptRoom
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
    ghosts: tuple[model.Ghost, ...] = ()
    ghost_runs: tuple[StoredRun, ...] = ()
    pauses: tuple[Pause, ...] = ()
    series: tuple[Sequence[model.Standing], ...] = ()

    @property
    def paused(self) -> list[tuple[int, int]]:
        """When each pause that has ended began and ended; of a finished match all."""
        return [(pause.began, pause.ended) for pause in self.pauses if pause.ended is not None]

    def facts(self, room: str, *, disclosed: bool = False) -> model.Match:
        """The facts as they are told, in the room of that code; with the seed or tape only once `disclosed`."""
        deal = public_deal(self.deal, self.known, disclosed=disclosed)
        return match_facts(self.id, room, deal, self.seats, self.started, self.settings, self.ghosts)


def load_player(connection: Connection, token_hash: str) -> StoredPlayer | None:
    """The player whose token has that hash."""
    statement = select(models.Player.id, models.Player.name).where(models.Player.token_hash == token_hash)
    row = connection.execute(statement).one_or_none()
    return None if row is None else StoredPlayer(*row)


def load_unfinished(connection: Connection) -> list[StoredMatch]:
    """All matches that run, oldest first; one whose rows contradict themselves is left out, and told to the log.

    Raises:
        DamagedLog: a row of the journal cannot be read, so that nobody can say which matches it is about.
    """
    matches = []
    for match_id, in_journal in read_journal(connection, unfinished_ids(connection)).items():
        try:
            row = _find(connection, match_id)
            if row is None:
                raise DamagedLog(f"Match {match_id} is damaged: its deal is missing.")
            whole = whole_log(read_moves(connection, match_id), in_journal)
            stored = _stored(connection, row, whole)
            runs = [load_run(connection, ghost.run) for ghost in stored.ghosts]
            matches.append(replace(stored, ghost_runs=tuple(run for run in runs if run is not None)))
        except DamagedLog as error:
            log.error("match_not_restored", match=match_id, reason=error.text)
    series = load_series(connection, {match.room_id for match in matches if match.room_id is not None})
    return [replace(match, series=tuple(series[match.room_id])) if match.room_id else match for match in matches]


def load_open_challenges(connection: Connection, now: int) -> list[tuple[NewChallenge, set[str]]]:
    """The challenges that are open then, each with the ids of the players who have begun their run."""
    statement = (
        select(models.Challenge, models.Deal)
        .join(models.Deal, models.Deal.id == models.Challenge.deal_id)
        .where(models.Challenge.closes > now)
    )
    return [
        (
            NewChallenge(
                code=row.code,
                deal=Deal(row.game, row.version, row.options, seed=row.seed, tape=row.tape),
                title=row.title,
                host_id=row.host_id,
                settings=msgspec.convert(row.settings, model.Settings),
                opened=row.opened,
                closes=row.closes,
            ),
            _players_on(connection, row.deal_id),
        )
        for row in connection.execute(statement)
    ]


def _players_on(connection: Connection, deal_id: str) -> set[str]:
    statement = (
        select(models.Seat.player_id)
        .join(models.Match, models.Match.id == models.Seat.match_id)
        .where(models.Match.deal_id == deal_id)
    )
    return set(connection.scalars(statement))


def load_match(connection: Connection, match_id: str) -> StoredMatch | None:
    """The match of that id, running or finished, with its whole log.

    Raises:
        DamagedLog: what is stored contradicts itself.
    """
    row = _find(connection, match_id)
    if row is None:
        return None
    whole = read_moves(connection, match_id)
    if row["finished"] is None:
        whole = whole_log(whole, read_journal(connection, [match_id])[match_id])
    elif len(whole) != row["entries"]:
        raise DamagedLog(f"The log of match {match_id} has {len(whole)} entries, not {row['entries']}.")
    return _stored(connection, row, whole)


def load_finished(connection: Connection, match_id: str, first: int, limit: int) -> StoredMatch | None:
    """The match of that id if it is finished, with a page of its log: `limit` entries from number `first` (1) on.

    Raises:
        DamagedLog: what is stored contradicts itself.
    """
    row = _find(connection, match_id)
    if row is None or row["finished"] is None:
        return None
    last = min(first + limit - 1, row["entries"])
    page = read_moves(connection, match_id, first, last)
    if len(page) < last - first + 1:
        raise DamagedLog(f"The log of match {match_id} lacks entry {first + len(page)}.")
    return _stored(connection, row, page)


def load_run(connection: Connection, run: model.RunId) -> StoredRun | None:
    """The run of that seat, if its match is finished.

    Raises:
        DamagedLog: what is stored contradicts itself.
    """
    row = _find(connection, run.match)
    if row is None or row["finished"] is None:
        return None
    match = _stored(connection, row, read_moves(connection, run.match))
    if run.seat >= len(match.seats):
        return None
    log = tuple(replace(entry, seat=0) for entry, _ in match.log if entry.seat == run.seat)
    held = match.seats[run.seat]
    return StoredRun(run, held, match.deal, match.known, match.started, match.settings.drop_limit, log)


def _find(connection: Connection, match_id: str) -> RowMapping | None:
    try:
        return connection.execute(_MATCHES.where(models.Match.id == match_id)).mappings().one_or_none()
    except ValueError as error:
        raise DamagedLog(f"Match {match_id} is damaged: {error}.") from error


def _seats(connection: Connection, match_id: str) -> tuple[model.Seat, ...]:
    partners = load_partners(connection, [match_id])
    statement = select(models.Seat).where(models.Seat.match_id == match_id).order_by(models.Seat.seat)
    return tuple(
        model.Seat(seat=row.seat, player=row.player_id, name=row.name, partner=partners.get((match_id, row.seat)))
        for row in connection.execute(statement)
    )


def _ghosts(connection: Connection, settings: model.Settings, seats: int) -> tuple[model.Ghost, ...]:
    """Those of the runs of the settings that are here; an imported match may have been raced against others."""
    found: list[model.Ghost] = []
    for run in settings.ghosts:
        held = next((seat for seat in _seats(connection, run.match) if seat.seat == run.seat), None)
        if held is not None:
            found.append(ghost_of(run, held, seats + len(found)))
    return tuple(found)


def ghost_of(run: model.RunId, held: model.Seat, number: int) -> model.Ghost:
    """A stored run as a ghost with that number."""
    return model.Ghost(seat=number, run=run, player=held.player, name=held.name, partner=held.partner)


def _pauses(connection: Connection, match_id: str, finished: int | None) -> tuple[Pause, ...]:
    """In order; one that lasts ended with the match, if that has finished."""
    statement = select(models.Pause).where(models.Pause.match_id == match_id).order_by(models.Pause.number)
    return tuple(
        Pause(row.match_id, row.number, row.began, finished if row.ended is None else row.ended)
        for row in connection.execute(statement)
    )


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
        models.Admission.password,
        models.Admission.banned,
        models.Admission.departed,
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
    .outerjoin(models.Admission, models.Admission.room_id == models.Room.id)
)


def _room(row: RowMapping) -> KeptRoom:
    if row["room_id"] is None:
        return KeptRoom()
    return msgspec.convert([row[name] for name in KeptRoom._fields], KeptRoom)


def _stored(connection: Connection, row: RowMapping, whole_or_page: Sequence[Logged]) -> StoredMatch:
    try:
        settings, known = msgspec.convert(row["settings"], model.Settings), model.Known(row["known"])
        room = _room(row)
    except ValueError as error:
        raise DamagedLog(f"Match {row['id']} is damaged: {error}.") from error
    seats = _seats(connection, row["id"])
    return StoredMatch(
        id=row["id"],
        room_id=row["room_id"],
        room_code=row["code"] or NO_ROOM,
        room=room,
        deal=Deal(row["game"], row["version"], row["options"], seed=row["seed"], tape=row["tape"]),
        deal_id=row["deal_id"],
        commitment=row["commitment"],
        known=known,
        settings=settings,
        started=row["started"],
        finished=row["finished"],
        entries=row["entries"] or len(whole_or_page),
        seats=seats,
        log=tuple(map(stored_entry, whole_or_page)),
        ghosts=_ghosts(connection, settings, len(seats)),
        pauses=_pauses(connection, row["id"], row["finished"]),
    )
