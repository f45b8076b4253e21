"""What these commands share: opening the database, finding a match by the beginning of its id, showing times."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import Connection, select

import samedrop_migrations
from samedrop_cli.exits import CommandError, Exit
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DatabaseError
from samedrop_server.storage.models import Match


@contextmanager
def database_explained() -> Iterator[None]:
    """End the command with one clear line where the database cannot be used."""
    try:
        yield
    except DatabaseError as error:
        raise CommandError(error.text, Exit.DATABASE) from error


@contextmanager
def opened(args: argparse.Namespace, *, make: bool = False) -> Iterator[Database]:
    """The database of ``--database``, checked; with `make`, made or brought up to date first.

    Raises:
        CommandError: it cannot be used, here or in the block.
    """
    with database_explained():
        if make:
            samedrop_migrations.upgrade(args.database)
        database = Database(args.database)
        try:
            database.check()
            yield database
        finally:
            database.close()


MATCH_HELP = "the match: its id, or the beginning of it if no other begins so"


def find_match(connection: Connection, beginning: str) -> str:
    """The id of the one finished match whose id is, or begins with, `beginning`.

    Raises:
        CommandError: there is none, or more than one.
    """
    statement = (
        select(Match.id, Match.finished)
        .where(Match.id.startswith(beginning, autoescape=True))
        .order_by(Match.id)
        .limit(5)
    )
    found = connection.execute(statement).all() if beginning.isprintable() else []
    exact = [row for row in found if row.id == beginning]
    if not found:
        raise CommandError(f"There is no match {beginning!r:.70}.", Exit.NO)
    if len(found) > 1 and not exact:
        ids = ", ".join(row.id for row in found)
        raise CommandError(f"Several matches begin with {beginning}: {ids}.", Exit.INPUT)
    row = exact[0] if exact else found[0]
    if row.finished is None:
        raise CommandError(f"Match {row.id} is still being played.", Exit.NO)
    match_id: str = row.id
    return match_id


def read_time(text: str) -> int:
    """Milliseconds since 1970 of a day or a time in ISO form; UTC where nothing else is said. For argparse."""
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    millis = round(1000 * time.timestamp())
    if millis < 0:
        raise argparse.ArgumentTypeError("the time must be after 1970")
    return millis


def positive(text: str) -> int:
    """A whole number from 1. For argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number
