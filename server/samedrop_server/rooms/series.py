"""The series of a room: countdown, match, and what comes after it.

Phases go lobby → countdown → playing → lobby. Leaves to others: who may ask for it (room), and the match itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping, Sequence
from typing import TYPE_CHECKING

import structlog
from msgspec.structs import replace

from samedrop_protocol import from_server, model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.model import Known, Phase
from samedrop_rules import Deal, Ended, Game, find_game
from samedrop_server.matches.deals import effective, is_secret, match_facts, new_deal, public_deal
from samedrop_server.matches.ghosts import Ghosts
from samedrop_server.matches.match import Match
from samedrop_server.matches.places import standings
from samedrop_server.matches.services import Services
from samedrop_server.players import Player, random_id
from samedrop_server.rooms.disclosure import may_disclose
from samedrop_server.rooms.keeping import Keeping
from samedrop_server.rooms.member import Member
from samedrop_server.rooms.score import Score
from samedrop_server.settings import Settings
from samedrop_server.storage.loading import StoredMatch, StoredRun, ghost_of
from samedrop_server.storage.records import NewMatch

if TYPE_CHECKING:
    from samedrop_server.rooms.room import Room

log = structlog.get_logger(__name__)


class Series:
    """The matches of one room.

    Attributes:
        phase: what the room is doing.
        match: the running match, or the last one; None before the first.
        score: who won how many.
        keeping: records the room along with its matches.
    """

    def __init__(self, room: Room, services: Services, matches: MutableMapping[str, Match]) -> None:
        """Args: matches: where running matches, and the last one of each room, can be found by id."""
        self.phase = Phase.LOBBY
        self.match: Match | None = None
        self.score = Score(room.settings.first_to)
        self.keeping = Keeping(room, services.journal)
        self._room = room
        self._services = services
        self._matches = matches
        self._last: Match | None = None  # whose deal can be played again
        self._beginning: Match | None = None
        self._seated: Sequence[Member] = ()
        self._same_deal = False
        self._timer: asyncio.TimerHandle | None = None

    # Countdown

    def count_down(self, seated: Sequence[Member], *, same_deal: bool) -> None:
        """Begin a match of the `seated` members after the room's countdown."""
        self._seated, self._same_deal = seated, same_deal
        seconds = self._room.settings.countdown
        if seconds == 0:
            self._begin()
            return
        self.phase = Phase.COUNTDOWN
        starts = self._services.clock.now() + 1000 * seconds
        self._room.changed()
        self._room.broadcast(from_server.Countdown(starts=starts, seconds=seconds))
        self._timer = asyncio.get_running_loop().call_later(seconds, self._begin)

    def cancel(self) -> None:
        """Stop the countdown."""
        self._stop_timer()
        self.phase = Phase.LOBBY
        self._room.broadcast(from_server.Countdown(starts=self._services.clock.now(), seconds=0, cancelled=True))
        self._room.changed()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Match

    def _begin(self) -> None:
        self._timer = None
        room, now = self._room, self._services.clock.now()
        seated = [member for member in self._seated if room.members.get(member.player.id) is member]
        if not seated:
            self.cancel()
            return
        try:
            game, deal, known, settings = self._next(seated[0].player.id, now)
        except ProtocolError as error:  # the challenge was closed during the countdown
            self._not_begun(error)
            return
        team = game.team(deal.options)
        if len(seated) % team:
            self.cancel()
            return
        self.phase = Phase.PLAYING
        if self.score.winners:
            self.keeping.start_over()
        runs = [run for run in room.ghosts if run.deal.id == deal.id]
        settings = effective(settings, game, [run.run for run in runs])
        shown = public_deal(deal, known, disclosed=False)
        seats = _seats(seated, team)
        ghosts = [ghost_of(run.run, run.held, number) for number, run in enumerate(runs, len(seats))]
        facts = match_facts(random_id(), room.code, shown, seats, now, settings, ghosts)
        match = self._new_match(facts, game, deal, settings, runs)
        self._beginning = match
        if settings.challenge is not None:
            self._services.challenges.entered(settings.challenge, seated[0].player.id)
        self._record(match, deal, settings)

    def _next(self, player: str, now: int) -> tuple[Game, Deal, Known, model.Settings]:
        """What is played next, who can know it, and by which settings; `player` is the one of a challenge.

        Raises:
            ProtocolError: the challenge that is to be played is closed, or that player has played it.
        """
        settings, daily = self._room.settings, self._services.daily
        if settings.challenge is not None:
            game = find_game(settings.game, settings.version)
            return game, self._services.challenges.enter(settings.challenge, player), Known.SEALED, settings
        if not self._same_deal or self._last is None:
            return *new_deal(settings, lambda game: daily.seed(game, now)), settings
        last, known = self._last, self._last.facts.deal.known
        if known is Known.DAILY and daily.is_of_today(last.deal, now):
            return last.game, last.deal, known, settings
        # Once it has been played, a secret deal is known to those who played it.
        known = Known.OPEN if last.was_secret else known
        return last.game, last.deal, known, replace(settings, daily=False)

    def _new_match(
        self, facts: model.Match, game: Game, deal: Deal, settings: model.Settings, runs: Sequence[StoredRun]
    ) -> Match:
        ghosts = Ghosts(runs, facts, game, deal, secret=is_secret(settings)) if runs else None
        delay = settings.spectator_delay
        return Match(facts, game, deal, self._services, self._match_over, self._may_disclose, delay, ghosts)

    def _may_disclose(self, match: Match) -> bool:
        """Whether the deal of a match that is over can be told: nobody else plays it, or is yet to, as a secret."""
        return may_disclose(match, self._matches.values(), self._services)

    def _not_begun(self, error: ProtocolError) -> None:
        self.phase = Phase.LOBBY
        self._room.broadcast(from_server.Error(code=error.code, text=error.text))
        self._room.changed()

    def _record(self, match: Match, deal: Deal, settings: model.Settings) -> None:
        facts = match.facts
        room_id = self.keeping.begin(facts.started)
        self._matches[match.id] = match
        self._services.journal.record(
            NewMatch(
                id=match.id,
                room_id=room_id,
                deal=deal,
                known=facts.deal.known,
                settings=settings,
                started=facts.started,
                seats=tuple(facts.seats),
            ),
            lambda: self._announce(match),
        )

    def _announce(self, match: Match) -> None:
        if self.match is not None:
            self.match.close()
            self._matches.pop(self.match.id, None)
        self._beginning = None
        self._goes_on(match)
        if self.score.winners:
            self.score = Score(self._room.settings.first_to)
        self.keeping.begun()
        facts = match.facts
        log.info("match_started", match=match.id, room=facts.room, game=facts.deal.game, seats=len(facts.seats))
        now = self._services.clock.now()
        started = from_server.Started(match=match.facts, views=match.first_views(), time=now)
        self._room.changed()
        for member in self._room.members.values():
            session = member.player.session
            seat = match.seat_of(member.player.id)
            if session is not None and (seat is not None or self._room.settings.spectators):
                session.tell(started)
                by = 0 if seat is None else match.by_of(seat, member.player.id)
                match.audience.follow(session, seat, 0, by)
        match.open()

    def _goes_on(self, match: Match) -> None:
        self.match = match
        self._last = None if self._room.settings.challenge else match

    @property
    def has_deal(self) -> bool:
        """Whether there is a deal that can be played again."""
        return self._last is not None

    def forget_deal(self) -> None:
        """The room deals something else from now on."""
        self._last = None

    def start_over(self) -> None:
        """A new series begins."""
        self.score = Score(self._room.settings.first_to)
        self.keeping.start_over()

    def _match_over(self, match: Match) -> None:
        self.score.count(standings(match.table, match.facts.seats))
        self.phase = Phase.LOBBY
        log.info("match_over", match=match.id, room=match.facts.room)
        now = self._services.clock.now()
        for member in self._room.members.values():
            member.ready = False
            if member.away_since is not None:
                member.away_since = now
        self._room.changed()

    def not_stored(self, match: Match) -> None:
        """The beginning of `match` could not be stored: there is no match."""
        log.error("match_not_started", match=match.id, room=match.facts.room)
        if self._room.settings.challenge is not None:
            self._services.challenges.not_entered(self._room.settings.challenge, match.facts.seats[0].player)
        self._matches.pop(match.id, None)
        self._beginning = None
        self.keeping.not_begun()
        self.phase = Phase.LOBBY
        self._room.broadcast(
            from_server.Error(code=ErrorCode.STORAGE, text="The match could not be stored, so it did not start.")
        )
        self._room.changed()

    def restore(self, stored: StoredMatch, game: Game) -> None:
        """Go on with a match that an earlier process left unfinished."""
        settings = stored.settings
        facts = stored.facts(self._room.code)
        match = self._new_match(facts, game, stored.deal, settings, stored.ghost_runs)
        self.keeping.restore(stored.room_id, stored.room)
        for result in stored.series:
            self.score.count(result)
        self._goes_on(match)
        self.phase = Phase.PLAYING
        self._matches[match.id] = match
        match.rebuild(stored.log, stored.pauses)

    # Players

    def seated(self) -> list[str]:
        """Who holds a seat in the match that begins or runs, in the order of the seats."""
        match = self._beginning or self.match
        return [] if match is None else [player for seat in match.facts.seats for player in seat.players]

    def forfeit(self, player: Player) -> None:
        """`player` leaves for good: their run is given up."""
        for match in (self.match, self._beginning):
            if match is not None:
                seat = match.seat_of(player.id)
                if seat is not None:
                    match.stop(seat, Ended.FORFEIT)

    def forfeit_absent(self, now: int, limits: Settings) -> None:
        """Give up the runs of seats whose player is away, or sits idle, for too long; a pause may last longer."""
        match = self.match
        if match is None or self.phase is not Phase.PLAYING:
            return
        paused = match.timing.paused_since
        if paused is not None:
            if now - paused >= 1000 * limits.pause_limit:
                match.end_pause()
            return
        if match.timing.is_up:
            match.time_is_up()  # again, if the match was suspended when it was
        for seat in match.facts.seats:
            idle = match.is_awaited(seat.seat) and now - match.last_move[seat.seat] > 1000 * limits.idle_limit
            if idle or any(self._is_away(player, now - 1000 * limits.absence_limit) for player in seat.players):
                match.stop(seat.seat, Ended.FORFEIT)

    def _is_away(self, player: str, since: float) -> bool:
        """Whether a player is away since then, without a pause in between."""
        member = self._room.members.get(player)
        if member is None:
            return True
        assert self.match is not None
        return member.away_since is not None and max(member.away_since, self.match.timing.went_on) < since

    def close(self) -> None:
        """The room goes: stop all timers and let go of the match."""
        self._stop_timer()
        if self.match is not None:
            self.match.close()
            self._matches.pop(self.match.id, None)


def _seats(seated: Sequence[Member], team: int) -> list[model.Seat]:
    """A seat for each of the members; or one for every two of them, in the order in which they came."""
    seats = []
    for number, first in enumerate(seated[::team]):
        second = seated[team * number + 1] if team > 1 else None
        partner = None if second is None else model.Partner(player=second.player.id, name=second.name)
        seats.append(model.Seat(seat=number, player=first.player.id, name=first.name, partner=partner))
    return seats
