"""A scene: players, a room and a match on a real deal, and the messages that a server would send about them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from samedrop_protocol import from_server, model
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Known, Phase, Role
from samedrop_rules import Ended, find_game
from samedrop_rules import Step as RulesStep

ANN, BOB = "player-ann", "player-bob"
CODE = "K7QXM2"
MATCH = "match-1"
NOW = 1_750_000_000_000


def welcome(
    *, player: str = ANN, token: str | None = "token-ann", room: model.Room | None = None, matches: tuple[str, ...] = ()
) -> from_server.Welcome:
    """The answer to hello."""
    return from_server.Welcome(
        version=1,
        server="samedrop/test",
        player=player,
        name="Ann",
        time=NOW,
        games=[],
        token=token,
        room=room,
        matches=list(matches),
    )


def refusal(
    code: ErrorCode, text: str = "No.", *, retry_after: float | None = None, turn: int | None = None
) -> Callable[[str], from_server.Error]:
    """Makes an error for a request."""
    return lambda request: from_server.Error(code=code, text=text, re=request, retry_after=retry_after, turn=turn)


def ok(request: str) -> from_server.Ok:
    """Makes the plain answer to a request."""
    return from_server.Ok(re=request)


def pong(request: str) -> from_server.Pong:
    """Makes the answer to ping."""
    return from_server.Pong(re=request, time=NOW)


def member(player: str, *, ready: bool = False, online: bool = True, role: Role = Role.PLAYER) -> model.Member:
    """A member of the room."""
    return model.Member(
        player=player, name=player.removeprefix("player-").title(), role=role, ready=ready, online=online
    )


def room(
    *members: model.Member, host: str = ANN, phase: Phase = Phase.LOBBY, match: str | None = None, code: str = CODE
) -> model.Room:
    """The room; with Ann and Bob if nobody is named."""
    return model.Room(
        code=code,
        title="",
        public=False,
        host=host,
        phase=phase,
        settings=model.Settings(),
        known=Known.SEALED,
        members=list(members or (member(ANN), member(BOB))),
        match=match,
    )


def room_state(state: model.Room | None = None) -> Callable[[str], from_server.RoomState]:
    """Makes the answer to create_room and join_room."""
    return lambda request: from_server.RoomState(room=state or room(), re=request)


class Scene:
    """A match of Ann (seat 0) and Bob (seat 1), all of whose steps go to everybody at once."""

    def __init__(self, seed: str = "friday", *, drop_limit: int | None = None, lockstep: bool = False) -> None:
        game = find_game("drop7")
        self.deal = game.deal({}, seed=seed)
        self.table = game.table(self.deal, 2, drop_limit)
        self.facts = model.Match(
            match=MATCH,
            room=CODE,
            deal=self._deal(disclosed=False),
            seats=[model.Seat(seat=0, player=ANN, name="Ann"), model.Seat(seat=1, player=BOB, name="Bob")],
            started=NOW,
            drop_limit=drop_limit,
            lockstep=lockstep,
        )
        self.first_views = self.views()
        self.steps: list[from_server.Step] = []

    def views(self) -> list[dict[str, object]]:
        """The seats' views now."""
        return [self.table.view(seat) for seat in range(2)]

    def progress(self) -> list[model.SeatProgress]:
        """Where the seats stand now."""
        return [
            model.SeatProgress(
                seat=seat, turn=self.table.turn(seat), score=self.table.score(seat), ended=self.table.ended(seat)
            )
            for seat in range(2)
        ]

    def started(self) -> from_server.Started:
        """The start of the match."""
        return from_server.Started(match=self.facts, views=self.first_views, time=NOW)

    def play(self, seat: int, column: int, request: str | None = None) -> from_server.Events:
        """A move, and the message that tells it."""
        turn = self.table.turn(seat)
        return self._tell(seat, turn, self.table.play(seat, {"column": column}), column, None, request)

    def stop(self, seat: int, ended: Ended, request: str | None = None) -> from_server.Events:
        """The end of a run from outside the rules, and the message that tells it."""
        return self._tell(seat, self.table.turn(seat), self.table.stop(seat, ended), None, ended, request)

    def _tell(
        self, seat: int, turn: int, step: RulesStep, column: int | None, ended: Ended | None, request: str | None
    ) -> from_server.Events:
        self.steps.append(
            from_server.Step(
                seat=seat,
                turn=turn,
                at=len(self.steps),
                score=self.table.score(seat),
                digest=self.table.digest(seat),
                events=step.events,
                move=None if column is None else {"column": column},
                stopped=None if ended is None else ended.value,
                id=request,
            )
        )
        return self.events(len(self.steps))

    def events(self, first: int, *, repeat: bool = False) -> from_server.Events:
        """All steps from number `first` on; with `repeat` that one only."""
        steps = self.steps[first - 1 : first if repeat else None]
        return from_server.Events(match=MATCH, first=first, steps=steps, repeat=repeat)

    def resumed(self, last: int, *, snapshot: bool = False) -> Callable[[str], from_server.Resumed]:
        """Makes the answer to resume and watch, for the state as it is now."""
        answer = "snapshot" if snapshot else "up_to_date" if last == len(self.steps) else "events"
        progress, views = self.progress(), self.views() if snapshot else None
        return lambda request: from_server.Resumed(
            re=request, match=self.facts, answer=answer, last=last, progress=progress, time=NOW, views=views
        )

    def over(self) -> from_server.MatchOver:
        """The result; runs that go on are stopped by time."""
        for seat in range(2):
            if self.table.ended(seat) is None:
                self.stop(seat, Ended.TIME)
        standings = [
            model.Standing(
                seat=row.seat,
                player=self.facts.seats[row.seat].player,
                name=self.facts.seats[row.seat].name,
                rank=row.rank,
                score=row.score,
                turns=row.turns,
                ended=row.ended,
            )
            for row in self.table.outcome()
        ]
        return from_server.MatchOver(match=MATCH, standings=standings, deal=self._deal(disclosed=True))

    def record(self) -> model.MatchRecord:
        """The match in history, once it is over."""
        log = [
            model.LogEntry(
                seat=step.seat,
                turn=step.turn,
                at=step.at,
                score=step.score,
                digest=step.digest,
                move=step.move,
                stopped=step.stopped,
            )
            for step in self.steps
        ]
        facts = replace(self.facts, deal=self._deal(disclosed=True))
        return model.MatchRecord(
            match=facts, finished=NOW, standings=self.over().standings, entries=len(log), first=0, log=log
        )

    def _deal(self, *, disclosed: bool) -> model.Deal:
        return model.Deal(
            deal=self.deal.id,
            game=self.deal.game,
            version=self.deal.version,
            options=dict(self.deal.options),
            known=Known.OPEN,
            commitment=self.deal.commitment,
            seed=self.deal.seed or UNSET if disclosed else UNSET,
        )
