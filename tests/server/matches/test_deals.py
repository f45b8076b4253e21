from __future__ import annotations

import hashlib

import pytest

from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.model import Known
from samedrop_server.matches.deals import check_settings, new_deal, public_deal


def test_without_a_seed_the_deal_is_sealed_and_never_the_same() -> None:
    seeds = set()
    for _ in range(50):
        game, deal, known = new_deal(model.Settings())
        assert (game.id, known) == ("drop7", Known.SEALED)
        assert deal.seed is not None
        assert len(bytes.fromhex(deal.seed)) == 16
        seeds.add(deal.seed)
    assert len(seeds) == 50


def test_a_chosen_seed_is_open_and_deals_the_same_to_everybody() -> None:
    deals = [new_deal(model.Settings(seed=" friday ")) for _ in range(2)]
    assert [known for _, _, known in deals] == [Known.OPEN, Known.OPEN]
    assert deals[0][1] == deals[1][1]
    assert deals[0][1].seed == "friday"


def test_a_tape_is_known_to_whoever_wrote_it() -> None:
    _, deal, known = new_deal(model.Settings(tape={"discs": [1, 2, 3], "latent_rows": [[1, 2, 3, 4, 5, 6, 7]]}))
    assert (known, deal.seed) == (Known.TAPE, None)


def test_a_deal_is_shown_without_its_seed_until_it_is_disclosed() -> None:
    _, deal, known = new_deal(model.Settings(seed="friday", options={"latent": True}))
    hidden = public_deal(deal, known, disclosed=False)
    assert "friday" not in repr(hidden)
    shown = public_deal(deal, known, disclosed=True)
    assert shown.seed == "friday"
    assert hidden.commitment == hashlib.sha256(b"samedrop-commit/1\x00friday").hexdigest()
    assert hidden.options["latent"] is True


def test_a_tape_is_shown_only_when_it_is_disclosed() -> None:
    _, deal, known = new_deal(model.Settings(tape={"discs": [1, 2, 3], "latent_rows": []}))
    assert isinstance(public_deal(deal, known, disclosed=True).tape, dict)
    assert "discs" not in repr(public_deal(deal, known, disclosed=False))


def test_settings_are_checked_against_the_rules() -> None:
    assert check_settings(model.Settings(game="drop7", version=1)).version == 1
    with pytest.raises(ProtocolError) as refused:
        check_settings(model.Settings(game="solitaire"))
    assert (refused.value.code, refused.value.field) == (ErrorCode.GAME_UNKNOWN, "settings.game")
