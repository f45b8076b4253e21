"""The options that say what is played, and the room settings made of them."""

from __future__ import annotations

import argparse
import json

from msgspec.structs import replace

from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import read_text
from samedrop_client.again import settings_on
from samedrop_client.client import Client
from samedrop_protocol.model import Align, Rivals, RunId, Settings
from samedrop_protocol.types import MAX_SEATS
from samedrop_rules import Game, InvalidInput, UnknownGame, find_game

NO_COUNTDOWN = 0
BEST = "best"
"""Stands for the best run on the deal that is played."""


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add them to a command."""
    group = parser.add_argument_group("what is played")
    group.add_argument("--game", default="drop7", help="the game (default: %(default)s)")
    chance = group.add_mutually_exclusive_group()
    chance.add_argument("--seed", metavar="TEXT", help="the same seed deals the same discs (default: a secret one)")
    chance.add_argument("--daily", action="store_true", help="today's deal of the game, the same for all")
    chance.add_argument("--deal", metavar="ID", help="a deal that was played there before, with its game and options")
    chance.add_argument("--challenge", metavar="CODE", help="your run of a challenge, with its game and options")
    chance.add_argument("--tape", metavar="FILE", help="deal from this JSON file, number by number")
    group.add_argument(
        "--ghost",
        metavar="MATCH[/SEAT]",
        action="append",
        default=[],
        help="race this stored run, too, on its deal; best: the best one on --deal or --challenge; can be given again",
    )
    group.add_argument(
        "--align",
        choices=[align.value for align in Align],
        default=Align.TURN.value,
        help="where a ghost is: after as many turns as you (turn), or after as much time (time)",
    )
    group.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the game, such as start_rows=2; can be given again",
    )
    group.add_argument("--drop-limit", metavar="N", type=_positive, help="stop everybody after so many moves")
    group.add_argument("--time-limit", metavar="SECONDS", type=_positive, help="stop everybody after that time")
    group.add_argument(
        "--turn-limit", metavar="SECONDS", type=_positive, help="in lockstep or rounds: so long for each turn"
    )
    group.add_argument("--first-to", metavar="N", type=_positive, help="so many wins decide the series of the room")
    group.add_argument("--lockstep", action="store_true", help="nobody moves on before all have moved")
    group.add_argument(
        "--rivals",
        choices=[rivals.value for rivals in Rivals],
        default=Rivals.FAIR.value,
        help="what players see of each other: what they have been dealt too (fair), all (open), or scores only",
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def read_settings(args: argparse.Namespace, *, countdown: int) -> Settings:
    """The room settings that were asked for, checked as far as this side can.

    Raises:
        CommandError: an option, the seed or the tape is not usable.
    """
    try:
        game: Game | None = find_game(args.game)
    except UnknownGame:
        game = None  # a server may know newer games than this program
    options = dict(_read_option(text, game) for text in args.option)
    if args.deal is not None and options:
        raise CommandError("--deal brings the options of the game along; leave --option out.", Exit.USAGE)
    tape = None if args.tape is None else _read_tape(args.tape)
    if game is not None:
        try:
            game.deal(options, seed="any" if args.seed is None and tape is None else args.seed, tape=tape)
        except InvalidInput as error:
            raise CommandError(f"{_where(args, error)}{error.text}", Exit.INPUT) from error
    return Settings(
        game=args.game,
        options=options,
        seed=args.seed,
        tape=tape,
        daily=args.daily,
        challenge=args.challenge,
        drop_limit=args.drop_limit,
        time_limit=args.time_limit,
        turn_limit=args.turn_limit,
        first_to=args.first_to,
        lockstep=args.lockstep,
        rivals=Rivals(args.rivals),
        ghosts=[_read_ghost(text) for text in args.ghost if text != BEST],
        align=Align(args.align),
        countdown=countdown,
    )


async def on_deal(args: argparse.Namespace, client: Client, settings: Settings) -> Settings:
    """The settings on the deal that was asked for, if one was, and with the best run on it as a ghost if that was.

    Raises:
        CommandError: it may not be told yet, or there is no run on it.
        Refused: nobody has played it at that server, or it may not be looked at now.
    """
    if BEST in args.ghost:
        best = await _best_run(args, client)
        settings = replace(settings, ghosts=[*settings.ghosts, best])
    if args.deal is None:
        return settings
    try:
        return settings_on(await client.deal(args.deal), settings)
    except ValueError as error:
        raise CommandError(f"{args.deal}: {error}", Exit.INPUT) from error


async def _best_run(args: argparse.Namespace, client: Client) -> RunId:
    if args.deal is not None:
        runs = [run async for run in client.runs(args.deal)]
    elif args.challenge is not None:
        runs = (await client.get_challenge(args.challenge)).runs
    else:
        raise CommandError("--ghost best needs --deal or --challenge; or name a match.", Exit.USAGE)
    if not runs:
        raise CommandError("There is no finished run yet that you could race.", Exit.INPUT)
    best = max(runs, key=lambda run: run.score)
    return RunId(match=best.match, seat=best.seat)


def _read_ghost(text: str) -> RunId:
    match, slash, seat = text.partition("/")
    usable = not slash or (seat.isascii() and seat.isdigit() and int(seat) < MAX_SEATS)
    if not match or not usable:
        raise CommandError(f"--ghost {text}: write MATCH, or MATCH/SEAT with a seat from 0.", Exit.USAGE)
    return RunId(match=match, seat=int(seat or 0))


def _where(args: argparse.Namespace, error: InvalidInput) -> str:
    return f"{args.tape}: {error.field}: " if error.field.startswith("tape") else ""


def _read_option(text: str, game: Game | None) -> tuple[str, bool | int | str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise CommandError(f"--option {text}: write NAME=VALUE, such as start_rows=2.", Exit.USAGE)
    default = next((option.default for option in game.options if option.name == name), None) if game else None
    if not isinstance(default, str):
        if value.lower() in ("true", "false", "yes", "no", "on", "off"):
            return name, value.lower() in ("true", "yes", "on")
        if value.isascii() and value.removeprefix("-").isdigit():
            return name, int(value)
    return name, value


def _read_tape(file: str) -> dict[str, object]:
    try:
        tape = json.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{file} is not JSON: {error}.", Exit.INPUT) from error
    if not isinstance(tape, dict):
        raise CommandError(f"{file} does not hold a tape: it must be a JSON object.", Exit.INPUT)
    return tape
