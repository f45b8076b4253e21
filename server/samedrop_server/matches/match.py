"""A running match: it decides each move on a pure table, has it recorded, and has it told once it is stored.

Everything here runs on the event loop's thread and never waits, so a match takes one decision at a time. Leaves to
others: who may enter (rooms), the transaction (journal), who is told what (audience).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from samedrop_protocol import from_client, from_server, model
from samedrop_rules import (
    Deal,
    Ended,
    Entry,
    Game,
    IllegalMove,
    InvalidMove,
    Move,
    Pace,
    Table,
    View,
    apply,
)
from samedrop_server.matches import refusals
from samedrop_server.matches.advice import Advice
from samedrop_server.matches.audience import Audience
from samedrop_server.matches.deals import public_deal
from samedrop_server.matches.decisions import Decisions
from samedrop_server.matches.follow import Listener
from samedrop_server.matches.ghosts import Ghosts
from samedrop_server.matches.pauses import Pauses
from samedrop_server.matches.places import standings
from samedrop_server.matches.services import Services
from samedrop_server.matches.steps import Step
from samedrop_server.matches.timing import Timing
from samedrop_server.matches.turns import Turns
from samedrop_server.storage.records import Finished, Pause

MAX_TURNS = 50_000
"""A run is stopped (censored) after so many turns: nobody comes near, but some games could be played for ever."""
_SUSPENDED = "The server cannot store moves at the moment. Nothing that was told is lost; please wait."


class Match:
    """One playing of one deal.

    Attributes:
        id, facts: the match as it is told at the start.
        game, deal, table: what is played, and the state of all boards as decided so far.
        audience: who is told.
        last_move: UTC milliseconds of each seat's last decision (at first, of the start).
        timing: its time, and whether that runs.
        suspended: storage failed; nothing is taken until `rebuild`.
        over: the result is stored and told.
    """

    def __init__(
        self,
        facts: model.Match,
        game: Game,
        deal: Deal,
        services: Services,
        on_over: Callable[[Match], None],
        may_disclose: Callable[[Match], bool],
        spectator_delay: float = 0,
        ghosts: Ghosts | None = None,
    ) -> None:
        self.id = facts.match
        self.facts = facts
        self.game = game
        self.deal = deal
        self.audience = Audience(facts, services.flusher, spectator_delay, ghosts)
        self.suspended = False
        self.over = False
        self.last_move = [services.clock.now()] * len(facts.seats)
        self._services = services
        self._on_over = on_over
        self._may_disclose = may_disclose
        self._team = game.team(deal.options) > 1
        self._turns = Turns(facts, self._turn_is_up)
        self._advice = Advice()
        self._ghosts = ghosts
        self.timing = Timing(facts, services.clock, self.time_is_up, self._time_passes)
        self._pauses = Pauses(facts, self.timing, services.journal, self.audience.broadcast, self._went_on)
        self._begin()

    def _begin(self) -> None:
        self.table = self._new_table()
        self.decisions = Decisions(self.table, in_rounds=self.game.pace is Pace.ROUNDS)
        self.audience.begin(self.table)
        self._turns.begin(self.table)

    def _new_table(self) -> Table:
        return self.game.table(self.deal, len(self.facts.seats), self.facts.drop_limit)

    def seat_of(self, player: str) -> int | None:
        """The seat that `player` holds, if any."""
        for seat in self.facts.seats:
            if player in seat.players:
                return seat.seat
        return None

    @property
    def was_secret(self) -> bool:
        """Whether nobody could know the deal when it began; on the deal of the day, nobody who had not played it."""
        return self.facts.deal.known in (model.Known.SEALED, model.Known.DAILY)

    def by_of(self, seat: int, player: str) -> int:
        """Which of the players of the seat `player` is: 0, or in a team 0 or 1."""
        return self.facts.seats[seat].players.index(player) if self._team else 0

    def is_awaited(self, seat: int) -> bool:
        """Whether the match waits for a decision of the seat; without turns that all share, while its run goes on."""
        return self._turns.waits_for(seat)

    def open(self) -> None:
        """The start is told: the time of the first turn runs."""
        self._turns.told(0)
        self.timing.run()
        self._time_passes(0)

    def first_views(self) -> list[View]:
        """What is seen of every seat, and of every ghost, at the start."""
        return self._views([])

    def close(self) -> None:
        """Drop everybody and everything that was planned."""
        self.audience.close()
        self._turns.stop()
        self.timing.stop()

    # Decide

    def move(self, seat: int, message: from_client.Move, listener: Listener, by: int = 0) -> None:
        """Decide a move; its step is told once it is stored.

        Args: by: which of the players of the seat decides.

        Raises:
            ProtocolError: refused, and nothing has changed.
        """
        self._require_storage()
        table = self.table
        turn = table.turn(seat)
        move: Move = message.move
        if self._team:
            move = {**move, "by": by}
        if message.turn != turn:
            made = self.decisions.find(seat, turn, message, move)
            if self.decisions.ask(made, listener):
                self.audience.repeat(made, listener)
            return
        refusals.require_running(table, seat, turn)
        if self.timing.paused_since is not None:
            raise refusals.paused(turn)
        if self.facts.lockstep:
            refusals.require_lockstep(table, turn)
        try:
            self._play(seat, move, message.id, listener)
        except (InvalidMove, IllegalMove) as error:
            raise refusals.by_the_rules(error, turn) from None

    def _play(self, seat: int, move: Move, request: str | None, listener: Listener | None) -> None:
        now = self._services.clock.now()
        self._record(self.decisions.play(seat, move, self.timing.played(now), request), now, listener)

    def forfeit(self, seat: int, request: str, listener: Listener) -> None:
        """The seat's player gives up.

        Raises:
            ProtocolError: the run is over, or the match is suspended.
        """
        self._require_storage()
        refusals.require_running(self.table, seat, self.table.turn(seat))
        self._stop(seat, Ended.FORFEIT, request, listener)

    def stop(self, seat: int, ended: Ended) -> None:
        """End a seat's run from outside; where it is over, or while the match is suspended, nothing happens."""
        if not self.suspended and self.table.ended(seat) is None:
            self._stop(seat, ended, None, None)

    def time_is_up(self) -> None:
        """End every run that is not over."""
        for seat in range(self.table.seats):
            self.stop(seat, Ended.TIME)

    def _turn_is_up(self) -> None:
        """Who has not decided gets the game's default move; where the game has none, the run ends."""
        for seat in [] if self.suspended or self._pauses.still else self._turns.awaited:
            move = self.table.default(seat)
            if move is None:
                self.stop(seat, Ended.TIME)
            else:
                self._play(seat, move, None, None)

    def _stop(self, seat: int, ended: Ended, request: str | None, listener: Listener | None) -> None:
        now = self._services.clock.now()
        self._record(self.decisions.stop(seat, ended, self.timing.played(now), request), now, listener)

    # Pause

    def pause(self, seat: int, message: from_client.Pause, listener: Listener) -> None:
        """A seat agrees to a pause, or does not any more; answered once what that leads to is stored.

        Raises:
            ProtocolError: the run is over, the match is suspended, or it cannot be paused (any more).
        """
        self._require_storage()
        refusals.require_running(self.table, seat, self.table.turn(seat))
        now = self._services.clock.now()
        answer = partial(listener.tell, from_server.Ok(re=message.id))
        if message.agree:
            self._pauses.agree(seat, self._running(), now, answer)
        else:
            self._pauses.disagree(seat, now, answer)

    def end_pause(self) -> None:
        """Go on, whoever agrees; a match that ended in the pause does not."""
        if not self.suspended and not self.table.over and self.timing.paused_since is not None:
            self._pauses.end(self._services.clock.now())

    def _running(self) -> list[int]:
        return [seat for seat in range(self.table.seats) if self.table.ended(seat) is None]

    def _went_on(self) -> None:
        self.last_move = [self._services.clock.now()] * len(self.facts.seats)
        self.timing.run()
        self._turns.reopen(self.decisions.stored)
        self._time_passes(self.timing.played())

    def _require_storage(self) -> None:
        if self.suspended:
            raise refusals.suspended()

    # Record

    def _record(self, step: Step, now: int, listener: Listener | None) -> None:
        self.last_move[step.seat] = now
        for opened in self._turns.decided(step.number, step.seat):
            self.last_move[opened] = now  # who had to wait was not idle
        self._services.journal.record(step.logged(self.id), partial(self._tell, step, listener))
        if self._pauses.agreed:
            self._pauses.only_of(self._running(), now)
        if step.ended is not None and self.table.over:
            self._finish(now)
        elif step.turn + 1 >= MAX_TURNS and step.move is not None:
            self.stop(step.seat, Ended.CENSORED)

    def _finish(self, now: int) -> None:
        result = standings(self.table, self.facts.seats)
        self._services.journal.record(Finished(self.id, now, tuple(result)), partial(self._tell_over, result))

    # Tell: only what is stored comes here, in the order of the log

    def _tell(self, step: Step, listener: Listener | None) -> None:
        askers = self.decisions.store(step)
        self.audience.tell(step)
        if not self._pauses.still:
            self._turns.told(step.number)
        if listener is not None and not self.audience.follows_seat(listener, step.seat):
            self.audience.repeat(step, listener)
        for asker in askers:
            self.audience.repeat(step, asker)
        if self._pauses.told.agreed:
            self._pauses.tell_only_of(one.seat for one in self.audience.live if one.ended is None)
        if self.decisions.all_stored:
            self._advice.caught_up()
            self._time_passes(step.at)

    def _time_passes(self, at: int) -> None:
        """Ghosts that are aligned by time go on; not before what was decided earlier is stored and told."""
        if self.decisions.all_stored and not self._pauses.still and not self.suspended:
            self._meet_ghosts(at)

    def _meet_ghosts(self, at: int) -> None:
        if self._ghosts is None or not self._ghosts.by_time:
            return
        self.audience.pass_time(at)
        if not self.over:
            self.timing.wait_for(self.audience.next_time())

    def _tell_over(self, result: list[model.Standing]) -> None:
        self.over = True
        self._turns.stop()
        self.timing.stop()
        deal = public_deal(self.deal, self.facts.deal.known, disclosed=self._may_disclose(self))
        self.audience.tell_over(from_server.MatchOver(match=self.id, standings=result, deal=deal))
        self._on_over(self)

    # Advise

    def advise(self, seat: int, message: from_client.Advise, listener: Listener) -> None:
        """Tell what the rules allow the seat now; where decisions are being stored, once they are.

        Raises:
            ProtocolError: the run is over.
        """
        refusals.require_running(self.table, seat, self.table.turn(seat))
        give = self._advice.give if self.decisions.all_stored else self._advice.give_later
        give(message, listener, lambda: (self.table, seat))

    # Come back

    def resume(self, request: str, seat: int | None, last: int | None, listener: Listener, by: int = 0) -> None:
        """Answer `resume` (with a seat) or `watch` (without), and follow from there.

        Args: by: which of the players of the seat asks.

        Raises:
            ProtocolError: `last` is ahead of everything told.
        """
        self.audience.take_up(listener, seat, last, by, request, self._services.clock.now(), self._views)
        if self._pauses.are_news and not self.over:
            listener.tell(self._pauses.told)
        if self.suspended:
            listener.tell(from_server.Suspended(match=self.id, text=_SUSPENDED))

    def _views(self, steps: Sequence[Step]) -> list[View]:
        """What is seen of every seat, and of every ghost, after these steps."""
        table = self._new_table()
        for step in steps:
            if step.seat < table.seats:
                apply(table, step.entry())
        views = [table.view(seat) for seat in range(table.seats)]
        return views if self._ghosts is None else views + self._ghosts.views(steps)

    def suspend(self) -> None:
        """Take nothing more: a decision could not be stored, so the table is ahead of what is true."""
        if not self.suspended:
            self.suspended = True
            self.audience.broadcast(from_server.Suspended(match=self.id, text=_SUSPENDED))

    def rebuild(
        self, log: Sequence[tuple[Entry, str | None]], pauses: Sequence[Pause] = (), *, finished: bool = False
    ) -> None:
        """Start again from the stored log (entries with their request ids), and go on.

        Args:
            log: what was decided.
            pauses: the stored ones.
            finished: the end of the match is stored, too, and only has to be told.

        Raises:
            RulesError, ReplayMismatch: the log does not replay to what it says.
        """
        self._begin()
        had_news = self._pauses.are_news
        self._pauses.begin(pauses)
        now = self._services.clock.now()
        for entry, request in log:
            step = self.decisions.replay(entry, request)
            self.decisions.store(step)
            self.audience.take(step, (now - self.timing.moment(entry.at)) / 1000)
            self._turns.decided(step.number, step.seat)
        # Nobody could move meanwhile, so nobody was idle, and the turn has its whole time again.
        self.last_move = [now] * len(self.facts.seats)
        self._advice.caught_up()
        if self.suspended:
            self.suspended = False
            self.audience.broadcast(from_server.Continued(match=self.id))
            if had_news or self._pauses.are_news:
                self.audience.broadcast(self._pauses.told)
        self.audience.catch_up(self.timing.played_by(now - round(1000 * self.audience.delay)))
        self._meet_ghosts(self.timing.played(now))
        self.timing.run()
        if not self._pauses.still:
            self._turns.reopen(self.decisions.stored)
        if finished:
            self._tell_over(standings(self.table, self.facts.seats))
        elif self.table.over:
            self._finish(now)
