"""The offline check of a disclosed deal."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from samedrop_client.commitment import verify_commitment
from samedrop_protocol import model
from samedrop_protocol.model import Known
from samedrop_rules import Deal, find_game
from tests.support.scene import Scene


def of_tape() -> model.Deal:
    deal: Deal = find_game("drop7").deal({}, tape={"discs": [1, 2, 3], "latent_rows": []})
    return model.Deal(
        deal=deal.id,
        game=deal.game,
        version=deal.version,
        options=dict(deal.options),
        known=Known.TAPE,
        commitment=deal.commitment,
        tape=dict(deal.tape or {}),
    )


def test_a_true_seed() -> None:
    assert verify_commitment(Scene("friday").over().deal)


def test_a_true_tape() -> None:
    assert verify_commitment(of_tape())


@pytest.mark.parametrize(
    "change",
    [{"seed": "saturday"}, {"commitment": "0" * 64}, {"deal": "f067wk609w6j"}, {"options": {}}, {"version": 2}],
)
def test_any_change_is_found(change: dict[str, object]) -> None:
    assert not verify_commitment(replace(Scene("friday").over().deal, **change))


def test_a_changed_tape_is_found() -> None:
    deal = of_tape()
    assert not verify_commitment(replace(deal, tape={**deal.tape, "discs": [1, 2, 4]}))  # type: ignore[dict-item]


def test_a_deal_that_is_not_disclosed_cannot_be_checked() -> None:
    with pytest.raises(ValueError, match="not disclosed"):
        verify_commitment(Scene("friday").facts.deal)
