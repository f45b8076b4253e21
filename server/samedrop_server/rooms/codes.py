"""Room codes: short enough to say, long enough not to guess."""

from __future__ import annotations

import secrets

CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without 0, O, 1 and I."""
CODE_LENGTH = 6


def new_code() -> str:
    """A random code: 30 bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str:
    """A code as people type it: any case, spaces and dashes dropped."""
    return "".join(text.upper().replace("-", "").split())
