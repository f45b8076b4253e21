"""Both codecs: round trips, everything hostile that a frame can be, and the frames put together from parts."""

from __future__ import annotations

import json
import tracemalloc

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samedrop_protocol import from_client, from_server
from samedrop_protocol.codec import CODECS, JSON, MSGPACK, Codec, Frame, MsgpackCodec
from samedrop_protocol.errors import ErrorCode, MalformedFrame, ProtocolError
from samedrop_protocol.from_client import CLIENT_MESSAGES
from samedrop_protocol.from_server import SERVER_MESSAGES
from samedrop_protocol.model import SeatProgress
from samedrop_protocol.types import MAX_DEPTH, MAX_FRAME_IN, MAX_WHOLE
from samedrop_protocol.versions import SUBPROTOCOLS
from tests.protocol.strategies import PLAIN, messages
from tests.vectors.frames_samples import CHAIN_STEP, FIRST_STEP, FROM_CLIENT

both_codecs = pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=["msgpack", "json"])

MOVE: dict[str, object] = {"type": "move", "id": "m-17", "match": "k3v9q2x7ab1c", "turn": 17, "move": {"column": 3}}


def packed(value: object) -> bytes:
    return bytes(msgpack.packb(value))


def framed(codec: Codec, value: object) -> Frame:
    return packed(value) if codec is MSGPACK else json.dumps(value)


def refusal(codec: Codec, frame: Frame) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        codec.decode_client(frame)
    assert caught.value.text
    return caught.value


def nested(levels: int) -> object:
    """So many lists inside one another."""
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def test_every_subprotocol_has_its_codec() -> None:
    assert tuple(CODECS) == SUBPROTOCOLS
    assert all(codec.subprotocol == name for name, codec in CODECS.items())


@both_codecs
@given(message=st.sampled_from(list(CLIENT_MESSAGES.values())).flatmap(messages))
def test_every_message_of_a_client_comes_back_as_it_was(codec: Codec, message: msgspec.Struct) -> None:
    assert codec.decode_client(codec.encode(message)) == message


@both_codecs
@given(message=st.sampled_from(list(SERVER_MESSAGES.values())).flatmap(messages))
def test_every_message_of_the_server_comes_back_as_it_was(codec: Codec, message: msgspec.Struct) -> None:
    assert codec.decode_server(codec.encode(message)) == message


@both_codecs
@pytest.mark.parametrize("repeat", [False, True])
@pytest.mark.parametrize(
    "progress", [[], [SeatProgress(seat=1, turn=4, score=70), SeatProgress(seat=2, turn=0, score=0)]]
)
@pytest.mark.parametrize("steps", [[], [FIRST_STEP], [FIRST_STEP, CHAIN_STEP] * 20], ids=["none", "one", "forty"])
def test_events_around_encoded_steps_are_the_same_bytes_as_the_message(
    codec: Codec, steps: list[from_server.Step], progress: list[SeatProgress], repeat: bool
) -> None:
    encoded = [codec.encode_step(msgspec.to_builtins(step)) for step in steps]
    message = from_server.Events(match='a "match"', first=70_000, steps=steps, progress=progress, repeat=repeat)
    assert codec.encode_events('a "match"', 70_000, encoded, progress=progress, repeat=repeat) == codec.encode(message)


@both_codecs
def test_unknown_fields_are_ignored_and_defaults_left_out(codec: Codec) -> None:
    frame = framed(codec, {"type": "ready", "id": "a", "mood": {"level": [1, None]}})
    assert codec.decode_client(frame) == from_client.Ready(id="a")
    assert codec.encode(from_client.Ready(id="a")) == framed_compactly(codec, {"type": "ready", "id": "a"})


def framed_compactly(codec: Codec, value: object) -> Frame:
    return packed(value) if codec is MSGPACK else json.dumps(value, separators=(",", ":"))


@both_codecs
def test_a_field_without_value_may_be_null(codec: Codec) -> None:
    frame = framed(codec, {"type": "resume", "id": "a", "match": "b", "last": None})
    assert codec.decode_client(frame) == from_client.Resume(id="a", match="b")


# Frames that are no message

