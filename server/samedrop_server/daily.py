"""The daily deal: one for each game and UTC day (docs/rules/deal.md, Daily seed).

With a secret nobody can compute a day's seed beforehand, and it is not told before the day is over.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import Connection, func, or_, select, true

from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.from_client import GetDaily
from samedrop_rules import Deal
from samedrop_server.storage.models import Match, Partner, Seat

_MILLIS_PER_DAY = 86_400_000
LONGEST_STREAK = 1_000
"""Days that are looked back for a streak, at most."""


class Daily:
    """Deals the seed of each day."""

    def __init__(self, secret: str = "") -> None:
        """Args: secret: the server's; without one the text of the day is the seed, and open to all."""
        self._secret = secret.encode()

    def seed(self, game: str, now: int) -> str:
        """The seed of a game on the day of that moment."""
        text = f"daily/{game}/{day_of(now)}"
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest() if self._secret else text

    def is_of_today(self, deal: Deal, now: int) -> bool:
        """Whether that is the deal of its game on the day of that moment."""
        return deal.seed == self.seed(deal.game, now)


def day_of(millis: int) -> str:
    """The UTC day of a moment, as ``2030-01-31``."""
    return datetime.fromtimestamp(millis / 1000, UTC).date().isoformat()


def end_of_day(millis: int) -> int:
    """The moment at which the UTC day of a moment ends."""
    return (millis // _MILLIS_PER_DAY + 1) * _MILLIS_PER_DAY


def start_of_day(day: str) -> int:
    """The moment at which a day, as ``2030-01-31``, begins.

    Raises:
        ValueError: that is no day.
    """
    parsed = date.fromisoformat(day)
    if parsed.isoformat() != day:  # it was written as 20300131 or 2030-W05-4
        raise ValueError(day)
    return round(datetime.combine(parsed, time(), UTC).timestamp() * 1000)


def list_days(connection: Connection, wanted: GetDaily) -> list[model.Day]:
    """The days on which the daily deal of a game was played, newest first.

    Raises:
        ProtocolError: `before` is no day.
    """
    try:
        before = None if wanted.before is None else start_of_day(wanted.before)
    except ValueError:
        raise ProtocolError(ErrorCode.FILTER, "A day is written as 2030-01-31.", field="before") from None
    first = func.min(Match.started)
    statement = (
        select(Match.deal_id, first, func.count())
        .where(Match.game == wanted.game, Match.known == model.Known.DAILY.value, Match.finished.is_not(None))
        .group_by(Match.deal_id)
        .having(true() if before is None else first < before)
        .order_by(first.desc(), Match.deal_id)
        .limit(wanted.limit)
    )
    return [
        model.Day(day=day_of(started), deal=deal, matches=matches)
        for deal, started, matches in connection.execute(statement)
    ]


def streak_of(connection: Connection, game: str, player: str, now: int) -> int:
    """How many days in a row, up to today or yesterday, the player (an id) finished a match on the daily deal."""
    daily = (Match.game == game, Match.known == model.Known.DAILY.value, Match.finished.is_not(None))
    seated = select(Seat.match_id).where(Seat.player_id == player)
    partnered = select(Partner.match_id).where(Partner.player_id == player)
    since = now - LONGEST_STREAK * _MILLIS_PER_DAY
    statement = select(Match.started).where(*daily, Match.started >= since).where(
        or_(Match.id.in_(seated), Match.id.in_(partnered))
    )  # fmt: skip
    return streak(map(day_of, connection.scalars(statement)), day_of(now))


def streak(days: Iterable[str], today: str) -> int:
    """How many days in a row, the last of them today or yesterday, are among `days`."""
    played = set(days)
    day = date.fromisoformat(today)
    if today not in played:
        day -= timedelta(days=1)
    count = 0
    while day.isoformat() in played:
        count += 1
        day -= timedelta(days=1)
    return count
