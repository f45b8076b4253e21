"""The command `samedrop`: what there is, and how it ends. Each command has a module of its own.

Only the module of the command that was named is imported, so that help comes at once, and a bare install (without the
server part) can run everything that needs no server.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from typing import NamedTuple, Protocol, cast

from samedrop_cli.exits import CommandError, Exit


class Command(NamedTuple):
    """A command: its module has ``add_parser(subparsers)`` and ``run(args) -> int``."""

    name: str
    module: str
    help: str


COMMANDS = (
    Command("play", "samedrop_cli.play", "race your friends in this terminal"),
    Command("race", "samedrop_cli.race", "let built-in players race, here or at a server"),
    Command("challenge", "samedrop_cli.challenge", "a secret deal that friends play when they like, each once"),
    Command("daily", "samedrop_cli.daily", "the deal of the day: how everybody did, and your streak"),
    Command("serve", "samedrop_cli.serve", "run the server"),
    Command("history", "samedrop_cli.stored.history", "list matches that were played"),
    Command("show", "samedrop_cli.stored.show", "show a match that was played, move by move"),
    Command("deal", "samedrop_cli.stored.deal", "show how everybody did on a deal"),
    Command("verify", "samedrop_cli.stored.verify", "replay stored matches and check every move"),
    Command("export", "samedrop_cli.stored.export", "write a match to a file that can be taken elsewhere"),
    Command("import", "samedrop_cli.stored.import_", "read matches from files, checking them"),
    Command("fair", "samedrop_cli.fair", "check a match file: the seed, the deal, every move, the result"),
    Command("db", "samedrop_cli.stored.db", "look after the database"),
)

DESCRIPTION = "Race your friends at drop puzzles: everybody gets the same discs, who plays them best?"

EPILOG = """\
to begin with:
  samedrop serve                           run a server on this machine
  samedrop play --name Ann                 open a room there; it tells you what your friends type
  samedrop play --name Bob --join K7QXM2   join Ann's room
  samedrop race --players greedy,random    watch two built-in players race, no server needed
  samedrop history                         what was played here

"samedrop COMMAND --help" tells about one of them. Exit codes: 0 done, 1 the answer is no,
2 not understood, 3 a file or value is not usable, 4 database, 5 server or network,
6 the server part is not installed, 130 stopped with Ctrl-C.
"""

SERVER_PARTS = frozenset(
    {
        "aiosqlite",
        "alembic",
        "asyncpg",
        "confusable_homoglyphs",
        "greenlet",
        "prometheus_client",
        "psycopg",
        "pydantic",
        "pydantic_settings",
        "sqlalchemy",
        "structlog",
        "tqdm",
        "uvloop",
        "wcwidth",
    }
)
"""Packages that only the server part brings."""


class _Module(Protocol):
    def add_parser(self, subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> object: ...

    def run(self, args: argparse.Namespace) -> int: ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code (see `exits.Exit`)."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(words)
    except CommandError as error:
        print(f"samedrop: {error.text}", file=sys.stderr)
        return error.exit_code
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in SERVER_PARTS:
            raise
        text = f"this needs the server part, and {error.name} is not installed: pip install 'samedrop[server]'"
        print(f"samedrop: {text}", file=sys.stderr)
        return Exit.NOT_INSTALLED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone (as `| head` does). Keep Python from complaining once more at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK


def _run(words: Sequence[str]) -> int:
    named = next((word for word in words if not word.startswith("-")), None)
    parser = argparse.ArgumentParser(
        prog="samedrop", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"samedrop {metadata.version('samedrop')}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    module: _Module | None = None
    for command in COMMANDS:
        if command.name == named:
            module = cast("_Module", import_module(command.module))
            module.add_parser(subparsers)
        else:
            subparsers.add_parser(command.name, help=command.help, add_help=False)
    args = parser.parse_args(words)
    if module is None:
        parser.print_help()
        return Exit.USAGE
    return module.run(args)


if __name__ == "__main__":
    sys.exit(main())
