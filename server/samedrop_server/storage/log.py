"""The log of a match in its two stored forms, and how it is put together again.

`journal` holds one row for each commit, with the entries of all running matches as they were decided; `moves` holds a
row for each entry. An entry goes from the first to the second when its match finishes, or when the journal has grown
long (see `ledger`); an entry that is already in `moves` may still be in `journal`, and counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from samedrop_rules import Ended, Entry
from samedrop_server.storage.errors import DamagedLog
from samedrop_server.storage.models import Base, JournalCommit, Move
from samedrop_server.storage.records import Logged

StoredEntry = tuple[Entry, str | None]
"""An entry of a log, and the id of the request that made it."""

_encode = msgspec.json.Encoder().encode
_decode_commit = msgspec.json.Decoder(list[Logged]).decode
_decode_move = msgspec.json.Decoder(dict[str, object]).decode


def _insert(table: type[Base], columns: Sequence[str]) -> dict[str, str]:
    """The statement for each style of parameters."""
    start = f"INSERT INTO {table.__tablename__} ({', '.join(columns)}) VALUES "
    return {
        style: f"{start}({', '.join([mark] * len(columns))})" for style, mark in (("qmark", "?"), ("pyformat", "%s"))
    }


# These two are all that most moves cost, so they go to the driver as they are: that halves it.
_INSERT_COMMIT = _insert(JournalCommit, ("id", "entries"))
_INSERT_MOVE = _insert(Move, Logged._fields)
_SELECT_COMMITS = select(JournalCommit.id, JournalCommit.entries).order_by(JournalCommit.id)
_SELECT_LAST_COMMIT = select(func.max(JournalCommit.id))
_SELECT_MOVES = (
    select(*(getattr(Move, field) for field in Logged._fields))
    .where(Move.match_id == bindparam("match_id"), Move.number.between(bindparam("first"), bindparam("last")))
    .order_by(Move.number)
)
_NO_END = 2**31 - 1
_KEY = attrgetter("match_id", "seat", "turn")


def insert_commit(connection: Connection, commit: int, entries: Sequence[Logged]) -> None:
    """Add commit number `commit` to the journal."""
    connection.exec_driver_sql(_INSERT_COMMIT[connection.dialect.paramstyle], (commit, _encode(entries).decode()))


def insert_moves(connection: Connection, entries: Iterable[Logged]) -> None:
    """Add `entries`, of any matches, to the moves."""
    _insert_moves(connection, entries, "")


def insert_missing_moves(connection: Connection, entries: Iterable[Logged]) -> None:
    """Add those of the `entries` to the moves whose match, seat and turn are not there yet."""
    _insert_moves(connection, entries, " ON CONFLICT DO NOTHING")


def _insert_moves(connection: Connection, entries: Iterable[Logged], clause: str) -> None:
    # In the order of the key, so that each page of the table is written to once.
    rows = sorted(entries, key=_KEY)
    if rows:
        connection.exec_driver_sql(_INSERT_MOVE[connection.dialect.paramstyle] + clause, rows)


def read_commits(connection: Connection) -> Iterator[tuple[int, list[Logged]]]:
    """The journal, oldest commit first.

    Raises:
        DamagedLog: a row cannot be read.
    """
    for commit, text in connection.execute(_SELECT_COMMITS):
        try:
            yield commit, _decode_commit(text)
        except msgspec.DecodeError as error:
            raise DamagedLog(f"Row {commit} of the journal is damaged: {error}.") from error


def last_commit(connection: Connection) -> int:
    """The number of the newest commit in the journal; 0 if it is empty."""
    return connection.scalar(_SELECT_LAST_COMMIT) or 0


def read_journal(connection: Connection, match_ids: Iterable[str]) -> dict[str, list[Logged]]:
    """The entries of those matches that are in the journal, as they were decided.

    Raises:
        DamagedLog: a row cannot be read.
    """
    found: dict[str, list[Logged]] = {match_id: [] for match_id in match_ids}
    for _, entries in read_commits(connection):
        for entry in entries:
            if entry.match_id in found:
                found[entry.match_id].append(entry)
    return found


def read_moves(connection: Connection, match_id: str, first: int = 1, last: int = _NO_END) -> list[Logged]:
    """The entries with numbers `first` to `last` that are in `moves`.

    Raises:
        DamagedLog: a row cannot be read, one before the last of them is missing, or two have the same number.
    """
    entries: list[Logged] = []
    rows = connection.execute(_SELECT_MOVES, {"match_id": match_id, "first": first, "last": last})
    for number, row in enumerate(rows, first):
        try:
            entry = msgspec.convert(tuple(row), Logged)
        except msgspec.ValidationError as error:
            raise DamagedLog(f"The log of match {match_id} is damaged at entry {number}: {error}.") from error
        if entry.number < number:
            raise DamagedLog(f"The log of match {match_id} has two entries {entry.number}.")
        if entry.number > number:
            raise DamagedLog(f"The log of match {match_id} lacks entry {number}.")
        entries.append(entry)
    return entries


def whole_log(gathered: Sequence[Logged], in_journal: Sequence[Logged]) -> list[Logged]:
    """A match's log from what its two forms hold of it, each in order; an entry that is in both counts once.

    Raises:
        DamagedLog: an entry between is missing.
    """
    log = list(gathered)
    for entry in in_journal:
        following = len(log) + 1
        if entry.number > following:
            raise DamagedLog(f"The log of match {entry.match_id} lacks entry {following}.")
        if entry.number == following:
            log.append(entry)
    return log


def stored_entry(logged: Logged) -> StoredEntry:
    """The entry as a replay takes it.

    Raises:
        DamagedLog: the move or the reason of a stop cannot be read.
    """
    try:
        move = None if logged.move is None else _decode_move(logged.move)
        stopped = None if logged.stopped is None else Ended(logged.stopped)
    except (msgspec.DecodeError, ValueError) as error:
        raise DamagedLog(f"Entry {logged.number} of match {logged.match_id} is damaged: {error}.") from error
    entry = Entry(logged.seat, logged.turn, move, stopped, logged.at, logged.score, logged.digest)
    return entry, logged.request_id
