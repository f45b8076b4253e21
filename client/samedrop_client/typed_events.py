"""Events as classes, for whoever does not want to read maps."""

from __future__ import annotations

import msgspec

from samedrop_protocol.events import EVENT_TYPES, Event, UnknownEvent
from samedrop_protocol.types import EventBody


def typed_event(body: EventBody) -> Event:
    """The event in a step; an `UnknownEvent` where this library does not know its type, or not in this form."""
    kind = EVENT_TYPES.get(str(body.get("type")))
    if kind is not None:
        try:
            return msgspec.convert(body, kind)
        except msgspec.ValidationError:
            pass
    return UnknownEvent(body=body)
