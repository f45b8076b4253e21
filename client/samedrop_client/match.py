"""A match as one client follows it: facts, views, progress, the stream of steps; and moves.

The views are followed with the rules that are installed beside this library; without the game's rules (a newer game)
steps and progress still come. What the game allows is decided by the server alone.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import cached_property, partial

from samedrop_client.connection import Connection
from samedrop_client.errors import MatchOver, Refused, StaleTurn
from samedrop_client.feed import Feed, Reader, Signal
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.events import Event, read_event
from samedrop_rules import Game, Move, Pace, UnknownGame, View, find_game

Choose = Callable[[View, list[Move]], Move | Awaitable[Move]]
"""Chooses one of the legal moves in a view: what a bot is."""


class Match:
    """One match.

    Attributes:
        facts: what does not change while it runs.
        boards: all that are raced, by the number under which their steps come: the seats, then the ghosts.
        seat: the own seat, or None for somebody who watches.
        by: in a team, which of the two partners this is: 0 or 1.
        turn: the number of the own next turn.
        progress: where each seat stands, and each ghost, by number: always the newest, also where steps are held back.
        last: the number of the newest step that came.
        suspended: why the server takes no moves now, or None.
        agreed: the seats that agree to a pause.
        paused: whether all have agreed: no moves are taken, and the match's time stands still.
        over: the result, once there is one.
    """

    def __init__(self, connection: Connection, player: str, facts: model.Match, views: Sequence[View]) -> None:
        self.facts = facts
        own = next((seat for seat in facts.seats if player in seat.players), None)
        self.seat = None if own is None else own.seat
        self.by = 0 if own is None else own.players.index(player)
        self.turn = 0
        self.boards = facts.boards
        self.progress = [model.SeatProgress(seat=board.seat, turn=0, score=0) for board in self.boards]
        self.last = 0
        self.suspended: str | None = None
        self.agreed: list[int] = []
        self.paused = False
        self.over: from_server.MatchOver | None = None
        self.following = True
        self._connection = connection
        self._views = list(views)
        self._unfollowed: list[list[dict[str, object]]] = [[] for _ in self.boards]
        self._newest = [-1] * len(self.boards)
        self._steps: Feed[from_server.Step] = Feed()
        self._changed = Signal()
        self._changes = 0
        self._continued = 0
        self._error: Exception | None = None

    @property
    def id(self) -> str:
        """The match's id."""
        return self.facts.match

    @cached_property
    def game(self) -> Game:
        """The rules that it is played by. Raises `samedrop_rules.UnknownGame` if they are not installed."""
        return find_game(self.facts.deal.game, self.facts.deal.version)

    @property
    def in_rounds(self) -> bool:
        """Whether all decide at the same time; events then say which seat they are about, or none for all."""
        return self.game.pace is Pace.ROUNDS

    @property
    def ended(self) -> str | None:
        """Why the own run is over (rules, censored, time, forfeit), or None while it goes on (or there is none)."""
        return None if self.seat is None else self.progress[self.seat].ended

    @property
    def waits_for(self) -> list[model.Seat]:
        """In lockstep: whose moves must come before the own next one."""
        if not self.facts.lockstep:
            return []
        standing = self.progress[: len(self.facts.seats)]
        return [self.facts.seats[one.seat] for one in standing if one.ended is None and one.turn < self.turn]

    def view(self, seat: int | None = None) -> View:
        """What is known of the part of a seat (by default the own) or ghost, as of the newest step that came.

        Raises:
            UnknownGame: steps came, but the game's rules are not installed.
        """
        number = self._seat(seat)
        if events := self._unfollowed[number]:
            self._views[number] = self.game.follow(self._views[number], events)
            self._unfollowed[number] = []
        return self._views[number]

    def legal(self) -> list[Move]:
        """The moves that this player can make now; none while others are to decide, or once the own run is over."""
        if self.ended is not None:
            return []
        return [move for move in self.game.legal(self.view()) if move.get("by", self.by) == self.by]

    async def advice(self, draft: Move | None = None) -> dict[str, object]:
        """What the server says can be decided now (docs/rules); with a part of a move, what can become of that.

        Raises:
            IllegalMove, MatchOver, Refused
            Disconnected: there is no connection any more.
        """
        message = from_client.Advise(id=self._connection.requests.new_id(), match=self.id, draft=dict(draft or {}))
        answer = await self._connection.ask(message)
        assert isinstance(answer, from_server.Advice)
        return answer.advice

    async def move(self, move: Move, *, through_pauses: bool = True) -> from_server.Step:
        """Make the own next move; returns once the server has stored it, with all that it led to.

        A lost connection, or a suspended or paused match, only makes it wait longer; the move is applied once.

        Args:
            move: of the game's form.
            through_pauses: whether it waits for the end of a pause; else the pause refuses it.

        Raises:
            IllegalMove, StaleTurn, MatchOver, Refused
            Disconnected: there is no connection any more.
        """
        requests = self._connection.requests
        message = from_client.Move(id=requests.new_id(), match=self.id, turn=self.turn, move=dict(move))
        while True:
            seen = self._continued
            try:
                step = await self._connection.ask(message)
            except Refused as error:
                paused = error.code == ErrorCode.MATCH_PAUSED
                if not (error.code == ErrorCode.MATCH_SUSPENDED or (paused and through_pauses)):
                    raise
                await self._until(partial(self._continued_since, seen))
            else:
                assert isinstance(step, from_server.Step)
                return step

    async def pause(self) -> None:
        """Agree to a pause; it begins once all have agreed whose runs go on.

        Raises:
            MatchOver: the own run is over.
            Refused: a challenge, or the deal of the day, cannot be paused.
        """
        await self._connection.ask(from_client.Pause(id=self._connection.requests.new_id(), match=self.id))

    async def go_on(self) -> None:
        """Agree to a pause no more; one that is there ends."""
        message = from_client.Pause(id=self._connection.requests.new_id(), match=self.id, agree=False)
        await self._connection.ask(message)

    async def forfeit(self) -> None:
        """Give up the own run."""
        await self._connection.ask(from_client.Forfeit(id=self._connection.requests.new_id(), match=self.id))

    async def play(self, choose: Choose) -> from_server.MatchOver:
        """Play the own run to its end by `choose`, then wait for the result."""
        while self.ended is None:
            if moves := self.legal():
                chosen = choose(self.view(), moves)
                await self._play_one(await chosen if inspect.isawaitable(chosen) else chosen)
            else:
                await self.changed()
        return await self.result()

    async def _play_one(self, move: Move) -> None:
        """Make a move; in lockstep once it may come. A run that was stopped meanwhile takes none.

        Nor does a turn that is over: a partner was faster, or the time was up.
        """
        turn = self.turn
        while self.ended is None and self.turn == turn:
            await self._until(lambda: self.ended is not None or not self.waits_for)
            try:
                await self.move(move)
            except MatchOver:
                await self._until(lambda: self.ended is not None)
            except StaleTurn:
                await self._until(lambda: self.turn != turn or self.ended is not None)
            except Refused as error:
                if error.code != ErrorCode.WAIT:
                    raise
                await self.changed()
            else:
                return

    async def result(self) -> from_server.MatchOver:
        """The result, once the match is over."""
        await self._until(lambda: self.over is not None)
        assert self.over is not None
        return self.over

    async def changed(self) -> None:
        """Return at the next change of anything here."""
        seen = self._changes
        await self._until(lambda: self._changes != seen)

    def __aiter__(self) -> Reader[from_server.Step]:
        """All steps in the order in which they come, from the first that came; ends with the match.

        Where a connection was lost for so long that the server sent a snapshot, the steps before it are missing.
        """
        return self._steps.reader()

    async def events(self) -> AsyncIterator[tuple[int, Event]]:
        """All events in order, each with the seat that it belongs to (one about all with that of whose step it is)."""
        async for step in self:
            for body in step.events:
                about = body.get("seat", step.seat)
                yield about if isinstance(about, int) else step.seat, read_event(body)

    # What the connection brings.

    def take(self, message: from_server.Events) -> bool:
        """Apply steps that are new. Returns False if some are missing before them."""
        if message.repeat:
            return True
        if message.first > self.last + 1:
            return False
        for step in message.steps[self.last + 1 - message.first :]:
            self.last += 1
            self._take_step(step)
        self.take_progress(message.progress)
        return True

    def _take_step(self, step: from_server.Step) -> None:
        turn = step.turn if step.stopped is not None else step.turn + 1
        if step.seat == self.seat:
            self.turn = turn
        known = self.progress[step.seat]
        if turn >= known.turn:
            ends = (event for event in step.events if event.get("type") == "over")
            ended = next((str(end["ended"]) for end in ends if end.get("seat", step.seat) == step.seat), step.stopped)
            self.progress[step.seat] = model.SeatProgress(
                seat=step.seat, turn=turn, score=step.score, ended=ended or known.ended
            )
        self._take_events(step)
        self._newest[step.seat] = step.turn
        self._steps.put(step)

    def _take_events(self, step: from_server.Step) -> None:
        try:
            seats = list(range(len(self._unfollowed))) if self.in_rounds else [step.seat]
        except UnknownGame:
            seats = [step.seat]
        for seat in seats:
            self._unfollowed[seat].extend(step.events)

    def take_progress(self, seats: list[model.SeatProgress]) -> None:
        """Where seats stand now."""
        for one in seats:
            self.progress[one.seat] = one
        self._fire()

    def resumed(self, message: from_server.Resumed) -> None:
        """The stream was taken up (again)."""
        self.following = True
        self.agreed, self.paused = [], False  # where it is otherwise, that follows
        self.suspend(None)
        if message.views is not None:
            self._views = list(message.views)
            self._unfollowed = [[] for _ in self.boards]
            self.last = message.last
            if self.seat is not None:
                self.turn = next(one.turn for one in message.progress if one.seat == self.seat)
        self.take_progress(message.progress)

    def conclude(self, steps: Sequence[from_server.Step], views: Sequence[View]) -> None:
        """The match ended while it was not followed: `steps` are all of it, those that came before among them.

        Args: views: of the seats after the last step; empty where they are not known.
        """
        for step in steps:
            if step.turn > self._newest[step.seat]:
                self._take_step(step)
        if views:
            self._views[: len(views)] = views
            self._unfollowed[: len(views)] = [[] for _ in views]

    def suspend(self, text: str | None) -> None:
        """The server takes no moves; or (None) takes them again."""
        self.suspended = text
        self._continued += text is None
        self._fire()

    def take_pause(self, message: from_server.Paused) -> None:
        """Who agrees to a pause, and whether there is one."""
        self._continued += self.paused and not message.paused
        self.agreed, self.paused = message.agreed, message.paused
        self._fire()

    def finish(self, message: from_server.MatchOver) -> None:
        """The match is over."""
        self.over = message
        for row in message.standings:
            self.progress[row.seat] = model.SeatProgress(
                seat=row.seat, turn=row.turns, score=row.score, ended=row.ended
            )
        self._steps.close()
        self._fire()

    def fail(self, error: Exception) -> None:
        """Nothing more will come."""
        self._error = error
        self._steps.close(error)
        self._fire()

    def _continued_since(self, seen: int) -> bool:
        return self._continued != seen

    def _fire(self) -> None:
        self._changes += 1
        self._changed.fire()

    async def _until(self, condition: Callable[[], bool]) -> None:
        await self._changed.until(lambda: condition() or self._error is not None)
        if self._error is not None and not condition():
            raise self._error

    def _seat(self, seat: int | None) -> int:
        number = self.seat if seat is None else seat
        if number is None:
            raise ValueError("name a seat: this client only watches")
        return number
