"""Seeds, streams and deals, against the check values of docs/rules/deal.md (tests/vectors/deal.json)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samedrop_rules import Cursor, Deal, InvalidSeed, Stream, canonical_json, read_seed
from samedrop_rules.deal import stream_prefix


class StreamCheck(TypedDict):
    seed: str
    label: str
    first_bytes_hex: str


class UniformCheck(TypedDict):
    seed: str
    label: str
    n: int
    plus: int
    draws: list[int]


class WeightedCheck(TypedDict):
    seed: str
    label: str
    items: list[int]
    weights: list[int]
    draws: list[int]


class CommitmentCheck(TypedDict):
    seed: str
    sha256: str


class Checks(TypedDict):
    streams: list[StreamCheck]
    uniform: list[UniformCheck]
    weighted: list[WeightedCheck]
    commitments: list[CommitmentCheck]


CHECKS: Checks = json.loads((Path(__file__).parents[1] / "vectors" / "deal.json").read_text(encoding="utf-8"))
DEAL = Deal("drop7", 1, {"start_rows": 1}, seed="friday")


def test_there_are_check_values_of_every_kind() -> None:
    assert all(CHECKS[kind] for kind in ("streams", "uniform", "weighted", "commitments"))


@pytest.mark.parametrize("check", CHECKS["streams"], ids=lambda check: f"{check['seed']}-{check['label']}")
def test_bytes_of_a_stream(check: StreamCheck) -> None:
    prefix = stream_prefix(check["seed"], check["label"])
    expected = bytes.fromhex(check["first_bytes_hex"])
    blocks = b"".join(hashlib.sha256(prefix + block.to_bytes(8, "big")).digest() for block in range(4))
    assert blocks.startswith(expected)
    cursor = Cursor(check["seed"], check["label"])
    assert bytes(cursor.below(256) for _ in expected) == expected


@pytest.mark.parametrize("check", CHECKS["uniform"], ids=lambda check: f"{check['seed']}-{check['label']}")
def test_uniform_draws(check: UniformCheck) -> None:
    draws = check["draws"]
    stream = Stream(check["seed"], check["label"], check["n"], check["plus"])
    assert [stream[k] for k in range(len(draws))] == draws
    cursor = Cursor(check["seed"], check["label"])
    assert [cursor.below(check["n"]) + check["plus"] for _ in draws] == draws


@pytest.mark.parametrize("check", CHECKS["weighted"], ids=lambda check: f"{check['seed']}-{check['label']}")
def test_weighted_draws(check: WeightedCheck) -> None:
    cursor = Cursor(check["seed"], check["label"])
    assert [cursor.weighted(check["items"], check["weights"]) for _ in check["draws"]] == check["draws"]


@pytest.mark.parametrize("check", CHECKS["commitments"], ids=lambda check: check["seed"])
def test_commitments(check: CommitmentCheck) -> None:
    assert replace(DEAL, seed=check["seed"]).commitment == check["sha256"]


@given(st.lists(st.integers(0, 400), min_size=1), st.integers(1, 256))
def test_a_draw_is_the_same_whoever_asks_and_whenever(order: list[int], n: int) -> None:
    cursor = Cursor("order", "discs")
    expected = [cursor.below(n) for _ in range(401)]
    stream = Stream("order", "discs", n)
    assert [stream[k] for k in order] == [expected[k] for k in order]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 10, 100, 128, 129, 200, 255, 256])
def test_draws_stay_below_n_and_reach_all_of_it(n: int) -> None:
    stream = Stream("range", "discs", n)
    counts = Counter(stream[k] for k in range(40 * n))
    assert set(counts) == set(range(n))
    assert max(counts.values()) < 40 + 40 * 2


def test_streams_do_not_influence_each_other() -> None:
    discs, reveals = DEAL.stream("discs", 7), DEAL.stream("reveals", 7)
    alone = [DEAL.stream("discs", 7)[k] for k in range(50)]
    mixed = []
    for k in range(50):
        mixed.append(discs[k])
        assert 0 <= reveals[k] < 7
    assert mixed == alone
    assert alone != [reveals[k] for k in range(50)]


def test_a_stream_has_no_draw_before_the_first() -> None:
    with pytest.raises(IndexError):
        Stream("friday", "discs", 7)[-1]


@pytest.mark.parametrize(("n", "first"), [(0, 0), (-1, 0), (257, 0), (256, 1), (7, 250), (7, -1)])
def test_ranges_that_a_byte_cannot_give(n: int, first: int) -> None:
    with pytest.raises(ValueError, match="n must be"):
        Stream("friday", "discs", n, first)


@pytest.mark.parametrize("n", [0, 257])
def test_ranges_that_a_cursor_cannot_give(n: int) -> None:
    with pytest.raises(ValueError, match="n must be"):
        Cursor("friday", "discs").below(n)


def test_a_shuffle_is_fisher_yates_from_the_last_index_down() -> None:
    draws = Cursor("friday", "blocks")
    expected = list("ABCDE")
    for i in (4, 3, 2, 1):
        j = draws.below(i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    items = "ABCDE"
    assert Cursor("friday", "blocks").shuffle(items) == expected
    assert sorted(expected) == list(items)


@pytest.mark.parametrize(
    ("text", "seed"),
    [
        ("friday", "friday"),
        ("  friday \n", "friday"),
        ("he\u0301llo", "h\u00e9llo"),
        ("7", "7"),
        ("a b", "a b"),
        ("x" * 64, "x" * 64),
        ("é" * 64, "é" * 64),
        (" " * 90 + "x" + " " * 90, "x"),
        ("🎲" * 64, "🎲" * 64),
    ],
)
def test_seeds_in_normal_form(text: str, seed: str) -> None:
    assert read_seed(text) == seed
    assert read_seed(seed) == seed


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "\t\n", "x" * 65, "x" * 10_000, " " * 300 + "x"),
        *("a\x00b", "a\nb", "\x1b[31m", "a\x7fb", "\ud800", "a\x85b"),
        *(None, 7, True, b"friday", ["friday"]),
    ],
    ids=lambda text: repr(text)[:12],
)
def test_seeds_that_are_refused(text: object) -> None:
    with pytest.raises(InvalidSeed) as refused:
        read_seed(text)
    assert refused.value.field == "seed"
    assert refused.value.text


@given(st.text(max_size=80))
def test_a_seed_is_refused_or_can_be_used_as_it_is(text: str) -> None:
    try:
        seed = read_seed(text)
    except InvalidSeed:
        return
    assert read_seed(seed) == seed
    assert 1 <= len(seed) <= 64
    assert seed.encode()


def test_the_id_of_a_deal_is_the_same_on_every_server() -> None:
    assert DEAL.id == Deal("drop7", 1, {"start_rows": 1}, seed="friday").id
    assert len(DEAL.id) == 12
    assert set(DEAL.id) <= set("0123456789abcdefghjkmnpqrstvwxyz")


def test_the_id_and_commitment_name_every_part() -> None:
    others = [
        replace(DEAL, game="number-drop"),
        replace(DEAL, version=2),
        replace(DEAL, options={"start_rows": 2}),
        replace(DEAL, seed="Friday"),
        replace(DEAL, seed=None, tape={"discs": [1]}),
        replace(DEAL, seed=None, tape={"discs": [2]}),
    ]
    assert len({deal.id for deal in [DEAL, *others]}) == 7
    assert len({deal.commitment for deal in [DEAL, *others[3:]]}) == 4
    assert all(len(bytes.fromhex(deal.commitment)) == 32 for deal in others)


def test_the_order_of_a_tape_s_keys_does_not_matter() -> None:
    one = replace(DEAL, seed=None, tape={"discs": [1], "latent_rows": []})
    two = replace(DEAL, seed=None, tape={"latent_rows": [], "discs": [1]})
    assert (one.id, one.commitment) == (two.id, two.commitment)


def test_a_deal_from_a_tape_has_no_streams() -> None:
    deal = replace(DEAL, seed=None, tape={"discs": [1]})
    with pytest.raises(ValueError, match="tape"):
        deal.stream("discs", 7)
    with pytest.raises(ValueError, match="tape"):
        deal.cursor("discs")


def test_canonical_json() -> None:
    assert canonical_json({"b": [1, None, True], "a": "é\n"}) == '{"a":"é\\n","b":[1,null,true]}'
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))


def test_any_one_of_few_or_many() -> None:
    cursor, other = Cursor("friday", "pick"), Cursor("friday", "pick")
    assert [cursor.pick("abcdefg") for _ in range(20)] == ["abcdefg"[other.below(7)] for _ in range(20)]
    many = range(600)
    picked = [cursor.pick(many) for _ in range(5000)]
    assert min(picked) == 0
    assert max(picked) == 599
    assert len(set(picked)) == 600
