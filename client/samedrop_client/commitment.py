"""The offline check that a deal was not changed after the match began (docs/rules/deal.md, Commitment)."""

from __future__ import annotations

from msgspec import UNSET

from samedrop_protocol import model
from samedrop_rules import Deal


def verify_commitment(deal: model.Deal) -> bool:
    """Whether the disclosed seed (or tape) is the one that was committed to, and the id is that of this deal.

    Compare `deal.commitment` with the one told at the start: `Match.facts.deal.commitment`.

    Raises:
        ValueError: neither seed nor tape is disclosed (the match is not over).
    """
    seed = None if deal.seed is UNSET else deal.seed
    tape = None if deal.tape is UNSET else deal.tape
    if seed is None and tape is None:
        raise ValueError("the deal is not disclosed yet")
    disclosed = Deal(deal.game, deal.version, deal.options, seed, tape)
    return disclosed.commitment == deal.commitment and disclosed.id == deal.deal
