"""The ledger: writes batches of records, each as one transaction, and keeps the logs of running matches in order.

Used from one thread at a time. What waits, who is told and what happens after trouble is the journal's. The design
and its measurements are in docs/adr/0011.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeVar

from sqlalchemy import Connection, delete

from samedrop_server.storage.database import Database, check_revision
from samedrop_server.storage.errors import DamagedLog, NotStored, Unreachable, explained
from samedrop_server.storage.log import (
    insert_commit,
    insert_missing_moves,
    insert_moves,
    last_commit,
    read_journal,
    read_moves,
    whole_log,
)
from samedrop_server.storage.models import JournalCommit
from samedrop_server.storage.records import (
    ChangedRoom,
    ClosedChallenge,
    Finished,
    Logged,
    NewChallenge,
    NewMatch,
    NewPlayer,
    NewRoom,
    Pause,
    Record,
    RenamedPlayer,
)
from samedrop_server.storage.writing import (
    change_rooms,
    close_challenges,
    finish_match,
    insert_challenges,
    insert_matches,
    insert_players,
    insert_rooms,
    rename_players,
    store_pauses,
    unfinished_ids,
)

GATHER_ENTRIES = 2_000
"""After so many entries the journal is emptied into the table of moves."""

R = TypeVar("R")


class RunningLog:
    """What is known of the log of a running match: where it stands, and the entries that only the journal holds."""

    __slots__ = ("number", "only_in_journal", "turns")

    def __init__(self, log: Iterable[Logged] = (), gathered: int = 0) -> None:
        """A log whose first `gathered` entries are among the moves already.

        Raises:
            NotStored: an entry does not follow on the one before it.
        """
        self.number = 0
        self.turns: dict[int, int] = {}
        self.only_in_journal: list[Logged] = []
        for entry in log:
            self.append(entry)
        del self.only_in_journal[:gathered]

    def append(self, entry: Logged) -> None:
        """Take the next entry.

        Raises:
            NotStored: it is not the next one, or its turn is stored already.
        """
        if entry.number != self.number + 1 or entry.turn <= self.turns.get(entry.seat, -1):
            raise NotStored(
                f"Entry {entry.number} of match {entry.match_id} (seat {entry.seat}, turn {entry.turn}) does not follow"
                f" on entry {self.number}."
            )
        self.number += 1
        self.turns[entry.seat] = entry.turn
        self.only_in_journal.append(entry)


class Ledger:
    """The one writer of a database. After an exception it opens anew, from what is stored, at the next commit."""

    def __init__(self, database: Database, gather_entries: int = GATHER_ENTRIES) -> None:
        self._database = database
        self._gather_entries = gather_entries
        self._connection: Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._running: dict[str, RunningLog] = {}
        self._last_commit = 0
        self._in_journal = 0

    def open(self) -> None:
        """Connect, and take up what an earlier writer left.

        Raises:
            DatabaseError: the database cannot be used.
        """
        try:
            self._open()
        except BaseException:
            self._drop()
            raise

    def commit(self, records: Sequence[Record]) -> None:
        """Store all `records` in one transaction.

        Raises:
            DatabaseError: it was refused; nothing of them is stored.
            Exception: a record cannot be written at all; nothing of them is stored.
        """
        try:
            connection = self._connection or self._open()
            with explained(str(self._database.place)):
                # Before, so that what is refused is not stored after all; and after, so that what is lost is refused.
                self._require_same_file()
                with connection.begin():
                    self._write(connection, records)
                self._require_same_file()
        except BaseException:
            self._drop()
            raise

    def close(self) -> None:
        """Disconnect."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> Connection:
        place = self._database.place
        self._connection = connection = self._database.connect_writer()
        with explained(str(place)), connection.begin():
            check_revision(connection, place)
            self._identity = place.identity()
            self._take_up(connection)
        return connection

    def _drop(self) -> None:
        """Forget the connection and all that was concluded from it: the truth is what is stored."""
        if self._connection is not None:
            self._connection.invalidate()
            self.close()

    def _require_same_file(self) -> None:
        """SQLite goes on writing to a file that was deleted or moved away, where nobody would ever find it."""
        if self._database.place.identity() != self._identity:
            raise Unreachable(f"The database {self._database.place} was replaced by another file.")

    def _take_up(self, connection: Connection) -> None:
        journal = read_journal(connection, unfinished_ids(connection))
        self._last_commit = last_commit(connection)
        self._running = {}
        for match_id, in_journal in journal.items():
            try:
                gathered = read_moves(connection, match_id)
                self._running[match_id] = RunningLog(whole_log(gathered, in_journal), len(gathered))
            except (DamagedLog, NotStored):
                # One damaged match does not stop the others. What the journal has of it is not thrown away with that.
                insert_missing_moves(connection, in_journal)
        self._gather(connection)

    def _write(self, connection: Connection, records: Sequence[Record]) -> None:
        kinds = set(map(type, records))
        if NewPlayer in kinds:
            insert_players(connection, _only(NewPlayer, records))
        if RenamedPlayer in kinds:
            rename_players(connection, _only(RenamedPlayer, records))
        if NewRoom in kinds:
            insert_rooms(connection, _only(NewRoom, records))
        if ChangedRoom in kinds:
            change_rooms(connection, _only(ChangedRoom, records))
        if NewChallenge in kinds:
            insert_challenges(connection, _only(NewChallenge, records))
        if ClosedChallenge in kinds:
            close_challenges(connection, _only(ClosedChallenge, records))
        if NewMatch in kinds:
            matches = _only(NewMatch, records)
            insert_matches(connection, matches)
            self._running.update((match.id, RunningLog()) for match in matches)
        if Pause in kinds:
            store_pauses(connection, _only(Pause, records))
        if Logged in kinds:
            self._log(connection, _only(Logged, records))
        if Finished in kinds:
            for finished in _only(Finished, records):
                self._finish(connection, finished)
        if self._in_journal >= self._gather_entries:
            self._gather(connection)

    def _log(self, connection: Connection, entries: Sequence[Logged]) -> None:
        for entry in entries:
            self._log_of(entry.match_id).append(entry)
        self._last_commit += 1
        insert_commit(connection, self._last_commit, entries)
        self._in_journal += len(entries)

    def _log_of(self, match_id: str) -> RunningLog:
        log = self._running.get(match_id)
        if log is None:
            raise NotStored(f"Match {match_id} is not there, is finished, or is damaged.")
        return log

    def _finish(self, connection: Connection, finished: Finished) -> None:
        log = self._log_of(finished.match_id)
        del self._running[finished.match_id]
        insert_moves(connection, log.only_in_journal)
        finish_match(connection, finished, log.number)

    def _gather(self, connection: Connection) -> None:
        """Empty the journal into the table of moves; its last row stays, and keeps the count."""
        logs = self._running.values()
        insert_moves(connection, chain.from_iterable(log.only_in_journal for log in logs))
        for log in logs:
            log.only_in_journal = []
        connection.execute(delete(JournalCommit).where(JournalCommit.id < self._last_commit))
        self._in_journal = 0


def _only(kind: type[R], records: Sequence[Record]) -> list[R]:
    return [record for record in records if isinstance(record, kind)]
