"""Deal pages: what was played on a deal, ranked, and shown to whom."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from samedrop_client import Refused, connect
from samedrop_client.players import random_player
from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.from_client import GetDeal
from samedrop_server.history import History
from samedrop_server.storage.database import Database
from samedrop_server.storage.ledger import Ledger
from samedrop_server.storage.records import NewPlayer
from tests.e2e.support import served
from tests.server.test_history import store
from tests.support.databases import database, empty_url, postgres_url, sqlite_url, url
from tests.support.http import get
from tests.support.stored import STARTED, Played, played, player_id

__all__ = ["database", "empty_url", "postgres_url", "sqlite_url", "url"]


@pytest.fixture
def history(database: Database) -> History:
    """Three matches on one deal, the first of them sealed; and one on another deal."""
    ledger = Ledger(database)
    store(ledger, *matches())
    ledger.close()
    return History(database)


def matches() -> list[Played]:
    return [
        played("one", ("Ann", "Bob"), seed="same", known=model.Known.SEALED),
        played("two", ("Ann", "Cid"), seed="same", known=model.Known.OPEN, started=STARTED + 1),
        played("three", ("Dan",), seed="same", known=model.Known.OPEN, started=STARTED + 2),
        played("other", ("Eve",), seed="other"),
    ]


DEAL = matches()[0].match.deal.id


def wanted(**filters: object) -> GetDeal:
    return GetDeal(id="r", deal=DEAL, **filters)  # type: ignore[arg-type]


async def test_runs_at_first_sight_are_ranked_apart_and_come_first(history: History) -> None:
    deal, runs, following = await history.get_deal(wanted())
    assert (deal.deal, deal.seed, deal.known, following) == (DEAL, "same", model.Known.SEALED, None)
    assert [run.first_sight for run in runs] == [True, True, False, False, False]
    for group in (runs[:2], runs[2:]):
        scores = [run.score for run in group]
        assert scores == sorted(scores, reverse=True)
        assert [run.rank for run in group] == [scores.index(score) + 1 for score in scores]
    assert {(run.match, run.name) for run in runs} == {
        ("one", "Ann"), ("one", "Bob"), ("two", "Ann"), ("two", "Cid"), ("three", "Dan")
    }  # fmt: skip


async def test_filters_keep_the_ranks(history: History) -> None:
    _, everything, _ = await history.get_deal(wanted())
    for player in ("Ann", "id-Ann"):
        _, runs, _ = await history.get_deal(wanted(player=player))
        assert runs == [run for run in everything if run.name == "Ann"]
    for first_sight in (True, False):
        _, runs, _ = await history.get_deal(wanted(first_sight=first_sight))
        assert runs == [run for run in everything if run.first_sight is first_sight]
    assert (await history.get_deal(wanted(player="nobody")))[1] == []


@pytest.mark.parametrize("each", model.Each)
async def test_one_run_of_each_player_is_ranked_among_such(database: Database, each: model.Each) -> None:
    """Ann plays the sealed deal once, and then three times more, the best in the middle; Bob and Cid once."""
    seeded = [
        played("sealed", ("Ann", "Bob"), seed="same", known=model.Known.SEALED),
        *(
            played(name, ("Ann",), seed="same", known=model.Known.OPEN, started=STARTED + number, drop_limit=limit)
            for number, (name, limit) in enumerate((("first", 6), ("best", 40), ("last", 6)), 1)
        ),
        played("cid", ("Cid",), seed="same", known=model.Known.OPEN, started=STARTED + 9, drop_limit=40),
    ]
    ledger = Ledger(database)
    store(ledger, *seeded)
    ledger.close()
    history = History(database)
    _, everything, _ = await history.get_deal(wanted())
    assert len(everything) == 6
    _, runs, following = await history.get_deal(wanted(each=each))
    later = [run for run in everything if not run.first_sight and run.name == "Ann"]
    best = max(later, key=lambda run: run.score)
    first = min(later, key=lambda run: run.started)
    assert (best.match, first.match) == ("best", "first"), "the seeds must make it so"
    chosen = best if each is model.Each.BEST else first
    assert [(run.name, run.match) for run in runs if run.first_sight] == [
        (run.name, run.match) for run in everything if run.first_sight
    ]
    others = [run for run in runs if not run.first_sight]
    assert {(run.name, run.match) for run in others} == {("Ann", chosen.match), ("Cid", "cid")}
    assert [run.rank for run in others] == [1, 2]
    assert others[0].score > others[1].score
    assert following is None
    _, page, following = await history.get_deal(wanted(each=each, first_sight=False, first=1, limit=1))
    assert (page, following) == (others[1:], None)


async def test_who_gave_up_has_no_best_run_where_there_is_another(database: Database) -> None:
    """A forfeited run is behind every other, whatever its score."""
    kept = played("kept", ("Ann",), seed="same", drop_limit=6)
    better = played("better", ("Ann",), seed="same", known=model.Known.SEALED, started=STARTED + 1, drop_limit=40)
    standing = msgspec.structs.replace(better.finished.standings[0], ended="forfeit")
    given_up = replace(better, finished=better.finished._replace(standings=(standing,)))
    ledger = Ledger(database)
    store(ledger, kept, given_up)
    ledger.close()
    _, (run,), _ = await History(database).get_deal(wanted(each=model.Each.BEST))
    assert run.match == "kept"
    assert run.score < standing.score


async def test_teams_are_told_from_their_members(database: Database) -> None:
    def of(name: str, partner: str | None, started: int, holder: str = "Ann") -> Played:
        one = played(name, (holder,), seed="same", started=started)
        held = model.Partner(player=player_id(partner), name=partner) if partner else None
        seat = msgspec.structs.replace(one.match.seats[0], partner=held)
        people = (*one.people, *([NewPlayer(player_id(partner), f"hash of {partner}", partner, 1)] if partner else []))
        return replace(one, match=one.match._replace(seats=(seat,)), people=people)

    ledger = Ledger(database)
    store(
        ledger,
        of("a", "Bob", STARTED),
        of("b", "Bob", STARTED + 1),
        of("c", "Cid", STARTED + 2),
        of("d", None, STARTED + 3),
        of("e", "Ann", STARTED + 4, holder="Bob"),
        of("f", None, STARTED + 5, holder="Bob"),
    )
    ledger.close()
    _, runs, _ = await History(database).get_deal(wanted(each=model.Each.FIRST))
    assert {(run.match, run.names) for run in runs} == {
        ("a", "Ann & Bob"),
        ("c", "Ann & Cid"),
        ("d", "Ann"),
        ("f", "Bob"),
    }


async def test_pages(history: History) -> None:
    _, everything, _ = await history.get_deal(wanted())
    place: int | None = 0
    found: list[model.Run] = []
    while place is not None:
        _, runs, place = await history.get_deal(wanted(first=place, limit=2))
        found += runs
    assert found == everything
    assert (await history.get_deal(wanted(first=2**53 - 1)))[1:] == ([], None)


@pytest.mark.parametrize("deal", ["nothing", "", "a\x00b", "\ud800", "'; DROP TABLE deals"])
async def test_a_deal_that_nobody_played(history: History, deal: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        await history.get_deal(GetDeal(id="r", deal=deal))
    assert refused.value.code == ErrorCode.DEAL_NOT_FOUND


async def test_a_deal_that_was_secret_is_not_shown_while_it_is_played_again(database: Database) -> None:
    first, again = matches()[:2]
    ledger = Ledger(database)
    store(ledger, first)
    cid = [person for person in again.people if person not in first.people and person[0] != "id-Ann"]
    ledger.commit([*cid, again.match, *again.log])
    with pytest.raises(ProtocolError, match="later") as refused:
        await History(database).get_deal(wanted())
    assert refused.value.code == ErrorCode.DEAL_NOT_FOUND
    ledger.commit([again.finished])
    ledger.close()
    assert len((await History(database).get_deal(wanted()))[1]) == 4


async def test_who_plays_a_deal_does_not_see_what_others_did_on_it(tmp_path: Path) -> None:
    """The deal is open, so others may look at it; who is in the middle of it may not, by message."""
    settings = model.Settings(seed="friday", drop_limit=3, countdown=0)
    async with (
        served(tmp_path) as server,
        connect(server.url, name="ann") as ann,
        connect(server.url, name="bob") as bob,
    ):
        room = await ann.create_room(settings)
        await room.start()
        match = await room.next_match()
        over = await match.play(random_player(match))
        deal = over.deal.deal
        assert [run.name async for run in bob.runs(deal)] == ["ann"]
        other = await bob.create_room(settings)
        await other.start()
        own = await other.next_match()
        with pytest.raises(Refused, match="You are playing this deal") as refused:
            [run async for run in bob.runs(deal)]
        assert refused.value.code == ErrorCode.DEAL_NOT_FOUND
        with pytest.raises(Refused, match="You are playing this deal"):
            await bob.match_record(match.id)
        assert (await ann.match_record(match.id)).match.deal.deal == deal
        await own.play(random_player(own))
        assert [run.name async for run in bob.runs(deal)] != []
        page = (await get(server, f"/api/v1/deals/{deal}?limit=1&first_sight=false")).json
        assert (page["deal"]["seed"], len(page["runs"]), page["next"]) == ("friday", 1, 1)
        assert (await get(server, "/api/v1/deals/nothing")).status == 404
        assert (await get(server, f"/api/v1/deals/{deal}?first=-1")).status == 400
