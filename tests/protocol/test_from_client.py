"""The closed set of messages from clients."""

from __future__ import annotations

import msgspec
import pytest

from samedrop_protocol import from_client
from samedrop_protocol.codec import JSON
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.from_client import CLIENT_MESSAGES, ClientMessage, Hello, Request
from tests.vectors.frames_samples import FROM_CLIENT


def test_the_table_has_every_class_of_the_module_under_its_tag() -> None:
    classes = {
        kind
        for kind in vars(from_client).values()
        if isinstance(kind, type) and issubclass(kind, ClientMessage) and kind not in (ClientMessage, Request)
    }
    assert set(CLIENT_MESSAGES.values()) == classes
    assert all(kind.__struct_config__.tag == name for name, kind in CLIENT_MESSAGES.items())


def test_every_message_but_hello_is_a_request() -> None:
    assert [kind for kind in CLIENT_MESSAGES.values() if not issubclass(kind, Request)] == [Hello]


def test_there_is_a_sample_of_every_message() -> None:
    assert {type(message) for message in FROM_CLIENT.values()} == set(CLIENT_MESSAGES.values())


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"type": "hello", "name": "Ada"}, "versions"),
        ({"type": "hello", "versions": [], "name": "Ada"}, "versions"),
        ({"type": "hello", "versions": "1", "name": "Ada"}, "versions"),
        ({"type": "hello", "versions": [1.5], "name": "Ada"}, "versions.0"),
        ({"type": "hello", "versions": [1], "name": ""}, "name"),
        ({"type": "hello", "versions": [1], "name": "x" * 65}, "name"),
        ({"type": "ping"}, "id"),
        ({"type": "join_room", "id": "a"}, "code"),
        ({"type": "join_room", "id": "a", "code": "K7QXM2", "role": "host"}, "role"),
        ({"type": "create_room", "id": "a", "settings": {"seats": 0}}, "settings.seats"),
        ({"type": "create_room", "id": "a", "settings": {"seats": 17}}, "settings.seats"),
        ({"type": "create_room", "id": "a", "settings": {"time_limit": 10**9}}, "settings.time_limit"),
        ({"type": "create_room", "id": "a", "settings": {"options": {"latent": None}}}, "settings.options"),
        ({"type": "create_room", "id": "a", "settings": {"options": {"latent": [True]}}}, "settings.options"),
        ({"type": "create_room", "id": "a", "settings": None}, "settings"),
        ({"type": "chat", "id": "a", "text": "x" * 501}, "text"),
        ({"type": "ready", "id": "a", "ready": 1}, "ready"),
        ({"type": "move", "id": "a", "match": "b", "turn": 0}, "move"),
        ({"type": "move", "id": "a", "match": "b", "turn": 0, "move": 3}, "move"),
        ({"type": "move", "id": "a", "match": "b", "turn": 3.0, "move": {}}, "turn"),
        ({"type": "move", "id": "a", "match": "b", "turn": -1, "move": {}}, "turn"),
        ({"type": "move", "id": "a", "match": "b", "turn": True, "move": {}}, "turn"),
        ({"type": "move", "id": "a", "match": 7, "turn": 0, "move": {}}, "match"),
        ({"type": "list_matches", "id": "a", "limit": 10**9}, "limit"),
        ({"type": "list_matches", "id": "a", "since": "yesterday"}, "since"),
        ({"type": "get_match", "id": "a", "match": "b", "limit": 1001}, "limit"),
    ],
)
def test_a_field_out_of_its_bounds_is_refused_by_name(body: dict[str, object], field: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        JSON.decode_client(msgspec.json.encode(body).decode())
    assert (caught.value.code, caught.value.field) == (ErrorCode.INVALID, field)
    assert field in caught.value.text
