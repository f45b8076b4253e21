from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from samedrop_server.storage.errors import DatabaseError, InUse, Unreachable
from samedrop_server.storage.lock import ServerLock
from samedrop_server.storage.place import find_place
from tests.support.databases import needs_postgres, postgres_url

__all__ = ["postgres_url"]

HOLDER = """
import sys, time
from samedrop_server.storage.lock import ServerLock
from samedrop_server.storage.place import find_place
with ServerLock(find_place(sys.argv[1])) as lock:
    lock.tell("ws://127.0.0.1:7077/ws")
    print("held", flush=True)
    sys.stdin.read()
"""


def lock(file: Path) -> ServerLock:
    return ServerLock(find_place(f"sqlite:///{file}"))


def test_one_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    with lock(file), lock(tmp_path / "b.db"):
        with pytest.raises(InUse, match=rf"{file}.*process {os.getpid()}") as refused, lock(file):
            pass
        assert refused.value.url is None
    with lock(file):
        pass


def test_the_refused_one_is_told_where_the_other_listens(tmp_path: Path) -> None:
    with lock(tmp_path / "a.db") as held:
        held.tell("ws://127.0.0.1:7077/ws")
        for _ in range(2):
            with pytest.raises(InUse, match=r"ws://127\.0\.0\.1:7077/ws") as refused, lock(tmp_path / "a.db"):
                pass
            assert refused.value.url == "ws://127.0.0.1:7077/ws"


def test_another_name_of_the_file_is_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    (tmp_path / "b.db").symlink_to(tmp_path / "a.db")
    with lock(tmp_path / "a.db"), pytest.raises(InUse), lock(tmp_path / "b.db"):
        pass


def test_it_ends_with_the_process_however_that_ends(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, f"sqlite:///{file}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(InUse, match=f"process {process.pid}, ws://127.0.0.1:7077/ws"), lock(file):
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
        with lock(file):
            pass


def test_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="folder"), lock(tmp_path / "missing" / "a.db"):
        pass


def test_what_is_no_file_is_told_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "a.db"
    folder.mkdir()
    with pytest.raises(Unreachable, match="not a file"), lock(folder):
        pass
    assert list(tmp_path.iterdir()) == [folder]


@needs_postgres
def test_of_postgresql_one_at_a_time(postgres_url: str) -> None:
    place = find_place(postgres_url)
    with ServerLock(place) as held:
        held.tell("ws://127.0.0.1:7077/ws")
        with pytest.raises(InUse, match="in use by another") as refused, ServerLock(place):
            pass
        assert refused.value.url is None
        assert "password" not in str(refused.value)
    with ServerLock(place):
        pass


@needs_postgres
def test_of_postgresql_it_ends_with_the_process_however_that_ends(postgres_url: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, postgres_url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(InUse), ServerLock(find_place(postgres_url)):
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
    deadline = time.monotonic() + 10
    while True:  # until the other side has noticed
        try:
            with ServerLock(find_place(postgres_url)):
                return
        except InUse:
            assert time.monotonic() < deadline


def test_a_postgresql_that_cannot_be_reached_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError), ServerLock(find_place(f"postgresql:///games?host={tmp_path}")):
        pass
