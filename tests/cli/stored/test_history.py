from __future__ import annotations

import json

import pytest

from samedrop_cli.exits import Exit
from tests.support.commands import Shell
from tests.support.stored import STARTED, played

DAY = 86_400_000


def ids(printed: str) -> list[str]:
    return [line.split()[0] for line in printed.splitlines()]


def test_matches_are_listed_newest_first(samedrop: Shell) -> None:
    samedrop.store(played("older"), played("newer", ("Cleo",), started=STARTED + 60_000))
    code, printed, complaint = samedrop("history")
    assert (code, complaint) == (Exit.OK, "")
    newer, older = printed.splitlines()
    assert newer.startswith("newer  2027-01-15 08:01  drop7  sealed  Cleo ")
    assert "Ann " in older
    assert "Bob " in older


def test_filters_choose(samedrop: Shell) -> None:
    a = played("a", ("Ann",))
    b = played("b", ("Bob",), started=STARTED + DAY)
    samedrop.store(a, b)
    for words, found in (
        (["--player", "Ann"], ["a"]),
        (["--player", "id-Bob"], ["b"]),
        (["--game", "drop7"], ["b", "a"]),
        (["--deal", a.match.deal.id], ["a"]),
        (["--since", "2027-01-16"], ["b"]),
        (["--until", "2027-01-16"], ["a"]),
        (["--since", "2027-01-15T08:00", "--until", "2027-01-15T08:01"], ["a"]),
        (["--limit", "1"], ["b"]),
    ):
        assert ids(samedrop("history", *words)[1]) == found


def test_nothing_found_is_told(samedrop: Shell) -> None:
    assert samedrop("history", "--game", "chess") == (Exit.OK, "No matches.\n", "")
    assert samedrop("history", "--json") == (Exit.OK, "", "")


def test_json_is_one_object_a_line(samedrop: Shell) -> None:
    samedrop.store(played("a"))
    (line,) = samedrop("history", "--json")[1].splitlines()
    match = json.loads(line)
    assert (match["match"], match["started"], match["known"]) == ("a", STARTED, "sealed")
    assert {row["name"] for row in match["standings"]} == {"Ann", "Bob"}


def test_a_limit_of_many_pages(samedrop: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("samedrop_cli.stored.history.PAGE", 2)
    samedrop.store(*(played(f"m{number}", (f"Name{number}",), started=STARTED + number) for number in range(7)))
    assert ids(samedrop("history", "--limit", "5")[1]) == ["m6", "m5", "m4", "m3", "m2"]
    assert len(ids(samedrop("history", "--limit", "50")[1])) == 7


def test_names_can_do_nothing_to_a_terminal(samedrop: Shell) -> None:
    samedrop.store(played("a", ("Ann",)))
    samedrop.change("UPDATE seats SET name = 'A' || char(27) || '[2J' || char(10) || 'x'")
    assert "\x1b" not in samedrop("history")[1]
    assert len(samedrop("history")[1].splitlines()) == 1


@pytest.mark.parametrize(
    "words", [["--limit", "0"], ["--limit", "x"], ["--since", "yesterday"], ["--until", "1960-01-01"]]
)
def test_a_wrong_option_is_a_usage_error(samedrop: Shell, words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        samedrop("history", *words)
    assert ended.value.code == Exit.USAGE
