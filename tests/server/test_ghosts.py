"""Which stored runs may be raced, and by which settings."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.model import RunId, Settings
from samedrop_server import ghosts
from samedrop_server.history import History
from samedrop_server.storage.database import Database
from samedrop_server.storage.ledger import Ledger
from tests.server.test_history import store
from tests.support.databases import database, empty_url, postgres_url, sqlite_url, url
from tests.support.server import FakeClock
from tests.support.stored import STARTED, played

__all__ = ["database", "empty_url", "postgres_url", "sqlite_url", "url"]

ONE = played("one", ("Ann", "Bob"), seed="same", known=model.Known.OPEN)
TWO = played("two", ("Cid",), seed="same", known=model.Known.OPEN, started=STARTED + 1)
OTHER = played("other", ("Eve",), seed="other", known=model.Known.OPEN)
TODAY = played("today", ("Dan",), seed="of the day", known=model.Known.DAILY, started=STARTED + 5)
SECRET = played("secret", ("Fay",), seed="secret", known=model.Known.SEALED)
AGAIN = played("again", ("Gus",), seed="secret", known=model.Known.OPEN, started=STARTED + 9)


@pytest.fixture
def history(database: Database) -> History:
    ledger = Ledger(database)
    store(ledger, ONE, TWO, OTHER, TODAY, SECRET)
    ledger.close()
    return History(database, FakeClock(STARTED + 1000))


def by(*runs: tuple[str, int], **settings: object) -> Settings:
    return Settings(ghosts=[RunId(match=match, seat=seat) for match, seat in runs], **settings)  # type: ignore[arg-type]


async def refused(history: History, settings: Settings) -> str:
    with pytest.raises(ProtocolError) as error:
        await history.ghosts(settings)
    assert (error.value.code, error.value.field) == (ErrorCode.GHOST, "settings.ghosts")
    return error.value.text


async def test_they_bring_their_deal_along(history: History) -> None:
    wanted = by(("one", 1), ("two", 0), game="dice-drop", time_limit=60)
    settings, runs = await history.ghosts(wanted)
    assert (settings.game, settings.version, settings.seed, settings.tape) == ("drop7", 1, "same", None)
    assert (settings.options, settings.time_limit) == (ONE.match.deal.options, 60)
    assert [(run.run.match, run.run.seat, run.held.name, run.drop_limit) for run in runs] == [
        ("one", 1, "Bob", 6), ("two", 0, "Cid", 6)
    ]  # fmt: skip
    for run in runs:
        assert [entry.turn for entry in run.log] == list(range(len(run.log)))
        assert {entry.seat for entry in run.log} == {0}
    theirs = [logged for logged in ONE.log if logged.seat == 1]
    assert [(entry.score, entry.digest, entry.at) for entry in runs[0].log] == [
        (logged.score, logged.digest, logged.at) for logged in theirs
    ]


async def test_no_ghosts_change_nothing(history: History) -> None:
    assert await history.ghosts(Settings()) == (Settings(), ())


async def test_the_seed_may_be_named_too(history: History) -> None:
    settings, _ = await history.ghosts(by(("one", 0), seed="same"))
    assert settings.seed == "same"
    assert "not on the deal of these settings" in await refused(history, by(("one", 0), seed="other"))


@pytest.mark.parametrize("match", ["nothing", "a\x00b", "\ud800"])
async def test_there_is_no_such_match(history: History, match: str) -> None:
    assert "There is no finished" in await refused(history, by((match, 0)))


async def test_what_cannot_be_raced(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no finished run of seat 2" in await refused(history, by(("one", 2)))
    assert "twice" in await refused(history, by(("one", 0), ("one", 0)))
    assert "not all on the same deal" in await refused(history, by(("one", 0), ("other", 0)))
    monkeypatch.setattr(ghosts, "GHOST_TURNS", 6)
    assert "over 6 turns" in await refused(history, by(("one", 0), ("one", 1)))


async def test_a_match_that_runs_has_none(history: History, database: Database) -> None:
    ledger = Ledger(database)
    running = played("running", ("Hal",), seed="same", known=model.Known.OPEN)
    store(ledger, running, finish=False)
    ledger.close()
    assert "no finished run" in await refused(history, by(("running", 0)))


async def test_a_secret_deal_that_others_still_play(history: History, database: Database) -> None:
    await history.ghosts(by(("secret", 0)))
    ledger = Ledger(database)
    store(ledger, AGAIN, finish=False)
    assert "still being played" in await refused(history, by(("secret", 0)))
    ledger.commit([AGAIN.finished])
    ledger.close()
    await history.ghosts(by(("secret", 0), ("again", 0)))


async def test_the_deal_of_the_day(history: History, database: Database) -> None:
    assert "deal of the day" in await refused(history, by(("today", 0)))
    settings, runs = await history.ghosts(by(("today", 0), daily=True))
    assert (settings.daily, settings.seed, len(runs)) == (True, None, 1)
    assert "not on today's deal" in await refused(history, by(("one", 0), daily=True))
    assert "not on today's deal" in await refused(history, by(("today", 0), daily=True, game="merge-drop"))
    tomorrow = History(database, FakeClock(STARTED + 86_400_000))
    assert "not on today's deal" in await refused(tomorrow, by(("today", 0), daily=True))
    settings, _ = await tomorrow.ghosts(by(("today", 0)))
    assert settings.seed == "of the day"


async def test_a_challenge_has_its_own(history: History) -> None:
    assert "not on the deal of this challenge" in await refused(history, by(("one", 0), challenge="ABC234"))


async def test_a_run_that_does_not_replay_is_refused(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    ledger = Ledger(database)
    store(ledger, ONE)
    ledger.close()
    with database.connect_writer() as connection, connection.begin():
        connection.execute(text("UPDATE moves SET score = score + 1 WHERE seat = 1 AND turn = 3"))
    history = History(database)
    await history.ghosts(by(("one", 0)))
    assert "does not replay" in await refused(history, by(("one", 1)))
    database.close()
