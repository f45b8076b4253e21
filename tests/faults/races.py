"""Races of bots that keep what they were told, and the comparison of that with what is stored.

Used by the tests beside this file and by ``make soak``.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from samedrop_client import Backoff, Client, Match, connect
from samedrop_client.players import random_player
from samedrop_protocol import from_server, model
from samedrop_rules import apply, find_game
from samedrop_server.storage.database import Database
from samedrop_server.storage.loading import StoredMatch, load_match
from samedrop_server.storage.standings import load_standings

SEATS = 2
QUICKLY = Backoff(first=0.02, most=0.25, patience=60)
"""How bots come back."""


@dataclass
class Race:
    """A match of bots.

    Attributes:
        matches: as each seat's client sees it, by seat.
        acknowledged: the own steps that answered each seat's moves, by seat, in order.
        told: all steps that each seat was told, the others' too, by seat, in the order in which they came.
        over: the result, as each seat was told.
    """

    matches: list[Match]
    acknowledged: list[list[from_server.Step]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    told: list[list[from_server.Step]] = field(default_factory=list)
    over: list[from_server.MatchOver] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The match's id."""
        return self.matches[0].id

    async def play(self, on_move: Callable[[], None]) -> None:
        """Play it to its end. `on_move` is called with each acknowledged move."""
        runs = [self._run(seat, on_move) for seat in range(SEATS)]
        self.over = list(await asyncio.gather(*runs))
        self.told = [[step async for step in match] for match in self.matches]

    async def _run(self, seat: int, on_move: Callable[[], None]) -> from_server.MatchOver:
        match = self.matches[seat]
        choose = random_player(match)
        while moves := match.legal():
            move = choose(match.view(), moves)
            assert isinstance(move, dict)
            self.acknowledged[seat].append(await match.move(move))
            on_move()
        return await match.result()


async def begin_races(stack: AsyncExitStack, url: str, count: int, *, drop_limit: int) -> list[Race]:
    """So many matches that have just started, of two bots each, who stay connected as long as `stack`."""
    settings = model.Settings(countdown=0, drop_limit=drop_limit)

    async def begin(number: int) -> Race:
        names = [f"bot {number}.{seat}" for seat in range(SEATS)]
        clients = [await stack.enter_async_context(connect(url, name=name, backoff=QUICKLY)) for name in names]
        return Race(await start(clients, settings))

    return [await begin(number) for number in range(count)]


async def start(clients: Sequence[Client], settings: model.Settings) -> list[Match]:
    """A match of `clients`, the first of them as host, as each of them sees it."""
    room = await clients[0].create_room(settings)
    rooms = [room, *[await guest.join_room(room.code) for guest in clients[1:]]]
    for one in rooms:
        await one.ready()
    await room.start()
    return [await one.next_match() for one in rooms]


@dataclass
class Findings:
    """What became of the acknowledged moves.

    Attributes:
        moves: how many were acknowledged.
        lost: how many of those are not stored as they were told.
        doubled: turns, or requests, that are stored more than once.
        wrong: what else is not as it must be, in words.
    """

    moves: int = 0
    lost: int = 0
    doubled: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        shown = f"{self.moves} moves, lost = {self.lost}, doubled = {self.doubled}"
        return "; ".join([shown, *self.wrong])

    def add(self, other: Findings) -> None:
        """Take in those of another round."""
        self.moves += other.moves
        self.lost += other.lost
        self.doubled += other.doubled
        self.wrong += other.wrong

    @property
    def clean(self) -> bool:
        """Whether everything is as it must be."""
        return self.moves > 0 and not (self.lost or self.doubled or self.wrong)


def examine(database: Path, races: Sequence[Race]) -> Findings:
    """Compare what was told in the races with what is stored, and with the rules."""
    findings = Findings()
    opened = Database(f"sqlite:///{database}")
    try:
        for race in races:
            stored = opened.read_now(lambda connection, race=race: load_match(connection, race.id))  # type: ignore[misc]
            assert isinstance(stored, StoredMatch), f"match {race.id} is not stored"
            _examine(race, stored, findings)
            standings = opened.read_now(lambda connection, race=race: load_standings(connection, [race.id]))  # type: ignore[misc]
            if any(over.standings != standings[race.id] for over in race.over):
                findings.wrong.append(f"match {race.id}: the result is not the one that was told")
    finally:
        opened.close()
    return findings


def _examine(race: Race, stored: StoredMatch, findings: Findings) -> None:
    entries = {(entry.seat, entry.turn): entry for entry, _ in stored.log if entry.move is not None}
    for seat, steps in enumerate(race.acknowledged):
        findings.moves += len(steps)
        for step in steps:
            entry = entries.get((seat, step.turn))
            told = (step.move, step.score, step.digest)
            findings.lost += entry is None or (entry.move, entry.score, entry.digest) != told
    for steps in race.told:
        places = [(step.seat, step.turn) for step in steps]
        if len(set(places)) != len(places) or not set(places) <= entries.keys():
            findings.wrong.append(f"match {race.id}: told steps that are not stored, or told some twice")
    turns = Counter((entry.seat, entry.turn) for entry, _ in stored.log)
    requests = Counter(request for _, request in stored.log)
    findings.doubled += sum(count - 1 for count in (turns | requests).values())
    if sum(map(len, race.acknowledged)) != len(stored.log):
        findings.wrong.append(f"match {race.id}: {len(stored.log)} entries are stored")
    _replay(race, stored, findings)


def _replay(race: Race, stored: StoredMatch, findings: Findings) -> None:
    """The same moves without interruption."""
    game = find_game(stored.deal.game, stored.deal.version)
    table = game.table(stored.deal, len(stored.seats), stored.settings.drop_limit)
    for entry, _ in stored.log:
        apply(table, entry)
        if (table.score(entry.seat), table.digest(entry.seat)) != (entry.score, entry.digest):
            findings.wrong.append(f"match {race.id}: seat {entry.seat}, turn {entry.turn} replays to something else")
    told = [(row.seat, row.score, row.turns, row.ended) for over in race.over for row in over.standings]
    replayed = [(row.seat, row.score, row.turns, row.ended.value) for row in table.outcome()]
    if told != replayed * len(race.over) or len(race.over) != SEATS:
        findings.wrong.append(f"match {race.id}: told {told}, replayed {replayed}")
