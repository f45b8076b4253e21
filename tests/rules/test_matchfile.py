from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from samedrop_rules import GAMES, Ended, Entry, Game, UnknownGame, find_game
from samedrop_rules.matchfile import (
    FORMAT,
    MAX_TEXT,
    FileSeat,
    InvalidMatchFile,
    MatchFile,
    Unverified,
    read_match_file,
    to_json,
    verify,
)
from tests.support.playing import random_log

TAPE = {"discs": [3, 4, 5, 6] * 9, "latent_rows": [[1, 2, 3, 4, 5, 6, 7]] * 9}


@cache
def match_of(game: Game, seats: int = 2, tape: bool = False) -> MatchFile:
    """A match that was played to the limit, but for seat 1 (if there is one), which gave up after some moves."""
    deal = game.deal({}, tape=TAPE) if tape else game.deal({}, seed="a seed")
    table = game.table(deal, seats, drop_limit=9)
    log: list[Entry] = []
    for entry, _ in random_log(table, "moves"):
        log.append(entry)
        if len(log) == 7 and seats > 1:
            table.stop(1, Ended.FORFEIT)
            log.append(Entry(1, table.turn(1), None, Ended.FORFEIT, 700, table.score(1), table.digest(1)))
    return MatchFile(
        match="match-one",
        deal=deal,
        deal_id=deal.id,
        commitment=deal.commitment,
        known="tape" if tape else "sealed",
        seats=tuple(FileSeat(f"player-{seat}", f"Zoé {seat}") for seat in range(seats)),
        drop_limit=9,
        time_limit=None,
        lockstep=False,
        rivals="fair",
        started=1_800_000_000_000,
        finished=1_800_000_060_000,
        log=tuple(log),
        standings=tuple(table.outcome()),
    )


MATCH = match_of(find_game("drop7"))


def decoded() -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(to_json(MATCH))
    return decoded


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.id}-{game.version}")
def test_a_match_of_every_game_comes_back_the_same_and_is_true(game: Game) -> None:
    match = match_of(game, 1)
    again = read_match_file(to_json(match))
    assert again == match
    assert to_json(again) == to_json(match)
    verify(again)


@pytest.mark.parametrize("match", [MATCH, match_of(find_game("drop7"), 1), match_of(find_game("drop7"), tape=True)])
def test_seeds_tapes_and_stops_come_back_the_same_and_are_true(match: MatchFile) -> None:
    assert read_match_file(to_json(match)) == match
    assert read_match_file(json.loads(to_json(match))) == match
    verify(match)


def test_the_file_is_text_that_people_can_compare_line_by_line() -> None:
    lines = to_json(MATCH).splitlines()
    assert lines[1] == f'"format": "{FORMAT}",'
    assert sum(line.startswith('{"at":') for line in lines) == len(MATCH.log)
    assert "Zoé 0" in to_json(MATCH)


def test_pauses_come_back_and_change_nothing_else() -> None:
    paused = replace(MATCH, pauses=((1_800_000_000_500, 1_800_000_001_000), (1_800_000_002_000, 1_800_000_002_000)))
    assert read_match_file(to_json(paused)) == paused
    assert to_json(paused).startswith(to_json(MATCH).removesuffix("\n}\n"))
    assert "pauses" not in to_json(MATCH)
    verify(paused)


def test_keys_that_are_not_known_are_ignored() -> None:
    changed = decoded()
    changed["comment"] = "A fine match"
    changed["log"][0]["thought"] = 17
    changed["deal"]["mood"] = "good"
    assert read_match_file(changed) == MATCH


