from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy.exc import InvalidRequestError, OperationalError

from samedrop_server.storage.errors import (
    DamagedLog,
    DatabaseError,
    ForeignDatabase,
    NotStored,
    Unreachable,
    explained,
)


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("unable to open database file", Unreachable),
        ("attempt to write a readonly database", Unreachable),
        ("file is not a database", ForeignDatabase),
        ("database disk image is malformed", DamagedLog),
        ("database is locked", NotStored),
        ("database or disk is full", NotStored),
        ("connection failed: Connection refused", Unreachable),
        ("something\n new", NotStored),
    ],
)
def test_what_a_driver_says_becomes_one_line_that_names_the_database(reason: str, kind: type[DatabaseError]) -> None:
    with pytest.raises(kind) as raised, explained("/data/a.db"):
        raise OperationalError("SELECT", {}, sqlite3.OperationalError(reason))
    assert "/data/a.db" in raised.value.text
    assert "\n" not in raised.value.text
    assert "SELECT" not in raised.value.text


@pytest.mark.parametrize("error", [OSError("disk on fire"), InvalidRequestError("no transaction")])
def test_trouble_of_the_system_is_explained_too(error: Exception) -> None:
    with pytest.raises(NotStored, match=str(error)), explained("/data/a.db"):
        raise error


def test_faults_of_the_program_pass() -> None:
    with pytest.raises(KeyError), explained("/data/a.db"):
        raise KeyError
