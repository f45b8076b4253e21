"""`samedrop daily`: the deal of the day, how everybody did on it, the days before, and one's streak."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack
from datetime import date, timedelta

from samedrop_cli.display import clock_time, counted, plain
from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import explained
from samedrop_cli.play import add_player, connect_player, guest_unless_named
from samedrop_cli.runs import add_each, run_lines
from samedrop_client.client import Client
from samedrop_client.errors import Refused
from samedrop_protocol.from_server import DailyPage
from samedrop_protocol.model import Each

EPILOG = """\
examples:
  samedrop play --daily --name Ann
  samedrop daily --name Ann
  samedrop daily dice-drop --day 2030-01-31 --each best
"""
SHOWN_DAYS = 7


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "daily",
        help="the deal of the day: how everybody did, and your streak",
        description="Show how everybody did on the deal of the day, the days before, and on how many days in a row you "
        "have played it.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", nargs="?", default="drop7", help="which game (default: %(default)s)")
    parser.add_argument("--day", metavar="DATE", type=_day, help="another day, as 2030-01-31 (UTC; default: today)")
    add_each(parser, Each.FIRST)
    add_player(parser)


def _day(text: str) -> str:
    try:
        day = date.fromisoformat(text)
        day + timedelta(days=1)  # which must be a day, too
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text} is no day; write it as 2030-01-31") from None
    return day.isoformat()


def run(args: argparse.Namespace) -> int:
    """Show."""
    with explained():
        lines = asyncio.run(_ask(args))
    print("\n".join(lines))
    return Exit.OK


async def _ask(args: argparse.Namespace) -> list[str]:
    guest_unless_named(args)
    async with AsyncExitStack() as stack:
        client = await connect_player(args, stack)
        try:
            page = await client.daily(args.game, limit=SHOWN_DAYS)
            return [
                *_heading(page, named=not args.guest),
                "",
                *await _day_lines(client, page, args.day or page.day, Each(args.each)),
            ]
        except Refused as error:
            raise CommandError(plain(error.text), Exit.NO) from error


def _heading(page: DailyPage, *, named: bool) -> list[str]:
    lines = [
        f"The {page.game} deal of {page.day}: until {clock_time(page.ends)} UTC. Play it: "
        f"samedrop play --game {page.game} --daily",
        f"Your streak: {counted(page.streak, 'day')}." if named else "With --name you are told your streak.",
    ]
    return lines + [f"  {day.day}  {counted(day.matches, 'match', 'matches')}  deal {day.deal}" for day in page.days]


async def _day_lines(client: Client, page: DailyPage, day: str, each: Each) -> list[str]:
    """How everybody did on that day."""
    after = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    newest = (await client.daily(page.game, before=after, limit=1)).days
    if not newest or newest[0].day != day:
        return [f"Nobody has finished the {page.game} deal of {day}."]
    counts = f"each player's {each} run counts"
    return [f"{day}, {counts}:", *run_lines([run async for run in client.runs(newest[0].deal, each=each)])]
