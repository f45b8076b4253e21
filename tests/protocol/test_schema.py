"""The JSON Schema: as published, true of every golden frame, and false of what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from samedrop_protocol.schema import main, protocol_schema, schema_text
from tests.vectors.frames_samples import FROM_CLIENT, FROM_SERVER

PUBLISHED = Path(__file__).parents[2] / "docs" / "protocol.schema.json"
SAMPLES = {**{f"client {k}": v for k, v in FROM_CLIENT.items()}, **{f"server {k}": v for k, v in FROM_SERVER.items()}}


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = protocol_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_published_schema_is_that_of_the_classes(tmp_path: Path) -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(), "run make schema"
    main([str(tmp_path / "schema.json")])
    assert (tmp_path / "schema.json").read_bytes() == PUBLISHED.read_bytes()


@pytest.mark.parametrize("message", SAMPLES.values(), ids=SAMPLES.keys())
def test_every_sample_is_valid(validator: jsonschema.Draft202012Validator, message: msgspec.Struct) -> None:
    validator.validate(json.loads(msgspec.json.encode(message)))


@pytest.mark.parametrize(
    "body",
    [
        {"type": "mvoe", "id": "a"},
        {"type": "ping"},
        {"type": "move", "id": "a", "match": "b", "turn": -1, "move": {}},
        {"type": "events", "match": "a", "first": 1, "steps": [{"seat": 0}]},
        {"type": "welcome"},
    ],
    ids=lambda body: str(body)[:40],
)
def test_what_is_wrong_is_invalid(validator: jsonschema.Draft202012Validator, body: dict[str, object]) -> None:
    assert not validator.is_valid(body)


@pytest.mark.parametrize(
    ("event", "valid"),
    [
        ({"type": "rise", "points": 17_000}, True),
        ({"type": "rise"}, False),
        ({"type": "drop", "disc": 3, "cell": [5]}, False),
        ({"type": "sparkle"}, True),
        ({"sparkle": 1}, False),
    ],
)
def test_events_are_checked_by_their_type(
    validator: jsonschema.Draft202012Validator, event: dict[str, object], valid: bool
) -> None:
    step = {"seat": 0, "turn": 0, "at": 1, "score": 0, "digest": "", "events": [event]}
    assert validator.is_valid({"type": "events", "match": "a", "first": 1, "steps": [step]}) is valid
