"""Storage trouble: what could not be stored never happened, and matches go on from what is stored.

The journal reports records that it could not store. The matches among them are suspended, and rebuilt from the stored
log once the database takes a transaction again: not before, so that nobody is told that a match goes on which does not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog
from sqlalchemy import Connection

from samedrop_server.matches.match import Match
from samedrop_server.players import Players
from samedrop_server.rooms.hall import Hall
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DamagedLog
from samedrop_server.storage.loading import StoredMatch, load_match, load_unfinished
from samedrop_server.storage.records import (
    ChangedRoom,
    ClosedChallenge,
    Finished,
    Logged,
    NewChallenge,
    NewMatch,
    NewPlayer,
    Pause,
    Record,
)

log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0


class Recovery:
    """Brings matches back after storage trouble."""

    def __init__(self, database: Database, players: Players, hall: Hall) -> None:
        self._database = database
        self._players = players
        self._hall = hall
        self._suspended: dict[str, Match] = {}
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def not_stored(self, records: Sequence[Record], error: Exception) -> None:
        """Undo what the `records` stood for. Called by the journal, on the loop's thread."""
        log.error("not_stored", records=len(records), reason=str(error))
        for record in records:
            if isinstance(record, NewPlayer):
                self._players.not_stored(record)
            elif isinstance(record, NewMatch):
                match = self._hall.matches[record.id]
                self._hall.rooms[match.facts.room].series.not_stored(match)
            elif isinstance(record, ChangedRoom):
                for room in self._hall.rooms.values():
                    room.series.keeping.not_stored(record)
            elif isinstance(record, NewChallenge | ClosedChallenge):
                self._hall.challenges.not_stored(record)
            elif isinstance(record, Logged | Finished | Pause):
                self._suspend(record.match_id)

    def _suspend(self, match_id: str) -> None:
        match = self._hall.matches.get(match_id)
        if match is None:
            return  # its beginning was not stored either
        match.suspend()
        self._suspended[match_id] = match
        if self._task is None and not self._closed:
            self._task = asyncio.get_running_loop().create_task(self._bring_back())

    async def _bring_back(self) -> None:
        while self._suspended:
            await asyncio.sleep(RETRY_SECONDS)
            ids = list(self._suspended)
            try:
                await self._database.check_writable()
                stored = await self._database.read(lambda connection, ids=ids: _load(connection, ids))  # type: ignore[misc]
            except Exception as error:
                log.warning("still_not_stored", matches=len(ids), reason=str(error))
                continue
            for match_id in ids:
                self._rebuild(match_id, stored[match_id])
        self._task = None

    def _rebuild(self, match_id: str, stored: StoredMatch | None) -> None:
        if stored is None:
            log.error("match_missing", match=match_id)
            return
        try:
            self._suspended[match_id].rebuild(stored.log, stored.pauses, finished=stored.finished is not None)
        except Exception:
            log.exception("match_not_rebuilt", match=match_id)
            return
        del self._suspended[match_id]
        log.info("match_continued", match=match_id)

    async def close(self) -> None:
        """Stop trying."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


def _load(connection: Connection, ids: Sequence[str]) -> dict[str, StoredMatch | None]:
    found: dict[str, StoredMatch | None] = {match.id: match for match in load_unfinished(connection)}
    for match_id in ids:
        if match_id not in found:
            # Finished meanwhile, or left out because its log is damaged: that must not keep the others waiting.
            try:
                found[match_id] = load_match(connection, match_id)
            except DamagedLog as error:
                log.error("match_damaged", match=match_id, reason=error.text)
                found[match_id] = None
    return found
