"""`samedrop deal`: a deal that was played, and how everybody did on it."""

from __future__ import annotations

import argparse

import msgspec

from samedrop_cli.display import plain
from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.fair import KNOWN
from samedrop_cli.network import add_database
from samedrop_cli.runs import add_each, run_lines
from samedrop_cli.stored.access import opened, positive
from samedrop_protocol import model
from samedrop_protocol.errors import ProtocolError
from samedrop_protocol.from_client import GetDeal
from samedrop_protocol.model import Each
from samedrop_server.deals import get_deal

PAGE = 100


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "deal",
        help="show how everybody did on a deal",
        description="Show a deal that was played, and all runs on it, best first. Runs at first sight, when nobody "
        "could know the deal, are ranked among themselves.",
        epilog="example: samedrop deal f067wk609w6k --player Ann",
    )
    parser.add_argument("deal", metavar="ID", help="of the deal, as history, show and race tell it")
    parser.add_argument("--player", metavar="NAME", help="only runs of that player: a name played under, or an id")
    add_each(parser)
    parser.add_argument("--first-sight", action="store_true", default=None, help="only runs at first sight")
    parser.add_argument(
        "--limit", metavar="N", type=positive, default=20, help="so many at most (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print each run as one line of JSON")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Show."""
    wanted = GetDeal(
        id="deal",
        deal=args.deal[:64],
        player=args.player,
        first_sight=args.first_sight,
        each=args.each and Each(args.each),
        limit=min(args.limit, PAGE),
    )
    with opened(args) as database:
        try:
            deal, runs, _ = database.read_now(lambda connection: get_deal(connection, wanted, None))
        except ProtocolError as error:
            raise CommandError(error.text, Exit.NO) from error
    if args.json:
        for one in runs:
            print(msgspec.json.encode(one).decode())
    else:
        print("\n".join([*_heading(deal), "", *run_lines(runs)]))
    return Exit.OK


def _heading(deal: model.Deal) -> list[str]:
    options = ", ".join(f"{name} {value}" for name, value in deal.options.items())
    chance = "a tape" if not isinstance(deal.seed, str) else f"seed {plain(deal.seed)}"
    return [
        f"deal {deal.deal}: {deal.game} {deal.version}{f' ({options})' if options else ''}, {chance}",
        KNOWN[deal.known],
    ]
