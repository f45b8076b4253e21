"""`samedrop fair`: whether a match was what it was promised to be, from its file alone (docs/fairness.md)."""

from __future__ import annotations

import argparse
import re

from samedrop_cli.display import plain
from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import read_text
from samedrop_rules.errors import RulesError
from samedrop_rules.matchfile import MatchFile, Unverified, read_match_file, verify

_COMMITMENT = re.compile(r"[0-9a-f]{64}", re.ASCII | re.IGNORECASE)

KNOWN = {
    "sealed": "Nobody could know the deal before: the server drew its seed in secret.",
    "open": "The deal was open: whoever chose its seed, or had played it before, could know it.",
    "daily": "The deal of a day: nobody could know it before that day, if the server has a daily secret.",
    "tape": "The deal came from a tape: whoever wrote it could know it.",
}
"""Who can have known a deal, in words."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "fair",
        help="check a match file: the seed, the deal, every move, the result",
        description="Check, from a match file alone and without any server, that the seed is the one that was "
        "committed to, that the deal follows from it, and that every move leads to the scores and the result of the "
        "file. Exit code 1: something does not hold.",
        epilog="example: samedrop fair match.json --commitment 0d558a1a…, with what your client was told at the start",
    )
    parser.add_argument("file", metavar="MATCHFILE", help="as samedrop export writes it; - reads from standard input")
    parser.add_argument("--commitment", metavar="HEX", help="the commitment that you were told at the start")
    parser.add_argument("--deal", metavar="ID", help="the id of the deal that you were told at the start")


def run(args: argparse.Namespace) -> int:
    """Check and tell."""
    if args.commitment is not None and _COMMITMENT.fullmatch(args.commitment) is None:
        raise CommandError("--commitment must be the 64 hex digits that were told at the start.", Exit.USAGE)
    try:
        match = read_match_file(read_text(args.file))
        _compare(args, match)
        verify(match)
    except Unverified as error:
        raise CommandError(f"Not fair, or not this match: {error.text}", Exit.NO) from error
    except RulesError as error:
        raise CommandError(f"{args.file}: {error.text}", Exit.INPUT) from error
    print("\n".join(_told(args, match)))
    return Exit.OK


def _compare(args: argparse.Namespace, match: MatchFile) -> None:
    """Hold the file to what was told at the start."""
    if args.commitment is not None and args.commitment.lower() != match.commitment:
        raise Unverified(f"You were told the commitment {args.commitment.lower()}, the file has {match.commitment}.")
    if args.deal is not None and args.deal != match.deal_id:
        raise Unverified(f"You were told the deal {plain(args.deal)}, the file has {match.deal_id}.")


def _told(args: argparse.Namespace, match: MatchFile) -> list[str]:
    deal = match.deal
    chance = "The tape" if deal.seed is None else f"The seed {plain(deal.seed)}"
    noted = "the one you were told" if args.commitment else "compare it with what you were told at the start"
    names = {seat: held.name for seat, held in enumerate(match.seats)}
    result = ", ".join(f"{row.rank}. {plain(names[row.seat])} {row.score:,}" for row in match.standings)
    return [
        f"{chance} leads to the commitment {match.commitment} ({noted}).",
        f"It deals {deal.game} {deal.version}, deal {match.deal_id}: all chance in the match follows from it.",
        f"All {len(match.log):,} entries of the log, played again, lead to the scores that were told.",
        f"The result follows from them: {result}.",
        KNOWN[match.known],
    ]
