"""What must hold of all that was told: it is stored once, it replays, and it came to nobody too early."""

from __future__ import annotations

from collections import Counter
from operator import or_
from pathlib import Path

from samedrop_protocol import from_server
from samedrop_protocol.model import Rivals
from samedrop_rules import Entry, Pace, Step, Table, apply, covers, find_game
from samedrop_server.app import Running
from samedrop_server.storage.database import Database
from samedrop_server.storage.loading import StoredMatch, load_match
from tests.faults.actors import Actor, settle


async def prove(server: Running, actors: list[Actor], database: Path) -> None:
    """Check everything that the actors were told of every match."""
    await settle(server, actors)
    reader = Database(f"sqlite:///{database}")
    try:
        for match_id in {match for actor in actors for match in actor.facts}:
            stored = reader.read_now(lambda connection, match_id=match_id: load_match(connection, match_id))  # type: ignore[misc]
            assert stored is not None, f"match {match_id} was told and is not stored"
            _prove_match(stored, actors)
    finally:
        reader.close()


def new_table(stored: StoredMatch) -> Table:
    """The match's table at its start."""
    game = find_game(stored.deal.game, stored.deal.version)
    return game.table(stored.deal, len(stored.seats), stored.settings.drop_limit)


def _prove_match(stored: StoredMatch, actors: list[Actor]) -> None:
    places = Counter((entry.seat, entry.turn) for entry, _ in stored.log)
    assert not any(count > 1 for count in places.values()), "a turn is stored twice"
    table = new_table(stored)
    decided: dict[tuple[int, int], Step] = {}
    for entry, _ in stored.log:
        assert table.turn(entry.seat) == entry.turn
        decided[entry.seat, entry.turn] = apply(table, entry)
        assert (table.score(entry.seat), table.digest(entry.seat)) == (entry.score, entry.digest)
    log = {(entry.seat, entry.turn): (entry, request) for entry, request in stored.log}
    for actor in actors:
        for step in actor.told.get(stored.id, {}).values():
            entry, request = log[step.seat, step.turn]
            told = None if table.game.pace is Pace.ROUNDS else entry.move
            assert (step.move, step.score, step.digest, step.at) == (told, entry.score, entry.digest, entry.at)
            assert (step.id, step.events) == (request, decided[step.seat, step.turn].events)
        seat = next((seat.seat for seat in stored.seats if seat.player == actor.player), None)
        steps = _stream(actor, stored.id)
        if seat is not None:
            _prove_fair(stored, seat, steps, decided)
        for match, last, views in actor.snapshots:
            if match == stored.id and last <= len(steps):
                _prove_views(stored, [log[step.seat, step.turn][0] for step in steps[:last]], views)
        if (over := actor.over.get(stored.id)) is not None:
            _prove_over(stored, table, over)


def _stream(actor: Actor, match: str) -> list[from_server.Step]:
    """The steps from the first on, up to where some are missing because a snapshot came instead."""
    told = actor.told.get(match, {})
    steps: list[from_server.Step] = []
    while len(steps) + 1 in told:
        steps.append(told[len(steps) + 1])
    return steps


def _prove_fair(
    stored: StoredMatch, seat: int, steps: list[from_server.Step], decided: dict[tuple[int, int], Step]
) -> None:
    """No step was told before all that it discloses had been dealt to the receiver."""
    known, running = new_table(stored).knowledge(seat), True
    for step in steps:
        disclosed = decided[step.seat, step.turn].disclosed
        if step.seat == seat:
            known = tuple(map(or_, known, disclosed))
            running = running and step.stopped is None and not any(one["type"] == "over" for one in step.events)
        elif running and stored.settings.rivals is Rivals.FAIR:
            assert covers(known, disclosed), f"{step} was told too early"
        elif running:
            assert stored.settings.rivals is Rivals.OPEN, f"{step} was told while scores only were to be told"


def _prove_views(stored: StoredMatch, told: list[Entry], views: list[dict[str, object]]) -> None:
    """A snapshot shows what the steps up to its number lead to, and nothing more."""
    table = new_table(stored)
    for entry in told:
        apply(table, entry)
    assert views == [table.view(seat) for seat in range(table.seats)]


def _prove_over(stored: StoredMatch, table: Table, over: from_server.MatchOver) -> None:
    assert stored.finished is not None, "the result was told and is not stored"
    told = [(row.seat, row.rank, row.score, row.turns, row.ended) for row in over.standings]
    assert told == [(row.seat, row.rank, row.score, row.turns, row.ended.value) for row in table.outcome()]
    assert over.deal.seed == stored.deal.seed
