"""`samedrop db`: look after the database."""

from __future__ import annotations

import argparse

import samedrop_migrations
from samedrop_cli.exits import Exit
from samedrop_cli.network import add_database
from samedrop_cli.stored.access import database_explained
from samedrop_server.storage.lock import ServerLock
from samedrop_server.storage.place import Place, find_place


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command with its two parts."""
    parser = subparsers.add_parser("db", help="look after the database")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    upgrade = actions.add_parser(
        "upgrade",
        help="make the database, or bring it up to date",
        description="Make the database, or bring it up to date. samedrop serve does so by itself. There is no way back "
        "to an older version, so keep a backup.",
    )
    check = actions.add_parser(
        "check",
        help="check that the database is up to date",
        description="Check that the program's migrations lead to the tables it expects (on a scratch database), and "
        "that the database, if it is there, has these tables. Exit code 1: something differs.",
    )
    for action in (upgrade, check):
        add_database(action)


def run(args: argparse.Namespace) -> int:
    """Upgrade or check."""
    with database_explained():
        place = find_place(args.database)
        if args.action == "upgrade":
            with ServerLock(place):  # not under the feet of a server that runs
                samedrop_migrations.upgrade(args.database)
            print(f"{place} is up to date (revision {samedrop_migrations.head()})")
            return Exit.OK
        return _check(args.database, place)


def _check(url: str, place: Place) -> int:
    there = place.file is None or place.file.exists()
    differences = samedrop_migrations.check(url if there else None)
    for difference in differences:
        print(difference)
    if differences:
        return Exit.NO
    print(f"models and migrations agree (revision {samedrop_migrations.head()})")
    print(f"{place} is up to date" if there else f"{place} is not there yet")
    return Exit.OK
