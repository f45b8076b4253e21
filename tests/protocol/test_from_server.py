"""The closed set of messages from the server."""

from __future__ import annotations

from msgspec import inspect

from samedrop_protocol import from_server
from samedrop_protocol.codec import JSON
from samedrop_protocol.from_server import SERVER_MESSAGES, ServerMessage
from tests.vectors.frames_samples import FROM_SERVER


def test_the_table_has_every_class_of_the_module_under_its_tag() -> None:
    classes = {
        kind
        for kind in vars(from_server).values()
        if isinstance(kind, type) and issubclass(kind, ServerMessage) and kind is not ServerMessage
    }
    assert set(SERVER_MESSAGES.values()) == classes
    assert all(kind.__struct_config__.tag == name for name, kind in SERVER_MESSAGES.items())


def test_there_is_a_sample_of_every_message() -> None:
    assert {type(message) for message in FROM_SERVER.values()} == set(SERVER_MESSAGES.values())


def test_what_only_answers_names_its_request() -> None:
    answers = {"ok", "pong", "rooms", "resumed", "advice", "matches", "match", "deal", "daily", "challenge"}
    required = {
        name
        for name, kind in SERVER_MESSAGES.items()
        for field in _fields(kind)
        if field.name == "re" and field.required
    }
    assert required == answers


def _fields(kind: type) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info.fields


def test_a_newer_server_may_add_fields() -> None:
    frame = '{"type":"ok","re":"a","mood":"good"}'
    assert JSON.decode_server(frame) == from_server.Ok(re="a")
