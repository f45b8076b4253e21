"""From what people type to the address of the socket."""

from __future__ import annotations

import pytest

from samedrop_client.address import socket_url
from samedrop_client.errors import Unreachable


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("localhost", "ws://localhost:7077/ws"),
        (" localhost:8000 ", "ws://localhost:8000/ws"),
        ("192.0.2.7:8000", "ws://192.0.2.7:8000/ws"),
        ("[::1]:8000", "ws://[::1]:8000/ws"),
        ("[::1]", "ws://[::1]:7077/ws"),
        ("http://games.example", "ws://games.example/ws"),
        ("https://games.example/", "wss://games.example/ws"),
        ("https://games.example/drop/", "wss://games.example/drop/ws"),
        ("https://games.example/drop", "wss://games.example/drop/ws"),
        ("ws://games.example:9/ws", "ws://games.example:9/ws"),
        ("wss://games.example/ws?x=1", "wss://games.example/ws?x=1"),
    ],
)
def test_addresses(typed: str, url: str) -> None:
    assert socket_url(typed) == url


@pytest.mark.parametrize(
    "typed", ["", "  ", "ftp://x", "localhost:port", "http://", "a b", "localhost:99999", "http://[::1"]
)
def test_not_addresses(typed: str) -> None:
    with pytest.raises(Unreachable, match="not the address"):
        socket_url(typed)
