"""The golden frames (tests/vectors/frames): read and written by both codecs as the same message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from samedrop_protocol.codec import JSON, MSGPACK
from tests.vectors.frames_samples import FROM_CLIENT, FROM_SERVER

GOLDEN = sorted((Path(__file__).parents[1] / "vectors" / "frames").glob("*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_both_codecs_read_and_write_the_golden_frame(path: Path) -> None:
    golden: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    from_client = golden["direction"] == "from_client"
    message = (FROM_CLIENT if from_client else FROM_SERVER)[golden["name"]]
    for codec, frame in ((MSGPACK, bytes.fromhex(golden["msgpack"])), (JSON, golden["json"])):
        assert (codec.decode_client if from_client else codec.decode_server)(frame) == message
        assert codec.encode(message) == frame
    assert msgspec.to_builtins(message) == golden["message"]