HOSTILE_BYTES = {
    "empty": b"",
    "a map of 2^32 - 1": bytes.fromhex("dfffffffff"),
    "a list of 2^31 - 1": bytes.fromhex("dd7fffffff"),
    "2,000 lists inside one another": b"\x91" * 2000 + b"\x01",
    "lists inside one another that each promise thousands": b"\xdc\x3f\xf0" * 5000,
    "lists inside one another that each promise hundreds": b"\xdc\x01\xf0" * 160,
    "a number as key": bytes.fromhex("810102"),
    "a list as key": bytes.fromhex("819001"),
    "bytes as key": bytes.fromhex("81c4016101"),
    "a key twice": bytes.fromhex("82a16101a16102"),
    "a number above 2^63": bytes.fromhex("cfffffffffffffffff"),
    "NaN": bytes.fromhex("cb7ff8000000000000"),
    "a timestamp": bytes.fromhex("d6ff00000000"),
    "a timestamp of a wrong length": bytes.fromhex("c705ff0000000000"),
    "bad UTF-8": bytes.fromhex("a2fffe"),
    "half a surrogate pair in UTF-8": bytes.fromhex("a3eda080"),
    "a byte that begins nothing": b"\xc1",
    "trailing bytes": packed(MOVE) + b"\x01",
    "cut off": packed(MOVE)[:-1],
    "cut off, and large": packed({"type": "chat", "id": "a", "text": "x" * 1000})[:-1],
    "a list": packed([MOVE]),
    "a text": packed("move"),
    "null": packed(None),
    "no type": packed({"id": "a"}),
    "a number as type": packed({"type": 7}),
    "null as type": packed({"type": None}),
    "a key twice further in": packed(MOVE).replace(
        bytes.fromhex("81a6636f6c756d6e03"), bytes.fromhex("82a6636f6c756d6e03a6636f6c756d6e04")
    ),
}
HOSTILE_TEXTS = {
    "empty": "",
    "no JSON": "move",
    "cut off": '{"type":"ping","id":"a"',
    "trailing": '{"type":"ping","id":"a"} 1',
    "100,000 lists": "[" * 100_000,
    "100,000 maps": '{"a":' * 100_000,
    "half a surrogate pair": '{"type":"chat","id":"a","text":"\\ud800"}',
    "half a surrogate pair as key": '{"type":"ping","id":"a","\\uDC00":1}',
    "half a surrogate pair, not escaped": '{"type":"chat","id":"a","text":"\udfff"}',
    "a key twice": '{"type":"ping","id":"a","id":"b"}',
    "a number of 5,000 digits": '{"type":"ping","id":"a","n":' + "9" * 5000 + "}",
    "a list": "[]",
    "null": "null",
    "no type": "{}",
    "a control character in a text": '{"type":"chat","id":"a","text":"\x00"}',
    "a byte order mark": '\ufeff{"type":"ping","id":"a"}',
}


@pytest.mark.parametrize("frame", HOSTILE_BYTES.values(), ids=HOSTILE_BYTES.keys())
def test_bytes_that_are_no_message_are_malformed(frame: bytes) -> None:
    error = refusal(MSGPACK, frame)
    assert error.code is ErrorCode.MALFORMED
    with pytest.raises(MalformedFrame):
        MSGPACK.decode_server(frame)


@pytest.mark.parametrize("text", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS.keys())
def test_texts_that_are_no_message_are_malformed(text: str) -> None:
    assert refusal(JSON, text).code is ErrorCode.MALFORMED


def test_the_other_kind_of_frame_is_malformed() -> None:
    assert "binary" in refusal(MSGPACK, "{}").text
    assert "text frames" in refusal(JSON, packed(MOVE)).text


@pytest.mark.parametrize(
    "frame", [frame for frame in HOSTILE_BYTES.values() if frame], ids=lambda frame: frame[:4].hex()
)
def test_no_frame_makes_the_decoder_take_much_memory(frame: bytes) -> None:
    filled = (frame * (MAX_FRAME_IN // len(frame) + 1))[:MAX_FRAME_IN]
    for attack in (frame, filled):
        tracemalloc.start()
        try:
            refusal(MSGPACK, attack)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 2**20


# Messages with something that may not travel


@both_codecs
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), MAX_WHOLE + 1, -MAX_WHOLE - 1, 2**63])
@pytest.mark.parametrize("place", ["turn", "elsewhere"])
def test_numbers_that_may_not_travel_are_refused_anywhere(codec: Codec, place: str, value: float) -> None:
    error = refusal(codec, framed(codec, MOVE | {place: value}))
    assert (error.code, error.field, error.re) == (ErrorCode.INVALID, place, "m-17")
    error = refusal(codec, framed(codec, MOVE | {"move": {"columns": [1, {"a": value}]}}))
    assert (error.code, error.field, error.re) == (ErrorCode.INVALID, "move.columns.1.a", "m-17")


@pytest.mark.parametrize(
    "value", [b"", b"abc", msgpack.Timestamp(0), msgpack.ExtType(4, b"x"), msgpack.ExtType(4, b"")], ids=repr
)
def test_bytes_and_extensions_are_refused_anywhere(value: object) -> None:
    for place, body in {"turn": MOVE | {"turn": value}, "move.column": MOVE | {"move": {"column": value}}}.items():
        error = refusal(MSGPACK, packed(body))
        assert (error.code, error.field, error.re) == (ErrorCode.INVALID, place, "m-17")


