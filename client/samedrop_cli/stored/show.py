"""`samedrop show`: a match that was played, move by move, as text."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from samedrop_cli.display import clock_time, counted, plain, side_by_side, standings_lines
from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import add_database
from samedrop_cli.stored.access import MATCH_HELP, find_match, opened, positive
from samedrop_cli.telling import happened, mover
from samedrop_protocol import model
from samedrop_protocol.model import names_of
from samedrop_rules import Entry, Event, Game, ReplayMismatch, Table, UnknownGame, find_game, replay
from samedrop_server.history import log_entry
from samedrop_server.storage.loading import StoredMatch, load_match
from samedrop_server.storage.standings import load_standings


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "show",
        help="show a match that was played, move by move",
        description="Show a finished match: every move, what it led to, and the boards after it.",
        epilog="example: samedrop show 8f3k --seat 2 --step",
    )
    parser.add_argument("match", metavar="ID", help=MATCH_HELP)
    parser.add_argument("--seat", metavar="N", type=positive, help="only this player, counted from 1")
    parser.add_argument("--move", metavar="N", type=positive, help="only this move of the match, counted from 1")
    parser.add_argument("--step", action="store_true", help="wait for Enter between moves")
    parser.add_argument("--json", action="store_true", help="print each move, with its events, as one line of JSON")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Show."""
    with opened(args) as database:
        match_id = database.read_now(lambda connection: find_match(connection, args.match))
        match = database.read_now(lambda connection: load_match(connection, match_id))
        standings = database.read_now(lambda connection: load_standings(connection, [match_id]).get(match_id, []))
    assert match is not None
    if args.seat is not None and args.seat > len(match.seats):
        raise CommandError(f"--seat {args.seat}: this match has {len(match.seats)}.", Exit.USAGE)
    if args.move is not None and args.move > len(match.log):
        raise CommandError(f"--move {args.move}: this match has {len(match.log)}.", Exit.USAGE)
    try:
        _show(args, match, standings)
    except UnknownGame as error:
        raise CommandError(error.text, Exit.INPUT) from error
    except ReplayMismatch as error:
        raise CommandError(f"{match.id} does not replay to what is stored: {error}", Exit.NO) from error
    return Exit.OK


@dataclass(frozen=True, slots=True)
class _Shown:
    """One entry of the log to be shown, counted from 1."""

    number: int
    entry: Entry
    events: list[Event]


def _show(args: argparse.Namespace, match: StoredMatch, standings: list[model.Standing]) -> None:
    game = find_game(match.deal.game, match.deal.version)
    table = game.table(match.deal, len(match.seats), match.settings.drop_limit)
    if args.json:
        for shown in _chosen(args, match, table):
            print(_json(shown))
        return
    if args.move is None:
        print("\n".join(_heading(match)))
    for shown in _chosen(args, match, table):
        print()
        print("\n".join(_told(game, match, shown)))
        print("\n".join(_boards(args, game, match, table)))
        if args.step:
            _wait()
    if args.move is None:
        print()
        print("\n".join(standings_lines(standings)))


def _chosen(args: argparse.Namespace, match: StoredMatch, table: Table) -> Iterator[_Shown]:
    """The entries that were asked for, each while the table stands as it left it."""
    log = [entry for entry, _ in match.log]
    for number, (entry, events) in enumerate(replay(table, log), 1):
        if args.seat in (None, entry.seat + 1) and args.move in (None, number):
            yield _Shown(number, entry, events)


def _heading(match: StoredMatch) -> list[str]:
    deal = match.deal
    names = ", ".join(plain(seat.names) for seat in match.seats)
    options = ", ".join(f"{name} {value}" for name, value in deal.options.items())
    chance = "a tape" if deal.seed is None else f"{match.known.value} seed {plain(deal.seed)}"
    lines = [
        f"match {match.id}, {clock_time(match.started)} UTC: {names}",
        f"{deal.game} {deal.version}{f' ({options})' if options else ''}, deal {deal.id}, {chance}",
    ]
    lines += [f"ghost: {plain(names_of(ghost))}, from match {ghost.run.match}" for ghost in match.ghosts]
    if match.paused:
        seconds = sum(ended - began for began, ended in match.paused) / 1000
        lines.append(f"{counted(len(match.paused), 'pause')} by agreement, {seconds:.0f} seconds in all")
    return lines


def _told(game: Game, match: StoredMatch, shown: _Shown) -> list[str]:
    entry = shown.entry
    name = mover(match.seats[entry.seat], entry.move)
    minutes, seconds = divmod(entry.at / 1000, 60)
    heading = f"{shown.number}. {name}, turn {entry.turn + 1} ({minutes:.0f}:{seconds:04.1f})"
    lines = happened(game, match.seats, shown.events)
    return [f"{heading}: {lines[0] if lines else 'nothing'}", *(f"  {line}" for line in lines[1:])]


def _boards(args: argparse.Namespace, game: Game, match: StoredMatch, table: Table) -> list[str]:
    seats = range(table.seats) if args.seat is None else [args.seat - 1]
    blocks = [[plain(match.seats[seat].names), *game.render(table.view(seat))] for seat in seats]
    return side_by_side(blocks, shutil.get_terminal_size().columns)


def _json(shown: _Shown) -> str:
    body = msgspec.to_builtins(log_entry(shown.entry)) | {"number": shown.number, "events": shown.events}
    return msgspec.json.encode(body).decode()


def _wait() -> None:
    try:
        input()
    except EOFError:
        pass  # nobody is there to press Enter
