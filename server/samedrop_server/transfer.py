"""Between the database and match files (docs/matchfile.md): a stored match as one, and one as a stored match.

Whether a match file is true is `samedrop_rules.matchfile.verify`'s to say: verify before importing.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from samedrop_protocol import model
from samedrop_rules import Ended, Entry, Standing
from samedrop_rules.matchfile import FileSeat, InvalidMatchFile, MatchFile
from samedrop_server.history import load_standings
from samedrop_server.storage.loading import StoredMatch, load_match
from samedrop_server.storage.log import insert_moves
from samedrop_server.storage.records import Finished, Logged, NewMatch, NewPlayer
from samedrop_server.storage.writing import finish_match, insert_matches, insert_missing_players
from samedrop_server.text import clean_name


class MatchConflict(Exception):
    """Another match of the same id is there."""


def load_match_file(connection: Connection, match_id: str) -> MatchFile | None:
    """A finished match as a file holds it; None if there is none of that id.

    Raises:
        DamagedLog: what is stored contradicts itself.
    """
    stored = load_match(connection, match_id)
    if stored is None or stored.finished is None:
        return None
    return _as_file(stored, stored.finished, load_standings(connection, [match_id])[match_id])


def import_match(connection: Connection, match: MatchFile) -> bool:
    """Store a verified match; False if it is there already.

    Players that are not known are made, without a token: nobody can sign in as them.

    Raises:
        MatchConflict: another match of that id is there.
        InvalidMatchFile: it holds a text that cannot be stored, or a name that nobody could have here.
    """
    there = load_match(connection, match.match)
    if there is not None:
        if load_match_file(connection, match.match) == match:
            return False
        raise MatchConflict(f"Another match {match.match} is here already.")
    seats = [model.Seat(seat=index, player=seat.player, name=seat.name) for index, seat in enumerate(match.seats)]
    for seat in seats:
        if clean_name(seat.name) != seat.name:
            raise InvalidMatchFile("A player here could not have that name.", f"seats[{seat.seat}].name")
    log = [_logged(match.match, number, entry) for number, entry in enumerate(match.log, 1)]
    insert_missing_players(connection, [NewPlayer(seat.player, None, seat.name, match.started) for seat in seats])
    settings = model.Settings(
        game=match.deal.game,
        version=match.deal.version,
        options=dict(match.deal.options),
        seats=len(seats),
        drop_limit=match.drop_limit,
        time_limit=match.time_limit,
        lockstep=match.lockstep,
        rivals=model.Rivals(match.rivals),
    )
    new = NewMatch(match.match, None, match.deal, model.Known(match.known), settings, match.started, seats)
    insert_matches(connection, [new])
    insert_moves(connection, log)
    standings = [
        model.Standing(
            seat=row.seat,
            player=seats[row.seat].player,
            name=seats[row.seat].name,
            rank=row.rank,
            score=row.score,
            turns=row.turns,
            ended=row.ended.value,
        )
        for row in match.standings
    ]
    finish_match(connection, Finished(match.match, match.finished, standings), len(log))
    return True


def _as_file(stored: StoredMatch, finished: int, standings: list[model.Standing]) -> MatchFile:
    settings = stored.settings
    return MatchFile(
        match=stored.id,
        deal=stored.deal,
        deal_id=stored.deal_id,
        commitment=stored.commitment,
        known=stored.known.value,
        seats=tuple(FileSeat(seat.player, seat.name) for seat in stored.seats),
        drop_limit=settings.drop_limit,
        time_limit=settings.time_limit,
        lockstep=settings.lockstep,
        rivals=settings.rivals.value,
        started=stored.started,
        finished=finished,
        log=tuple(entry for entry, _ in stored.log),
        standings=tuple(Standing(row.seat, row.rank, row.score, row.turns, Ended(row.ended)) for row in standings),
    )


def _logged(match_id: str, number: int, entry: Entry) -> Logged:
    try:
        move = None if entry.move is None else msgspec.json.encode(entry.move).decode()
    except (UnicodeEncodeError, TypeError) as error:
        raise InvalidMatchFile(f"That move cannot be stored: {error}.", f"log[{number - 1}].move") from error
    stopped = None if entry.stopped is None else entry.stopped.value
    return Logged(match_id, number, entry.seat, entry.turn, None, move, stopped, entry.at, entry.score, entry.digest)
