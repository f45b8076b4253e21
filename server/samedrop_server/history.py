"""History: the finished matches, listed in pages and read entry by entry.

`History` answers the protocol's messages; the functions below it do the work on a connection. Running matches are not
shown, and a finished one is not opened while its secret deal is being played again (docs/adr/0012).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import ColumnElement, Connection, exists, or_, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, aliased

from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.from_client import GetDaily, GetDeal, GetMatch, ListMatches
from samedrop_rules import Entry
from samedrop_server.clock import Clock, SystemClock
from samedrop_server.daily import list_days, streak_of
from samedrop_server.deals import get_challenge, get_deal, secret_daily, still_played
from samedrop_server.ghosts import find_ghosts
from samedrop_server.rooms.codes import read_code
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DatabaseError
from samedrop_server.storage.loading import StoredRun, load_finished
from samedrop_server.storage.models import Deal, Match, Partner, Player, Seat
from samedrop_server.storage.standings import load_standings

T = TypeVar("T")

_CURSOR = re.compile(r"([0-9]{1,15})-([0-9A-Za-z_.:-]{1,64})", re.ASCII)


class History:
    """The finished matches of a server's database."""

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        self._database = database
        self._clock = clock or SystemClock()

    async def list_matches(self, wanted: ListMatches) -> tuple[list[model.MatchSummary], str | None]:
        """A page of finished matches, newest first, and the cursor of the next page, if there is one.

        Raises:
            ProtocolError: the cursor is not usable, or the database cannot be read.
        """
        return await self._read(lambda connection: list_matches(connection, wanted))

    async def get_match(self, wanted: GetMatch) -> tuple[model.MatchRecord, int | None]:
        """A finished match with a page of its log, and the number of the next entry, if there is one.

        Raises:
            ProtocolError: there is no such match, it may not be shown now, or the database cannot be read.
        """
        return await self._read(lambda connection: get_match(connection, wanted, self._clock.now()))

    async def get_deal(self, wanted: GetDeal) -> tuple[model.Deal, list[model.Run], int | None]:
        """A deal, a page of the runs on it, and the number of the next run, if there is one.

        Raises:
            ProtocolError: there is no such deal, it may not be shown now, or the database cannot be read.
        """
        return await self._read(lambda connection: get_shown_deal(connection, wanted, self._clock.now()))

    async def get_daily(self, wanted: GetDaily, player: str | None) -> tuple[int, list[model.Day], int]:
        """Now; the days on which a game's daily deal was played, newest first; and the player's streak.

        Raises:
            ProtocolError: the database cannot be read.
        """
        now = self._clock.now()
        if not _storable(wanted.game):
            return now, [], 0
        days = await self._read(lambda connection: list_days(connection, wanted))
        if player is None:
            return now, days, 0
        return now, days, await self._read(lambda connection: streak_of(connection, wanted.game, player, now))

    async def get_challenge(self, code: str) -> model.Challenge:
        """A challenge, by the code as people type it, and the runs on it.

        Raises:
            ProtocolError: there is none, or the database cannot be read.
        """
        read, now = read_code(code), self._clock.now()
        if not _storable(read):
            raise ProtocolError(ErrorCode.CHALLENGE_NOT_FOUND, "There is no challenge with that code.", field="code")
        return await self._read(lambda connection: get_challenge(connection, read, now))

    async def ghosts(self, settings: model.Settings) -> tuple[model.Settings, tuple[StoredRun, ...]]:
        """The settings on the deal of their ghosts, and those.

        Raises:
            ProtocolError: one of them is not there, may not be raced now, or not by these settings; or the database
                cannot be read.
        """
        if not settings.ghosts:
            return settings, ()
        for run in settings.ghosts:
            if not _storable(run.match):
                raise ProtocolError(ErrorCode.GHOST, "There is no finished match of that id.", field="settings.ghosts")
        return await self._read(lambda connection: find_ghosts(connection, settings, self._clock.now()))

    async def _read(self, function: Callable[[Connection], T]) -> T:
        try:
            return await self._database.read(function)
        except DatabaseError as error:
            text = "The server cannot read its history at the moment."
            raise ProtocolError(ErrorCode.STORAGE, text, retry_after=1.0) from error


