"""Replaying logs, and naming the first entry that does not fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from samedrop_rules import Ended, Entry, IllegalMove, ReplayMismatch, RulesError, Table, apply, find_game, replay
from tests.support.playing import random_log

GAME = find_game("drop7")
DEAL = GAME.deal({}, seed="replay")


def table() -> Table:
    return GAME.table(DEAL, 2)


@pytest.fixture
def log() -> list[Entry]:
    return [entry for entry, _ in random_log(table(), "moves")]


def first_mismatch(entries: list[Entry]) -> ReplayMismatch:
    with pytest.raises(ReplayMismatch) as mismatch:
        list(replay(table(), entries))
    return mismatch.value


def test_a_log_replays_with_its_events(log: list[Entry]) -> None:
    replayed = list(replay(table(), log))
    assert [entry for entry, _ in replayed] == log
    again = table()
    assert [events for _, events in replayed] == [apply(again, entry).events for entry in log]


def test_a_log_is_replayed_as_far_as_it_is_asked_for(log: list[Entry]) -> None:
    rebuilt = table()
    entries = replay(rebuilt, log)
    for _ in range(3):
        next(entries)
    assert rebuilt.turn(0) + rebuilt.turn(1) == 3


def test_stops_are_part_of_a_log() -> None:
    played = table()
    played.play(0, {"column": 3})
    first = Entry(0, 0, {"column": 3}, None, 5, played.score(0), played.digest(0))
    played.stop(0, Ended.FORFEIT)
    stop = Entry(0, 1, None, Ended.FORFEIT, 9, played.score(0), played.digest(0))
    rebuilt = table()
    replayed = list(replay(rebuilt, [first, stop]))
    assert replayed[1][1] == [{"type": "over", "ended": "forfeit", "cause": "forfeit"}]
    assert rebuilt.ended(0) is Ended.FORFEIT


@pytest.mark.parametrize("index", [0, 1, 20, -1])
def test_a_changed_score_or_digest_is_found_at_its_entry(log: list[Entry], index: int) -> None:
    index %= len(log)
    changed = replace(log[index], score=log[index].score + 1)
    mismatch = first_mismatch([*log[:index], changed, *log[index + 1 :]])
    assert (mismatch.index, mismatch.entry) == (index, changed)
    assert "score" in str(mismatch)
    changed = replace(log[index], digest="0" * 16)
    mismatch = first_mismatch([*log[:index], changed, *log[index + 1 :]])
    assert (mismatch.index, mismatch.entry) == (index, changed)
    assert "digest" in str(mismatch)


def test_a_changed_move_is_found(log: list[Entry]) -> None:
    entry = log[0]
    assert entry.move is not None
    changed = replace(entry, move={"column": 6 if entry.move["column"] != 6 else 0})
    assert first_mismatch([changed, *log[1:]]).index == 0


def test_a_move_that_the_rules_refuse_is_found(log: list[Entry]) -> None:
    mismatch = first_mismatch([log[0], replace(log[1], move={"column": 7}), *log[2:]])
    assert mismatch.index == 1
    assert "column" in str(mismatch)


def test_a_missing_or_repeated_or_foreign_entry_is_found(log: list[Entry]) -> None:
    assert first_mismatch([*log[:4], *log[5:]]).index >= 4
    assert first_mismatch([*log[:4], log[3], *log[4:]]).index == 4
    assert "no such seat" in str(first_mismatch([replace(log[0], seat=2)]))
    assert "no such seat" in str(first_mismatch([replace(log[0], seat=-1)]))
    assert first_mismatch([*log, replace(log[-1], turn=log[-1].turn + 1)]).index == len(log)


def test_an_entry_without_a_move_or_a_stop_is_refused(log: list[Entry]) -> None:
    with pytest.raises(RulesError, match="neither"):
        apply(table(), replace(log[0], move=None))
    assert first_mismatch([replace(log[0], move=None)]).index == 0


def test_applying_a_refused_move_raises_as_the_table_does(log: list[Entry]) -> None:
    over = table()
    over.stop(0, Ended.TIME)
    with pytest.raises(IllegalMove):
        apply(over, log[0])
