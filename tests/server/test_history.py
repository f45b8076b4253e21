from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.from_client import GetMatch, ListMatches
from samedrop_server.history import History
from samedrop_server.storage.database import Database
from samedrop_server.storage.ledger import Ledger
from samedrop_server.storage.records import Pause, Record, RenamedPlayer
from tests.support.stored import STARTED, Played, played, player_id


@pytest.fixture
def ledger(database: Database) -> Iterator[Ledger]:
    ledger = Ledger(database)
    yield ledger
    ledger.close()


@pytest.fixture
def history(database: Database) -> History:
    return History(database)


def store(ledger: Ledger, *matches: Played, finish: bool = True) -> None:
    """Store matches; people whom several matches have in common once."""
    seen: set[object] = set()
    for match in matches:
        people: list[Record] = [person for person in match.people if person[0] not in seen]
        seen.update(person[0] for person in people)
        ledger.commit([*people, match.match, *match.log, *([match.finished] if finish else [])])


def ids(found: Sequence[model.MatchSummary]) -> list[str]:
    return [match.match for match in found]


async def listed(history: History, **filters: object) -> list[str]:
    matches, following = await history.list_matches(ListMatches(id="r", limit=100, **filters))  # type: ignore[arg-type]
    assert following is None
    return ids(matches)


async def test_a_finished_match_is_listed_with_its_result(ledger: Ledger, history: History) -> None:
    match = played()
    store(ledger, match)
    (summary,), following = await history.list_matches(ListMatches(id="r"))
    assert following is None
    deal = match.match.deal
    assert summary == model.MatchSummary(
        match="match-one",
        deal=deal.id,
        game="drop7",
        version=deal.version,
        known=model.Known.SEALED,
        started=STARTED,
        finished=STARTED + 60_000,
        standings=list(match.finished.standings),
    )


async def test_running_matches_are_not_shown(ledger: Ledger, history: History) -> None:
    store(ledger, played(), finish=False)
    assert await listed(history) == []
    with pytest.raises(ProtocolError) as refused:
        await history.get_match(GetMatch(id="r", match="match-one"))
    assert refused.value.code is ErrorCode.MATCH_NOT_FOUND


