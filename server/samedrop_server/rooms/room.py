"""A room: members, host, settings, and a series of matches (docs/protocol.md, Rooms).

Leaves to others: which rooms there are (hall), starting and ending a match (`series`), the match itself.
Every method that refuses raises ProtocolError and has changed nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.model import Phase, Role
from samedrop_protocol.types import MAX_SEATS
from samedrop_server.matches.deals import check_settings, known_by, new_deal
from samedrop_server.matches.match import Match
from samedrop_server.matches.services import Services
from samedrop_server.players import Player
from samedrop_server.rooms.member import Member
from samedrop_server.rooms.password import Password, kept_password, new_password
from samedrop_server.rooms.series import Series
from samedrop_server.storage.loading import StoredRun
from samedrop_server.storage.records import KeptRoom
from samedrop_server.text import clean_chat, clean_title, skeleton, unique_name


class Room:
    """One room.

    Attributes:
        code: what people type to join.
        members: by player id, in the order in which they came.
        host: the member who may configure, start and kick.
        password: what joining takes, or None.
        banned: the ids of those whom the host removed for good.
        series: the matches that are played here, one after another.
        ghosts: the stored runs that its settings name.
    """

    def __init__(
        self,
        code: str,
        title: str,
        public: bool,
        settings: model.Settings,
        services: Services,
        matches: MutableMapping[str, Match],
        max_members: int,
    ) -> None:
        """Args: services, matches: see `Series`; max_members: how many it takes."""
        self.code = code
        self.title = clean_title(title)
        self.public = public
        self.settings = settings
        self.series = Series(self, services, matches)
        self.members: dict[str, Member] = {}
        self.host = ""
        self.ghosts: Sequence[StoredRun] = ()
        self.password: Password | None = None
        self._services = services
        self._clock = services.clock
        self._max_members = max_members
        self.banned: set[str] = set()

    # Members

    def join(self, player: Player, role: Role, password: str = "") -> Member:
        """Let `player` in; who is in already may change the role."""
        if player.id in self.banned:
            raise ProtocolError(ErrorCode.ROOM_NOT_FOUND, "There is no room with that code.", field="code")
        member = self.members.get(player.id)
        if member is None:
            self._require_password(password)
            if len(self.members) >= self._max_members:
                raise ProtocolError(ErrorCode.ROOM_FULL, f"The room is full ({self._max_members} members).")
            taken = {skeleton(other.name) for other in self.members.values()}
            member = Member(player, unique_name(player.name, taken), role)
            self.members[player.id] = member
            player.room = self
        elif member.role is not role:
            member.role = role
            member.ready = False
        if self.host not in self.members:
            self.host = player.id
        self.changed(besides=player)
        return member

    def _require_password(self, password: str) -> None:
        if self.password is not None and not self.password.matches(password):
            text = "That is not the password of this room." if password else "This room has a password."
            raise ProtocolError(ErrorCode.ROOM_PASSWORD, text, field="password")

    def leave(self, player: Player, reason: str) -> None:
        """`player` goes, or is made to go; a running run of theirs is forfeited."""
        self.series.forfeit(player)
        self.members.pop(player.id, None)
        player.room = None
        if player.session is not None and self.series.match is not None:
            self.series.match.audience.leave(player.session)
        if player.session is not None and reason != "left":
            player.session.tell(from_server.RoomLeft(reason=reason))
        self._pass_on_host()
        self.changed()

    def kick(self, player: Player, message: from_client.Kick) -> None:
        """The host removes a member for good."""
        self.require_host(player)
        member = self.members.get(message.player)
        if member is None or member.player is player:
            raise ProtocolError(ErrorCode.NO_SUCH_MEMBER, "There is no such other member.", field="player")
        self.banned.add(message.player)
        self.leave(member.player, "kicked")

    def returned(self, player: Player) -> None:
        """A member is connected (again)."""
        member = self.members[player.id]
        member.away_since = None
        self._pass_on_host()
        self.changed(besides=player)

    def went_away(self, player: Player) -> None:
        """A member's connection is lost; the place is kept for a while."""
        self.members[player.id].away_since = self._clock.now()
        self._pass_on_host()
        self.changed()

    def _pass_on_host(self) -> None:
        host = self.members.get(self.host)
        if host is not None and host.online:
            return
        for member in self.members.values():
            if member.online:
                self.host = member.player.id
                return
        if host is None:
            self.host = next(iter(self.members), self.host)

    def restore(self, members: Sequence[tuple[Player, str]], kept: KeptRoom) -> None:
        """Be the room that was kept, with those of its members who held seats, by their names there; all are away.

        Raises:
            ValueError: what was kept is damaged.
        """
        self.host, self.banned = kept.host_id, set(kept.banned)
        self.password = kept_password(kept.password)
        for player, name in members:
            player.room = self
            member = Member(player, name, Role.PLAYER, ready=True, away_since=self._clock.now())
            self.members[player.id] = member
        self._pass_on_host()

    # Settings and start

    def configure(self, player: Player, message: from_client.ConfigureRoom, ghosts: Sequence[StoredRun] = ()) -> None:
        """The host changes title, publicity, password or settings. `ghosts` are those that new settings name."""
        self.require_host(player)
        self._require_phase(Phase.LOBBY, "The room can be changed between matches only.")
        if message.settings is not None:
            settings = self._services.challenges.settings_on(message.settings)
            check_settings(settings)
            if settings != self.settings:
                if _deals(settings) != _deals(self.settings):
                    self.series.forget_deal()
                self.settings, self.ghosts = settings, ghosts
                self.series.start_over()
            for member in self.members.values():
                member.ready = False
        if message.title is not None:
            self.title = clean_title(message.title)
        if message.public is not None:
            self.public = message.public
        if message.password is not None:
            self.password = new_password(message.password)
        self.changed()

    def set_ready(self, player: Player, ready: bool) -> None:
        """A player is ready, or is not after all."""
        self._require_phase(Phase.LOBBY, "Ready is asked between matches only.")
        member = self.members[player.id]
        if member.role is not Role.PLAYER:
            raise ProtocolError(ErrorCode.WRONG_PHASE, "Spectators need not be ready; join as a player to play.")
        member.ready = ready
        self.changed()

    def start(self, player: Player, message: from_client.Start) -> None:
        """The host starts the countdown; the host counts as ready."""
        self.require_host(player)
        self._require_phase(Phase.LOBBY, "A match is about to start or running.")
        host = self.members[player.id]
        waiting = [member.name for member in self.players() if member.online and not (member.ready or member is host)]
        if waiting and not message.force:
            raise ProtocolError(ErrorCode.NOT_READY, "Not ready yet: " + ", ".join(waiting) + ".")
        seated = [member for member in self.players() if member.ready or member is host]
        self._require_seats(seated)
        host.ready = host.role is Role.PLAYER
        self.series.count_down(seated, same_deal=False)

    def rematch(self, player: Player, message: from_client.Rematch) -> None:
        """The host starts again with all players who are here."""
        self.require_host(player)
        self._require_phase(Phase.LOBBY, "A match is about to start or running.")
        if self.series.match is None:
            raise ProtocolError(ErrorCode.WRONG_PHASE, "There was no match yet; use start.")
        if message.same_deal and not self.series.has_deal:
            text = "There is no deal of these settings to play again; have a rematch on a new one."
            raise ProtocolError(ErrorCode.WRONG_PHASE, text, field="same_deal")
        seated = [member for member in self.players() if member.online]
        self._require_seats(seated)
        self.series.count_down(seated, same_deal=message.same_deal)

    def cancel_start(self, player: Player) -> None:
        """The host stops the countdown."""
        self.require_host(player)
        self._require_phase(Phase.COUNTDOWN, "There is no countdown to stop.")
        self.series.cancel()

    def _require_seats(self, seated: list[Member]) -> None:
        if not seated:
            raise ProtocolError(ErrorCode.NOT_READY, "There is nobody to play.")
        game, deal, _ = new_deal(self.settings)
        team = game.team(deal.options)
        if len(seated) % team:
            raise ProtocolError(ErrorCode.NOT_READY, "This is played in teams of two: one more player is needed.")
        most = min(self.settings.seats, game.most_seats(deal.options), MAX_SEATS - len(self.ghosts))
        if len(seated) > most * team:
            text = f"There {'is 1 seat' if most == 1 else f'are {most} seats'} for {len(seated)} players."
            raise ProtocolError(ErrorCode.ROOM_FULL, text, field="settings.seats")
        if self.settings.challenge is not None:
            self._services.challenges.enter(self.settings.challenge, seated[0].player.id)

    def require_host(self, player: Player) -> None:
        """Refuse everybody but the host."""
        if self.host != player.id:
            raise ProtocolError(ErrorCode.NOT_HOST, "Only the host of the room can do that.")

    def _require_phase(self, phase: Phase, text: str) -> None:
        if self.series.phase is not phase:
            raise ProtocolError(ErrorCode.WRONG_PHASE, text)

    # Telling

    def chat(self, player: Player, message: from_client.Chat) -> None:
        """A member says something to all."""
        text = clean_chat(message.text)
        if not text:
            raise ProtocolError(ErrorCode.INVALID, "There is nothing to say in that text.", field="text")
        name = self.members[player.id].name
        self.broadcast(from_server.ChatLine(player=player.id, name=name, text=text, time=self._clock.now()))

    def broadcast(self, message: Struct, besides: Player | None = None) -> None:
        """Tell every member who is connected."""
        for member in self.members.values():
            if member.player.session is not None and member.player is not besides:
                member.player.session.tell(message)

    def changed(self, besides: Player | None = None) -> None:
        """Show the room as it is now to every member (besides the one who gets it as an answer), and keep it so."""
        self.broadcast(from_server.RoomState(room=self.public_state()), besides)
        self.series.keeping.changed()

    def players(self) -> Iterator[Member]:
        """The members who want to play, in the order in which they came."""
        return (member for member in self.members.values() if member.role is Role.PLAYER)

    def public_state(self) -> model.Room:
        """The room as its members see it."""
        match = self.series.match
        return model.Room(
            code=self.code,
            title=self.title,
            public=self.public,
            host=self.host,
            phase=self.series.phase,
            settings=replace(self.settings, seed=None, tape=None),
            known=known_by(self.settings),
            members=[member.public() for member in self.members.values()],
            match=None if match is None else match.id,
            locked=self.password is not None,
            series=self.series.score.public(),
        )

    def summary(self) -> model.RoomSummary:
        """The room as the public list shows it."""
        host = self.members.get(self.host)
        players = sum(1 for _ in self.players())
        return model.RoomSummary(
            code=self.code,
            title=self.title,
            phase=self.series.phase,
            game=self.settings.game,
            players=players,
            spectators=len(self.members) - players,
            host="" if host is None else host.name,
            locked=self.password is not None,
        )


def _deals(settings: model.Settings) -> tuple[object, ...]:
    """What of the settings decides what is dealt."""
    dealt = settings.game, settings.version, settings.options, settings.seed, settings.tape
    return *dealt, settings.daily, settings.challenge
