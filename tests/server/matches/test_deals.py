from __future__ import annotations

import hashlib
import random
import secrets
import time

import pytest

from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.model import Known
from samedrop_rules import Deal
from samedrop_server.matches.deals import check_settings, new_deal, public_deal
from samedrop_server.rooms.codes import new_code


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


def test_a_secret_seed_is_128_bits_of_the_system_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    random.seed(7)
    seeds = [str(new_deal(model.Settings())[1].seed) for _ in range(1_000)]
    random.seed(7)
    assert str(new_deal(model.Settings())[1].seed) not in seeds
    assert all(len(seed) == 32 and int(seed, 16) >= 0 for seed in seeds)
    assert len(set(seeds)) == len(seeds)
    for bit in range(128):
        assert 400 < sum(int(seed, 16) >> bit & 1 for seed in seeds) < 600, "a fair coin for every bit"
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    monkeypatch.setattr(secrets, "token_hex", lambda count: "5a" * count)
    assert new_deal(model.Settings())[1].seed == "5a" * 16


def test_nobody_finds_a_secret_seed_by_trying() -> None:
    """Small numbers, dates, moments near the start, room codes: as they are, and hashed, as careless programs do."""
    commitment = new_deal(model.Settings())[1].commitment
    now = time.time_ns() // 1_000_000
    moments = range(now - 2_000, now + 2_000)
    days = [f"2026-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 32)]
    for text in (*map(str, range(20_000)), *map(str, moments), *days, *(new_code() for _ in range(1_000))):
        hashed = hashlib.sha256(text.encode()).hexdigest()
        for seed in (text, f"{hash_of(text):032x}", hashed, hashed[:32], hashlib.md5(text.encode()).hexdigest()):
            assert Deal("drop7", 1, {}, seed=seed).commitment != commitment


def hash_of(text: str) -> int:
    """What ``random.Random(text)`` would draw."""
    return random.Random(text).getrandbits(128)
