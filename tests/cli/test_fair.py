from __future__ import annotations

import json
from pathlib import Path

import pytest

from samedrop_cli.exits import Exit
from samedrop_cli.main import main
from samedrop_rules.matchfile import read_match_file
from tests.support.commands import Shell, is_one_line
from tests.support.databases import sqlite_url
from tests.support.stored import played

__all__ = ["sqlite_url"]

WRONG = "ab" * 32


@pytest.fixture
def samedrop(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(sqlite_url, capsys)


@pytest.fixture
def file(samedrop: Shell, tmp_path: Path) -> Path:
    """The file of a match."""
    samedrop.store(played("one"))
    file = tmp_path / "one.json"
    samedrop("export", "one", "-o", str(file))
    return file


def test_a_true_match_is_told_to_be(file: Path, samedrop: Shell) -> None:
    match = read_match_file(file.read_text("utf-8"))
    words = ("fair", str(file), "--commitment", match.commitment.upper(), "--deal", match.deal_id)
    code, printed, complaint = samedrop(*words, database=False)
    assert (code, complaint) == (Exit.OK, "")
    assert match.commitment in printed
    assert "the one you were told" in printed
    assert f"All {len(match.log)} entries" in printed
    assert "Nobody could know" in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--commitment", WRONG], f"You were told the commitment {WRONG}"),
        (["--deal", "other"], "You were told the deal"),
    ],
)
def test_what_was_told_at_the_start_counts(file: Path, samedrop: Shell, words: list[str], said: str) -> None:
    code, printed, complaint = samedrop("fair", str(file), *words, database=False)
    assert (code, printed) == (Exit.NO, "")
    assert said in complaint
    assert is_one_line(complaint)


def test_a_commitment_has_64_digits(file: Path, samedrop: Shell) -> None:
    assert samedrop("fair", str(file), "--commitment", "0d55", database=False)[0] == Exit.USAGE


def test_every_flipped_bit_that_could_matter_is_found(file: Path, tmp_path: Path, samedrop: Shell) -> None:
    """Of the deal, of moves, scores and digests, and of the result; each in its lowest bit."""
    whole = json.loads(file.read_text("utf-8"))
    spoilt = tmp_path / "spoilt.json"
    places: list[list[str | int]] = [["deal", key] for key in ("deal", "seed", "commitment", "version")]
    places += [["deal", "options", key] for key in whole["deal"]["options"]]
    places += [
        ["log", number, key] for number in range(len(whole["log"])) for key in ("score", "digest", "turn", "seat")
    ]
    places += [["log", number, "move", "column"] for number, entry in enumerate(whole["log"]) if "move" in entry]
    places += [["standings", number, key] for number in range(2) for key in ("seat", "rank", "score", "turns", "ended")]
    for *way, last in places:
        changed = json.loads(json.dumps(whole))
        part = changed
        for key in way:
            part = part[key]
        part[last] = flipped(part[last])
        spoilt.write_text(json.dumps(changed), encoding="utf-8")
        code, printed, complaint = samedrop("fair", str(spoilt), database=False)
        assert code in (Exit.NO, Exit.INPUT), (way, last)
        assert printed == ""
        assert is_one_line(complaint)


def flipped(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value ^ 1
    assert isinstance(value, str)
    return value[:-1] + chr(ord(value[-1]) ^ 1)


def test_what_is_no_match_file_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("", "{}", "[]", "nothing"):
        (tmp_path / "none.json").write_text(text, encoding="utf-8")
        assert main(["fair", str(tmp_path / "none.json")]) == Exit.INPUT
        assert is_one_line(capsys.readouterr().err)
    assert main(["fair", str(tmp_path / "missing.json")]) == Exit.INPUT
