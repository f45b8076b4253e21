"""`samedrop verify`: replay stored matches and check every move."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

from sqlalchemy import select
from tqdm import tqdm

from samedrop_cli.display import counted
from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import add_database
from samedrop_cli.stored.access import MATCH_HELP, find_match, opened
from samedrop_rules.errors import RulesError
from samedrop_rules.matchfile import verify
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DamagedLog
from samedrop_server.storage.models import Match
from samedrop_server.transfer import load_match_file


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "verify",
        help="replay stored matches and check every move",
        description="Play stored matches again under the rules they were played with, and compare every score, every "
        "digest and the result. Exit code 0: all is equal; 1: something differs, and the first entry of each such "
        "match is named.",
    )
    parser.add_argument("match", metavar="ID", nargs="?", help=MATCH_HELP)
    parser.add_argument("--all", action="store_true", help="verify every finished match")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Verify."""
    if (args.match is None) != args.all:
        raise CommandError("give the id of a match, or --all", Exit.USAGE)
    with opened(args) as database:
        if args.all:
            finished = select(Match.id).where(Match.finished.is_not(None)).order_by(Match.started, Match.id)
            ids = database.read_now(lambda connection: list(connection.scalars(finished)))
        else:
            ids = [database.read_now(partial(find_match, beginning=args.match))]
        return _verify(database, ids)


def _verify(database: Database, ids: list[str]) -> int:
    differing = entries = 0

    def count(_number: int) -> None:
        nonlocal entries
        entries += 1

    # On a terminal only.
    with tqdm(ids, unit="match", disable=None, leave=False) as bar:
        for match_id in bar:
            difference = _difference(database, match_id, count)
            if difference is not None:
                differing += 1
                bar.write(f"{match_id}: {difference}")
    print(f"{counted(len(ids), 'match', 'matches')} with {entries:,} entries replayed, {differing} differ.")
    return Exit.NO if differing else Exit.OK


def _difference(database: Database, match_id: str, count: Callable[[int], None]) -> str | None:
    """What is wrong with a match, or None."""
    try:
        match = database.read_now(partial(load_match_file, match_id=match_id))
        if match is None:
            return "It is not there any more."
        verify(match, count)
    except (RulesError, DamagedLog) as error:
        return error.text
    return None
