"""Frames: messages as MessagePack or as JSON, one codec for each WebSocket subprotocol.

Decoding refuses everything that is not exactly one well-formed message, with a `ProtocolError` and nothing else.
Leaves to others: sockets, the size of frames (the socket's limit), and what a message means.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgpack
import msgspec
from msgspec import Struct

from samedrop_protocol.errors import ErrorCode, MalformedFrame, ProtocolError
from samedrop_protocol.faults import explain
from samedrop_protocol.from_client import CLIENT_MESSAGES, ClientMessage
from samedrop_protocol.from_server import SERVER_MESSAGES, ServerMessage
from samedrop_protocol.model import SeatProgress
from samedrop_protocol.plain import check_plain, shown, unique
from samedrop_protocol.types import MAX_DEPTH, MAX_REQUEST_ID
from samedrop_protocol.versions import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK

Frame = bytes | str
"""What a WebSocket message holds: bytes of a binary frame, or the text of a text frame."""

MessageT = TypeVar("MessageT", bound=Struct)


class Codec(ABC):
    """Writes and reads the frames of one subprotocol. It keeps nothing between calls."""

    subprotocol: str

    @abstractmethod
    def encode(self, message: Struct) -> Frame:
        """The frame of a client's or a server's message."""

    @abstractmethod
    def encode_step(self, step: Mapping[str, object]) -> Frame:
        """A step in its wire form (the fields of `from_server.Step`), encoded once and shared by all receivers."""

    @abstractmethod
    def encode_events(
        self,
        match: str,
        first: int,
        steps: Sequence[Frame],
        *,
        progress: Sequence[SeatProgress] = (),
        repeat: bool = False,
    ) -> Frame:
        """An `events` frame around `steps` made by `encode_step`: the same as encoding `from_server.Events`."""

    def decode_client(self, frame: Frame) -> ClientMessage:
        """The message of a client's frame.

        Raises:
            ProtocolError: MALFORMED, UNKNOWN_TYPE, or INVALID with the field at fault; `re` is the request's id if
                that could be read.
        """
        return self._decode(frame, CLIENT_MESSAGES, "id")

    def decode_server(self, frame: Frame) -> ServerMessage:
        """The message of a server's frame; raises as `decode_client` does. A client skips unknown types."""
        return self._decode(frame, SERVER_MESSAGES, "re")

    def _decode(self, frame: Frame, messages: Mapping[str, type[MessageT]], id_key: str) -> MessageT:
        tree = self._read(frame)
        if type(tree) is not dict:
            raise MalformedFrame("A message must be a map.")
        try:
            if not self._surely_plain(frame):
                check_plain(tree)
            return _to_message(tree, messages)
        except ProtocolError as error:
            request = tree.get(id_key)
            if isinstance(request, str) and 0 < len(request) <= MAX_REQUEST_ID:
                error.re = request
            raise

    @abstractmethod
    def _read(self, frame: Frame) -> object:
        """The value in a frame, no map of it with a key twice; raises MalformedFrame."""

    def _surely_plain(self, frame: Frame) -> bool:
        """Whether a look at the frame is enough to know that `check_plain` would pass."""
        return False


def _to_message(tree: dict[str, Any], messages: Mapping[str, type[MessageT]]) -> MessageT:
    name = tree.get("type")
    if not isinstance(name, str):
        raise MalformedFrame("A message needs a text `type`.")
    kind = messages.get(name)
    if kind is None:
        raise ProtocolError(
            ErrorCode.UNKNOWN_TYPE,
            f"There is no message {shown(name)}; there are: {', '.join(messages)}.",
            field="type",
        )
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as error:
        raise explain(error, kind, tree) from None


