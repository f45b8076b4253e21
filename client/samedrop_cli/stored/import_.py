"""`samedrop import`: read matches from files (docs/matchfile.md), each verified by replay before it is stored."""

from __future__ import annotations

import argparse
from functools import partial

from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import add_database, read_text
from samedrop_cli.stored.access import opened
from samedrop_rules.errors import InvalidInput, RulesError
from samedrop_rules.matchfile import MatchFile, Unverified, read_match_file, verify
from samedrop_server.transfer import MatchConflict, import_match


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "import",
        help="read matches from files, checking them",
        description="Read match files into the database. Each match is played again first; one that is not true is "
        "refused (exit code 1), and so is one that contradicts a match that is here.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a match file, as samedrop export writes them")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Import; nothing is stored if any of the files cannot be read or is not true."""
    matches = [(file, _read(file)) for file in args.files]
    with opened(args, make=True) as database:
        for file, match in matches:
            try:
                new = database.write_now(partial(import_match, match=match))
            except MatchConflict as error:
                raise CommandError(f"{file}: {error}", Exit.NO) from error
            except InvalidInput as error:
                raise CommandError(f"{file}: {error.field}: {error.text}", Exit.INPUT) from error
            print(f"{file}: match {match.match} " + ("imported" if new else "is already here"))
    return Exit.OK


def _read(file: str) -> MatchFile:
    try:
        match = read_match_file(read_text(file))
        verify(match)
    except Unverified as error:
        raise CommandError(f"{file}: {error.text}", Exit.NO) from error
    except RulesError as error:
        raise CommandError(f"{file}: {error.text}", Exit.INPUT) from error
    return match
