"""Versions of the wire, independent of the release.

Protocol version 1: the first. What changed in each is listed here, newest last.
"""

from __future__ import annotations

from collections.abc import Sequence

PROTOCOL_VERSIONS = (1,)
"""The versions that this package speaks."""

SUBPROTOCOL_MSGPACK = "samedrop.v1.msgpack"
SUBPROTOCOL_JSON = "samedrop.v1.json"
SUBPROTOCOLS = (SUBPROTOCOL_MSGPACK, SUBPROTOCOL_JSON)
"""WebSocket subprotocols, preferred first."""


def negotiate(offered: Sequence[int]) -> int | None:
    """The newest version that both sides speak, or None."""
    return max(set(offered) & set(PROTOCOL_VERSIONS), default=None)
