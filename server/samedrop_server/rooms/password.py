"""The password of a room: held as a salted hash, in memory only, and compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata

_SALT_BYTES = 16


class Password:
    """A password that was set. It cannot be told again."""

    __slots__ = ("_digest", "_salt")

    def __init__(self, text: str) -> None:
        self._salt = secrets.token_bytes(_SALT_BYTES)
        self._digest = self._hash(text)

    def matches(self, text: str) -> bool:
        """Whether `text` is it; how keyboards compose characters makes no difference."""
        return hmac.compare_digest(self._digest, self._hash(text))

    def _hash(self, text: str) -> bytes:
        return hashlib.blake2b(unicodedata.normalize("NFC", text).encode(), key=self._salt).digest()


def new_password(text: str) -> Password | None:
    """A password, or none for an empty text."""
    return Password(text) if text else None
