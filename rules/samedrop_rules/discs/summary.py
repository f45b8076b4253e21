"""A whole drop told in one line: ``Dropped 3 in column 4: 2 waves, 5 cleared, 1 opened, +138. Rise in 2. Next 6.``"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from samedrop_rules.game import Event


def summary(events: Sequence[Event]) -> str:
    """See `Game.summary`. Events of a type that is not known here count for their points only."""
    dropped, following = "", ""
    waves = cleared = cracked = opened = points = 0
    more: list[str] = []
    for event in events:
        points += cast("int", event.get("points", 0))
        match event:
            case {"type": "drop", "disc": disc, "cell": [_, int(column)]}:
                dropped = f"Dropped {disc} in column {column + 1}"
            case {"type": "wave", "cleared": list(discs), "cracked": list(grays), "revealed": list(numbers)}:
                waves += 1
                cleared += len(discs)
                cracked += len(grays)
                opened += len(numbers)
            case {"type": "rise"}:
                more.append("the board rose")
            case {"type": "bonus", "reason": reason}:
                more.append(f"{reason} bonus")
            case {"type": "next", "disc": disc, "clock": clock}:
                following = f" Rise in {clock}. Next {disc}."
            case {"type": "over"}:
                following = " Your run is over."
    wave_word = "wave" if waves == 1 else "waves"
    counted = ((waves, wave_word), (cleared, "cleared"), (cracked, "cracked"), (opened, "opened"))
    parts = [f"{count} {word}" for count, word in counted if count] + more
    if points:
        parts.append(f"+{points:,}")
    return dropped + (": " + ", ".join(parts) if parts else "") + "." + following if dropped else following.strip()