class MsgpackCodec(Codec):
    """MessagePack in binary frames."""

    subprotocol = SUBPROTOCOL_MSGPACK

    def __init__(self) -> None:
        packer = msgpack.Packer()
        self._pack: Callable[[object], bytes] = packer.pack
        self._array_header: Callable[[int], bytes] = packer.pack_array_header
        start = self._items("type", "events", "match")
        self._starts = [packer.pack_map_header(fields) + start for fields in range(4, 7)]
        self._first, self._steps, self._progress = self._items("first"), self._items("steps"), self._items("progress")
        self._repeat = self._items("repeat", True)

    def _items(self, *values: object) -> bytes:
        return b"".join(map(self._pack, values))

    def encode(self, message: Struct) -> bytes:
        """See `Codec.encode`."""
        return self._pack(msgspec.to_builtins(message))

    def encode_step(self, step: Mapping[str, object]) -> bytes:
        """See `Codec.encode_step`."""
        return self._pack(step)

    def decode_step(self, step: bytes) -> dict[str, object]:
        """The wire form of a step made by `encode_step`: to encode it another way."""
        tree = _unpack(step)
        assert isinstance(tree, dict)
        return tree

    def encode_events(
        self,
        match: str,
        first: int,
        steps: Sequence[Frame],
        *,
        progress: Sequence[SeatProgress] = (),
        repeat: bool = False,
    ) -> bytes:
        """See `Codec.encode_events`."""
        pack = self._pack
        parts = [
            self._starts[bool(progress) + repeat],
            pack(match),
            self._first,
            pack(first),
            self._steps,
            self._array_header(len(steps)),
            *steps,
        ]
        if progress:
            parts += (self._progress, pack(msgspec.to_builtins(progress)))
        if repeat:
            parts.append(self._repeat)
        return b"".join(parts)

    def _read(self, frame: Frame) -> object:
        if not isinstance(frame, bytes):
            raise MalformedFrame(f"{self.subprotocol} is spoken here: send binary frames.")
        try:
            if len(frame) > _SMALL:
                _walk(frame)
            tree = _unpack(frame)
            # What packs back to itself has lost nothing: no key was given twice.
            return tree if self._pack(tree) == frame else _unpack(frame, object_pairs_hook=unique)
        except (ValueError, msgpack.exceptions.UnpackException) as error:
            raise MalformedFrame(f"The frame is not one MessagePack message: {_reason(error)}.") from None

    def _surely_plain(self, frame: Frame) -> bool:
        assert isinstance(frame, bytes)
        return frame.translate(_MARKS, _HARMLESS) in _SHALLOW


_unpack: Callable[..., object] = msgpack.unpackb
_SMALL = 512
"""Bytes of a frame that cannot promise much; larger ones are walked first."""

# Which bytes may begin which values. A byte inside a text or a number may be taken for one of these, never missed.
_CONTAINERS = bytes([*range(0x80, 0xA0), *range(0xDC, 0xE0)])  # maps and lists
_RISKY = bytes([0xC1, *range(0xC4, 0xCC), 0xCF, *range(0xD3, 0xD9)])  # bytes, extensions, floats, 64-bit numbers
_HARMLESS = bytes(set(range(256)) - set(_CONTAINERS) - set(_RISKY))
_MARKS = bytes.maketrans(_CONTAINERS + _RISKY, b"[" * len(_CONTAINERS) + b"!" * len(_RISKY))
_SHALLOW = frozenset(b"[" * depth for depth in range(MAX_DEPTH + 1))


def _walk(frame: bytes) -> None:
    """Go through a frame without building anything.

    Unpacking makes room for as many items as a header promises, before it sees them; nested headers that lie could
    so ask for megabytes. After this walk every promise is known to be kept.
    """
    unpacker = msgpack.Unpacker(max_buffer_size=len(frame))
    unpacker.feed(frame)
    unpacker.skip()


def _reason(error: Exception) -> str:
    if "strict_map_key" in str(error):
        return "keys must be texts"
    match error:
        case msgpack.exceptions.ExtraData():
            return "there are bytes after its end"
        case msgpack.exceptions.StackError():
            return "it is nested too deep"
        case msgpack.exceptions.OutOfData():
            return "it is incomplete"
        case _:
            return str(error)[:100] or "it holds a byte that begins nothing"


class JsonCodec(Codec):
    """The same messages as JSON in text frames: for quick scripts, and to be read by people."""

    subprotocol = SUBPROTOCOL_JSON

    def encode(self, message: Struct) -> str:
        """See `Codec.encode`."""
        return msgspec.json.encode(message).decode()

    def encode_step(self, step: Mapping[str, object]) -> str:
        """See `Codec.encode_step`."""
        return msgspec.json.encode(step).decode()

    def encode_events(
        self,
        match: str,
        first: int,
        steps: Sequence[Frame],
        *,
        progress: Sequence[SeatProgress] = (),
        repeat: bool = False,
    ) -> str:
        """See `Codec.encode_events`."""
        name = msgspec.json.encode(match).decode()
        tail = f',"progress":{msgspec.json.encode(progress).decode()}' if progress else ""
        tail += ',"repeat":true}' if repeat else "}"
        return f'{{"type":"events","match":{name},"first":{first},"steps":[{",".join(map(str, steps))}]{tail}'

    def _read(self, frame: Frame) -> object:
        if not isinstance(frame, str):
            raise MalformedFrame(f"{self.subprotocol} is spoken here: send text frames.")
        try:
            tree: object = json.loads(frame, object_pairs_hook=unique)
            if "\\u" in frame or not frame.isascii():
                json.dumps(
                    tree, ensure_ascii=False
                ).encode()  # fails for half a surrogate pair, which no UTF-8 can hold
        except UnicodeEncodeError:
            raise MalformedFrame("A text holds half a surrogate pair.") from None
        except RecursionError:
            raise MalformedFrame("The message is nested too deep.") from None
        except ValueError as error:
            raise MalformedFrame(f"The frame is not one JSON message: {str(error).partition(';')[0]}.") from None
        return tree


MSGPACK = MsgpackCodec()
JSON = JsonCodec()
CODECS: dict[str, Codec] = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}
"""Every codec by its subprotocol, preferred first."""
