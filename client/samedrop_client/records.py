"""Finished matches: read page by page, and played again into the steps that a follower would have been told."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from samedrop_client.connection import Connection
from samedrop_protocol import from_client, from_server, model
from samedrop_rules import Deal, Ended, Entry, ReplayMismatch, RulesError, View, find_game, replay

LOG_PAGE = 1000
"""Log entries that are asked for at once."""


async def read_record(connection: Connection, match: str) -> model.MatchRecord:
    """A finished match with its whole log.

    Raises:
        Refused: there is none of that id, or it may not be opened now.
        Disconnected
    """
    record: model.MatchRecord | None = None
    log: list[model.LogEntry] = []
    place: int | None = 0
    while place is not None:
        request = connection.requests.new_id()
        page = await connection.ask(from_client.GetMatch(id=request, match=match, first=place, limit=LOG_PAGE))
        assert isinstance(page, from_server.MatchPage)
        record, place = page.record, page.next
        log += page.record.log
    assert record is not None
    return replace(record, first=0, log=log)


def played_again(record: model.MatchRecord) -> tuple[list[from_server.Step], list[View]]:
    """All steps in the order of the log, and the last views.

    Without the game's rules (a newer game) the steps have no events, and there are no views.
    """
    events: list[list[dict[str, object]]] = [[] for _ in record.log]
    views: list[View] = []
    facts, deal = record.match, record.match.deal
    try:
        seed, tape = (None if told is UNSET else told for told in (deal.seed, deal.tape))
        dealt = Deal(deal.game, deal.version, deal.options, seed, tape)  # type: ignore[arg-type]
        table = find_game(deal.game, deal.version).table(dealt, len(facts.seats), facts.drop_limit)
        events = [told for _, told in replay(table, map(_entry, record.log))]
        views = [table.view(seat) for seat in range(table.seats)]
    except (RulesError, ReplayMismatch):
        pass
    return [_step(entry, told) for entry, told in zip(record.log, events, strict=True)], views


def _entry(line: model.LogEntry) -> Entry:
    stopped = None if line.stopped is None else Ended(line.stopped)
    return Entry(line.seat, line.turn, line.move, stopped, line.at, line.score, line.digest)


def _step(line: model.LogEntry, events: list[dict[str, object]]) -> from_server.Step:
    return from_server.Step(
        seat=line.seat,
        turn=line.turn,
        at=line.at,
        score=line.score,
        digest=line.digest,
        events=events,
        move=line.move,
        stopped=line.stopped,
    )
