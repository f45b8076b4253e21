from __future__ import annotations

import os
from pathlib import Path

import pytest

from samedrop_server.storage.errors import Unreachable, UnusableUrl
from samedrop_server.storage.place import find_place


@pytest.mark.parametrize("scheme", ["sqlite", "sqlite+pysqlite", "sqlite+aiosqlite"])
def test_every_sqlite_driver_is_mapped_to_the_one_in_use(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    place = find_place(f"{scheme}:///folder/a b.db")
    assert place.url.drivername == "sqlite+pysqlite"
    assert place.file == Path("/folder/a b.db")


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+asyncpg", "postgresql+psycopg"])
def test_every_postgresql_driver_is_mapped_to_the_one_in_use(scheme: str) -> None:
    place = find_place(f"{scheme}://user:secret@host:5433/name?ssl=require")
    assert place.url.drivername == "postgresql+psycopg"
    assert place.url.query == {"sslmode": "require"}
    assert place.file is None
    assert place.identity() is None


def test_a_place_does_not_tell_its_password() -> None:
    assert "secret" not in str(find_place("postgresql://user:secret@host/name"))


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "not the URL of a database"),
        ("samedrop.db", "not the URL of a database"),
        ("mysql://host/name", "no support for mysql databases"),
        ("sqlite+pysqlcipher:///a.db", "no support for sqlite"),
        ("sqlite://", "must be a file"),
        ("sqlite:///:memory:", "must be a file"),
        ("sqlite:///file:a?mode=memory&uri=true", "must be a file"),
        ("sqlite:///a.db?timeout=3", "no options"),
        ("sqlite://samedrop.db", "must be a file"),
        ("sqlite://host/a.db", "three slashes"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_with_a_reason(url: str, words: str) -> None:
    with pytest.raises(UnusableUrl, match=words):
        find_place(url)


def test_postgresql_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("samedrop_server.storage.place.find_spec", lambda _name: None)
    with pytest.raises(UnusableUrl, match=r"pip install 'samedrop\[postgresql\]'"):
        find_place("postgresql://host/name")


def test_a_missing_file_a_missing_folder_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match=r"There is no database at .*samedrop db upgrade"):
        find_place(f"sqlite:///{tmp_path / 'a.db'}").require_file()
    with pytest.raises(Unreachable, match="folder of the database is missing"):
        find_place(f"sqlite:///{tmp_path / 'none' / 'a.db'}").require_file()
    with pytest.raises(Unreachable, match="is not a file"):
        find_place(f"sqlite:///{tmp_path}").require_file()


def test_a_folder_that_must_not_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(Unreachable, match="must not be written"):
        find_place(f"sqlite:///{tmp_path / 'a.db'}").require_folder()


def test_identity_tells_one_file_from_the_next_at_the_same_path(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    place = find_place(f"sqlite:///{file}")
    file.touch()
    first = place.identity()
    assert place.identity() == first
    (tmp_path / "b.db").touch()
    os.replace(tmp_path / "b.db", file)
    assert place.identity() != first
    file.unlink()
    with pytest.raises(FileNotFoundError):
        place.identity()
