"""What an author of a client reads when a field is wrong."""

from __future__ import annotations

import msgspec
import pytest

from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.events import Drop
from samedrop_protocol.faults import explain
from samedrop_protocol.from_client import CLIENT_MESSAGES
from samedrop_protocol.from_server import SERVER_MESSAGES

MOVE: dict[str, object] = {"type": "move", "id": "a", "match": "b", "turn": 0, "move": {}}


def explained(kind: type[msgspec.Struct], tree: object) -> ProtocolError:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(tree, kind)
    error = explain(caught.value, kind, tree)
    assert error.code is ErrorCode.INVALID
    return error


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (MOVE | {"turn": 3.0}, "Field turn must be a whole number of 0 or more, 3.0 is not."),
        (MOVE | {"turn": "3"}, "Field turn must be a whole number of 0 or more, '3' is not."),
        (MOVE | {"turn": None}, "Field turn must be a whole number of 0 or more, null is not."),
        (MOVE | {"move": [3]}, "Field move must be a map, a list of 1 is not."),
        (MOVE | {"match": ""}, "Field match must be a text of 1 to 64 characters, '' is not."),
        ({"type": "ping"}, "Field id is missing: it must be a text of 1 to 64 characters."),
        (
            {"type": "join_room", "id": "a", "code": "b", "role": "host"},
            "Field role must be one of player, spectator, 'host' is not.",
        ),
        ({"type": "ready", "id": "a", "ready": "yes"}, "Field ready must be true or false, 'yes' is not."),
        (
            {"type": "create_room", "id": "a", "title": "x" * 81},
            "Field title must be a text of at most 80 characters, 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… is not.",
        ),
        (
            {"type": "create_room", "id": "a", "settings": {"countdown": 31}},
            "Field settings.countdown must be a whole number from 0 to 30, 31 is not.",
        ),
        (
            {"type": "create_room", "id": "a", "settings": {"version": 0}},
            "Field settings.version must be a whole number from 1 to 10000, 0 is not.",
        ),
        (
            {"type": "create_room", "id": "a", "settings": {"options": {"latent": None}}},
            "A value in settings.options is of the wrong kind: settings.options must be a map whose values are each"
            " true or false or a whole number or a text.",
        ),
        (
            {"type": "hello", "name": "Ada", "versions": []},
            "Field versions must be a list of 1 to 16 items, a list of 0 is not.",
        ),
        (
            {"type": "hello", "name": "Ada", "versions": [1, "2"]},
            "Field versions.1 must be a whole number, '2' is not.",
        ),
    ],
)
def test_the_text_says_what_would_be_right(body: dict[str, object], text: str) -> None:
    assert explained(CLIENT_MESSAGES[str(body["type"])], body).text == text


def test_a_fault_deep_in_a_list_is_found() -> None:
    body: dict[str, object] = {"type": "error", "code": "a", "text": "b", "retry_after": "soon"}
    assert explained(SERVER_MESSAGES["error"], body).text == "Field retry_after must be a number, 'soon' is not."
    body = {"type": "progress", "match": "a", "seats": [{"seat": 0, "turn": 0, "score": 0}, {"seat": 16}]}
    assert explained(SERVER_MESSAGES["progress"], body).field == "seats.1.seat"
    assert (
        explained(Drop, {"type": "drop", "disc": 1, "cell": [1]}).text
        == "Field cell must be a list, a list of 1 is not."
    )
    assert explained(Drop, {"type": "drop", "disc": 1, "cell": [1, -1]}).field == "cell.1"
