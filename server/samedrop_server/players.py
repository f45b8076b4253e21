"""Players: who is who. A name and a secret token; the database holds only the token's hash.

One player has one connection at a time: the newest. Leaves to others: rooms and seats.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from typing import TYPE_CHECKING, Protocol

from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_server.clock import Clock
from samedrop_server.journal import Journal
from samedrop_server.matches.follow import Listener
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DatabaseError
from samedrop_server.storage.loading import StoredPlayer, load_player
from samedrop_server.storage.records import NewPlayer, Record, RenamedPlayer
from samedrop_server.text import clean_name

if TYPE_CHECKING:
    from samedrop_server.rooms.room import Room

TOKEN_BYTES = 32
_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def random_id(length: int = 12) -> str:
    """A random id of 5 bits a character, without letters that are taken for others."""
    return "".join(secrets.choice(_ID_ALPHABET) for _ in range(length))


class Session(Listener, Protocol):
    """A player's connection."""

    def replace(self) -> None:
        """A newer connection of the same player took over: say so and close."""


class Player:
    """Somebody who is connected, in a room, or both.

    Attributes:
        id: public; the same player in history.
        name: as cleaned by `text.clean_name`.
        session: the newest connection, or None while away.
        room: the room that the player is in, or None.
    """

    __slots__ = ("id", "name", "room", "session")

    def __init__(self, player_id: str, name: str) -> None:
        self.id = player_id
        self.name = name
        self.session: Session | None = None
        self.room: Room | None = None


class Players:
    """All players that the server has to know at the moment."""

    def __init__(self, database: Database, journal: Journal, clock: Clock) -> None:
        self._database = database
        self._journal = journal
        self._clock = clock
        self._players: dict[str, Player] = {}
        self._being_made: dict[str, asyncio.Future[None]] = {}

    async def identify(self, name: str, token: str | None) -> tuple[Player, str | None]:
        """The player who says hello, and a new token if the player is new.

        Raises:
            ProtocolError: the name is not usable, the token is not known, or storage refused.
        """
        cleaned = clean_name(name)
        if not cleaned:
            raise ProtocolError(ErrorCode.NAME, "A name needs at least one visible character.", field="name")
        if token is None:
            return await self._make(cleaned)
        stored = await self._find(token)
        if stored is None:
            text = "This server does not know that token; say hello without one to start anew."
            raise ProtocolError(ErrorCode.TOKEN, text, field="token")
        player = self.know(stored.id, stored.name)
        if player.name != cleaned:
            player.name = cleaned
            self._journal.record(RenamedPlayer(player.id, cleaned))
        return player, None

    async def _find(self, token: str) -> StoredPlayer | None:
        try:
            return await self._database.read(lambda connection: load_player(connection, token_hash(token)))
        except DatabaseError as error:
            text = "The server cannot read its database at the moment."
            raise ProtocolError(ErrorCode.STORAGE, text, retry_after=1.0) from error

    async def _make(self, name: str) -> tuple[Player, str]:
        token = secrets.token_urlsafe(TOKEN_BYTES)
        player_id = random_id()
        made: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._being_made[player_id] = made

        def stored() -> None:
            if not made.done():
                made.set_result(None)

        self._journal.record(NewPlayer(player_id, token_hash(token), name, self._clock.now()), stored)
        try:
            await made
        finally:
            del self._being_made[player_id]
        return self.know(player_id, name), token

    def not_stored(self, record: Record) -> None:
        """A record of ours could not be stored."""
        made = self._being_made.get(record.id) if isinstance(record, NewPlayer) else None
        if made is not None and not made.done():
            text = "The server cannot store new players at the moment."
            made.set_exception(ProtocolError(ErrorCode.STORAGE, text, retry_after=1.0))

    def know(self, player_id: str, name: str) -> Player:
        """The one object for that player."""
        return self._players.setdefault(player_id, Player(player_id, name))

    def connect(self, player: Player, session: Session) -> None:
        """`session` is the player's connection now; an older one is closed."""
        older, player.session = player.session, session
        self._players[player.id] = player
        if older is not None:
            older.replace()

    def disconnect(self, player: Player, session: Session) -> bool:
        """`session` is gone; returns whether the player is away now (and not on a newer connection)."""
        if player.session is not session:
            return False
        player.session = None
        self.forget(player)
        return True

    def forget(self, player: Player) -> None:
        """Keep no player who is neither connected nor in a room."""
        if player.session is None and player.room is None:
            self._players.pop(player.id, None)

    def __len__(self) -> int:
        return len(self._players)


def token_hash(token: str) -> str:
    """What the database holds of a token. Tokens have 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
