"""What the commands print: plain lines, boards side by side, and strangers' texts made harmless."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime

from samedrop_protocol.model import Standing

GAP = "    "
"""Between two boards that stand side by side."""


def plain(text: str) -> str:
    """`text` of somebody else as one line that can do nothing to a terminal: no control or format characters."""
    return "".join(" " if unicodedata.category(one)[0] in "CZ" else one for one in text)


def width(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    return sum(_width(one) for one in text)


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fit(text: str, columns: int) -> str:
    """`text` cut or filled up to exactly so many columns."""
    while width(text) > columns:
        text = text[:-1]
    return text + " " * (columns - width(text))


def side_by_side(blocks: Sequence[Sequence[str]], columns: int) -> list[str]:
    """Blocks of lines beside each other, as many in a row as fit into so many columns."""
    widths = [max(map(width, block), default=0) for block in blocks]
    rows: list[list[int]] = []
    used = 0
    for number, block_width in enumerate(widths):
        needed = block_width + (len(GAP) if rows else 0)
        if not rows or used + needed > columns:
            rows.append([])
            used, needed = 0, block_width
        rows[-1].append(number)
        used += needed
    lines: list[str] = []
    for row in rows:
        height = max(len(blocks[number]) for number in row)
        if lines:
            lines.append("")
        for place in range(height):
            cells = [fit(_line(blocks[number], place), widths[number]) for number in row]
            lines.append(GAP.join(cells).rstrip())
    return lines


def _line(block: Sequence[str], place: int) -> str:
    return block[place] if place < len(block) else ""


ENDED = {
    "rules": "played to the end",
    "censored": "stopped at the limit",
    "time": "time was up",
    "forfeit": "gave up",
}
"""Why a run is over, in words."""


def standings_lines(standings: Sequence[Standing]) -> list[str]:
    """The result as a small table, best first."""
    names = [plain(row.names) for row in standings]
    name_width = max(map(width, names), default=0)
    scores = [f"{row.score:,}" for row in standings]
    score_width = max(map(len, scores), default=0)
    return [
        f"{row.rank:>2}. {fit(name, name_width)}  {score.rjust(score_width)}  "
        f"{counted(row.turns, 'move')}, {ENDED.get(row.ended, row.ended)}"
        for row, name, score in zip(standings, names, scores, strict=True)
    ]


def counted(number: int, one: str, many: str = "") -> str:
    """So many of something, as people say it."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def clock_time(millis: int) -> str:
    """A time as people read it, in UTC to the minute."""
    try:
        return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return f"{millis} ms"
