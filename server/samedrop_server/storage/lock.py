"""One server for each database: a lock that is held as long as the server runs.

For SQLite it is a lock on a file beside the database, for PostgreSQL an advisory lock of a session: both are let go of
when the process ends, however it ends. Programs that only read, or that import a match, do not ask for it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType

from sqlalchemy import Connection, NullPool, create_engine, func, select

from samedrop_server.storage.errors import InUse, explained
from samedrop_server.storage.place import Place

SUFFIX = ".lock"
_KEY = int.from_bytes(b"samedrop", "big")
"""Of the advisory lock, which is one of the database's own."""


class ServerLock:
    """Held from entering to leaving the block. A file stays; it holds the process and where it listens."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._descriptor: int | None = None
        self._session: Connection | None = None

    def __enter__(self) -> ServerLock:
        """Take the lock.

        Raises:
            InUse: another server holds it.
            DatabaseError: the folder of the database is missing, or must not be written; or it cannot be reached.
        """
        if self._place.file is None:
            self._session = self._lock_session()
            return self
        if self._place.file.exists():
            self._place.require_file()
        else:
            self._place.require_folder()
        file = Path(f"{self._place.file.resolve()}{SUFFIX}")
        with explained(str(self._place)):
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        if not _lock(descriptor):
            os.close(descriptor)
            raise self._in_use(file)
        self._descriptor = descriptor
        self.tell()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None
        if self._session is not None:
            self._session.close()
            self._session = None

    def _lock_session(self) -> Connection:
        with explained(str(self._place)):
            engine = create_engine(
                self._place.url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": 5}
            )
            session = engine.connect()
            if session.scalar(select(func.pg_try_advisory_lock(_KEY))):
                return session
            session.close()
        raise InUse(f"The database {self._place} is in use by another samedrop server.")

    def tell(self, url: str = "") -> None:
        """Leave word, for whoever is refused, where this server listens (with SQLite)."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, f"{os.getpid()} {url}\n".encode())

    def _in_use(self, file: Path) -> InUse:
        process, _, url = file.read_text("utf-8", "replace").strip().partition(" ")
        who = f" (process {process}{f', {url}' if url else ''})" if process else ""
        return InUse(f"The database {self._place} is in use by another samedrop server{who}.", url or None)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)  # far behind the text, which others are to read
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
