"""Text that people type: names, titles, chat. Made safe to show anywhere as plain text.

Leaves to others: escaping for a medium (HTML, CSV, terminal markup) is the business of whoever writes to it.
"""

from __future__ import annotations

import unicodedata

from confusable_homoglyphs import confusables
from wcwidth import wcswidth

NAME_WIDTH = 24
TITLE_WIDTH = 60
CHAT_LENGTH = 300
_MAX_MARKS = 2
"""Combining marks that may follow one character."""


def clean(text: str) -> str:
    """`text` in NFC, on one line, without control, bidi, zero-width and unassigned characters, marks not piled up."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category in ("Zs", "Zl", "Zp") or character in "\t\n\r":
            character, category = " ", "Zs"
        if category[0] == "C" or character in _INVISIBLE:
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= _MAX_MARKS:
            kept.append(character)
    return unicodedata.normalize("NFC", " ".join("".join(kept).split()))


# Letters by category, but drawn as nothing: Hangul fillers, the Braille blank.
_INVISIBLE = "\u115f\u1160\u3164\uffa0\u2800"


def clip(text: str, width: int) -> str:
    """The longest beginning of `text` that is at most `width` terminal columns wide."""
    while wcswidth(text) > width:
        text = text[:-1]
    return text.rstrip()


def clean_name(text: str) -> str:
    """A player's name in its normal form, at most `NAME_WIDTH` columns wide; empty if nothing visible is left."""
    name = clip(clean(text), NAME_WIDTH)
    return name if any(unicodedata.category(character)[0] not in "MZ" for character in name) else ""


def clean_title(text: str) -> str:
    """A room's title in its normal form, at most `TITLE_WIDTH` columns wide."""
    return clip(clean(text), TITLE_WIDTH)


def clean_chat(text: str) -> str:
    """A line of chat in its normal form, at most `CHAT_LENGTH` characters."""
    return clean(text)[:CHAT_LENGTH]


def skeleton(name: str) -> str:
    """What `name` looks like: two names that can be taken for each other have the same skeleton.

    Marks and case are dropped and every character is replaced by the plainest one that it can be confused with
    (Unicode confusables).
    """
    bare = (
        character for character in unicodedata.normalize("NFKD", name) if unicodedata.category(character)[0] not in "MZ"
    )
    return "".join(map(_plainest, bare)).translate(_TWINS)


def _plainest(character: str) -> str:
    if not character.isascii():
        found = confusables.is_confusable(character, greedy=True)
        for twin in (found or [{"homoglyphs": []}])[0]["homoglyphs"]:
            if twin["c"].isascii():
                character = twin["c"]
                break
    return character.casefold()


_TWINS = str.maketrans("015|i", "olsll")
"""Plain characters, in small letters, that are taken for each other."""


def unique_name(name: str, taken: set[str]) -> str:
    """`name`, or `name` with the first number behind it whose skeleton is not among the `taken` skeletons."""
    if skeleton(name) not in taken:
        return name
    for number in range(2, len(taken) + 3):
        suffix = f" {number}"
        numbered = clip(name, NAME_WIDTH - len(suffix)) + suffix
        if skeleton(numbered) not in taken:
            return numbered
    raise AssertionError("one of that many numbers is free")
