"""`samedrop challenge`: a secret deal that friends play when they like, each once, until it opens to all."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack

from samedrop_cli.display import clock_time, plain
from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import explained
from samedrop_cli.play import add_player, connect_player, guest_unless_named
from samedrop_cli.runs import run_lines
from samedrop_cli.settings import NO_COUNTDOWN, add_settings, read_settings
from samedrop_client.client import Client
from samedrop_client.errors import Refused
from samedrop_protocol import model

EPILOG = """\
examples:
  samedrop challenge new --game drop7 --drop-limit 50 --hours 48 --name Ann
  samedrop play --challenge H4PW2Z --name Bob
  samedrop challenge show H4PW2Z
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command with its parts."""
    parser = subparsers.add_parser(
        "challenge",
        help="a secret deal that friends play when they like, each once",
        description="Make a challenge, look at one, or open yours to all before its time.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    new = actions.add_parser("new", help="make one, and print its code")
    new.add_argument(
        "--hours", metavar="N", type=int, choices=range(1, 745), default=24, help="open so long (default: 24)"
    )
    new.add_argument("--title", metavar="TEXT", default="", help="what it is called")
    add_settings(new)
    show = actions.add_parser("show", help="how everybody did; and the deal, once it is closed")
    close = actions.add_parser("close", help="open yours to all before its time")
    for action in (show, close):
        action.add_argument("code", metavar="CODE", help="of the challenge")
    for action in (new, show, close):
        add_player(action)


def run(args: argparse.Namespace) -> int:
    """Make, show or close."""
    with explained():
        challenge = asyncio.run(_ask(args))
    print("\n".join(_lines(challenge)))
    return Exit.OK


async def _ask(args: argparse.Namespace) -> model.Challenge:
    if args.action == "show":
        guest_unless_named(args)
    async with AsyncExitStack() as stack:
        client = await connect_player(args, stack)
        try:
            return await _do(args, client)
        except Refused as error:
            raise CommandError(plain(error.text), Exit.NO) from error


async def _do(args: argparse.Namespace, client: Client) -> model.Challenge:
    if args.action == "new":
        settings = read_settings(args, countdown=NO_COUNTDOWN)
        return await client.challenge(settings, hours=args.hours, title=args.title)
    if args.action == "show":
        return await client.get_challenge(args.code)
    return await client.close_challenge(args.code)


def _lines(challenge: model.Challenge) -> list[str]:
    closes = clock_time(challenge.closes)
    title = f" {plain(challenge.title)!r}" if challenge.title else ""
    deal = challenge.deal
    what = f"{deal.game} {deal.version}, deal {deal.deal}"
    lines = [f"Challenge {challenge.code}{title} by {plain(challenge.host_name)}: {what}"]
    if challenge.open:
        lines.append(f"Open until {closes} UTC. Each plays it once: samedrop play --challenge {challenge.code}")
        lines.append(f"Commitment {deal.commitment}")
    else:
        seed = deal.seed if isinstance(deal.seed, str) else ""
        lines.append(f"Closed since {closes} UTC. Seed {plain(seed)}, commitment {deal.commitment}")
    return [*lines, *run_lines(challenge.runs)]
