"""A hall on stand-ins, and people in it."""

from __future__ import annotations

from typing import cast

from samedrop_protocol import from_client, model
from samedrop_server.journal import Journal
from samedrop_server.matches.follow import Flusher
from samedrop_server.matches.match import Match
from samedrop_server.matches.services import Services
from samedrop_server.players import Player, Players
from samedrop_server.rooms.hall import Hall
from samedrop_server.rooms.room import Room
from samedrop_server.settings import Settings
from samedrop_server.storage.database import Database
from tests.support.server import FakeClock, FakeJournal, FakeSession

QUICK = model.Settings(countdown=0)


class House:
    """A hall with a journal that commits when told."""

    def __init__(self, **settings: object) -> None:
        self.clock = FakeClock()
        self.journal = FakeJournal()
        self.flusher = Flusher(gather=0.001)
        self.journal.on_commit = self.flusher.flush
        journal = cast(Journal, self.journal)
        # The hall itself reads nothing: the database behind the players is never asked here.
        self.players = Players(cast(Database, None), journal, self.clock)
        services = Services(journal, self.flusher, self.clock)
        self.hall = Hall(Settings(**settings), services, self.players)  # type: ignore[arg-type]
        self.sessions: dict[str, FakeSession] = {}

    def person(self, name: str) -> Player:
        """A connected player."""
        player = self.players.know(f"id-{name}", name)
        self.connect(player)
        return player

    def connect(self, player: Player) -> FakeSession:
        """A new connection of `player`."""
        session = FakeSession()
        self.sessions[player.id] = session
        self.players.connect(player, session)
        self.hall.returned(player)
        return session

    def vanish(self, player: Player) -> None:
        """`player`'s connection is lost."""
        assert player.session is not None
        if self.players.disconnect(player, player.session):
            self.hall.went_away(player)

    def create(self, host: Player, settings: model.Settings = QUICK, *, public: bool = False) -> Room:
        return self.hall.create(host, from_client.CreateRoom(id="c", public=public, settings=settings))

    def join(self, player: Player, room: Room, role: model.Role = model.Role.PLAYER) -> Room:
        return self.hall.join(player, from_client.JoinRoom(id="j", code=room.code, role=role))

    def start(self, room: Room, host: Player, *, force: bool = False) -> None:
        """Start, and store what that leads to."""
        room.start(host, from_client.Start(id="s", force=force))
        self.journal.commit()

    def told(self, player: Player) -> FakeSession:
        return self.sessions[player.id]


def running(room: Room) -> Match:
    """The match of the room, running or the last."""
    assert room.series.match is not None
    return room.series.match
