from __future__ import annotations

import re
from pathlib import Path

import pytest

from samedrop_protocol import from_client
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_server.gateway.limits import (
    ADDRESS_FACTOR,
    FRAGMENTS,
    FRAMES,
    GUESSES,
    HELLOS,
    MESSAGES,
    MOVE_COST,
    PLAYERS,
    RATES,
    REQUESTS,
    RETRY_AT_LEAST,
    Bucket,
    Limits,
    Rate,
)
from tests.support.server import FakeClock

HERE = "192.0.2.1"


def taken(bucket: Bucket, now: int) -> int:
    """How many are let through now."""
    count = 0
    while bucket.wait(now) <= 0 and count < 100_000:
        bucket.spend(now)
        count += 1
    return count


def test_a_bucket_lets_through_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(Rate("some", 10, 2))
    assert taken(bucket, 1_000_000) == 10
    assert bucket.wait(1_000_000) == 500
    assert taken(bucket, 1_000_499) == 0
    assert taken(bucket, 1_000_500) == 1
    assert taken(bucket, 1_002_500) == 4
    assert taken(bucket, 2_000_000) == 10


def test_parts_can_be_spent() -> None:
    bucket = Bucket(Rate("some", 2, 1))
    for _ in range(5):
        assert bucket.wait(0) <= 0
        bucket.spend(0, 0.25)
    assert (bucket.ahead(0), bucket.wait(0)) == (1250, 250)


def test_a_clock_that_stands_still_gives_no_more() -> None:
    limits = Limits(FakeClock())
    for _ in range(int(REQUESTS.burst)):
        limits.request(HERE)
    for _ in range(10):
        with pytest.raises(ProtocolError):
            limits.request(HERE)


def refusal(limits: Limits, kind: type[from_client.ClientMessage], player: str = "ann") -> ProtocolError:
    """The error once too many of these came at once."""
    for _ in range(100_000):
        try:
            limits.message(kind, player, HERE)
        except ProtocolError as error:
            return error
    raise AssertionError(f"{kind.__name__} is not limited")


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_a_refusal_names_the_limit_and_how_long_to_wait(kind: type[from_client.ClientMessage]) -> None:
    clock = FakeClock()
    limits = Limits(clock)
    error = refusal(limits, kind)
    assert (error.code, error.field) == (ErrorCode.RATE_LIMITED, MESSAGES[kind].name)
    assert MESSAGES[kind].name in error.text
    assert error.retry_after is not None
    clock.advance(error.retry_after)
    limits.message(kind, "ann", HERE)


@pytest.mark.parametrize("kind", [from_client.Move, from_client.Forfeit, from_client.Ping, from_client.Unwatch])
def test_play_counts_as_frames_only(kind: type[from_client.ClientMessage]) -> None:
    assert kind not in MESSAGES


def test_every_wait_is_one_that_clients_wait_by_themselves() -> None:
    clock = FakeClock()
    limits = Limits(clock)
    for rate in (FRAMES, HELLOS, PLAYERS, GUESSES, REQUESTS, *MESSAGES.values()):
        assert RETRY_AT_LEAST <= (limits.refuse(rate, 1000 / rate.per_second).retry_after or 0) <= 60


def test_players_do_not_take_from_each_other_but_from_their_address() -> None:
    limits = Limits(FakeClock())
    burst = int(MESSAGES[from_client.JoinRoom].burst)
    for player in range(ADDRESS_FACTOR):
        for _ in range(burst):
            limits.message(from_client.JoinRoom, f"{player}", HERE)
    with pytest.raises(ProtocolError):
        limits.message(from_client.JoinRoom, "one more", HERE)
    limits.message(from_client.JoinRoom, "one more", "192.0.2.2")


def test_what_the_address_refuses_does_not_take_from_the_player() -> None:
    clock = FakeClock()
    limits = Limits(clock)
    rate = MESSAGES[from_client.Chat]
    for number in range(int(rate.burst) * ADDRESS_FACTOR):
        limits.message(from_client.Chat, f"{number}", HERE)
    for _ in range(50):
        with pytest.raises(ProtocolError):
            limits.message(from_client.Chat, "ann", HERE)
    for _ in range(int(rate.burst)):
        limits.message(from_client.Chat, "ann", "192.0.2.2")


def test_the_addresses_of_one_ipv6_network_are_one() -> None:
    limits = Limits(FakeClock())
    for number in range(int(PLAYERS.burst)):
        limits.hello(None, f"2001:db8::{number:x}")
    with pytest.raises(ProtocolError) as error:
        limits.hello(None, "2001:db8::ffff")
    assert error.value.field == "players"
    limits.hello(None, "2001:db8:0:1::1")


def test_one_token_cannot_connect_without_end_and_others_can() -> None:
    limits = Limits(FakeClock())
    for _ in range(int(HELLOS.burst)):
        limits.hello("hash", HERE)
    with pytest.raises(ProtocolError) as error:
        limits.hello("hash", "192.0.2.2")
    assert error.value.field == "hellos"
    limits.hello("other", HERE)


def test_wrong_codes_close_the_way_for_right_ones_too() -> None:
    clock = FakeClock()
    limits = Limits(clock)
    for _ in range(int(GUESSES.burst)):
        limits.may_guess(HERE)
        limits.guessed(HERE)
    with pytest.raises(ProtocolError) as error:
        limits.may_guess(HERE)
    assert error.value.retry_after == 5
    limits.may_guess("192.0.2.2")
    clock.advance(5)
    limits.may_guess(HERE)


def test_refusals_are_counted_by_limit() -> None:
    limits = Limits(FakeClock())
    refusal(limits, from_client.Chat)
    refusal(limits, from_client.Chat)
    assert (limits.refused["chat"], limits.refused["joins"]) == (2, 0)


def test_buckets_that_are_full_again_are_forgotten() -> None:
    clock = FakeClock()
    limits = Limits(clock)
    for player in range(1000):
        limits.message(from_client.Chat, f"{player}", f"198.51.{player // 250}.{player % 250}")
    limits.tidy()
    assert len(limits) == 2000
    clock.advance(1)
    limits.tidy()
    assert len(limits) == 0


def test_limits_can_be_more_generous_or_off() -> None:
    clock = FakeClock()
    assert taken(Limits(clock, 2).frames(), clock.now()) == 2 * FRAMES.burst
    without = Limits(clock, 0)
    assert taken(without.frames(), clock.now()) == 100_000
    for _ in range(10_000):
        without.message(from_client.CreateRoom, "ann", HERE)
        without.may_guess(HERE)
        without.guessed(HERE)
    without.tidy()
    assert len(without) == 0


def test_no_speed_of_acknowledgements_reaches_the_limit_of_frames() -> None:
    """5,000 moves a second for a minute, far more than one connection can have stored one by one."""
    bucket, now = Bucket(FRAMES), 0
    for number in range(5_000 * 60):
        now = number // 5
        assert bucket.wait(now) <= 0
        bucket.spend(now, MOVE_COST)
    assert bucket.ahead(now) < 25


def test_the_page_lists_every_limit_as_it_is() -> None:
    page = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
    listed = {
        name: (float(burst.replace(",", "")), float(rate.replace(",", "")))
        for name, burst, rate in re.findall(r"^\| `(\w+)` \| .* \| ([\d,]+) \| ([\d,.]+) \|$", page, re.MULTILINE)
    }
    assert listed == {rate.name: (rate.burst, rate.per_second) for rate in (*RATES, FRAGMENTS)}
    assert f"at {ADDRESS_FACTOR} times the numbers" in page
    assert f"counts 1/{1 / MOVE_COST:.0f} " in page
