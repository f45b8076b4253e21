"""Any order of any requests of several clients, with connections that break and a server that restarts.

Hypothesis looks for an order after which something does not hold: every request gets one answer; streams go on by
their numbers (`actors`); rooms are as their members were told; and in the end (`proofs`) all that was told is stored
once, replays, and was known by nobody too early. ``make soak`` tries many more orders.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import samedrop_migrations
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.model import Phase, Rivals, Role
from samedrop_rules import Move
from samedrop_server.app import Running, running
from samedrop_server.settings import Settings
from tests.faults.actors import Actor, closed, settle
from tests.faults.answers import ALLOWED, PLAIN, refusals_of
from tests.faults.proofs import prove
from tests.support.server import FakeClock
from tests.support.waiting import eventually

Choose = Callable[[int, list[Move]], tuple[int, Move]]

who = st.integers(0, 2)
room_settings = st.builds(
    model.Settings,
    game=st.sampled_from(["drop7", "drop7", "dice-drop", "row-clear"]),
    seed=st.sampled_from([None, "friday"]),
    seats=st.integers(1, 3),
    drop_limit=st.integers(1, 12),
    rivals=st.sampled_from(Rivals),
    lockstep=st.booleans(),
    spectators=st.booleans(),
    countdown=st.sampled_from([0, 0, 0, 30]),
)


@cache
def empty_database() -> Path:
    """A database with all tables, to be copied."""
    file = Path(tempfile.mkdtemp(prefix="samedrop-")) / "samedrop.db"
    samedrop_migrations.upgrade(f"sqlite:///{file}")
    return file


class Protocol(RuleBasedStateMachine):
    """Three clients and a server."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.database = Path(self.folder.name) / "samedrop.db"
        shutil.copy(empty_database(), self.database)
        self.runner = asyncio.Runner()
        self.clock = FakeClock()
        self.actors = [Actor(name) for name in ("ann", "bob", "cid")]
        self.stack = AsyncExitStack()
        self.server: Running
        self.runner.run(self.begin())

    async def begin(self) -> None:
        options = Settings(port=0, database=f"sqlite:///{self.database}", rate_limits=0, gather=0)
        self.server = await self.stack.enter_async_context(running(options, self.clock))
        for actor in self.actors:
            await actor.connect(self.server)
        await settle(self.server, self.actors)

    def teardown(self) -> None:
        try:
            self.runner.run(prove(self.server, self.actors, self.database))
        finally:
            self.runner.run(self.stack.aclose())
            self.runner.close()
            self.folder.cleanup()

    # Asking

    def ask(self, who: int, kind: type[from_client.Request], **fields: object) -> from_server.ServerMessage | None:
        """Ask, if connected; checks that one answer comes, of those allowed."""
        actor = self.actors[who]
        if actor.line is None:
            return None
        answer = self.runner.run(self._ask(actor, kind(id=actor.new_id(), **fields)))
        if kind in ALLOWED:
            allowed, codes = ALLOWED[kind]
            assert isinstance(answer, allowed) or getattr(answer, "code", None) in codes, answer
        return answer

    async def _ask(self, actor: Actor, message: from_client.Request) -> from_server.ServerMessage:
        await actor.send(message)
        await eventually(actor.answered)
        await settle(self.server, self.actors)
        assert actor.answers[message.id] == 1, "answered more than once"
        assert actor.answer is not None
        return actor.answer

    def match_of(self, who: int, other: bool) -> str:
        """A match: where the actor is, or else where the next one is; there may be none."""
        room = self.actors[(who + other) % 3].room
        return (room and room.match) or "none"

    # Connections

    @rule(who=who)
    def connects(self, who: int) -> None:
        self.runner.run(self._then_settle(self.actors[who].connect(self.server)))

    @rule(who=who, back=st.sampled_from([None, 0, 1]))
    def comes_back(self, who: int, back: int | None) -> None:
        """Lose the connection, and take the match up again over another one."""
        self.loses_the_connection(who)
        self.connects(who)
        self.takes_up(who, False, back, watch=False)

    @rule(who=who)
    def loses_the_connection(self, who: int) -> None:
        if self.actors[who].line is not None:
            self.runner.run(self._then_settle(self.actors[who].cut()))

    @rule()
    def the_server_restarts(self) -> None:
        self.runner.run(self._restart())

    async def _restart(self) -> None:
        lines = [actor.line for actor in self.actors if actor.line is not None]
        await self.stack.aclose()
        for line in lines:
            assert await closed(line) == 1012
        for actor in self.actors:
            actor.line = None
        await self.begin()

    @rule(seconds=st.sampled_from([1, 61, 601, 1801]))
    def time_passes(self, seconds: int) -> None:
        self.clock.advance(seconds)
        self.server.hall.tidy()
        self.runner.run(settle(self.server, self.actors))

    async def _then_settle(self, work: object) -> None:
        await work  # type: ignore[misc]
        await settle(self.server, self.actors)

    # Rooms

    @initialize(settings=room_settings, watching=st.booleans())
    def they_meet(self, settings: model.Settings, watching: bool) -> None:
        self.all_meet_and_start(settings, watching)

    @rule(settings=room_settings, watching=st.booleans())
    def they_meet_again(self, settings: model.Settings, watching: bool) -> None:
        self.all_meet_and_start(settings, watching)

    def all_meet_and_start(self, settings: model.Settings, watching: bool) -> None:
        """Who is connected meets in a room of its own, and a match starts; Cid may watch only."""
        for who in range(3):
            self.ask(who, from_client.LeaveRoom)
        self.ask(0, from_client.CreateRoom, settings=msgspec.structs.replace(settings, seats=3, countdown=0))
        for who in range(3):
            role = Role.SPECTATOR if watching and who == 2 else Role.PLAYER
            self.joins(who, 0, role)
            if role is Role.PLAYER:
                self.ask(who, from_client.Ready)
        self.ask(0, from_client.Start, force=True)

    @rule(who=who, host=who, role=st.sampled_from(Role))
    def joins(self, who: int, host: int, role: Role) -> None:
        room = self.actors[host].room
        self.ask(who, from_client.JoinRoom, code="AAAAAA" if room is None else room.code, role=role)

    @rule(who=who, kind=st.sampled_from(PLAIN))
    def asks_something_plain(self, who: int, kind: type[from_client.Request]) -> None:
        self.ask(who, kind)

    @rule(who=who, other=who, choice=st.integers(0, 5), settings=room_settings, yes=st.booleans())
    def does_room_business(self, who: int, other: int, choice: int, settings: model.Settings, yes: bool) -> None:
        match choice:
            case 0:
                self.ask(who, from_client.CreateRoom, settings=settings, public=yes)
            case 1:
                self.ask(who, from_client.ConfigureRoom, settings=settings if yes else None, public=not yes)
            case 2:
                self.ask(who, from_client.Ready, ready=yes)
            case 3:
                self.ask(who, from_client.Start, force=yes)
            case 4:
                self.ask(who, from_client.Kick, player=self.actors[other].player)
            case _:
                self.ask(who, from_client.Rematch, same_deal=yes)

    @rule(who=who, other=st.booleans())
    def looks_a_match_up(self, who: int, other: bool) -> None:
        match_id = self.match_of(who, other)
        self.ask(who, from_client.GetMatch, match=match_id)
        match = self.server.hall.matches.get(match_id)
        self.ask(who, from_client.GetDeal, deal="none" if match is None else match.deal.id)
        self.ask(who, from_client.GetDaily, game="drop7")

    @rule(who=who, other=who, close=st.booleans())
    def challenges(self, who: int, other: int, close: bool) -> None:
        """One makes a challenge, another looks at it; perhaps it is closed."""
        made = self.ask(who, from_client.CreateChallenge, hours=1)
        code = made.challenge.code if isinstance(made, from_server.ChallengePage) else "none"
        page = self.ask(other, from_client.GetChallenge, code=code)
        assert not isinstance(page, from_server.ChallengePage) or page.challenge.open
        if close:
            self.ask(other, from_client.CloseChallenge, code=code)

    @rule(who=who, other=st.booleans())
    def asks_for_advice(self, who: int, other: bool) -> None:
        self.ask(who, from_client.Advise, match=self.match_of(who, other))

    # Matches

    @rule(times=st.tuples(*[st.integers(0, 8)] * 3), pick=st.integers(0, 6))
    def race(self, times: tuple[int, ...], pick: int) -> None:
        """Each makes so many moves, in turns."""
        for count in range(max(times)):
            for who in range(3):
                if count < times[who]:
                    self.moves(who, pick + count)

    @rule(who=who, pick=st.integers(0, 6))
    def moves(self, who: int, pick: int) -> None:
        self.move(who, lambda turn, legal: (turn, legal[pick % len(legal)] if legal else {"column": 0}))

    @rule(who=who, late=st.integers(-2, 2), move=st.sampled_from([{"column": 3}, {"column": 7}, {"column": "1"}, {}]))
    def moves_strangely(self, who: int, late: int, move: dict[str, object]) -> None:
        self.move(who, lambda turn, _: (max(turn + late, 0), move))

    def move(self, who: int, choose: Choose) -> None:
        """Move as `choose(turn, legal moves)` says, and check the answer against the table."""
        actor, match_id = self.actors[who], self.match_of(who, False)
        match = self.server.hall.matches.get(match_id)
        seat = None if match is None or match.over else match.seat_of(actor.player)
        if actor.line is None or match is None or seat is None:
            self.ask(who, from_client.Move, match=match_id, turn=0, move={"column": 0})
            return
        turn, legal = match.table.turn(seat), match.table.legal(seat)
        wanted, move = choose(turn, legal)
        refusals = refusals_of(match, seat, wanted, move)
        answer = self.ask(who, from_client.Move, match=match_id, turn=wanted, move=move)
        if refusals:
            assert isinstance(answer, from_server.Error)
            assert (answer.code in refusals, answer.turn) == (True, turn)
        else:
            assert isinstance(answer, from_server.Events)
            assert (seat, turn) in [(step.seat, step.turn) for step in answer.steps]

    @rule(who=who)
    def repeats_the_last_move(self, who: int) -> None:
        """The same request once more gets the same step, marked as a repeat, and changes nothing."""
        actor, match_id = self.actors[who], self.match_of(who, False)
        match = self.server.hall.matches.get(match_id)
        seat = None if match is None else match.seat_of(actor.player)
        if match is None or seat is None or actor.line is None or not match.decisions.by_seat[seat]:
            return
        made = match.decisions.by_seat[seat][-1]
        entry = made.entry()
        if entry.move is None or made.request is None:
            return
        message = from_client.Move(id=made.request, match=match_id, turn=made.turn, move=dict(entry.move))
        before = match.table.digest(seat)
        answer = self.runner.run(self._ask(actor, message))
        assert isinstance(answer, from_server.Events)
        assert answer.repeat
        assert [(step.seat, step.turn, step.digest) for step in answer.steps] == [(seat, made.turn, made.digest)]
        assert match.table.digest(seat) == before

    @rule(who=who)
    def gives_up(self, who: int) -> None:
        self.ask(who, from_client.Forfeit, match=self.match_of(who, False))

    @rule(who=who, other=st.booleans(), agree=st.booleans())
    def agrees_to_a_pause(self, who: int, other: bool, agree: bool) -> None:
        self.ask(who, from_client.Pause, match=self.match_of(who, other), agree=agree)

    @rule()
    def all_agree_to_a_pause(self) -> None:
        """And nobody can move, until one goes on."""
        for who in range(3):
            self.agrees_to_a_pause(who, False, True)
            self.moves(who, 0)

    @rule(who=who, other=st.booleans(), back=st.sampled_from([None, 0, 1, 5, -1]), watch=st.booleans())
    def takes_up(self, who: int, other: bool, back: int | None, watch: bool) -> None:
        match = self.match_of(who, other)
        told = len(self.actors[who].told.get(match, {}))
        last = None if back is None else max(told - back, 0)
        answer = self.ask(who, from_client.Watch if watch else from_client.Resume, match=match, last=last)
        if isinstance(answer, from_server.Resumed):
            assert (answer.answer == "snapshot") == (last is None)
            newest = self.actors[who].newest(match)
            assert (answer.answer == "events") == (newest > answer.last)
            assert last in (None, answer.last)

    @rule(who=who, other=st.booleans())
    def watches_no_more(self, who: int, other: bool) -> None:
        actor, match = self.actors[who], self.match_of(who, other)
        self.ask(who, from_client.Unwatch, match=match)
        if match in actor.facts and all(seat.player != actor.player for seat in actor.facts[match].seats):
            actor.left(match)

    # What always holds

    @invariant()
    def rooms_are_as_their_members_were_told(self) -> None:
        hall = self.server.hall
        for actor in self.actors:
            if actor.line is None:
                continue
            player = self.server.gateway.players._players[actor.player]
            assert (actor.room is None) == (player.room is None)
            if player.room is not None:
                assert actor.room == player.room.public_state()
        for room in hall.rooms.values():
            assert all(one.player.room is room for one in room.members.values())
            if any(one.online for one in room.members.values()):
                assert room.members[room.host].online
            match = room.series.match
            assert (room.series.phase is Phase.PLAYING) == (match is not None and not match.over)


def any_orders(count: int) -> settings:
    """So many orders of requests."""
    unhurried = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    return settings(max_examples=count, stateful_step_count=40, deadline=None, suppress_health_check=unhurried)


Protocol.TestCase.settings = any_orders(12)
TestProtocol = Protocol.TestCase
