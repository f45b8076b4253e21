"""Writes the golden frames: every sample message with its bytes in MessagePack and its text in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import msgspec

from samedrop_protocol.codec import JSON, MSGPACK
from tests.vectors.frames_samples import FROM_CLIENT, FROM_SERVER


def generate() -> dict[str, str]:
    """Each file, by its path under tests/vectors, with its content."""
    return {
        f"frames/{direction}-{name}.json": json.dumps(golden, indent=1, ensure_ascii=False) + "\n"
        for direction, name, golden in _golden_frames()
    }


def _golden_frames() -> Iterator[tuple[str, str, dict[str, object]]]:
    directions: dict[str, Mapping[str, msgspec.Struct]] = {"from_client": FROM_CLIENT, "from_server": FROM_SERVER}
    for direction, samples in directions.items():
        for name, message in samples.items():
            golden = {
                "name": name,
                "direction": direction,
                "message": msgspec.to_builtins(message),
                "msgpack": MSGPACK.encode(message).hex(),
                "json": JSON.encode(message),
            }
            yield direction, name, golden