def list_matches(connection: Connection, wanted: ListMatches) -> tuple[list[model.MatchSummary], str | None]:
    """See `History.list_matches`."""
    after = None if wanted.cursor is None else _read_cursor(wanted.cursor)
    if not all(_storable(text) for text in (wanted.player, wanted.game, wanted.deal) if text is not None):
        return [], None
    statement = _FINISHED
    started, match_id, game = Match.started, Match.id, Match.game
    if wanted.player is not None:
        column, player = _player_filter(connection, wanted.player)
        second = Partner.player_id if column is Seat.player_id else Partner.name
        partnered = exists().where(Partner.match_id == Match.id, second == player)
        if connection.scalar(select(exists().where(second == player))):
            # Rare, and slower: every match is looked at.
            statement = statement.where(or_(exists().where(Seat.match_id == Match.id, column == player), partnered))
        elif wanted.deal is None:
            # From the seats of that player; in a match with two such seats (of one name) from the first of them.
            first = _no_earlier_seat(column, player)
            statement = statement.join(Seat, Seat.match_id == Match.id).where(column == player, first)
            started, match_id, game = Seat.started, Seat.match_id, Seat.game
        else:
            statement = statement.where(exists().where(Seat.match_id == Match.id, column == player))
    if wanted.game is not None:
        statement = statement.where(game == wanted.game)
    if wanted.deal is not None:
        statement = statement.where(Match.deal_id == wanted.deal)
    if wanted.since is not None:
        statement = statement.where(started >= wanted.since)
    if wanted.until is not None:
        statement = statement.where(started < wanted.until)
    if after is not None:
        statement = statement.where(tuple_(started, match_id) < tuple_(*after))
    # One more than asked for says whether there is another page.
    statement = statement.order_by(started.desc(), match_id.desc()).limit(wanted.limit + 1)
    rows = connection.execute(statement).all()
    page = rows[: wanted.limit]
    standings = load_standings(connection, [row.id for row in page])
    summaries = [
        model.MatchSummary(
            match=row.id,
            deal=row.deal_id,
            game=row.game,
            version=row.version,
            known=model.Known(row.known),
            started=row.started,
            finished=row.finished,
            standings=standings[row.id],
        )
        for row in page
    ]
    more = len(rows) > len(page)
    return summaries, f"{page[-1].started}-{page[-1].id}" if more else None


def get_match(connection: Connection, wanted: GetMatch, now: int) -> tuple[model.MatchRecord, int | None]:
    """See `History.get_match`, at that time."""
    missing = ProtocolError(ErrorCode.MATCH_NOT_FOUND, "There is no finished match of that id.", field="match")
    # Entries are counted from 0 on the wire and from 1 in storage; no log is longer than a storage number.
    first = min(wanted.first, 2**31 - 2 * wanted.limit)
    stored = load_finished(connection, wanted.match, first + 1, wanted.limit) if _storable(wanted.match) else None
    if stored is None or stored.finished is None:
        raise missing
    if still_played(connection, stored.deal.id, now):
        text = "That match can be opened later: its deal is still being played by others."
        raise ProtocolError(ErrorCode.MATCH_NOT_FOUND, text, field="match")
    if secret_daily(connection, stored.deal.id, now):
        text = "That match can be opened when its day is over for all who play: it is on the deal of the day."
        raise ProtocolError(ErrorCode.MATCH_NOT_FOUND, text, field="match")
    record = model.MatchRecord(
        match=stored.facts(stored.room_code, disclosed=True),
        finished=stored.finished,
        standings=load_standings(connection, [stored.id])[stored.id],
        entries=stored.entries,
        first=wanted.first,
        log=[log_entry(entry) for entry, _ in stored.log],
        pauses=[model.Pause(began=began, ended=ended) for began, ended in stored.paused],
    )
    following = first + len(stored.log)
    return record, following if stored.log and following < stored.entries else None


def get_shown_deal(connection: Connection, wanted: GetDeal, now: int) -> tuple[model.Deal, list[model.Run], int | None]:
    """See `History.get_deal`, at that time."""
    if not all(_storable(text) for text in (wanted.deal, wanted.player) if text is not None):
        raise ProtocolError(ErrorCode.DEAL_NOT_FOUND, "There is no deal of that id.", field="deal")
    found = get_deal(connection, wanted, now)
    if still_played(connection, wanted.deal, now):
        text = "That deal can be looked at later: it is still being played by others."
        raise ProtocolError(ErrorCode.DEAL_NOT_FOUND, text, field="deal")
    return found


def log_entry(entry: Entry) -> model.LogEntry:
    """An entry of a log in its wire form."""
    return model.LogEntry(
        seat=entry.seat,
        turn=entry.turn,
        at=entry.at,
        score=entry.score,
        digest=entry.digest,
        move=None if entry.move is None else dict(entry.move),
        stopped=None if entry.stopped is None else entry.stopped.value,
    )


_FINISHED = (
    select(Match.id, Match.deal_id, Match.game, Deal.version, Match.known, Match.started, Match.finished)
    .join(Deal, Deal.id == Match.deal_id)
    .where(Match.finished.is_not(None))
)


def _player_filter(connection: Connection, player: str) -> tuple[InstrumentedAttribute[str], str]:
    """The column of seats and the value in it: that player's id, or a name if there is no player of that id."""
    if connection.scalar(select(exists().where(Player.id == player))):
        return Seat.player_id, player
    return Seat.name, unicodedata.normalize("NFC", player)


def _no_earlier_seat(column: InstrumentedAttribute[str], player: str) -> ColumnElement[bool]:
    other = aliased(Seat)
    theirs = other.player_id if column is Seat.player_id else other.name
    return ~exists().where(other.match_id == Seat.match_id, other.seat < Seat.seat, theirs == player)


def _read_cursor(cursor: str) -> tuple[int, str]:
    parts = _CURSOR.fullmatch(cursor)
    if parts is None:
        raise ProtocolError(ErrorCode.FILTER, "That cursor is not one that this server gave.", field="cursor")
    return int(parts[1]), parts[2]


def _storable(text: str) -> bool:
    """Whether any database can hold `text`: if not, nothing there is equal to it."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