def test_progress_tells_each_entry() -> None:
    told: list[int] = []
    verify(MATCH, told.append)
    assert told == list(range(1, len(MATCH.log) + 1))


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda file: file.update(format="samedrop-match/2"), "format"),
        (lambda file: file.pop("format"), "format"),
        (lambda file: file.update(match=""), "match"),
        (lambda file: file.update(started=-1), "started"),
        (lambda file: file.update(finished=1.5), "finished"),
        (lambda file: file.update(deal=[]), "deal"),
        (lambda file: file["deal"].pop("deal"), "deal.deal"),
        (lambda file: file["deal"].update(commitment=7), "deal.commitment"),
        (lambda file: file["deal"].update(known="guessed"), "deal.known"),
        (lambda file: file["deal"].update(known="tape"), "deal.known"),
        (lambda file: file["deal"].update(version="1"), "deal.version"),
        (lambda file: file["deal"].update(options=None), "deal.options"),
        (lambda file: file["deal"]["options"].update(start_rows=99), "deal.options.start_rows"),
        (lambda file: file["deal"]["options"].update(colour=1), "deal.options.colour"),
        (lambda file: file["deal"].pop("seed"), "deal.seed"),
        (lambda file: file["deal"].update(seed="x" * 65), "deal.seed"),
        (lambda file: file["deal"].update(tape=TAPE), "deal.tape"),
        (lambda file: file["deal"].update(seed=None, tape={"discs": [9]}), "deal.tape.discs[0]"),
        (lambda file: file.update(seats=[]), "seats"),
        (lambda file: file.update(seats=[{"player": "p", "name": "n"}] * 17), "seats"),
        (lambda file: file["seats"][1].update(name="a\nb"), "seats[1].name"),
        (lambda file: file["seats"][0].pop("player"), "seats[0].player"),
        (lambda file: file["settings"].update(drop_limit=0), "settings.drop_limit"),
        (lambda file: file["settings"].update(drop_limit=100_001), "settings.drop_limit"),
        (lambda file: file["settings"].update(time_limit="long"), "settings.time_limit"),
        (lambda file: file["settings"].update(time_limit=86_401), "settings.time_limit"),
        (lambda file: file["settings"].update(lockstep=1), "settings.lockstep"),
        (lambda file: file["settings"].update(rivals="none"), "settings.rivals"),
        (lambda file: file.update(log={}), "log"),
        (lambda file: file["log"].append("move"), f"log[{len(MATCH.log)}]"),
        (lambda file: file["log"][2].update(seat=2), "log[2].seat"),
        (lambda file: file["log"][2].update(turn=-1), "log[2].turn"),
        (lambda file: file["log"][2].update(at="noon"), "log[2].at"),
        (lambda file: file["log"][2].update(score=2**53), "log[2].score"),
        (lambda file: file["log"][2].update(digest=None), "log[2].digest"),
        (lambda file: file["log"][2].update(move=3), "log[2].move"),
        (lambda file: file["log"][2].pop("move"), "log[2].move"),
        (lambda file: file["log"][2].update(stopped="time"), "log[2].move"),
        (lambda file: file["log"][7].update(stopped="tired"), "log[7].stopped"),
        (lambda file: file.update(pauses={}), "pauses"),
        (lambda file: file.update(pauses=[{"began": 5, "ended": 4}]), "pauses[0].ended"),
        (lambda file: file.update(pauses=[{"ended": 4}]), "pauses[0].began"),
        (lambda file: file["standings"].pop(), "standings"),
        (lambda file: file["standings"][0].update(seat=5), "standings[0].seat"),
        (lambda file: file["standings"][0].update(ended="tired"), "standings[0].ended"),
    ],
)
def test_every_malformed_part_is_named(change: Change, field: str) -> None:
    changed = decoded()
    change(changed)
    with pytest.raises(InvalidMatchFile) as refused:
        read_match_file(changed)
    assert refused.value.field == field


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '"text"', "NaN", '{"format": NaN}', "[" * 100_000, "9" * 5000, "\x00", '{"a":1}x'],
)
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(InvalidMatchFile):
        read_match_file(text)


def test_a_file_that_is_too_long_is_not_even_decoded() -> None:
    with pytest.raises(InvalidMatchFile, match="at most"):
        read_match_file(" " * (MAX_TEXT + 1))


@pytest.mark.parametrize("change", [{"game": "chess"}, {"version": 999}])
def test_a_game_or_version_that_is_not_known_is_told(change: dict[str, object]) -> None:
    changed = decoded()
    changed["deal"].update(change)
    with pytest.raises(UnknownGame):
        read_match_file(changed)


def entry(number: int, **changes: Any) -> MatchFile:
    log = list(MATCH.log)
    log[number - 1] = replace(log[number - 1], **changes)
    return replace(MATCH, log=tuple(log))


@pytest.mark.parametrize("number", range(1, len(MATCH.log) + 1))
def test_one_changed_score_or_digest_is_found_where_it_is(number: int) -> None:
    was = MATCH.log[number - 1]
    for changed in (
        entry(number, score=was.score + 1),
        entry(number, digest="0" * 16),
        entry(number, turn=was.turn + 1),
    ):
        with pytest.raises(Unverified, match=f"Entry {number} of the log differs: seat {was.seat}") as refused:
            verify(changed)
        assert refused.value.number == number


def test_another_move_is_found_where_it_is() -> None:
    column = (MATCH.log[3].move or {})["column"]
    assert isinstance(column, int)
    with pytest.raises(Unverified) as refused:
        verify(entry(4, move={"column": (column + 1) % 7}))
    assert refused.value.number == 4


@pytest.mark.parametrize("move", [{}, {"column": 99}, {"column": "left"}])
def test_a_move_that_the_rules_refuse_is_found_where_it_is(move: dict[str, object]) -> None:
    with pytest.raises(Unverified) as refused:
        verify(entry(4, move=move))
    assert refused.value.number == 4


def test_the_deal_must_be_the_one_that_was_promised() -> None:
    other = MATCH.deal.__class__(MATCH.deal.game, MATCH.deal.version, MATCH.deal.options, seed="another seed")
    with pytest.raises(Unverified, match="The deal's id is"):
        verify(replace(MATCH, deal=other))
    with pytest.raises(Unverified, match="not the one that was committed to"):
        verify(replace(MATCH, deal=other, deal_id=other.id))
    with pytest.raises(Unverified, match="Entry 1 of the log"):
        verify(replace(MATCH, deal=other, deal_id=other.id, commitment=other.commitment))


def test_the_end_must_be_the_end() -> None:
    with pytest.raises(Unverified, match="not over"):
        verify(replace(MATCH, log=MATCH.log[:-1]))
    with pytest.raises(Unverified, match=r"stops a run that was over"):
        verify(replace(MATCH, log=(*MATCH.log, MATCH.log[7])))
    with pytest.raises(Unverified, match="Entry"):
        verify(replace(MATCH, log=(*MATCH.log, MATCH.log[-1])))
    with pytest.raises(Unverified, match="at most"):
        verify(replace(MATCH, seats=MATCH.seats * 50))


def test_the_standings_must_be_those_of_the_log() -> None:
    first, second = MATCH.standings
    for changed in ((second, first), (replace(first, score=first.score + 1), second), (first,)):
        with pytest.raises(Unverified, match="standings"):
            verify(replace(MATCH, standings=changed))


def test_reading_does_not_change_what_it_is_given() -> None:
    given = decoded()
    before = deepcopy(given)
    read_match_file(given)
    assert given == before
