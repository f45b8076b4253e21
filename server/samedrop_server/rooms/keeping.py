"""What of a room outlives the server: whose it is, and who comes in.

A room that only waits is gone with the server. A match that runs goes on after a restart, and so its room is there
again. The room has a row for each series of matches; it is recorded with the first of these, and again whenever it is
not as it was recorded: with each later match, and while one runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samedrop_protocol.model import Phase
from samedrop_server.journal import Journal
from samedrop_server.players import random_id
from samedrop_server.storage.records import ChangedRoom, KeptRoom, NewRoom

if TYPE_CHECKING:
    from samedrop_server.rooms.room import Room


class Keeping:
    """Records one room."""

    def __init__(self, room: Room, journal: Journal) -> None:
        self._room = room
        self._journal = journal
        self._id: str | None = None
        self._stored_id: str | None = None
        self._recorded: KeptRoom | None = None

    def begin(self, started: int) -> str:
        """Record the room ahead of a match that starts then; returns the id of the row."""
        if self._id is None:
            self._id = random_id()
            self._recorded = self._kept()
            self._journal.record(NewRoom(self._id, self._room.code, started, self._recorded))
        else:
            self._record_change(self._id)
        return self._id

    def begun(self) -> None:
        """The match is stored, and so is the room."""
        self._stored_id = self._id

    def not_begun(self) -> None:
        """The match could not be stored, nor what was recorded of the room with it."""
        self._id = self._stored_id
        self._recorded = None

    def start_over(self) -> None:
        """The next match is the first of another series."""
        self._id = self._stored_id = None

    def changed(self) -> None:
        """Record the room if a match runs and it is not as it was recorded."""
        if self._room.series.phase is Phase.PLAYING and self._id is not None:
            self._record_change(self._id)

    def not_stored(self, record: ChangedRoom) -> None:
        """That could not be stored; it is recorded again when next `changed` is called."""
        if record.id == self._id:
            self._recorded = None

    def restore(self, room_id: str | None, kept: KeptRoom) -> None:
        """The room is stored like that."""
        self._id = self._stored_id = room_id
        self._recorded = kept

    def _record_change(self, room_id: str) -> None:
        kept = self._kept()
        if kept != self._recorded:
            self._recorded = kept
            self._journal.record(ChangedRoom(room_id, kept))

    def _kept(self) -> KeptRoom:
        room = self._room
        return KeptRoom(
            title=room.title,
            public=room.public,
            host_id=room.host,
            password=None if room.password is None else room.password.kept,
            banned=tuple(sorted(room.banned)),
            departed=tuple(player for player in room.series.seated() if player not in room.members),
        )
