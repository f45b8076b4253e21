"""A member of a room."""

from __future__ import annotations

from dataclasses import dataclass

from samedrop_protocol import model
from samedrop_server.players import Player


@dataclass(slots=True)
class Member:
    """One person (or program) in a room.

    Attributes:
        player: who.
        name: as shown in this room, where no two look alike.
        role, ready: see docs/protocol.md, Rooms.
        away_since: UTC milliseconds of the moment when the connection was lost; None while connected.
    """

    player: Player
    name: str
    role: model.Role
    ready: bool = False
    away_since: int | None = None

    @property
    def online(self) -> bool:
        """Whether the member is connected."""
        return self.player.session is not None

    def public(self) -> model.Member:
        """The member as others see it."""
        return model.Member(player=self.player.id, name=self.name, role=self.role, ready=self.ready, online=self.online)
