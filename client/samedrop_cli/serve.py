"""`samedrop serve`: run the server."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args, get_origin

from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import server_explained

if TYPE_CHECKING:
    from samedrop_server.app import Running
    from samedrop_server.settings import Settings

DESCRIPTION = """\
Run the server until Ctrl-C or SIGTERM. Everything that was played is in the database, and matches that were
running go on when it starts again. Each option can also be set in the environment: --log-level is
SAMEDROP_LOG_LEVEL."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command; its options are the fields of the server's settings."""
    from samedrop_server.settings import Settings

    parser = subparsers.add_parser(
        "serve",
        help="run the server",
        description=DESCRIPTION,
        epilog="example: samedrop serve --host 0.0.0.0 --database sqlite:///games.db",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for name, field in Settings.model_fields.items():
        option = "--" + name.replace("_", "-")
        text = f"{field.description} (default: {str(field.default).lower() or 'none'})"
        if field.annotation is bool:
            parser.add_argument(option, action=argparse.BooleanOptionalAction, default=argparse.SUPPRESS, help=text)
        elif get_origin(field.annotation) is Literal:
            choices = get_args(field.annotation)
            parser.add_argument(option, choices=choices, default=argparse.SUPPRESS, help=text)
        else:
            metavar = "N" if field.annotation in (int, float) else name.upper()
            parser.add_argument(option, metavar=metavar, default=argparse.SUPPRESS, help=text)
    parser.add_argument("--no-migrate", action="store_true", help="do not bring the database up to date first")


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    from samedrop_migrations import upgrade
    from samedrop_server import app

    settings = read_settings(args)
    with server_explained():
        app.run(settings, announce, None if args.no_migrate else partial(upgrade, settings.database))
    return Exit.OK


def read_settings(args: argparse.Namespace) -> Settings:
    """The settings from the command line, the environment and the defaults, in this order.

    Raises:
        CommandError: naming the option, or the variable, at fault.
    """
    from pydantic import ValidationError

    from samedrop_server.settings import Settings

    given = {name: value for name, value in vars(args).items() if name in Settings.model_fields}
    try:
        return Settings(**given)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        place = "--" + name.replace("_", "-") if name in given else f"SAMEDROP_{name.upper()}"
        reason = first["msg"].removeprefix("Value error, ")
        raise CommandError(f"{place}: {reason}.", Exit.USAGE) from error


def announce(server: Running) -> None:
    """Say where the server can be reached, once it can."""
    print(f"samedrop is listening on {server.http_url} — players connect to {server.url}", flush=True)
