from __future__ import annotations

from pathlib import Path

from samedrop_cli.exits import Exit
from samedrop_rules.matchfile import read_match_file, verify
from tests.support.commands import Shell, is_one_line
from tests.support.stored import STARTED, played


def test_what_is_written_is_a_true_match_file(samedrop: Shell) -> None:
    match = played("one")
    samedrop.store(match)
    code, printed, complaint = samedrop("export", "one")
    assert (code, complaint) == (Exit.OK, "")
    file = read_match_file(printed)
    verify(file)
    assert (file.match, file.started, file.finished) == ("one", STARTED, STARTED + 60_000)
    assert [seat.name for seat in file.seats] == ["Ann", "Bob"]
    assert (file.deal, file.drop_limit, file.rivals, file.known) == (match.match.deal, 6, "open", "sealed")
    assert [entry.digest for entry in file.log] == [entry.digest for entry in match.log]
    assert [row.score for row in file.standings] == [row.score for row in match.finished.standings]


def test_it_can_go_to_a_file(samedrop: Shell, tmp_path: Path) -> None:
    samedrop.store(played("one", ("Zoé",)))
    to_terminal = samedrop("export", "one")[1]
    assert samedrop("export", "one", "-o", str(tmp_path / "one.json")) == (Exit.OK, "", "")
    assert (tmp_path / "one.json").read_bytes().decode("utf-8") == to_terminal
    assert samedrop("export", "one", "-o", "-")[1] == to_terminal


def test_a_file_that_cannot_be_written_is_one_clear_line(samedrop: Shell, tmp_path: Path) -> None:
    samedrop.store(played("one"))
    code, _, complaint = samedrop("export", "one", "-o", str(tmp_path / "none" / "one.json"))
    assert code == Exit.INPUT
    assert is_one_line(complaint)
