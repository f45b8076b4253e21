"""Storage trouble: what could not be stored never happened, and matches go on from what is stored.

The journal reports records that it could not store. Each match among them is suspended, and rebuilt from the stored
log as soon as that can be read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog

from samedrop_server.matches.match import Match
from samedrop_server.players import Players
from samedrop_server.rooms.hall import Hall
from samedrop_server.storage.database import Database
from samedrop_server.storage.loading import load_match
from samedrop_server.storage.records import Finished, Logged, NewMatch, NewPlayer, Record

log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0


class Recovery:
    """Brings matches back after storage trouble."""

    def __init__(self, database: Database, players: Players, hall: Hall) -> None:
        self._database = database
        self._players = players
        self._hall = hall
        self._tasks: set[asyncio.Task[None]] = set()

    def not_stored(self, records: Sequence[Record], error: Exception) -> None:
        """Undo what the `records` stood for. Called by the journal, on the loop's thread."""
        log.error("not_stored", records=len(records), reason=str(error))
        for record in records:
            if isinstance(record, NewPlayer):
                self._players.not_stored(record)
            elif isinstance(record, NewMatch):
                match = self._hall.matches[record.id]
                self._hall.rooms[match.facts.room].series.not_stored(match)
            elif isinstance(record, Logged | Finished):
                match = self._hall.matches[record.match_id]
                if not match.suspended:
                    match.suspend()
                    self._start(match)

    def _start(self, match: Match) -> None:
        task = asyncio.get_running_loop().create_task(self._rebuild(match))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _rebuild(self, match: Match) -> None:
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            try:
                stored = await self._database.read(lambda connection: load_match(connection, match.id))
                if stored is not None:
                    match.rebuild(stored.log)
                    log.info("match_continued", match=match.id)
                    return
                log.error("match_missing", match=match.id)
            except Exception as error:
                log.warning("match_still_suspended", match=match.id, reason=str(error))

    async def close(self) -> None:
        """Stop trying."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
