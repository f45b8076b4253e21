"""Daily deals: the seed of a day, what is told of it when, and streaks."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

import pytest
from msgspec import UNSET

import samedrop_migrations
from samedrop_client import Refused, connect
from samedrop_client.players import greedy_player, random_player
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Known, RunId, Settings
from samedrop_server.app import running
from samedrop_server.daily import Daily, day_of, end_of_day, streak
from samedrop_server.settings import Settings as ServerSettings
from tests.support.http import get
from tests.support.server import FakeClock

NOON = 1_900_022_400_000 - 43_200_000
"""2030-03-17, 12:00 UTC."""
DAY = 86_400
TODAY = Settings(daily=True, drop_limit=5, countdown=0)


def test_the_seed_of_a_day() -> None:
    text = b"daily/drop7/2030-03-17"
    assert Daily().seed("drop7", NOON) == text.decode()
    secret = Daily("hush")
    assert secret.seed("drop7", NOON) == hmac.new(b"hush", text, hashlib.sha256).hexdigest()
    assert (
        len({secret.seed(game, NOON + days * DAY * 1000) for game in ("drop7", "dice-drop") for days in range(5)}) == 10
    )
    assert secret.seed("drop7", end_of_day(NOON) - 1) == secret.seed("drop7", NOON)
    assert secret.seed("drop7", end_of_day(NOON)) != secret.seed("drop7", NOON)


def test_days() -> None:
    assert [day_of(NOON), day_of(end_of_day(NOON) - 1), day_of(end_of_day(NOON))] == [
        "2030-03-17", "2030-03-17", "2030-03-18"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("days", "count"),
    [("", 0), ("17", 1), ("16", 1), ("15", 0), ("17 16 15", 3), ("16 15 13", 2), ("17 15", 1), ("17 17 16", 2)],
)
def test_streaks(days: str, count: int) -> None:
    assert streak([f"2030-03-{day}" for day in days.split()], "2030-03-17") == count


async def test_a_day_and_the_next(tmp_path: Path) -> None:
    """Two friends play the daily deal at different times; nobody is told its seed before the day is over."""
    database = f"sqlite:///{tmp_path / 'samedrop.db'}"
    samedrop_migrations.upgrade(database)
    clock = FakeClock(NOON)
    settings = ServerSettings(port=0, database=database, daily_secret="hush")
    async with (
        running(settings, clock) as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
    ):
        deals, matches = [], []
        for client in (ann, bob):
            room = await client.create_room(TODAY)
            assert room.state.known is Known.DAILY
            await room.start()
            match = await room.next_match()
            over = await match.play(greedy_player(match))
            assert not isinstance(over.deal.seed, str)
            deals.append(over.deal)
            matches.append(match)
            clock.advance(3600)
        assert deals[0] == deals[1]
        match = matches[0]
        deal = deals[0].deal
        page = await bob.daily("drop7")
        assert (page.day, page.ends, page.streak) == ("2030-03-17", end_of_day(NOON), 1)
        assert [(day.day, day.deal, day.matches) for day in page.days] == [("2030-03-17", deal, 2)]
        assert {run.name async for run in bob.runs(deal)} == {"ann", "bob"}
        assert "seed" not in (await get(server, f"/api/v1/deals/{deal}")).json["deal"]
        with pytest.raises(Refused, match="when its day is over"):
            await ann.match_record(match.id)
        again = await connect(server.url, name="cid").__aenter__()
        assert (await again.daily("drop7")).streak == 0
        await again.__aexit__(None, None, None)

        clock.advance(DAY)
        assert (await ann.match_record(match.id)).match.deal.seed == Daily("hush").seed("drop7", NOON)
        assert (await get(server, f"/api/v1/deals/{deal}")).json["deal"]["seed"] == Daily("hush").seed("drop7", NOON)
        assert ann.room is not None
        await ann.room.rematch()
        match = await ann.room.next_match()
        await match.play(random_player(match))
        page = await ann.daily("drop7")
        assert (page.day, page.streak, len(page.days)) == ("2030-03-18", 2, 2)
        assert page.days[0].deal != deal
        before = await ann.daily("drop7", before="2030-03-18")
        assert (before.day, [day.day for day in before.days]) == ("2030-03-18", ["2030-03-17"])
        assert (await ann.daily("drop7", before="2030-03-17")).days == []
        assert len((await ann.daily("drop7", before="9999-12-31", limit=1)).days) == 1
        told = (await get(server, "/api/v1/daily/drop7?limit=1")).json
        assert (told["day"], [day["day"] for day in told["days"]]) == ("2030-03-18", ["2030-03-18"])


async def test_a_rematch_on_the_deal_of_the_day_discloses_nothing_that_day(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'samedrop.db'}"
    samedrop_migrations.upgrade(database)
    clock = FakeClock(NOON)
    settings = ServerSettings(port=0, database=database, daily_secret="hush")
    async with running(settings, clock) as server, connect(server.url, name="ann") as ann:
        room = await ann.create_room(TODAY)
        await room.start()
        first = await room.next_match()
        deal = (await first.play(greedy_player(first))).deal.deal
        await room.rematch(same_deal=True)
        again = await room.next_match()
        over = await again.play(greedy_player(again))
        assert (over.deal.deal, over.deal.known, over.deal.seed) == (deal, Known.DAILY, UNSET)
        for match in (first, again):
            with pytest.raises(Refused, match="when its day is over"):
                await ann.match_record(match.id)
        assert "seed" not in (await get(server, f"/api/v1/deals/{deal}")).json["deal"]
        clock.advance(DAY)
        await room.rematch(same_deal=True)
        later = await room.next_match()
        over = await later.play(greedy_player(later))
        assert (over.deal.deal, over.deal.known) == (deal, Known.OPEN)
        assert over.deal.seed == Daily("hush").seed("drop7", NOON)


async def test_who_began_before_midnight_plays_on_a_secret(tmp_path: Path) -> None:
    """Others who are done are told the seed only when nobody plays the deal of that day any more."""
    database = f"sqlite:///{tmp_path / 'samedrop.db'}"
    samedrop_migrations.upgrade(database)
    clock = FakeClock(end_of_day(NOON) - 60_000)
    settings = ServerSettings(port=0, database=database, daily_secret="hush")
    async with (
        running(settings, clock) as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
        connect(server.url, name="cid") as cid,
    ):
        matches = []
        for client in (ann, bob, cid):
            room = await client.create_room(TODAY)
            await room.start()
            matches.append(await room.next_match())
        deal = (await matches[0].play(greedy_player(matches[0]))).deal.deal
        clock.advance(120)
        over = await matches[1].play(greedy_player(matches[1]))
        assert (over.deal.deal, over.deal.seed) == (deal, UNSET)
        assert "seed" not in (await get(server, f"/api/v1/deals/{deal}")).json["deal"]
        with pytest.raises(Refused, match="when its day is over"):
            await ann.match_record(matches[0].id)
        with pytest.raises(Refused, match="deal of the day"):
            await ann.create_room(Settings(ghosts=[RunId(match=matches[0].id, seat=0)]))

        over = await matches[2].play(greedy_player(matches[2]))
        assert over.deal.seed == Daily("hush").seed("drop7", NOON)
        assert (await get(server, f"/api/v1/deals/{deal}")).json["deal"]["seed"] == over.deal.seed
        assert (await ann.match_record(matches[0].id)).match.deal.seed == over.deal.seed


async def test_the_daily_deal_is_the_same_for_all(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'samedrop.db'}"
    samedrop_migrations.upgrade(database)
    async with (
        running(ServerSettings(port=0, database=database)) as server,
        connect(server.url, name="ann") as ann,
    ):
        for wrong in (Settings(daily=True, seed="mine"), Settings(daily=True, options={"start_rows": 2})):
            with pytest.raises(Refused, match="default options") as refused:
                await ann.create_room(wrong)
            assert (refused.value.code, refused.value.field) == (ErrorCode.OPTIONS, "settings.daily")
        assert (await ann.daily("no-such-game")).days == []
        for no_day in (
            "",
            "today",
            "2030-02-30",
            "2030-3-1",
            "99999-01-01",
            "20300131",
            "2030-W05-4",
            "\x00",
            "2030-01-31T00:00",
        ):
            with pytest.raises(Refused, match="2030-01-31") as refused:
                await ann.daily("drop7", before=no_day)
            assert (refused.value.code, refused.value.field) == (ErrorCode.FILTER, "before")
        assert (await get(server, "/api/v1/daily/drop7?before=soon")).status == 400
