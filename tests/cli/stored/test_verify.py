from __future__ import annotations

import pytest

from samedrop_cli.exits import Exit
from tests.support.commands import Shell, is_one_line
from tests.support.stored import played


@pytest.fixture
def stored(samedrop: Shell) -> Shell:
    samedrop.store(played("one"), played("two", ("Cleo",)))
    return samedrop


def test_what_was_played_verifies(stored: Shell) -> None:
    assert stored("verify", "one") == (Exit.OK, "1 match with 12 entries replayed, 0 differ.\n", "")
    assert stored("verify", "--all") == (Exit.OK, "2 matches with 18 entries replayed, 0 differ.\n", "")


def test_running_matches_are_left_out(samedrop: Shell) -> None:
    samedrop.store(played("one"), finish=False)
    assert samedrop("verify", "--all") == (Exit.OK, "0 matches with 0 entries replayed, 0 differ.\n", "")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE moves SET digest = '0000000000000000' WHERE number = 5", "Entry 5 of the log"),
        ("UPDATE moves SET move = substr(move, 1, 5) WHERE number = 5", "damaged"),
        ("UPDATE moves SET score = 'many' WHERE number = 5", "damaged"),
        ("DELETE FROM moves WHERE number = 5", "lacks entry 5"),
        ("DELETE FROM moves WHERE number = 12", "has 11 entries, not 12"),
        ("DELETE FROM moves", "has 0 entries, not 12"),
        ("UPDATE results SET score = score + 1 WHERE seat = 1", "standings"),
        ("UPDATE deals SET seed = 'another'", "The deal's id is"),
        ("UPDATE deals SET commitment = 'another'", "committed to"),
        ("UPDATE deals SET version = 99", "The deal's id is"),
        ("UPDATE matches SET settings = json_set(settings, '$.drop_limit', 5)", "Entry 9 of the log"),
    ],
)
def test_one_planted_change_is_found(stored: Shell, change: str, words: str) -> None:
    stored.change(change + (" AND " if "WHERE" in change else " WHERE ") + _only_one(change))
    for arguments in (["one"], ["--all"]):
        code, printed, complaint = stored("verify", *arguments)
        assert (code, complaint) == (Exit.NO, "")
        assert printed.startswith("one: ")
        assert words in printed
        assert printed.endswith(", 1 differ.\n")
    assert stored("verify", "two")[0] == Exit.OK


def _only_one(change: str) -> str:
    if "deals" in change:
        return f"id = '{played('one').match.deal.id}'"
    return "id = 'one'" if "matches" in change else "match_id = 'one'"


@pytest.mark.parametrize("words", [[], ["one", "--all"]])
def test_a_match_or_all(stored: Shell, words: list[str]) -> None:
    code, _, complaint = stored("verify", *words)
    assert code == Exit.USAGE
    assert is_one_line(complaint)


def test_no_bar_is_drawn_where_there_is_no_terminal(stored: Shell) -> None:
    assert stored("verify", "--all")[2] == ""
