from __future__ import annotations

import argparse
import sqlite3
from pathlib import Path

import pytest

from samedrop_cli.display import clock_time
from samedrop_cli.exits import Exit
from samedrop_cli.main import main
from samedrop_cli.stored.access import positive, read_time
from tests.support.commands import Shell, is_one_line
from tests.support.stored import played

READING = [["history"], ["show", "m"], ["verify", "m"], ["verify", "--all"], ["export", "m"]]


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_database_that_is_not_there_is_one_clear_line(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAMEDROP_DATABASE", f"sqlite:///{tmp_path / 'none.db'}")
    assert main(words) == Exit.DATABASE
    printed = capsys.readouterr()
    assert printed.out == ""
    assert is_one_line(printed.err)
    assert "none.db" in printed.err
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_file_that_is_no_database_is_one_clear_line(samedrop: Shell, words: list[str]) -> None:
    samedrop.url = f"sqlite:///{samedrop.file.with_name('text.db')}"
    samedrop.file.write_text("A text that is no database, and long enough to be taken for one.\n" * 99)
    code, _, complaint = samedrop(*words)
    assert code == Exit.DATABASE
    assert is_one_line(complaint)


@pytest.mark.parametrize("url", ["mysql://host/name", "nonsense", "sqlite://", "sqlite:////none/none/a.db"])
def test_a_url_that_cannot_be_used_is_one_clear_line(samedrop: Shell, url: str) -> None:
    samedrop.url = url
    for words in (["history"], ["db", "upgrade"]):
        code, _, complaint = samedrop(*words)
        assert code == Exit.DATABASE
        assert is_one_line(complaint)


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_reading_works_while_another_program_writes(samedrop: Shell, words: list[str]) -> None:
    samedrop.store(played("match-one"))
    writer = sqlite3.connect(samedrop.file, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE players SET name = 'Somebody'")
    code, printed, complaint = samedrop(*words)
    writer.execute("ROLLBACK")
    writer.close()
    assert (code, complaint) == (Exit.OK, "")
    assert "Somebody" not in printed


@pytest.mark.parametrize("command", ["show", "verify", "export"])
def test_a_match_is_found_by_the_beginning_of_its_id(samedrop: Shell, command: str) -> None:
    samedrop.store(played("abcd"), played("abce", ("Cleo",)), played("ab", ("Dan",)))
    for beginning in ("abcd", "abce", "ab"):
        assert samedrop(command, beginning)[0] == Exit.OK
    code, printed, complaint = samedrop(command, "abc")
    assert (code, printed) == (Exit.INPUT, "")
    assert "abcd, abce" in complaint
    assert is_one_line(complaint)


@pytest.mark.parametrize("beginning", ["x", "%", "_", "a%", "\x00", "a\n", "'"])
def test_a_match_that_is_not_there_is_told(samedrop: Shell, beginning: str) -> None:
    samedrop.store(played("abcd"))
    code, printed, complaint = samedrop("show", beginning)
    assert (code, printed) == (Exit.NO, "")
    assert "There is no match" in complaint
    assert is_one_line(complaint)


@pytest.mark.parametrize("command", ["show", "verify", "export"])
def test_a_running_match_is_not_shown(samedrop: Shell, command: str) -> None:
    samedrop.store(played("abcd"), finish=False)
    code, printed, complaint = samedrop(command, "abcd")
    assert (code, printed) == (Exit.NO, "")
    assert "still being played" in complaint


def test_times_are_shown_and_read_in_utc() -> None:
    assert clock_time(1_800_000_000_000) == "2027-01-15 08:00"
    assert clock_time(2**53) == f"{2**53} ms"
    assert read_time("2027-01-15") == 1_799_971_200_000
    assert read_time("2027-01-15T08:00") == read_time("2027-01-15T09:00+01:00") == 1_800_000_000_000
    with pytest.raises(ValueError, match="isoformat"):
        read_time("yesterday")
    with pytest.raises(argparse.ArgumentTypeError):
        read_time("1969-12-31")


def test_a_number_is_positive() -> None:
    assert positive("3") == 3
    for text in ("0", "-1", "x"):
        with pytest.raises((argparse.ArgumentTypeError, ValueError)):
            positive(text)
