"""The client library: play, watch and look things up at a samedrop server. Start with `connect`; see docs/client.md."""

from samedrop_client.again import settings_on
from samedrop_client.client import Client, connect
from samedrop_client.commitment import verify_commitment
from samedrop_client.connection import Backoff
from samedrop_client.errors import (
    ConnectionLost,
    Disconnected,
    IllegalMove,
    MatchOver,
    NotSamedrop,
    Refused,
    Replaced,
    RoomLeft,
    RoomNotFound,
    SamedropError,
    StaleTurn,
    TokenUnknown,
    Unreachable,
    VersionMismatch,
    WrongPassword,
)
from samedrop_client.match import Choose, Match
from samedrop_client.players import PLAYERS
from samedrop_client.room import Room, RoomMessage

__all__ = [
    "PLAYERS",
    "Backoff",
    "Choose",
    "Client",
    "ConnectionLost",
    "Disconnected",
    "IllegalMove",
    "Match",
    "MatchOver",
    "NotSamedrop",
    "Refused",
    "Replaced",
    "Room",
    "RoomLeft",
    "RoomMessage",
    "RoomNotFound",
    "SamedropError",
    "StaleTurn",
    "TokenUnknown",
    "Unreachable",
    "VersionMismatch",
    "WrongPassword",
    "connect",
    "settings_on",
    "verify_commitment",
]
