"""JSON Schema of all messages, made from their classes.

``python -m samedrop_protocol.schema FILE`` writes it. Normative is docs/protocol.md; the schema says the same of the
form of messages and nothing of their meaning.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from msgspec.json import schema_components

from samedrop_protocol.events import EVENT_TYPES
from samedrop_protocol.from_client import CLIENT_MESSAGES
from samedrop_protocol.from_server import SERVER_MESSAGES

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFERENCE = "#/$defs/{name}"

Schema = dict[str, Any]


def protocol_schema() -> Schema:
    """The schema: a message of either direction is valid against it.

    ``$defs`` has every class by its name, besides ``ClientMessage``, ``ServerMessage`` and ``Event``.
    """
    kinds: list[type] = [*CLIENT_MESSAGES.values(), *SERVER_MESSAGES.values(), *EVENT_TYPES.values()]
    references, definitions = schema_components(kinds, ref_template=_REFERENCE)
    by_class = dict(zip(kinds, references, strict=True))
    definitions["ClientMessage"] = {"anyOf": [by_class[kind] for kind in CLIENT_MESSAGES.values()]}
    definitions["ServerMessage"] = {"anyOf": [by_class[kind] for kind in SERVER_MESSAGES.values()]}
    definitions["UnknownEvent"] = _unknown_event(EVENT_TYPES)
    definitions["Event"] = {"anyOf": [*(by_class[kind] for kind in EVENT_TYPES.values()), _to("UnknownEvent")]}
    definitions["Step"]["properties"]["events"]["items"] = _to("Event")
    return {
        "$schema": DIALECT,
        "title": "Messages of samedrop, protocol version 1",
        "anyOf": [_to("ClientMessage"), _to("ServerMessage")],
        "$defs": dict(sorted(definitions.items())),
    }


def _unknown_event(known: Iterable[str]) -> Schema:
    return {
        "title": "UnknownEvent",
        "description": "An event of a newer version or another game: to be skipped.",
        "type": "object",
        "properties": {"type": {"type": "string", "not": {"enum": list(known)}}},
        "required": ["type"],
    }


def _to(name: str) -> Schema:
    return {"$ref": _REFERENCE.format(name=name)}


def schema_text() -> str:
    """The schema as it stands in docs/protocol.schema.json."""
    return json.dumps(protocol_schema(), indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> None:
    """Write the schema to the file that is named."""
    (path,) = arguments
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(schema_text())


if __name__ == "__main__":
    main(sys.argv[1:])
