"""The log of a match in its two stored forms, and how it is put together again.

`journal` holds one row for each commit, with the entries of all running matches as they were decided; `logs` holds
chunks of one match's log. An entry moves from the first to the second when its match finishes, or when the journal has
grown long (see `ledger`); an entry that is already in `logs` may still be in `journal`, and counts once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from sqlalchemy import Connection, bindparam, insert, select

from samedrop_rules import Ended, Entry
from samedrop_server.storage.errors import DamagedLog
from samedrop_server.storage.models import JournalCommit, LogChunk
from samedrop_server.storage.records import Logged

CHUNK = 500
"""Entries of one chunk, at most."""

StoredEntry = tuple[Entry, str | None]
"""An entry of a log, and the id of the request that made it."""

_Line = tuple[int, int, str | None, str | None, str | None, int, int, str]
"""`Logged` from `seat` on."""
_OWN_FIELDS = Logged._fields.index("seat")

_encode = msgspec.json.Encoder().encode
_decode_commit = msgspec.json.Decoder(list[Logged]).decode
_decode_chunk = msgspec.json.Decoder(list[_Line]).decode
_decode_move = msgspec.json.Decoder(dict[str, object]).decode

# The one statement of most transactions, so it goes to the driver as it is: that halves the cost of a lone commit.
_INSERT_COMMIT = {
    "qmark": f"INSERT INTO {JournalCommit.__tablename__} (id, entries) VALUES (?, ?)",
    "pyformat": f"INSERT INTO {JournalCommit.__tablename__} (id, entries) VALUES (%s, %s)",
}
_INSERT_CHUNK = insert(LogChunk)
_SELECT_COMMITS = select(JournalCommit.id, JournalCommit.entries).order_by(JournalCommit.id)
_SELECT_CHUNKS = (
    select(LogChunk.first, LogChunk.entries)
    .where(
        LogChunk.match_id == bindparam("match_id"),
        LogChunk.first > bindparam("after"),
        LogChunk.first <= bindparam("last"),
    )
    .order_by(LogChunk.first)
)
_NO_END = 2**31 - 1


def insert_commit(connection: Connection, commit: int, entries: Sequence[Logged]) -> None:
    """Add commit number `commit` to the journal."""
    connection.exec_driver_sql(_INSERT_COMMIT[connection.dialect.paramstyle], (commit, _encode(entries).decode()))


def insert_chunks(connection: Connection, match_id: str, entries: Sequence[Logged]) -> None:
    """Add `entries`, which are the next ones of that match, to its log."""
    chunks = [
        {
            "match_id": match_id,
            "first": entries[start].number,
            "entries": _encode([entry[_OWN_FIELDS:] for entry in entries[start : start + CHUNK]]).decode(),
        }
        for start in range(0, len(entries), CHUNK)
    ]
    if chunks:
        connection.execute(_INSERT_CHUNK, chunks)


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


def read_chunks(connection: Connection, match_id: str, first: int = 1, last: int = _NO_END) -> list[Logged]:
    """The entries with numbers `first` to `last` that are in `logs`.

    Raises:
        DamagedLog: a chunk cannot be read, or one is missing.
    """
    entries: list[Logged] = []
    wanted = {"match_id": match_id, "after": first - CHUNK, "last": last}
    for start, text in connection.execute(_SELECT_CHUNKS, wanted):
        try:
            lines = _decode_chunk(text)
        except msgspec.DecodeError as error:
            raise DamagedLog(f"The log of match {match_id} is damaged at entry {start}: {error}.") from error
        if entries and start != entries[-1].number + 1:
            raise DamagedLog(f"The log of match {match_id} lacks entry {entries[-1].number + 1}.")
        entries.extend(Logged(match_id, number, *line) for number, line in enumerate(lines, start))
    return [entry for entry in entries if first <= entry.number <= last]


def add_new(log: list[Logged], entry: Logged) -> None:
    """Append `entry` to the log of its match, unless it is there already.

    Raises:
        DamagedLog: one between is missing.
    """
    following = log[-1].number + 1 if log else 1
    if entry.number > following:
        raise DamagedLog(f"The log of match {entry.match_id} lacks entry {following}.")
    if entry.number == following:
        log.append(entry)


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
