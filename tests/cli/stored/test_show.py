from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from samedrop_cli.exits import Exit
from samedrop_rules import Ended
from tests.support.commands import Shell, is_one_line
from tests.support.stored import played, table_of

MATCH = played("one")


@pytest.fixture
def stored(samedrop: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("COLUMNS", "100")
    samedrop.store(MATCH)
    return samedrop


def test_every_move_and_both_boards_after_it_are_shown(stored: Shell) -> None:
    code, printed, complaint = stored("show", "one")
    assert (code, complaint) == (Exit.OK, "")
    assert printed.startswith("match one, 2027-01-15 08:00 UTC: Ann, Bob\ndrop7 ")
    assert "sealed seed seed of one" in printed
    numbered = [line for line in printed.splitlines() if line.partition(".")[0].isdigit()]
    assert numbered[0].startswith("1. Ann, turn 1 (0:00.1): dropped ")
    assert numbered[11].startswith("12. Bob, turn 6 (0:01.2): dropped ")
    game, table = table_of(MATCH.match)
    for entry in MATCH.log:
        table.play(entry.seat, json.loads(entry.move or ""))
    for seat in (0, 1):
        for line in game.render(table.view(seat)):
            assert line.rstrip() in printed
    assert " 1. " in printed.splitlines()[-2]


def test_one_move_and_one_seat_can_be_chosen(stored: Shell) -> None:
    _, printed, _ = stored("show", "one", "--move", "4")
    assert printed.startswith("\n4. Bob, turn 2 ")
    assert "5. " not in printed
    _, printed, _ = stored("show", "one", "--seat", "2")
    assert "Ann, turn" not in printed
    assert printed.count("Bob, turn") == 6
    assert stored("show", "one", "--seat", "1", "--move", "4")[1] == ""


def test_json_is_one_entry_a_line_with_its_events(stored: Shell) -> None:
    lines = [json.loads(line) for line in stored("show", "one", "--json")[1].splitlines()]
    assert [line["number"] for line in lines] == list(range(1, 13))
    assert [line["digest"] for line in lines] == [entry.digest for entry in MATCH.log]
    assert lines[0]["events"][0]["type"] == "drop"
    assert len(stored("show", "one", "--json", "--seat", "1")[1].splitlines()) == 6


def test_step_waits_for_enter_and_not_for_nobody(stored: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = stored("show", "one")[1]
    for typed in ("\n" * 12, "\n", ""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert stored("show", "one", "--step")[1] == whole


@pytest.mark.parametrize("words", [["--seat", "3"], ["--move", "13"]])
def test_what_is_not_there_is_told(stored: Shell, words: list[str]) -> None:
    code, printed, complaint = stored("show", "one", *words)
    assert (code, printed) == (Exit.USAGE, "")
    assert is_one_line(complaint)


def test_a_match_that_does_not_replay_is_told(stored: Shell) -> None:
    stored.change("UPDATE moves SET digest = '0000000000000000' WHERE number = 5")
    code, printed, complaint = stored("show", "one")
    assert code == Exit.NO
    assert "\n4. " in printed
    assert "\n5. " not in printed
    assert is_one_line(complaint)


def test_rules_that_are_not_known_are_told(stored: Shell) -> None:
    stored.change("UPDATE deals SET version = 99")
    code, _, complaint = stored("show", "one")
    assert code == Exit.INPUT
    assert "There is no game drop7 99" in complaint


def test_a_stop_is_shown(samedrop: Shell) -> None:
    match = played("one", ("Ann",), drop_limit=2)
    _, table = table_of(match.match)
    table.drop_limit = None
    table.play(0, json.loads(match.log[0].move or ""))
    table.stop(0, Ended.FORFEIT)
    stop = match.log[1]._replace(
        move=None, stopped="forfeit", turn=1, score=table.score(0), digest=table.digest(0), at=61_500
    )
    samedrop.store(replace(match, log=(match.log[0], stop)))
    code, printed, _ = samedrop("show", "one")
    assert code == Exit.OK
    assert "2. Ann, turn 2 (1:01.5): " in printed


@pytest.mark.parametrize(
    ("pauses", "line"),
    [
        ([(0, 1500)], "1 pause by agreement, 2 seconds in all"),
        ([(0, 1000), (2000, 62_000)], "2 pauses by agreement, 61 "),
    ],
)
def test_pauses_are_told(stored: Shell, pauses: list[tuple[int, int]], line: str) -> None:
    for number, (began, ended) in enumerate(pauses, 1):
        stored.change(f"INSERT INTO pauses VALUES ('one', {number}, {began}, {ended})")
    assert stored("show", "one")[1].splitlines()[2].startswith(line)
