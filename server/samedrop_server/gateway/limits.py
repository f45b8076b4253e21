"""Limits: how much of what is let through, for each connection, player and address.

A limit refuses with `server.rate_limited`, its name, and the seconds after which it is worth trying again. Clients
read of them in docs/protocol.md, Limits. Play at the speed of acknowledgements is never limited.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from samedrop_protocol import from_client
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_server.clock import Clock
from samedrop_server.gateway.addresses import neighbourhood


class Rate(NamedTuple):
    """So many at once, and so many a second in the long run."""

    name: str
    burst: float
    per_second: float

    def times(self, factor: float) -> Rate:
        """The same, more generous."""
        return Rate(self.name, self.burst * factor, self.per_second * factor)


FRAMES = Rate("frames", 2_000, 1_000)
"""Frames of one connection."""
MOVE_COST = 0.05
"""What an accepted move counts as a frame: nobody plays 20,000 a second while waiting for acknowledgements."""

FRAGMENTS = Rate("fragments", 500, 50)
"""Pings, pongs and fragments of one connection; beyond that it is closed."""

ADDRESS_FACTOR = 20
"""All players at one address together may do so many times as much as one player."""
HELLOS = Rate("hellos", 20, 1)
PLAYERS = Rate("players", 200, 1)
"""New players of one address."""
GUESSES = Rate("guesses", 30, 0.2)
"""Wrong room codes and passwords of one address."""
REQUESTS = Rate("requests", 500, 50)
"""HTTP requests of one address, opened sockets among them."""
HISTORY = Rate("history", 50, 10)

_ROOMS = Rate("rooms", 20, 1)
_JOINS = Rate("joins", 20, 2)
_CHAT = Rate("chat", 10, 1)
_LISTS = Rate("lists", 20, 5)
_RESUMES = Rate("resumes", 50, 10)
_ACTIONS = Rate("actions", 200, 100)
_ADVICE = Rate("advice", 40, 20)

MESSAGES: Mapping[type[from_client.ClientMessage], Rate] = {
    from_client.CreateRoom: _ROOMS,
    from_client.ListRooms: _LISTS,
    from_client.JoinRoom: _JOINS,
    from_client.LeaveRoom: _ACTIONS,
    from_client.ConfigureRoom: _ACTIONS,
    from_client.Ready: _ACTIONS,
    from_client.Start: _ACTIONS,
    from_client.CancelStart: _ACTIONS,
    from_client.Rematch: _ACTIONS,
    from_client.Kick: _ACTIONS,
    from_client.Pause: _ACTIONS,
    from_client.Chat: _CHAT,
    from_client.Advise: _ADVICE,
    from_client.Resume: _RESUMES,
    from_client.Watch: _RESUMES,
    from_client.ListMatches: HISTORY,
    from_client.GetMatch: HISTORY,
    from_client.GetDeal: HISTORY,
    from_client.GetDaily: HISTORY,
    from_client.CreateChallenge: _ROOMS,
    from_client.GetChallenge: HISTORY,
    from_client.CloseChallenge: _ROOMS,
}
"""What counts against which limit of its player; other messages count as frames only."""

RATES = (FRAMES, HELLOS, PLAYERS, GUESSES, REQUESTS, *dict.fromkeys(MESSAGES.values()))
RETRY_AT_LEAST = 0.1
"""Seconds."""


class Bucket:
    """A token bucket, kept as the one time at which it is full again (generic cell rate algorithm).

    Times are the clock's milliseconds.
    """

    __slots__ = ("_full", "_interval", "_room")

    def __init__(self, rate: Rate) -> None:
        self._interval = 1000 / rate.per_second if rate.burst < math.inf else 0.0
        self._room = max(rate.burst - 1, 0) * self._interval if self._interval else 0.0
        self._full = 0.0

    def ahead(self, now: int) -> float:
        """Milliseconds until the bucket is full again; not above 0: it is."""
        return self._full - now

    def wait(self, now: int) -> float:
        """Milliseconds until one more is let through; not above 0: at once."""
        return self._full - now - self._room

    def spend(self, now: int, cost: float = 1.0) -> None:
        """One more, or a part of one, was let through."""
        self._full = (self._full if self._full > now else now) + self._interval * cost


class Limits:
    """All limits of a server but those of single connections.

    Attributes:
        refused: how often each limit refused, by its name.
    """

    def __init__(self, clock: Clock, factor: float = 1.0) -> None:
        """Args: factor: how many times as generous as stated all limits are; 0 for no limits at all."""
        self.refused: Counter[str] = Counter({rate.name: 0 for rate in RATES})
        self._clock = clock
        self._factor = factor or math.inf
        self._buckets: dict[tuple[Rate, str], Bucket] = {}

    def frames(self) -> Bucket:
        """The bucket for the frames of a new connection."""
        return Bucket(FRAMES.times(self._factor))

    def fragments(self) -> Bucket:
        """The bucket for what is no whole message of a new connection."""
        return Bucket(FRAGMENTS.times(self._factor))

    def message(self, kind: type[from_client.ClientMessage], player: str, address: str) -> None:
        """A message of that player came from that address.

        Raises:
            ProtocolError: `server.rate_limited`, as all methods here.
        """
        rate = MESSAGES.get(kind)
        if rate is not None:
            self._take((rate, player), (rate.times(ADDRESS_FACTOR), neighbourhood(address)))

    def hello(self, token_hash: str | None, address: str) -> None:
        """Somebody says hello: a player who has a token, or a new one."""
        home = neighbourhood(address)
        whose = (PLAYERS, home) if token_hash is None else (HELLOS, token_hash)
        self._take(whose, (HELLOS.times(ADDRESS_FACTOR), home))

    def request(self, address: str) -> None:
        """An HTTP request came from that address."""
        self._take((REQUESTS, neighbourhood(address)))

    def history(self, address: str) -> None:
        """Somebody at that address looks into history over HTTP, where there are no players."""
        self._take((HISTORY.times(ADDRESS_FACTOR), neighbourhood(address)))

    def may_guess(self, address: str) -> None:
        """Somebody at that address is about to name a code."""
        self._require((GUESSES, neighbourhood(address)))

    def guessed(self, address: str) -> None:
        """It was wrong."""
        self._bucket((GUESSES, neighbourhood(address))).spend(self._clock.now())

    def refuse(self, rate: Rate, millis: float) -> ProtocolError:
        """The error for who has to wait so long."""
        self.refused[rate.name] += 1
        seconds = max(math.ceil(millis) / 1000, RETRY_AT_LEAST)
        text = f"Too much at once (limit: {rate.name}). Wait {seconds:.1f} seconds."
        return ProtocolError(ErrorCode.RATE_LIMITED, text, field=rate.name, retry_after=seconds)

    def _take(self, *keys: tuple[Rate, str]) -> None:
        """Let one through all of these limits, or through none."""
        self._require(*keys)
        now = self._clock.now()
        for key in keys:
            self._bucket(key).spend(now)

    def _require(self, *keys: tuple[Rate, str]) -> None:
        now = self._clock.now()
        wait, rate = max((self._bucket(key).wait(now), key[0]) for key in keys)
        if wait > 0:
            raise self.refuse(rate, wait)

    def _bucket(self, key: tuple[Rate, str]) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(key[0].times(self._factor))
        return bucket

    def tidy(self) -> None:
        """Forget full buckets: a new one is the same."""
        now = self._clock.now()
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if bucket.ahead(now) > 0}

    def __len__(self) -> int:
        """How many buckets are not known to be full."""
        return len(self._buckets)
