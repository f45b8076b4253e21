"""The race table: own boards, the drop limit, stopping."""

from __future__ import annotations

import pytest

from samedrop_rules import Ended, IllegalMove, Table, find_game
from tests.support.playing import random_log

GAME = find_game("drop7")
NOTHING = (0, 0, 0)


def race(seats: int = 2, drop_limit: int | None = None, seed: str = "race") -> Table:
    return GAME.table(GAME.deal({}, seed=seed), seats, drop_limit)


def test_players_start_from_the_same_view() -> None:
    table = race(16)
    assert table.seats == 16
    assert all(table.view(seat) == table.view(0) for seat in range(16))
    assert len({table.digest(seat) for seat in range(16)}) == 1


def test_the_same_moves_lead_to_the_same_state_whenever_they_are_made() -> None:
    table = race()
    first = [table.play(0, {"column": column}) for column in (0, 3, 6, 3, 1, 1)]
    second = [table.play(1, {"column": column}) for column in (0, 3, 6, 3, 1, 1)]
    assert first == second
    assert table.digest(0) == table.digest(1)
    assert table.view(0) == table.view(1)


def test_turns_and_scores_are_each_seat_s_own() -> None:
    table = race()
    table.play(1, {"column": 0})
    assert [table.turn(seat) for seat in (0, 1)] == [0, 1]
    assert table.score(0) == 0


def test_the_drop_limit_stops_a_run_as_censored_after_its_last_drop() -> None:
    table = race(drop_limit=3)
    for column in (0, 1):
        assert all(event["type"] != "over" for event in table.play(0, {"column": column}).events)
    events = table.play(0, {"column": 2}).events
    assert events[-1] == {"type": "over", "ended": "censored", "cause": "drop_limit"}
    assert events[-2]["type"] == "next"
    assert table.ended(0) is Ended.CENSORED
    assert table.view(0)["disc"] == 0
    assert table.turn(0) == 3
    assert table.ended(1) is None
    with pytest.raises(IllegalMove):
        table.play(0, {"column": 2})


def test_a_run_that_the_rules_end_at_the_drop_limit_is_not_censored() -> None:
    log = list(random_log(race(1), "limit"))
    table = race(1, drop_limit=len(log))
    events = [event for _, step in random_log(table, "limit") for event in step.events]
    assert table.turn(0) == len(log)
    assert table.ended(0) is Ended.RULES
    assert [event["type"] for event in events].count("over") == 1


@pytest.mark.parametrize("ended", [Ended.FORFEIT, Ended.TIME])
def test_stopping_a_run(ended: Ended) -> None:
    table = race()
    table.play(0, {"column": 3})
    score, known = table.score(0), table.knowledge(0)
    assert table.stop(0, ended) == ([{"type": "over", "ended": ended.value, "cause": ended.value}], NOTHING)
    assert (table.score(0), table.turn(0), table.ended(0)) == (score, 1, ended)
    assert table.knowledge(0) == known
    assert table.legal(0) == []
    assert not table.over
    assert table.stop(0, Ended.FORFEIT) == ([], NOTHING)
    assert table.ended(0) is ended
    table.stop(1, ended)
    assert table.over


def test_a_finished_run_refuses_even_malformed_moves_as_over() -> None:
    table = race()
    table.stop(0, Ended.FORFEIT)
    with pytest.raises(IllegalMove, match="over"):
        table.play(0, {"column": "junk"})
