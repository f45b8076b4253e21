"""What the commands that speak with a server share: where it is, and what its refusals mean for the exit code."""

from __future__ import annotations

import argparse
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

from samedrop_cli.display import plain
from samedrop_cli.exits import CommandError, Exit
from samedrop_client.errors import Refused, SamedropError

DEFAULT_DATABASE = "sqlite:///samedrop.db"
_INPUT_CODES = ("settings.", "identity.", "move.")


@contextmanager
def explained() -> Iterator[None]:
    """End the command with one clear line where the server cannot be reached or says no."""
    try:
        yield
    except Refused as error:
        wrong_input = error.code.startswith(_INPUT_CODES)
        raise CommandError(plain(error.text), Exit.INPUT if wrong_input else Exit.NETWORK) from error
    except SamedropError as error:
        raise CommandError(plain(error.text), Exit.NETWORK) from error


def default_server() -> str:
    """The server of commands that were not told one."""
    return os.environ.get("SAMEDROP_SERVER", "localhost")


def add_database(parser: argparse._ActionsContainer) -> None:
    """The option that names the database."""
    parser.add_argument(
        "--database",
        metavar="URL",
        default=os.environ.get("SAMEDROP_DATABASE", DEFAULT_DATABASE),
        help="SQLAlchemy URL of the database (default: %(default)s)",
    )


@asynccontextmanager
async def own_server(database: str) -> AsyncIterator[str]:
    """A server in this process, on a free port of this machine; gives its address.

    Raises:
        CommandError: the database cannot be used.
        ModuleNotFoundError: the server part is not installed.
    """
    from samedrop_migrations import upgrade
    from samedrop_server.app import running
    from samedrop_server.logs import configure_logging
    from samedrop_server.settings import Settings
    from samedrop_server.storage.errors import InUse

    configure_logging("error", "text")
    with server_explained():
        try:
            async with running(Settings(port=0, database=database), prepare=partial(upgrade, database)) as server:
                yield server.url
        except InUse as error:
            where = f"there with --server {error.url}" if error.url else "at that server with --server"
            raise CommandError(f"{error} Race {where}, or elsewhere with --database.", Exit.DATABASE) from error


@contextmanager
def server_explained() -> Iterator[None]:
    """End the command with one clear line where the database cannot be used, or the address not be listened on."""
    from samedrop_server.app import CertificateUnusable, PortInUse
    from samedrop_server.storage.errors import DatabaseError

    try:
        yield
    except PortInUse as error:
        raise CommandError(str(error), Exit.NETWORK) from error
    except CertificateUnusable as error:
        raise CommandError(str(error), Exit.INPUT) from error
    except DatabaseError as error:
        raise CommandError(str(error), Exit.DATABASE) from error


def read_text(file: str) -> str:
    """The text of a file.

    Raises:
        CommandError: it cannot be read.
    """
    try:
        return Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise CommandError(f"{file} cannot be read: {reason}.", Exit.INPUT) from error