@both_codecs
def test_depth_is_limited_and_the_message_counts(codec: Codec) -> None:
    decoded = codec.decode_client(framed(codec, MOVE | {"move": {"x": nested(MAX_DEPTH - 2)}}))
    assert isinstance(decoded, from_client.Move)
    error = refusal(codec, framed(codec, MOVE | {"move": {"x": nested(MAX_DEPTH - 1)}}))
    assert error.code is ErrorCode.INVALID
    assert error.field is not None
    assert error.field.startswith("move.x.0")
    assert refusal(codec, framed(codec, MOVE | {"elsewhere": nested(500)})).code is ErrorCode.INVALID


@both_codecs
@pytest.mark.parametrize("name", ["mvoe", "__proto__", "", "welcome", "x" * 10_000])
def test_an_unknown_type_is_named_and_the_known_ones_listed(codec: Codec, name: str) -> None:
    error = refusal(codec, framed(codec, {"type": name, "id": "a-1"}))
    assert (error.code, error.field, error.re) == (ErrorCode.UNKNOWN_TYPE, "type", "a-1")
    assert "join_room" in error.text
    assert len(error.text) < 400


@both_codecs
def test_a_prototype_key_is_a_key_like_any_other(codec: Codec) -> None:
    assert codec.decode_client(framed(codec, {"type": "ping", "id": "a", "__proto__": {"x": 1}})) == from_client.Ping(
        id="a"
    )


@both_codecs
@pytest.mark.parametrize("request_id", [None, 7, "", "x" * 65, ["a"]])
def test_a_request_id_that_cannot_be_used_is_not_given_back(codec: Codec, request_id: object) -> None:
    error = refusal(codec, framed(codec, {"type": "ping", "id": request_id}))
    assert (error.code, error.field, error.re) == (ErrorCode.INVALID, "id", None)


@both_codecs
def test_a_client_learns_which_request_an_unknown_answer_belongs_to(codec: Codec) -> None:
    with pytest.raises(ProtocolError) as caught:
        codec.decode_server(framed(codec, {"type": "sparkle", "re": "a-1"}))
    assert (caught.value.code, caught.value.re) == (ErrorCode.UNKNOWN_TYPE, "a-1")


# The way of bytes that look harmless must not differ from the careful way


class CarefulCodec(MsgpackCodec):
    """Never trusts a look at the bytes."""

    def _surely_plain(self, frame: Frame) -> bool:
        return False


CAREFUL = CarefulCodec()
ODD = PLAIN | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.binary(max_size=3) | st.integers(1, 12).map(nested)


def outcome(codec: Codec, frame: Frame) -> tuple[object, object]:
    """What becomes of a frame: a message, or a typed error and nothing else."""
    try:
        return codec.decode_client(frame), None
    except ProtocolError as error:
        return error.code, error.field


@given(body=st.dictionaries(st.text(max_size=3), ODD, max_size=3), turn=ODD)
def test_bytes_that_look_harmless_are(body: dict[str, object], turn: object) -> None:
    frame = packed(MOVE | {"turn": turn, "move": body})
    assert outcome(MSGPACK, frame) == outcome(CAREFUL, frame)


# Noise


@given(st.binary(max_size=200))
def test_random_bytes_give_a_typed_error(frame: bytes) -> None:
    assert outcome(MSGPACK, frame)[0] in (ErrorCode.MALFORMED, ErrorCode.UNKNOWN_TYPE, ErrorCode.INVALID)


@given(st.text(max_size=200))
def test_random_text_gives_a_typed_error(frame: str) -> None:
    assert outcome(JSON, frame)[0] in (ErrorCode.MALFORMED, ErrorCode.UNKNOWN_TYPE, ErrorCode.INVALID)


@given(
    message=st.sampled_from(list(FROM_CLIENT.values())),
    place=st.integers(0, 10_000),
    length=st.integers(0, 4),
    put=st.binary(max_size=6),
)
def test_mutated_messages_give_a_message_or_a_typed_error(
    message: from_client.ClientMessage, place: int, length: int, put: bytes
) -> None:
    frame = MSGPACK.encode(message)
    start = place % len(frame)
    mutated = frame[:start] + put + frame[start + length :]
    assert outcome(MSGPACK, mutated) == outcome(CAREFUL, mutated)
    text = JSON.encode(message)
    start = place % len(text)
    outcome(JSON, text[:start] + put.decode("latin-1") + text[start + length :])