async def test_pages_join_without_gaps_or_repeats_whatever_their_size(ledger: Ledger, history: History) -> None:
    # Three of them start at the same time: their ids decide.
    matches = [played(f"m{number}", ("Ann",), started=STARTED + number // 3) for number in range(10)]
    store(ledger, *matches)
    newest_first = [
        f"m{number}" for number in sorted(range(10), key=lambda number: (number // 3, number), reverse=True)
    ]
    for player in (None, "Ann", player_id("Ann")):
        for limit in (1, 2, 3, 9, 10, 11):
            found: list[str] = []
            cursor: str | None = None
            while True:
                page, cursor = await history.list_matches(
                    ListMatches(id="r", player=player, limit=limit, cursor=cursor)
                )
                assert len(page) <= limit
                found += ids(page)
                if cursor is None:
                    break
            assert found == newest_first


async def test_filters_apply_alone_and_together(ledger: Ledger, history: History) -> None:
    a = played("a", ("Ann", "Bob"), seed="same", known=model.Known.OPEN, started=STARTED)
    b = played("b", ("Ann", "Cleo"), seed="other", known=model.Known.OPEN, started=STARTED + 10)
    c = played("c", ("Cleo", "Bob"), seed="same", known=model.Known.OPEN, started=STARTED + 20)
    store(ledger, a, b, c)
    same = a.match.deal.id
    assert await listed(history) == ["c", "b", "a"]
    assert await listed(history, player=player_id("Ann")) == ["b", "a"]
    assert await listed(history, player="Cleo") == ["c", "b"]
    assert await listed(history, player="cleo") == []
    assert await listed(history, player="Nobody") == []
    assert await listed(history, game="drop7") == ["c", "b", "a"]
    assert await listed(history, game="chess") == []
    assert await listed(history, player="Bob", game="chess") == []
    assert await listed(history, deal=same) == ["c", "a"]
    assert await listed(history, deal=same, player="Ann") == ["a"]
    assert await listed(history, deal=same, player="Bob", game="drop7", since=STARTED + 20) == ["c"]
    assert await listed(history, since=STARTED + 10) == ["c", "b"]
    assert await listed(history, until=STARTED + 10) == ["a"]
    assert await listed(history, since=STARTED, until=STARTED + 20, player="Bob") == ["a"]


async def test_a_name_is_the_one_that_was_played_under(ledger: Ledger, history: History) -> None:
    store(ledger, played("a", ("Zoé",)))
    ledger.commit([RenamedPlayer(player_id("Zoé"), "Zed")])
    assert await listed(history, player="Zoe\u0301") == ["a"]
    assert await listed(history, player="Zed") == []
    (summary,), _ = await history.list_matches(ListMatches(id="r"))
    assert summary.standings[0].name == "Zoé"


async def test_two_players_of_one_name_in_a_match_list_it_once(ledger: Ledger, history: History) -> None:
    match = played("a", ("Ann", "Bob", "Cleo"))
    twins = [
        seat if seat.seat == 0 else model.Seat(seat=seat.seat, player=seat.player, name="Max")
        for seat in match.match.seats
    ]
    ledger.commit([*match.people, match.match._replace(seats=twins), *match.log, match.finished])
    assert await listed(history, player="Max") == ["a"]


async def test_ids_come_before_names(ledger: Ledger, history: History) -> None:
    store(ledger, played("a", ("Ann",)), played("b", (player_id("Ann"),)))
    assert await listed(history, player=player_id("Ann")) == ["a"]


@pytest.mark.parametrize(
    "cursor",
    ["x", "-", "5", "5-", "-m", "5-m\n", "5-m'--", "x5-m", "9" * 16 + "-m", "5-" + "m" * 65, "٥-m", "5-\x00", "5 -m"],
)
async def test_a_cursor_that_was_never_given_is_refused(history: History, cursor: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        await history.list_matches(ListMatches(id="r", cursor=cursor))
    assert (refused.value.code, refused.value.field) == (ErrorCode.FILTER, "cursor")


@pytest.mark.parametrize("text", ["\x00", "a\x00", "\ud800", "' OR 1=1 --", "%", "\\"])
async def test_hostile_texts_find_nothing(ledger: Ledger, history: History, text: str) -> None:
    store(ledger, played())
    for name in ("player", "game", "deal"):
        assert await listed(history, **{name: text}) == []
    with pytest.raises(ProtocolError) as refused:
        await history.get_match(GetMatch(id="r", match=text))
    assert refused.value.code is ErrorCode.MATCH_NOT_FOUND


async def test_a_match_is_read_page_by_page(ledger: Ledger, history: History) -> None:
    match = played()
    store(ledger, match)
    log: list[model.LogEntry] = []
    for first, expected in ((0, 5), (5, 10), (10, None)):
        record, following = await history.get_match(GetMatch(id="r", match="match-one", first=first, limit=5))
        assert (record.first, record.entries, following) == (first, len(match.log), expected)
        log += record.log
    assert [(entry.seat, entry.turn, entry.score, entry.digest) for entry in log] == [
        (entry.seat, entry.turn, entry.score, entry.digest) for entry in match.log
    ]
    record, _ = await history.get_match(GetMatch(id="r", match="match-one"))
    assert record.match.deal.seed == "seed of match-one"
    assert (record.match.room, record.match.drop_limit, record.finished) == ("K7QXM2", 6, STARTED + 60_000)
    assert record.standings == list(match.finished.standings)


async def test_a_match_says_when_it_was_paused(ledger: Ledger, history: History) -> None:
    match = played()
    pauses = [Pause("match-one", 1, STARTED + 10), Pause("match-one", 1, STARTED + 10, STARTED + 20)]
    ledger.commit([*match.beginning, *match.log, *pauses, Pause("match-one", 2, STARTED + 30), match.finished])
    record, _ = await history.get_match(GetMatch(id="r", match="match-one"))
    assert record.pauses == [
        model.Pause(began=STARTED + 10, ended=STARTED + 20),
        model.Pause(began=STARTED + 30, ended=match.finished.finished),
    ]


@pytest.mark.parametrize("first", [12, 13, 2**31, 2**53 - 1])
async def test_a_page_behind_the_end_is_empty(ledger: Ledger, history: History, first: int) -> None:
    store(ledger, played())
    record, following = await history.get_match(GetMatch(id="r", match="match-one", first=first))
    assert (record.log, record.first, record.entries, following) == ([], first, 12, None)


async def test_a_secret_deal_is_not_opened_while_it_is_played_again(ledger: Ledger, history: History) -> None:
    first = played("first", ("Ann", "Bob"), seed="secret")
    again = played("again", ("Cleo", "Dan"), seed="secret", known=model.Known.OPEN, started=STARTED + 1)
    store(ledger, first)
    store(ledger, again, finish=False)
    assert await listed(history) == ["first"]
    with pytest.raises(ProtocolError, match="still being played") as refused:
        await history.get_match(GetMatch(id="r", match="first"))
    assert refused.value.code is ErrorCode.MATCH_NOT_FOUND
    assert "secret" not in str(refused.value).replace("secret deal", "")
    ledger.commit([again.finished])
    record, _ = await history.get_match(GetMatch(id="r", match="first"))
    assert record.match.deal.seed == "secret"


@pytest.mark.parametrize("known", [model.Known.OPEN, model.Known.TAPE])
async def test_a_deal_that_was_never_secret_can_always_be_opened(
    ledger: Ledger, history: History, known: model.Known
) -> None:
    store(ledger, played("first", seed="open", known=known))
    store(ledger, played("again", ("Cleo",), seed="open", known=known, started=STARTED + 1), finish=False)
    record, _ = await history.get_match(GetMatch(id="r", match="first"))
    assert record.match.deal.seed == "open"


async def test_trouble_with_the_database_is_told_without_its_details(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    assert database.place.file is not None
    database.place.file.unlink()
    for question in (
        History(database).list_matches(ListMatches(id="r")),
        History(database).get_match(GetMatch(id="r", match="m")),
    ):
        with pytest.raises(ProtocolError) as refused:
            await question
        assert refused.value.code is ErrorCode.STORAGE
        assert "samedrop.db" not in refused.value.text
    database.close()
