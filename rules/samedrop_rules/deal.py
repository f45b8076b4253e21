"""The deal: game, rules version, options, and a seed (or tape): everything that chance decides.

Source: docs/rules/deal.md, version ``samedrop/1``. What a tape holds is each game's own affair; here it is only
canonical JSON. Drawing a secret seed is the server's (this package knows no source of chance).
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeVar

from samedrop_rules.errors import InvalidSeed
from samedrop_rules.options import OptionValue

STREAM_VERSION = b"samedrop/1"
SEED_LENGTH = 64
DEAL_ID_LENGTH = 12
# Crockford's alphabet in lower case: no i, l, o, u, so an id can be read aloud.
_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

Item = TypeVar("Item")


def read_seed(text: object) -> str:
    """A seed in its normal form: NFC, outer white space trimmed, 1 to 64 characters (deal.md, Seed).

    Raises:
        InvalidSeed: not a text, empty, too long, control characters or lone surrogates.
    """
    if not isinstance(text, str):
        raise InvalidSeed("A seed must be a text of 1 to 64 characters.", "seed")
    if len(text) > 4 * SEED_LENGTH:
        raise InvalidSeed("A seed has at most 64 characters.", "seed")
    seed = unicodedata.normalize("NFC", text).strip()
    if not seed:
        raise InvalidSeed("A seed must not be empty.", "seed")
    if len(seed) > SEED_LENGTH:
        raise InvalidSeed("A seed has at most 64 characters.", "seed")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in seed):
        raise InvalidSeed("A seed must not hold control characters.", "seed")
    return seed


class Stream(dict[int, int]):
    """One labelled stream of bytes of a seed, and the uniform draws made from it: ``stream[k]`` is the k-th, k ≥ 0.

    Draws are made on demand and kept, so the k-th is the same whoever asks, and whenever (deal.md, Streams). It is a
    dict so that a draw once made costs no more than a look-up. A stream object serves draws of one range only; see
    `Cursor` for mixed ranges.
    """

    __slots__ = ("_block", "_dropped", "_prefix", "_values")

    def __init__(self, seed: str, label: str, n: int, first: int = 0) -> None:
        """Args: seed in normal form; label names the purpose; draws are `first` + uniform below n, 1 ≤ n ≤ 256."""
        super().__init__()
        self._values, self._dropped = _byte_reading(n, first)
        self._prefix = stream_prefix(seed, label)
        self._block = 0

    def __missing__(self, k: int) -> int:
        if k < 0:
            raise IndexError("draws are numbered from 0")
        while k >= len(self):
            block = hashlib.sha256(self._prefix + self._block.to_bytes(8, "big")).digest()
            self._block += 1
            self.update(enumerate(block.translate(self._values, self._dropped), len(self)))
        return self[k]


@cache
def _byte_reading(n: int, first: int) -> tuple[bytes, bytes]:
    """What each byte of a stream becomes, and the bytes that are dropped (deal.md, Uniform below n)."""
    if not 1 <= n <= 256 or not 0 <= first <= 256 - n:
        raise ValueError("n must be from 1 to 256, and first + n at most 256")
    return bytes(first + byte % n for byte in range(256)), bytes(range(256 - 256 % n, 256))


class Cursor:
    """A walk along one labelled stream, drawing from any ranges in turn (deal.md, Streams)."""

    __slots__ = ("_block", "_bytes", "_position", "_prefix")

    def __init__(self, seed: str, label: str) -> None:
        self._prefix = stream_prefix(seed, label)
        self._block = 0
        self._bytes = b""
        self._position = 0

    def below(self, n: int) -> int:
        """The next uniform draw in ``range(n)``, 1 ≤ n ≤ 256."""
        if not 1 <= n <= 256:
            raise ValueError("n must be from 1 to 256")
        limit = 256 - 256 % n
        while True:
            if self._position == len(self._bytes):
                self._bytes = hashlib.sha256(self._prefix + self._block.to_bytes(8, "big")).digest()
                self._block += 1
                self._position = 0
            byte = self._bytes[self._position]
            self._position += 1
            if byte < limit:
                return byte % n

    def pick(self, items: Sequence[Item]) -> Item:
        """Any one of `items`; of more than 256 a group and then one in it, drawn again where there is none."""
        groups = -(-len(items) // 256)
        if groups == 1:
            return items[self.below(len(items))]
        while (k := 256 * self.below(groups) + self.below(256)) >= len(items):
            pass
        return items[k]

    def weighted(self, items: Sequence[Item], weights: Sequence[int]) -> Item:
        """One of `items`, in proportion to whole `weights` (deal.md, Weighted choice)."""
        rest = self.below(sum(weights))
        for item, weight in zip(items, weights, strict=True):
            if rest < weight:
                return item
            rest -= weight
        raise AssertionError("a draw is below the sum of the weights")

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        """`items` in shuffled order: Fisher–Yates from the last index down, uniform(i + 1)."""
        shuffled = list(items)
        for i in range(len(shuffled) - 1, 0, -1):
            j = self.below(i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return shuffled


def stream_prefix(seed: str, label: str) -> bytes:
    """The bytes that stand before the block number in every block of a stream."""
    return b"\x00".join((STREAM_VERSION, seed.encode(), label.encode(), b""))


def canonical_json(value: object) -> str:
    """The one JSON text of a value: keys sorted, no white space, not escaped beyond need."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True)
class Deal:
    """Everything that chance decides. Build it with `Game.deal`, which checks all parts.

    Attributes:
        game, version: the rules it is dealt for.
        options: all options of the game, checked, defaults filled in.
        seed: in normal form; None where dealt from a tape.
        tape: the game's own tape in its normal JSON form; None where dealt from a seed.
    """

    game: str
    version: int
    options: Mapping[str, OptionValue]
    seed: str | None = None
    tape: Mapping[str, object] | None = None

    @cached_property
    def id(self) -> str:
        """Twelve characters that name this deal: the same deal has the same id on every server.

        60 bits of a hash over all parts; a secret seed's 128 bits cannot be found from it.
        """
        parts = [self.game, self.version, dict(self.options), self.seed, self.tape]
        digest = hashlib.sha256(b"samedrop-deal/1\x00" + canonical_json(parts).encode()).digest()
        number = int.from_bytes(digest[:8], "big") >> 4
        return "".join(_ID_ALPHABET[number >> shift & 31] for shift in range(55, -1, -5))

    @cached_property
    def commitment(self) -> str:
        """64 hex digits, published at the start; the seed (or tape) disclosed at the end must match (deal.md)."""
        if self.seed is not None:
            return hashlib.sha256(b"samedrop-commit/1\x00" + self.seed.encode()).hexdigest()
        return hashlib.sha256(b"samedrop-commit-tape/1\x00" + canonical_json(self.tape).encode()).hexdigest()

    def stream(self, label: str, n: int, first: int = 0) -> Stream:
        """The seed's stream `label`, drawing `first` + uniform below `n`. Only for deals from a seed."""
        return Stream(self._require_seed(), label, n, first)

    def cursor(self, label: str) -> Cursor:
        """A new walk along the seed's stream `label`. Only for deals from a seed."""
        return Cursor(self._require_seed(), label)

    def _require_seed(self) -> str:
        if self.seed is None:
            raise ValueError("this deal comes from a tape")
        return self.seed
