from __future__ import annotations

from pathlib import Path

from samedrop_cli.exits import Exit
from samedrop_migrations import head
from samedrop_server.storage.lock import ServerLock
from samedrop_server.storage.place import find_place
from tests.support.commands import Shell, is_one_line


def test_upgrade_makes_a_database_that_check_approves(samedrop: Shell, tmp_path: Path) -> None:
    samedrop.url = f"sqlite:///{tmp_path / 'new.db'}"
    for _ in range(2):
        assert samedrop("db", "upgrade") == (Exit.OK, f"{samedrop.file} is up to date (revision {head()})\n", "")
    code, printed, complaint = samedrop("db", "check")
    assert (code, complaint) == (Exit.OK, "")
    assert printed.endswith(f"{samedrop.file} is up to date\n")


def test_a_database_in_use_is_not_upgraded_under_its_server(samedrop: Shell) -> None:
    with ServerLock(find_place(samedrop.url)) as lock:
        lock.tell("ws://127.0.0.1:7077/ws")
        code, _, complaint = samedrop("db", "upgrade")
    assert code == Exit.DATABASE
    assert "in use" in complaint
    assert is_one_line(complaint)
    assert samedrop("db", "upgrade")[0] == Exit.OK


def test_check_does_without_a_database(samedrop: Shell, tmp_path: Path) -> None:
    samedrop.url = f"sqlite:///{tmp_path / 'none.db'}"
    code, printed, _ = samedrop("db", "check")
    assert code == Exit.OK
    assert f"models and migrations agree (revision {head()})" in printed
    assert "is not there yet" in printed
    assert not samedrop.file.exists()


def test_check_names_what_differs(samedrop: Shell) -> None:
    samedrop.change("DROP INDEX ix_matches_started_id")
    code, printed, _ = samedrop("db", "check")
    assert code == Exit.NO
    assert "ix_matches_started_id" in printed


def test_a_newer_database_is_refused(samedrop: Shell) -> None:
    samedrop.change("UPDATE samedrop_version SET version_num = '9999'")
    for words in (["db", "upgrade"], ["db", "check"], ["history"]):
        code, _, complaint = samedrop(*words)
        assert code == Exit.DATABASE
        assert "newer samedrop" in complaint
        assert is_one_line(complaint)


def test_an_empty_file_is_to_be_upgraded(samedrop: Shell, tmp_path: Path) -> None:
    samedrop.url = f"sqlite:///{tmp_path / 'empty.db'}"
    samedrop.file.touch()
    assert samedrop("history")[0] == Exit.DATABASE
    assert samedrop("db", "check")[0] == Exit.DATABASE
    assert samedrop("db", "upgrade")[0] == Exit.OK
    assert samedrop("history")[0] == Exit.OK
