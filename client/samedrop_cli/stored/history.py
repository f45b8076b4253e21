"""`samedrop history`: list the matches that were played."""

from __future__ import annotations

import argparse

import msgspec
from sqlalchemy import Connection

from samedrop_cli.display import clock_time, plain
from samedrop_cli.exits import Exit
from samedrop_cli.network import add_database
from samedrop_cli.stored.access import opened, positive, read_time
from samedrop_protocol.from_client import ListMatches
from samedrop_protocol.model import MatchSummary
from samedrop_server.history import list_matches

PAGE = 100


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "history",
        help="list matches that were played",
        description="List finished matches, newest first. Times are in UTC.",
        epilog="example: samedrop history --player Ann --since 2026-01-01 --limit 5",
    )
    parser.add_argument("--player", metavar="NAME", help="only matches of that player: a name played under, or an id")
    parser.add_argument("--game", metavar="GAME", help="only this game")
    parser.add_argument("--deal", metavar="ID", help="only matches on this deal")
    parser.add_argument("--since", metavar="TIME", type=read_time, help="started at that time or later: 2026-01-31")
    parser.add_argument("--until", metavar="TIME", type=read_time, help="started before that time: 2026-01-31T18:00")
    parser.add_argument(
        "--limit", metavar="N", type=positive, default=20, help="so many at most (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print each match as one line of JSON")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """List."""
    with opened(args) as database:
        matches = database.read_now(lambda connection: _read(connection, args))
    for match in matches:
        print(msgspec.json.encode(match).decode() if args.json else _line(match))
    if not matches and not args.json:
        print("No matches.")
    return Exit.OK


def _read(connection: Connection, args: argparse.Namespace) -> list[MatchSummary]:
    matches: list[MatchSummary] = []
    cursor: str | None = None
    while len(matches) < args.limit:
        wanted = ListMatches(
            id="history",
            player=args.player,
            game=args.game,
            deal=args.deal,
            since=args.since,
            until=args.until,
            cursor=cursor,
            limit=min(PAGE, args.limit - len(matches)),
        )
        page, cursor = list_matches(connection, wanted)
        matches += page
        if cursor is None:
            break
    return matches


def _line(match: MatchSummary) -> str:
    result = ", ".join(f"{plain(row.names)} {row.score:,}" for row in match.standings)
    return f"{match.match}  {clock_time(match.started)}  {match.game}  {match.known.value:6}  {result}"
