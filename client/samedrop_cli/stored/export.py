"""`samedrop export`: write a match to a file that can be taken elsewhere (docs/matchfile.md)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sqlalchemy import Connection

from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import add_database
from samedrop_cli.stored.access import MATCH_HELP, find_match, opened
from samedrop_rules.matchfile import to_json
from samedrop_server.transfer import load_match_file


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "export",
        help="write a match to a file that can be taken elsewhere",
        description="Write a finished match as a match file: with its deal, every move, and the result.",
        epilog="example: samedrop export 8f3k -o game.json",
    )
    parser.add_argument("match", metavar="ID", help=MATCH_HELP)
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (default: standard output)")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Export."""

    def read(connection: Connection) -> str:
        match = load_match_file(connection, find_match(connection, args.match))
        assert match is not None
        return to_json(match)

    with opened(args) as database:
        text = database.read_now(read)
    if args.output in (None, "-"):
        sys.stdout.write(text)
        return Exit.OK
    try:
        Path(args.output).write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise CommandError(f"{args.output} cannot be written: {error.strerror}.", Exit.INPUT) from error
    return Exit.OK
