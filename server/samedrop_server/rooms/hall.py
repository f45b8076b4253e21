"""The hall: all rooms and running matches, and who is in which.

Leaves to others: what happens inside a room (room, series).
"""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.model import Phase, Role
from samedrop_rules import ReplayMismatch, RulesError, find_game
from samedrop_server.matches import refusals
from samedrop_server.matches.deals import check_settings
from samedrop_server.matches.match import Match
from samedrop_server.matches.services import Services
from samedrop_server.players import Player, Players
from samedrop_server.rooms.codes import new_code, read_code
from samedrop_server.rooms.password import new_password
from samedrop_server.rooms.room import Room
from samedrop_server.settings import Settings
from samedrop_server.storage.loading import StoredMatch, StoredRun

log = structlog.get_logger(__name__)

LISTED_ROOMS = 200
"""Public rooms that a list shows at most."""


class Hall:
    """All rooms.

    Attributes:
        rooms: by code.
        matches: running matches and the last one of each room, by id.
        challenges: the open ones.
    """

    def __init__(self, settings: Settings, services: Services, players: Players) -> None:
        self.rooms: dict[str, Room] = {}
        self.matches: dict[str, Match] = {}
        self._settings = settings
        self._services = services
        self.challenges = services.challenges
        self._players = players

    # Rooms

    def create(self, player: Player, message: from_client.CreateRoom, ghosts: Sequence[StoredRun] = ()) -> Room:
        """A new room with `player` as host, where the `ghosts` that its settings name are raced.

        Raises:
            ProtocolError: the player is in a room, there are too many, or the settings are not allowed.
        """
        self._require_free(player)
        if len(self.rooms) >= self._settings.max_rooms:
            raise ProtocolError(ErrorCode.ROOM_LIMIT, "This server has as many rooms as it takes.", retry_after=30.0)
        settings = self._services.challenges.settings_on(message.settings)
        check_settings(settings)
        code = new_code()
        while code in self.rooms:
            code = new_code()
        room = self._new_room(code, message.title, message.public, settings)
        room.ghosts = ghosts
        room.join(player, Role.PLAYER)
        room.password = new_password(message.password)
        log.info("room_created", room=code, player=player.id)
        return room

    def join(self, player: Player, message: from_client.JoinRoom) -> Room:
        """Let `player` into the room with that code.

        Raises:
            ProtocolError: no such room, it is full, its password is another, or the player is in another room.
        """
        room = self.rooms.get(read_code(message.code))
        if room is None:
            raise ProtocolError(ErrorCode.ROOM_NOT_FOUND, "There is no room with that code.", field="code")
        if player.room is not room:
            self._require_free(player)
        room.join(player, message.role, message.password)
        return room

    def leave(self, player: Player, reason: str = "left") -> None:
        """`player` leaves the room; an empty room goes."""
        room = player.room
        if room is None:
            return
        room.leave(player, reason)
        self._players.forget(player)
        self._close_if_empty(room)

    def room_of(self, player: Player) -> Room:
        """The room that `player` is in.

        Raises:
            ProtocolError: none.
        """
        if player.room is None:
            raise ProtocolError(ErrorCode.NOT_IN_ROOM, "Join a room first.")
        return player.room

    def public_rooms(self) -> list[model.RoomSummary]:
        """The public rooms, those that wait for players first."""
        rooms = [room.summary() for room in self.rooms.values() if room.public]
        rooms.sort(key=lambda room: room.phase is not Phase.LOBBY)
        return rooms[:LISTED_ROOMS]

    def _new_room(self, code: str, title: str, public: bool, settings: model.Settings) -> Room:
        room = Room(code, title, public, settings, self._services, self.matches, self._settings.max_members)
        self.rooms[code] = room
        return room

    def _require_free(self, player: Player) -> None:
        if player.room is not None:
            text = f"You are in room {player.room.code}; leave it first."
            raise ProtocolError(ErrorCode.ALREADY_IN_ROOM, text)

    def _close_if_empty(self, room: Room) -> None:
        if not room.members and room.series.phase is not Phase.PLAYING:
            room.series.close()
            self.rooms.pop(room.code, None)
            log.info("room_closed", room=room.code)

    # Matches

    def seat(self, player: Player, match_id: str) -> tuple[Match, int]:
        """The match and the seat that `player` holds in it.

        Raises:
            ProtocolError: no such match, or no seat in it.
        """
        match = self._begun(match_id)
        seat = None if match is None else match.seat_of(player.id)
        if match is None or seat is None:
            raise self._no_match(player, match)
        return match, seat

    def pausable(self, player: Player, match_id: str) -> tuple[Match, int]:
        """The match and the seat that `player` holds in it, if all who race there can agree to a pause.

        Raises:
            ProtocolError: see `seat`; or others race on its deal at other times.
        """
        match, seat = self.seat(player, match_id)
        challenge = self.rooms[match.facts.room].settings.challenge
        if challenge is not None or match.facts.deal.known is model.Known.DAILY:
            raise refusals.no_pause()
        return match, seat

    def watchable(self, player: Player, match_id: str) -> Match:
        """A match that `player` may watch.

        Raises:
            ProtocolError: not to be seen by this player, watching is off, or the player holds a seat.
        """
        match = self._begun(match_id)
        if match is None or not self._may_see(player, match):
            raise self._no_match(player, None)
        if match.seat_of(player.id) is not None:
            raise ProtocolError(ErrorCode.MATCH_NO_WATCHING, "You hold a seat in this match; resume it instead.")
        if not self.rooms[match.facts.room].settings.spectators:
            raise ProtocolError(ErrorCode.MATCH_NO_WATCHING, "This match may not be watched.")
        return match

    def _begun(self, match_id: str) -> Match | None:
        """The match of that id, unless its beginning is not stored yet: then nobody was told of it."""
        match = self.matches.get(match_id)
        room = None if match is None else self.rooms.get(match.facts.room)
        return match if room is not None and room.series.match is match else None

    def _may_see(self, player: Player, match: Match) -> bool:
        room = self.rooms.get(match.facts.room)
        return room is not None and (player.room is room or (room.public and room.password is None))

    def _no_match(self, player: Player, match: Match | None) -> ProtocolError:
        if match is not None and self._may_see(player, match):
            return ProtocolError(ErrorCode.MATCH_NOT_SEATED, "You hold no seat in this match.", field="match")
        return ProtocolError(ErrorCode.MATCH_NOT_FOUND, "There is no running match of that id.", field="match")

    def running_matches(self, player: Player) -> list[str]:
        """The running matches in which `player` holds a seat."""
        return [
            match.id
            for match in self.matches.values()
            if not match.over and match.seat_of(player.id) is not None and self._begun(match.id) is match
        ]

    def require_not_playing(self, player: Player, deal: str) -> None:
        """Refuse what would show `player` a deal on which a run of theirs goes on.

        Raises:
            ProtocolError: it does.
        """
        for match in self.matches.values():
            seat = match.seat_of(player.id) if match.deal.id == deal else None
            if seat is not None and match.table.ended(seat) is None:
                text = "You are playing this deal; look at what others did on it when your run is over."
                raise ProtocolError(ErrorCode.DEAL_NOT_FOUND, text, field="deal")

    # Coming and going

    def returned(self, player: Player) -> None:
        """`player` is connected (again)."""
        if player.room is not None:
            player.room.returned(player)

    def went_away(self, player: Player) -> None:
        """`player`'s connection is lost."""
        if player.room is not None:
            player.room.went_away(player)

    def tidy(self) -> None:
        """Give up what was left: seats of players long gone, members long gone, empty rooms."""
        now = self._services.clock.now()
        for room in list(self.rooms.values()):
            room.series.forfeit_absent(now, self._settings)
            room.series.keeping.changed()
            if room.series.phase is Phase.LOBBY:
                for member in list(room.members.values()):
                    if member.away_since is not None and now - member.away_since > 1000 * self._settings.linger:
                        self.leave(member.player)
            self._close_if_empty(room)

    def restore(self, stored: Sequence[StoredMatch]) -> None:
        """Go on with the matches that an earlier process left unfinished; one that does not replay is left alone."""
        for unfinished in stored:
            try:
                game = find_game(unfinished.deal.game, unfinished.deal.version)
                kept = unfinished.room
                room = self._new_room(unfinished.room_code, kept.title, kept.public, unfinished.settings)
                room.restore(self._still_there(unfinished), kept)
                room.ghosts = unfinished.ghost_runs
                room.series.restore(unfinished, game)
            except (RulesError, ReplayMismatch, ValueError) as error:
                log.error("match_not_restored", match=unfinished.id, reason=str(error))
                self._drop(unfinished.room_code)

    def _still_there(self, unfinished: StoredMatch) -> list[tuple[Player, str]]:
        """The players of a stored match who had not left its room when it was last kept, and their names there."""
        players = []
        for held in unfinished.seats:
            for one in (held,) if held.partner is None else (held, held.partner):
                if one.player in unfinished.room.departed:
                    continue
                player = self._players.know(one.player, one.name)
                if player.room is not None:
                    # Whoever plays elsewhere since then had left this room.
                    player.room.members.pop(player.id, None)
                players.append((player, one.name))
        return players

    def _drop(self, code: str) -> None:
        room = self.rooms.pop(code, None)
        for member in room.members.values() if room is not None else ():
            member.player.room = None
            self._players.forget(member.player)

    def tell_all(self, message: from_server.ServerMessage) -> None:
        """Tell every member of every room."""
        for room in self.rooms.values():
            room.broadcast(message)
