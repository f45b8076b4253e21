"""What can be wrong with a database, in words for people.

::

    DatabaseError
    ├── UnusableUrl          the URL cannot be used; the driver is unknown or not installed
    ├── Unreachable          folder or file missing, not allowed, no answer
    ├── InUse                another server runs on it
    ├── ForeignDatabase      not a samedrop database, or not a database at all
    ├── NotMigrated          older than the program, or empty
    ├── TooNew               newer than the program
    ├── NotStored            a transaction was refused; nothing of it is stored
    └── DamagedLog           what is stored contradicts itself
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError


class DatabaseError(Exception):
    """Base of all; `text` is one line for people."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class UnusableUrl(DatabaseError):
    """The URL cannot be used."""


class Unreachable(DatabaseError):
    """The database cannot be opened."""


class InUse(DatabaseError):
    """Another server runs on the database.

    Attributes:
        url: where that one listens; None if it is not known.
    """

    def __init__(self, text: str, url: str | None = None) -> None:
        super().__init__(text)
        self.url = url


class ForeignDatabase(DatabaseError):
    """Something else is there."""


class NotMigrated(DatabaseError):
    """The database is older than the program."""


class TooNew(DatabaseError):
    """The database is newer than the program."""


class NotStored(DatabaseError):
    """A transaction was refused; nothing of it is stored."""


class DamagedLog(DatabaseError):
    """What is stored contradicts itself."""


_MEANINGS: tuple[tuple[str, type[DatabaseError], str], ...] = (
    ("unable to open database file", Unreachable, "it cannot be opened (is the folder there, and may it be written?)"),
    ("readonly database", Unreachable, "it may not be written"),
    ("not a database", ForeignDatabase, "it is not a database of ours"),
    ("malformed", DamagedLog, "the file is damaged"),
    ("is locked", NotStored, "another program has kept it locked for too long"),
    ("disk is full", NotStored, "the disk is full"),
    ("no such table", ForeignDatabase, "it is not a samedrop database, or not brought up to date"),
    ("does not exist", ForeignDatabase, "it does not exist, or is not brought up to date"),
    ("connection failed", Unreachable, "the database server does not answer, or refuses"),
)


@contextmanager
def explained(place: str) -> Iterator[None]:
    """Turn what SQLAlchemy, a driver or the system say about `place` into a `DatabaseError`."""
    try:
        yield
    except DBAPIError as error:
        raise _explain(place, error.orig) from error
    except sqlite3.Error as error:
        raise _explain(place, error) from error
    except (SQLAlchemyError, OSError) as error:
        raise NotStored(f"The database {place} failed: {error}") from error


def _explain(place: str, error: BaseException | None) -> DatabaseError:
    reason = " ".join(str(error).split())
    for words, kind, meaning in _MEANINGS:
        if words in reason:
            return kind(f"The database {place} cannot be used: {meaning}. ({reason})")
    return NotStored(f"The database {place} refused: {reason}")
