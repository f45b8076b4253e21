"""The streams of a seed, read off docs/rules/deal.md a second time: slow, and nothing shared with the real ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator


def stream_bytes(seed: str, label: str) -> Iterator[int]:
    """All bytes of the stream `label`: the hashes of block 0, 1, 2, … one after another."""
    block = 0
    while True:
        text = b"samedrop/1" + b"\0" + seed.encode("utf-8") + b"\0" + label.encode("utf-8") + b"\0"
        yield from hashlib.sha256(text + block.to_bytes(8, "big")).digest()
        block += 1


def below(stream: Iterator[int], n: int) -> int:
    """The next draw below `n`: bytes of the last, incomplete stretch of n values are dropped."""
    while True:
        byte = next(stream)
        if byte < 256 - (256 % n):
            return byte % n


def weighted(stream: Iterator[int], items: list[int], weights: list[int]) -> int:
    """The next choice among `items`: draw below the total weight and walk the cumulated weights."""
    draw = below(stream, sum(weights))
    for k in range(len(items)):
        if draw < sum(weights[: k + 1]):
            return items[k]
    raise AssertionError("the draw is below the total weight")


def commitment(seed: str) -> str:
    """What is published at the start of a match, 64 hex digits."""
    return hashlib.sha256(b"samedrop-commit/1\0" + seed.encode("utf-8")).hexdigest()
