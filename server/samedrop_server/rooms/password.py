"""The password of a room: held and kept as a salted hash, and compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata

_SALT_BYTES = 16
_COST = 2**12
"""Of scrypt: what is stored is slow to guess from (4 MB and some 10 ms a try), and nobody notices who joins."""


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
    normal = unicodedata.normalize("NFC", text).encode()
    return hashlib.scrypt(normal, salt=salt, n=_COST, r=8, p=1, dklen=32)


def new_password(text: str) -> Password | None:
    """A password, or none for an empty text."""
    salt = secrets.token_bytes(_SALT_BYTES)
    return Password(salt, _hash(salt, text)) if text else None


def kept_password(kept: str | None) -> Password | None:
    """A password as it was kept, or none.

    Raises:
        ValueError: that is not the form in which one is kept.
    """
    if kept is None:
        return None
    salt, _, digest = kept.partition(":")
    return Password(bytes.fromhex(salt), bytes.fromhex(digest))
