"""Matches as the journal gets them: really played, by random moves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from samedrop_protocol import model
from samedrop_rules import Entry, Game, Table, find_game
from samedrop_server.storage.records import Finished, KeptRoom, Logged, NewMatch, NewPlayer, NewRoom, Record
from tests.support.playing import random_log

STARTED = 1_800_000_000_000
"""When the matches start, in milliseconds."""


@dataclass(frozen=True)
class Played:
    """A match that was played, as records. `people` are its players and its room."""

    people: tuple[Record, ...]
    match: NewMatch
    log: tuple[Logged, ...]
    finished: Finished

    @property
    def beginning(self) -> list[Record]:
        return [*self.people, self.match]

    @property
    def records(self) -> list[Record]:
        return [*self.beginning, *self.log, self.finished]


def player_id(name: str) -> str:
    return f"id-{name}"


def played(
    match_id: str = "match-one",
    names: Sequence[str] = ("Ann", "Bob"),
    *,
    seed: str | None = None,
    tape: dict[str, object] | None = None,
    known: model.Known = model.Known.SEALED,
    started: int = STARTED,
    drop_limit: int = 6,
    room: bool = True,
) -> Played:
    """A match of drop7 by these players, each of whom makes at most `drop_limit` moves."""
    game = find_game("drop7")
    deal = game.deal({}, seed=None if tape else seed or f"seed of {match_id}", tape=tape)
    table = game.table(deal, len(names), drop_limit)
    log = tuple(
        logged(match_id, number, entry, f"request-{number}")
        for number, (entry, _) in enumerate(random_log(table, match_id), 1)
    )
    seats = tuple(model.Seat(seat=seat, player=player_id(name), name=name) for seat, name in enumerate(names))
    room_id = f"room-of-{match_id}" if room else None
    people: list[Record] = [NewPlayer(seat.player, f"hash of {seat.name}", seat.name, started) for seat in seats]
    if room_id is not None:
        people.append(NewRoom(room_id, "K7QXM2", started, KeptRoom("A room", True, seats[0].player)))
    settings = model.Settings(drop_limit=drop_limit, seats=len(names), rivals=model.Rivals.OPEN)
    match = NewMatch(match_id, room_id, deal, known, settings, started, seats)
    return Played(tuple(people), match, log, Finished(match_id, started + 60_000, standings(table, seats)))


def logged(match_id: str, number: int, entry: Entry, request: str | None = None) -> Logged:
    return Logged(
        match_id,
        number,
        entry.seat,
        entry.turn,
        request,
        None if entry.move is None else json.dumps(entry.move),
        None if entry.stopped is None else entry.stopped.value,
        100 * number,
        entry.score,
        entry.digest,
    )


def standings(table: Table, seats: Sequence[model.Seat]) -> list[model.Standing]:
    return [
        model.Standing(
            seat=row.seat,
            player=seats[row.seat].player,
            name=seats[row.seat].name,
            rank=row.rank,
            score=row.score,
            turns=row.turns,
            ended=row.ended.value,
        )
        for row in table.outcome()
    ]


def table_of(match: NewMatch) -> tuple[Game, Table]:
    game = find_game(match.deal.game, match.deal.version)
    return game, game.table(match.deal, len(match.seats), match.settings.drop_limit)
