"""The gateway: what connections share."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from itertools import count

import structlog

from samedrop_protocol import from_server, model
from samedrop_protocol.errors import CloseCode
from samedrop_rules import GAMES, Game
from samedrop_rules.options import Option
from samedrop_server.clock import Clock
from samedrop_server.gateway.addresses import neighbourhood
from samedrop_server.gateway.connection import Connection
from samedrop_server.gateway.handlers import HANDLERS, Handler
from samedrop_server.gateway.limits import Limits
from samedrop_server.gateway.sockets import Socket
from samedrop_server.gateway.tally import Tally
from samedrop_server.history import History
from samedrop_server.players import Player, Players
from samedrop_server.rooms.hall import Hall
from samedrop_server.settings import Settings
from samedrop_server.version import SERVER_NAME

log = structlog.get_logger(__name__)


CLOSING_SECONDS = 1.0
"""How long a client may take to close when the server goes down."""


class Gateway:
    """All connections.

    Attributes:
        handlers: what each message does.
        limits: how much is let through.
        tally: what happened, counted.
    """

    handlers: Mapping[type, Handler] = HANDLERS

    def __init__(self, settings: Settings, clock: Clock, players: Players, hall: Hall, history: History) -> None:
        self.settings = settings
        self.clock = clock
        self.players = players
        self.hall = hall
        self.history = history
        self.limits = Limits(clock, settings.rate_limits)
        self.tally = Tally()
        self._connections: set[Connection] = set()
        self._at_home: Counter[str] = Counter()
        self._numbers = count(1)
        self._games = [game_info(game) for game in GAMES]

    async def serve(self, socket: Socket, address: str = "local") -> None:
        """Serve one client, who connected from that address, until it is gone. Never fails."""
        connection = Connection(socket, self, address, next(self._numbers))
        home = neighbourhood(address)
        self._connections.add(connection)
        self._at_home[home] += 1
        self.tally.opened += 1
        try:
            await connection.run()
        except Exception:
            log.exception("connection_failed", address=address)
        finally:
            self._connections.discard(connection)
            self._at_home[home] -= 1
            if not self._at_home[home]:
                del self._at_home[home]

    def connections_from(self, address: str) -> int:
        """How many connections of that address (IPv6: of its neighbourhood) are open."""
        return self._at_home[neighbourhood(address)]

    def __len__(self) -> int:
        """How many connections are open."""
        return len(self._connections)

    def welcome(self, player: Player, version: int, token: str | None) -> from_server.Welcome:
        """The answer to an accepted `hello`."""
        return from_server.Welcome(
            version=version,
            server=SERVER_NAME,
            player=player.id,
            name=player.name,
            time=self.clock.now(),
            games=self._games,
            token=token,
            room=None if player.room is None else player.room.public_state(),
            matches=self.hall.running_matches(player),
        )

    async def close(self) -> None:
        """Tell everybody that the server goes down, and close all connections; who does not answer is dropped."""
        connections = list(self._connections)
        for connection in connections:
            connection.tell(from_server.Closing(text="The server is restarting; please come back and resume."))
            connection.close(CloseCode.RESTARTING, "restarting; come back and resume")
        closings = {asyncio.create_task(connection.closed()): connection for connection in connections}
        if closings:
            _, late = await asyncio.wait(closings, timeout=CLOSING_SECONDS)
            for closing in late:
                closings[closing].abort()
            await asyncio.gather(*closings, return_exceptions=True)


def game_info(game: Game) -> model.GameInfo:
    """A game as clients are told of it."""
    return model.GameInfo(
        game=game.id,
        version=game.version,
        title=game.title,
        pace=game.pace.value,
        seats=game.max_seats,
        options=[_option(option) for option in game.options],
    )


def _option(option: Option) -> model.Option:
    whole = isinstance(option.default, int) and not isinstance(option.default, bool)
    return model.Option(
        name=option.name,
        help=option.help,
        default=option.default,
        minimum=option.minimum if whole else None,
        maximum=option.maximum if whole else None,
        choices=list(option.choices) if option.choices else None,
    )
