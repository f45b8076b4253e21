"""The password of a room: held and kept as a salted hash, and compared in constant time.

The hash is a fast one: a slow one would hold up every match on the server, as often as somebody sets or guesses a
password.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata

_SALT_BYTES = 16


class Password:
    """A password that was set. It cannot be told again."""

    __slots__ = ("_digest", "_salt")

    def __init__(self, salt: bytes, digest: bytes) -> None:
        self._salt = salt
        self._digest = digest

    @property
    def kept(self) -> str:
        """What is stored of it: salt and hash, in hex."""
        return f"{self._salt.hex()}:{self._digest.hex()}"

    def matches(self, text: str) -> bool:
        """Whether `text` is it; how keyboards compose characters makes no difference."""
        return hmac.compare_digest(self._digest, _hash(self._salt, text))


def _hash(salt: bytes, text: str) -> bytes:
    return hashlib.blake2b(unicodedata.normalize("NFC", text).encode(), key=salt).digest()


def new_password(text: str) -> Password | None:
    """A password, or none for an empty text."""
    if not text:
        return None
    salt = secrets.token_bytes(_SALT_BYTES)
    return Password(salt, _hash(salt, text))


def kept_password(kept: str | None) -> Password | None:
    """A password as it was kept, or none.

    Raises:
        ValueError: that is not the form in which one is kept.
    """
    if kept is None:
        return None
    salt, _, digest = kept.partition(":")
    return Password(bytes.fromhex(salt), bytes.fromhex(digest))
