"""Challenges: a sealed deal that friends play one after another, each once, until it opens for all.

The open ones are kept in memory; what was played on any is read from the database. While a challenge is open its seed,
and every match on its deal, stay closed to everybody (`history`, `matches.match`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec.structs import replace

from samedrop_protocol import from_client, model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_rules import Deal
from samedrop_server.clock import Clock
from samedrop_server.journal import Journal
from samedrop_server.matches.deals import check_settings, new_deal
from samedrop_server.rooms.codes import new_code, read_code
from samedrop_server.storage.records import ClosedChallenge, NewChallenge
from samedrop_server.text import clean_title

HOUR = 3_600_000
MAX_OPEN = 10_000
"""Challenges that are open at a time."""
MAX_OF_PLAYER = 20
"""Open challenges of one player."""


@dataclass(slots=True)
class OpenChallenge:
    """A challenge that is open.

    Attributes:
        facts: as it was stored.
        played: ids of the players who have begun their run.
    """

    facts: NewChallenge
    played: set[str] = field(default_factory=set)


class Challenges:
    """All open challenges."""

    def __init__(self, journal: Journal, clock: Clock, open_ones: Iterable[OpenChallenge] = ()) -> None:
        self._journal = journal
        self._clock = clock
        self._open = {one.facts.code: one for one in open_ones}
        self._waiting: dict[int, asyncio.Future[None]] = {}

    async def make(self, host: str, message: from_client.CreateChallenge) -> str:
        """A new challenge; returns its code, once it is stored.

        Raises:
            ProtocolError: the settings are not allowed, there are too many, or it could not be stored.
        """
        settings = self._checked(message.settings)
        self._forget_closed()
        own = sum(one.facts.host_id == host for one in self._open.values())
        if len(self._open) >= MAX_OPEN or own >= MAX_OF_PLAYER:
            text = "There are as many open challenges as this server takes; close one."
            raise ProtocolError(ErrorCode.ROOM_LIMIT, text, retry_after=60.0)
        game, deal, _ = new_deal(settings)
        code = new_code()
        while code in self._open:
            code = new_code()
        now = self._clock.now()
        facts = NewChallenge(
            code, deal, clean_title(message.title), host, replace(settings, game=game.id, version=game.version,
            options=dict(deal.options)), now, now + HOUR * message.hours,
        )  # fmt: skip
        self._open[code] = OpenChallenge(facts)
        await self._store(facts)
        return code

    async def _store(self, record: NewChallenge | ClosedChallenge) -> None:
        """Return once the record is stored."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[id(record)] = stored
        self._journal.record(record, lambda: self._is_stored(record))
        await stored

    def _is_stored(self, record: NewChallenge | ClosedChallenge) -> None:
        stored = self._waiting.pop(id(record))
        if not stored.done():
            stored.set_result(None)

    def _checked(self, settings: model.Settings) -> model.Settings:
        check_settings(settings)
        if settings.seed is not None or settings.tape is not None or settings.daily or settings.challenge is not None:
            text = "A challenge is played on a secret deal: leave seed, tape, daily and challenge out."
            raise ProtocolError(ErrorCode.INVALID, text, field="settings")
        if settings.ghosts:
            text = "Nobody has played the deal of a new challenge yet: leave ghosts out."
            raise ProtocolError(ErrorCode.GHOST, text, field="settings.ghosts")
        return settings

    def not_stored(self, record: NewChallenge | ClosedChallenge) -> None:
        """It could not be stored, so it did not happen."""
        if isinstance(record, NewChallenge):
            self._open.pop(record.code, None)
        stored = self._waiting.pop(id(record))
        if not stored.done():
            stored.set_exception(ProtocolError(ErrorCode.STORAGE, "That could not be stored.", retry_after=1.0))

    async def close(self, player: str, code: str) -> str:
        """The host opens it to all before its time; returns its code, once that is stored.

        Raises:
            ProtocolError: no such open challenge, or the player is not its host.
        """
        one = self._find(code)
        if one.facts.host_id != player:
            raise ProtocolError(ErrorCode.NOT_HOST, "Only who made the challenge can close it.")
        await self._store(ClosedChallenge(one.facts.code, self._clock.now()))
        self._open.pop(one.facts.code, None)
        return one.facts.code

    def settings_on(self, wanted: model.Settings) -> model.Settings:
        """The settings of a room in which the challenge that is `wanted` is played: alone, and unseen by others.

        Raises:
            ProtocolError: there is no such open challenge.
        """
        if wanted.challenge is None:
            return wanted
        facts = self._find(wanted.challenge).facts
        return replace(
            facts.settings, challenge=facts.code, countdown=wanted.countdown, seats=1, spectators=False,
            ghosts=wanted.ghosts, align=wanted.align,
        )  # fmt: skip

    def enter(self, code: str, player: str) -> Deal:
        """The deal, for a player who begins now.

        Raises:
            ProtocolError: it is closed, or the player has had their run.
        """
        one = self._find(code)
        if player in one.played:
            raise ProtocolError(ErrorCode.CHALLENGE_CLOSED, "You have played this challenge; each has one run.")
        return one.facts.deal

    def entered(self, code: str, player: str) -> None:
        """The player's run has begun."""
        if code in self._open:
            self._open[code].played.add(player)

    def not_entered(self, code: str, player: str) -> None:
        """The beginning of the player's run could not be stored."""
        if code in self._open:
            self._open[code].played.discard(player)

    def seals(self, deal: str) -> bool:
        """Whether a deal is to stay secret."""
        now = self._clock.now()
        return any(one.facts.deal.id == deal and now < one.facts.closes for one in self._open.values())

    def _find(self, code: str) -> OpenChallenge:
        one = self._open.get(read_code(code))
        if one is None or self._clock.now() >= one.facts.closes:
            raise ProtocolError(ErrorCode.CHALLENGE_CLOSED, "There is no open challenge with that code.", field="code")
        return one

    def _forget_closed(self) -> None:
        now = self._clock.now()
        self._open = {code: one for code, one in self._open.items() if now < one.facts.closes}
