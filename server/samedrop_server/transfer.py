"""Between the database and match files (docs/matchfile.md): a stored match as one, and one as a stored match.

Whether a match file is true is `samedrop_rules.matchfile.verify`'s to say: verify before importing.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from samedrop_protocol import model
from samedrop_rules import Ended, Entry, Standing
from samedrop_rules.matchfile import FileSeat, InvalidMatchFile, MatchFile
from samedrop_server.storage.loading import StoredMatch, load_match
from samedrop_server.storage.log import insert_moves
from samedrop_server.storage.records import Finished, Logged, NewMatch, NewPlayer, Pause
from samedrop_server.storage.standings import load_standings
from samedrop_server.storage.writing import finish_match, insert_matches, insert_missing_players, store_pauses
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
    seats = [_seat(index, seat) for index, seat in enumerate(match.seats)]
    holders = [one for seat in match.seats for one in (seat, seat.partner) if one is not None]
    log = [_logged(match.match, number, entry) for number, entry in enumerate(match.log, 1)]
    insert_missing_players(connection, [NewPlayer(one.player, None, one.name, match.started) for one in holders])
    settings = model.Settings(
        game=match.deal.game,
        version=match.deal.version,
        options=dict(match.deal.options),
        seats=len(seats),
        drop_limit=match.drop_limit,
        time_limit=match.time_limit,
        turn_limit=match.turn_limit,
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
            partner=seats[row.seat].partner,
        )
        for row in match.standings
    ]
    for number, (began, ended) in enumerate(match.pauses, 1):
        store_pauses(connection, [Pause(match.match, number, began), Pause(match.match, number, began, ended)])
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
        seats=tuple(map(_file_seat, stored.seats)),
        drop_limit=settings.drop_limit,
        time_limit=settings.time_limit,
        turn_limit=settings.turn_limit,
        lockstep=settings.lockstep,
        rivals=settings.rivals.value,
        started=stored.started,
        finished=finished,
        log=tuple(entry for entry, _ in stored.log),
        standings=tuple(Standing(row.seat, row.rank, row.score, row.turns, Ended(row.ended)) for row in standings),
        pauses=tuple(stored.paused),
    )


def _file_seat(seat: model.Seat) -> FileSeat:
    partner = None if seat.partner is None else FileSeat(seat.partner.player, seat.partner.name)
    return FileSeat(seat.player, seat.name, partner)


def _seat(number: int, held: FileSeat) -> model.Seat:
    for name, way in ((held.name, "name"), (held.partner.name if held.partner else "", "partner.name")):
        if name and clean_name(name) != name:
            raise InvalidMatchFile("A player here could not have that name.", f"seats[{number}].{way}")
    partner = None if held.partner is None else model.Partner(player=held.partner.player, name=held.partner.name)
    return model.Seat(seat=number, player=held.player, name=held.name, partner=partner)


def _logged(match_id: str, number: int, entry: Entry) -> Logged:
    try:
        move = None if entry.move is None else msgspec.json.encode(entry.move).decode()
    except (UnicodeEncodeError, TypeError) as error:
        raise InvalidMatchFile(f"That move cannot be stored: {error}.", f"log[{number - 1}].move") from error
    stopped = None if entry.stopped is None else entry.stopped.value
    return Logged(match_id, number, entry.seat, entry.turn, None, move, stopped, entry.at, entry.score, entry.digest)
