"""Field types with their bounds, used by all messages.

Whole numbers stay below 2^53 so that every language can hold them; ids and seeds are texts.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

MAX_WHOLE = 2**53 - 1
MAX_FRAME_IN = 16 * 1024
"""Bytes of a frame from a client, at most. Tapes too large for it are for the command line and files."""
MAX_DEPTH = 8
"""Maps and lists inside one another, the message itself included."""
MAX_REQUEST_ID = 64
MAX_SEATS = 16
MAX_GHOSTS = 8

Whole = Annotated[int, Meta(ge=0, le=MAX_WHOLE)]
Signed = Annotated[int, Meta(ge=-MAX_WHOLE, le=MAX_WHOLE)]
Millis = Annotated[int, Meta(ge=0, le=MAX_WHOLE, description="milliseconds")]
UnixMillis = Annotated[int, Meta(ge=0, le=MAX_WHOLE, description="milliseconds since 1970-01-01T00:00Z")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
RequestId = Annotated[
    str, Meta(min_length=1, max_length=MAX_REQUEST_ID, description="chosen by the client, unique per player")
]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
Code = Annotated[str, Meta(min_length=1, max_length=32, description="room code; case, spaces and dashes do not matter")]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
Title = Annotated[str, Meta(max_length=80)]
Password = Annotated[str, Meta(max_length=100, description="of a room; empty: none")]
ChatText = Annotated[str, Meta(min_length=1, max_length=500)]
Seed = Annotated[str, Meta(min_length=1, max_length=256)]
Cursor = Annotated[str, Meta(min_length=1, max_length=200)]
PageSize = Annotated[int, Meta(ge=1, le=100)]
LogPageSize = Annotated[int, Meta(ge=1, le=1000)]

# What these hold is each game's own affair (docs/rules); they cross this layer as plain maps with text keys.
MoveBody = dict[str, Any]
EventBody = dict[str, Any]
ViewBody = dict[str, Any]
OptionsBody = dict[str, bool | int | str]
TapeBody = dict[str, Any]
