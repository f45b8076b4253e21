from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import samedrop_migrations
from samedrop_cli.exits import Exit
from tests.support.commands import Shell, is_one_line
from tests.support.stored import played


@pytest.fixture
def exported(samedrop: Shell, tmp_path: Path) -> Path:
    """A match file from another database; the one of `samedrop` is empty."""
    home, away = samedrop.url, f"sqlite:///{tmp_path / 'away.db'}"
    samedrop_migrations.upgrade(away)
    samedrop.url = away
    samedrop.store(played("one"))
    file = tmp_path / "one.json"
    assert samedrop("export", "one", "-o", str(file))[0] == Exit.OK
    samedrop.url = home
    return file


def changed(file: Path, **changes: Any) -> str:
    other = file.with_name("changed.json")
    other.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changes), "utf-8")
    return str(other)


def test_an_imported_match_is_like_any_other(samedrop: Shell, exported: Path) -> None:
    code, printed, complaint = samedrop("import", str(exported))
    assert (code, complaint) == (Exit.OK, "")
    assert printed == f"{exported}: match one imported\n"
    assert samedrop("history", "--player", "Bob")[1].startswith("one ")
    assert samedrop("verify", "one")[0] == Exit.OK
    assert samedrop("show", "one")[0] == Exit.OK
    assert samedrop("export", "one")[1] == exported.read_text("utf-8")


def test_a_database_that_is_not_there_is_made(samedrop: Shell, exported: Path, tmp_path: Path) -> None:
    samedrop.url = f"sqlite:///{tmp_path / 'fresh.db'}"
    assert samedrop("import", str(exported))[0] == Exit.OK
    assert samedrop("verify", "--all")[0] == Exit.OK


def test_the_same_match_twice_is_already_here(samedrop: Shell, exported: Path) -> None:
    samedrop("import", str(exported))
    code, printed, _ = samedrop("import", str(exported), str(exported))
    assert (code, printed) == (Exit.OK, f"{exported}: match one is already here\n" * 2)


def test_players_who_are_known_stay_who_they_are(samedrop: Shell, exported: Path) -> None:
    samedrop.store(played("two", ("Ann",)))
    samedrop.change("UPDATE players SET name = 'Anna'")
    assert samedrop("import", str(exported))[0] == Exit.OK
    assert len(samedrop("history", "--player", "id-Ann")[1].splitlines()) == 2


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"format": "samedrop-match/9"}, Exit.INPUT, "format must be samedrop-match/1"),
        ({"log": []}, Exit.NO, "not over"),
        ({"seats": [{"player": "a", "name": "A"}, {"player": "b", "name": "‮B"}]}, Exit.INPUT, "seats[1].name"),
    ],
)
def test_a_file_that_is_not_true_or_not_usable_is_refused(
    samedrop: Shell, exported: Path, changes: dict[str, Any], code: Exit, words: str
) -> None:
    ended, printed, complaint = samedrop("import", changed(exported, **changes))
    assert (ended, printed) == (code, "")
    assert is_one_line(complaint)
    assert words in complaint
    assert samedrop("history")[1] == "No matches.\n"


def test_one_changed_score_is_named(samedrop: Shell, exported: Path) -> None:
    log = json.loads(exported.read_text("utf-8"))["log"]
    log[6]["score"] += 1
    code, _, complaint = samedrop("import", changed(exported, log=log))
    assert code == Exit.NO
    assert "Entry 7 of the log" in complaint


def test_texts_that_no_database_holds_are_refused(samedrop: Shell, exported: Path) -> None:
    log = json.loads(exported.read_text("utf-8"))["log"]
    log[6]["move"]["comment"] = "\ud800"
    code, _, complaint = samedrop("import", changed(exported, log=log))
    assert code in (Exit.INPUT, Exit.NO)
    assert is_one_line(complaint)
    assert samedrop("history")[1] == "No matches.\n"


def test_a_contradicting_match_is_refused_and_changes_nothing(samedrop: Shell, exported: Path) -> None:
    samedrop("import", str(exported))
    code, printed, complaint = samedrop("import", changed(exported, finished=1))
    assert (code, printed) == (Exit.NO, "")
    assert "Another match one is here already" in complaint
    assert samedrop("export", "one")[1] == exported.read_text("utf-8")


def test_a_match_that_is_being_played_here_is_not_overwritten(samedrop: Shell, exported: Path) -> None:
    samedrop.store(played("one"), finish=False)
    assert samedrop("import", str(exported))[0] == Exit.NO


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe", b"{" * 100_000])
def test_any_other_file_is_one_clear_line(samedrop: Shell, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other.json").write_bytes(content)
    for file in ("other.json", "none.json", "."):
        code, _, complaint = samedrop("import", str(tmp_path / file))
        assert code == Exit.INPUT
        assert is_one_line(complaint)
