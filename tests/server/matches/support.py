"""A drop7 match on stand-ins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import cast

from samedrop_protocol import from_client, model
from samedrop_rules import Deal, Ended, Entry, find_game
from samedrop_server.journal import Journal
from samedrop_server.matches.deals import public_deal
from samedrop_server.matches.follow import Flusher
from samedrop_server.matches.ghosts import Ghosts
from samedrop_server.matches.match import Match
from samedrop_server.matches.services import Services
from samedrop_server.storage.loading import StoredRun, ghost_of
from samedrop_server.storage.records import Logged
from tests.support.playing import random_log
from tests.support.server import FakeClock, FakeJournal, FakeSession


class Scene:
    """A match of two (or more) seats, a session for each, and everything that the server would bring."""

    def __init__(
        self,
        seats: int = 2,
        *,
        seed: str = "friday",
        rivals: model.Rivals = model.Rivals.FAIR,
        drop_limit: int | None = None,
        lockstep: bool = False,
        turn_limit: int | None = None,
        time_limit: int | None = None,
        game: str = "drop7",
        options: Mapping[str, object] | None = None,
        deal: Deal | None = None,
        spectator_delay: float = 0,
        follow: bool = True,
        runs: Sequence[StoredRun] = (),
        align: model.Align = model.Align.TURN,
        secret: bool = False,
    ) -> None:
        """Args: runs: the ghosts; secret: the deal stays secret after the match."""
        self.clock = FakeClock()
        self.journal = FakeJournal()
        self.flusher = Flusher(gather=0.001)
        self.journal.on_commit = self.flusher.flush
        self.services = Services(cast(Journal, self.journal), self.flusher, self.clock)
        self.sessions = [FakeSession() for _ in range(seats)]
        self.over: list[Match] = []
        rules = find_game(game if deal is None else deal.game)
        deal = deal or rules.deal(options or {}, seed=seed)
        team = rules.team(deal.options)
        facts = model.Match(
            match="m1",
            room="ABC234",
            deal=public_deal(deal, model.Known.OPEN, disclosed=False),
            seats=[held(seat, team) for seat in range(seats)],
            started=self.clock.now(),
            rivals=rivals,
            drop_limit=drop_limit,
            lockstep=lockstep,
            turn_limit=turn_limit,
            time_limit=time_limit,
            ghosts=[ghost_of(run.run, run.held, number) for number, run in enumerate(runs, seats)],
            align=align,
        )
        ghosts = Ghosts(runs, facts, rules, deal, secret=secret) if runs else None
        self.match = Match(
            facts, rules, deal, self.services, self.over.append, self.may_disclose, spectator_delay, ghosts
        )
        if follow:
            for seat, session in enumerate(self.sessions):
                self.match.audience.follow(session, seat, 0)

    def may_disclose(self, over: Match) -> bool:
        """Nobody else plays the deal."""
        return True

    def move(self, seat: int, turn: int, column: object = 3, request: str | None = None) -> None:
        """Send a move; it is decided, and waits for the journal."""
        message = from_client.Move(id=request or f"s{seat}t{turn}", match="m1", turn=turn, move={"column": column})
        self.match.move(seat, message, self.sessions[seat])

    def play(self, seat: int, turn: int, column: int = 3) -> None:
        """A move that is stored at once."""
        self.move(seat, turn, column)
        self.journal.commit()

    def flush(self) -> None:
        """Send what is gathered, as the timer would."""
        self.flusher._flush_lazy()


def run_on(
    deal: Deal, name: str = "ghost", *, every: int = 1000, drop_limit: int | None = None, turns: int | None = None
) -> StoredRun:
    """A run on that deal, by moves drawn from `name`, one every so many milliseconds; given up after so many turns."""
    game = find_game(deal.game, deal.version)
    table = game.table(deal, 1, drop_limit)
    played = islice(random_log(table, name), turns)
    log = [replace(entry, at=every * (entry.turn + 1)) for entry, _ in played]
    if not table.over:
        table.stop(0, Ended.FORFEIT)
        turn = table.turn(0)
        log.append(Entry(0, turn, None, Ended.FORFEIT, every * turn + 1, table.score(0), table.digest(0)))
    run = model.RunId(match=f"match of {name}", seat=1)
    return StoredRun(run, held(1, game.team(deal.options)), deal, model.Known.OPEN, 0, drop_limit, tuple(log))


def held(seat: int, team: int) -> model.Seat:
    """A seat and who holds it: p0; in a team p0 and q0."""
    partner = model.Partner(player=f"q{seat}", name=f"m{seat}") if team > 1 else None
    return model.Seat(seat=seat, player=f"p{seat}", name=f"n{seat}", partner=partner)


def log_of(scene: Scene) -> list[tuple[Entry, str | None]]:
    """What the scene's journal has stored, as it is loaded."""
    return [
        (
            Entry(
                record.seat, record.turn, None if record.move is None else {"column": int(record.move[10:-1])},
                None if record.stopped is None else Ended(record.stopped), record.at, record.score, record.digest,
            ),
            record.request_id,
        )
        for record in scene.journal.stored
        if isinstance(record, Logged)
    ]  # fmt: skip
