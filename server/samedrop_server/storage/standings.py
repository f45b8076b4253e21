"""Reading results: the standings of finished matches, and of the series of rooms. All take a connection."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Select, and_, select

from samedrop_protocol import model
from samedrop_server.storage.models import Match, Partner, Result, Seat

Ids = Sequence[str] | Select[str]
"""Ids of matches, or what selects them."""


def load_standings(connection: Connection, match_ids: Ids) -> dict[str, list[model.Standing]]:
    """The results of those matches that have one, each best first."""
    standings: dict[str, list[model.Standing]] = {}
    partners = load_partners(connection, match_ids)
    statement = (
        select(Result, Seat.player_id, Seat.name)
        .join(Seat, and_(Seat.match_id == Result.match_id, Seat.seat == Result.seat))
        .where(Result.match_id.in_(match_ids))
        .order_by(Result.rank, Result.seat)
    )
    for row in connection.execute(statement):
        standings.setdefault(row.match_id, []).append(
            model.Standing(
                seat=row.seat,
                player=row.player_id,
                name=row.name,
                rank=row.rank,
                score=row.score,
                turns=row.turns,
                ended=row.ended,
                partner=partners.get((row.match_id, row.seat)),
            )
        )
    return standings


def load_series(connection: Connection, room_ids: Collection[str]) -> dict[str, list[list[model.Standing]]]:
    """The results of the finished matches of each series (the rooms as stored), in the order of their start."""
    series: dict[str, list[list[model.Standing]]] = {room_id: [] for room_id in room_ids}
    finished = (Match.room_id.in_(room_ids), Match.finished.is_not(None))
    standings = load_standings(connection, select(Match.id).where(*finished))
    ordered = select(Match.id, Match.room_id).where(*finished).order_by(Match.started, Match.id)
    for match_id, room_id in connection.execute(ordered):
        assert room_id is not None
        series[room_id].append(standings[match_id])
    return series


def load_partners(connection: Connection, match_ids: Ids) -> dict[tuple[str, int], model.Partner]:
    """Who shares a seat with its first holder, by match and seat."""
    statement = select(Partner).where(Partner.match_id.in_(match_ids))
    return {
        (row.match_id, row.seat): model.Partner(player=row.player_id, name=row.name)
        for row in connection.execute(statement)
    }
