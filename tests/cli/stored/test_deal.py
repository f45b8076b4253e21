from __future__ import annotations

import json

from samedrop_cli.exits import Exit
from samedrop_protocol import model
from tests.support.commands import Shell, is_one_line
from tests.support.stored import STARTED, played


def test_a_deal_and_the_runs_on_it(samedrop: Shell) -> None:
    first = played("one", ("Ann", "Bob"), seed="same")
    again = played("two", ("Cid",), seed="same", known=model.Known.OPEN, started=STARTED + 1)
    samedrop.store(first, again)
    deal = first.match.deal.id
    code, printed, complaint = samedrop("deal", deal)
    assert (code, complaint) == (Exit.OK, "")
    heading, known, _, *lines = printed.splitlines()
    assert heading.startswith(f"deal {deal}: drop7 1 (")
    assert heading.endswith("seed same")
    assert "Nobody could know" in known
    assert len(lines) == 3
    assert [line.endswith("at first sight") for line in lines] == [True, True, False]
    assert "Cid" in lines[2]
    runs = [json.loads(line) for line in samedrop("deal", deal, "--json", "--first-sight")[1].splitlines()]
    scores = [run["score"] for run in runs]
    assert [run["rank"] for run in runs] == [scores.index(score) + 1 for score in scores]
    assert {run["name"] for run in runs} == {"Ann", "Bob"}
    assert [line.split()[1] for line in samedrop("deal", deal, "--each", "best")[1].splitlines()[3:]][2] == "Cid"
    assert "No runs." in samedrop("deal", deal, "--player", "Eve")[1]
    assert len(samedrop("deal", deal, "--limit", "1", "--json")[1].splitlines()) == 1


def test_a_deal_that_nobody_played_is_one_clear_line(samedrop: Shell) -> None:
    for deal in ("none", "x" * 100, ""):
        code, _, complaint = samedrop("deal", deal)
        assert code == Exit.NO
        assert is_one_line(complaint)
