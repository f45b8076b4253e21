"""`samedrop race`: built-in players race, in a server of their own or at one that runs elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import inspect
import json
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass

from samedrop_cli.display import plain, standings_lines
from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import add_database, explained, own_server
from samedrop_cli.race_picture import RacePicture
from samedrop_cli.settings import NO_COUNTDOWN, add_settings, on_deal, read_settings
from samedrop_client.client import connect
from samedrop_client.errors import RoomLeft
from samedrop_client.match import Choose, Match
from samedrop_client.players import PLAYERS
from samedrop_client.room import Room
from samedrop_protocol import from_server
from samedrop_protocol.from_server import MatchOver
from samedrop_protocol.types import MAX_SEATS
from samedrop_rules import Move, View

EPILOG = """\
examples:
  samedrop race --players greedy,random --seed friday
  samedrop race --players greedy,greedy --option start_rows=3 --drop-limit 100 --json
  samedrop race --players greedy --server localhost:7077 --join K7QXM2 --delay 1
  samedrop race --players greedy --server localhost:7077 --wait 2     a person can join with the code
The same players with the same seed always reach the same scores.
"""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player who is to race: a name, and which of `PLAYERS` decides."""

    name: str
    kind: str


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "race",
        help="let built-in players race, here or at a server",
        description="Let built-in players race on one deal, each over a connection of its own.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = ", ".join(PLAYERS)
    parser.add_argument("--players", metavar="KIND,KIND", default="greedy,random", help=f"who races: {kinds}")
    parser.add_argument("--names", metavar="NAME,NAME", help="what they are called (default: their kinds)")
    place = parser.add_argument_group("where")
    place.add_argument("--server", metavar="ADDRESS", help="race there (default: a server of its own, just for this)")
    place.add_argument("--join", metavar="CODE", help="join this room instead of opening one; its host starts")
    place.add_argument("--password", metavar="TEXT", default="", help="of the room: asked of all who join")
    place.add_argument("--public", action="store_true", help="show the room in the list of rooms")
    place.add_argument("--wait", metavar="N", type=int, default=0, help="start once so many players are in the room")
    add_database(place)
    add_settings(parser)
    shown = parser.add_argument_group("what is shown")
    shown.add_argument("--delay", metavar="SECONDS", type=float, default=0.0, help="wait so long before each move")
    shown.add_argument("--quiet", action="store_true", help="print the result only")
    shown.add_argument("--json", action="store_true", help="print the result as one line of JSON, and nothing else")


def run(args: argparse.Namespace) -> int:
    """Race and tell the result."""
    entrants = read_entrants(args.players, args.names)
    if args.join is not None and args.server is None:
        raise CommandError("--join needs --server: the address of the server that has the room.", Exit.USAGE)
    with explained():
        match, over = asyncio.run(_race(args, entrants))
    if args.json:
        print(result_json(match, over))
    else:
        print("\n".join(["", *standings_lines(over.standings)]))
        print(f"Match {match.id} on deal {over.deal.deal}. More: samedrop show {match.id}")
    return Exit.OK


def read_entrants(players: str, names: str | None) -> list[Entrant]:
    """Who races, from ``greedy,random`` and ``Ann,Bob``.

    Raises:
        CommandError: an unknown kind, too many, or not as many names.
    """
    kinds = [kind.strip() for kind in players.split(",")]
    for kind in kinds:
        if kind not in PLAYERS:
            raise CommandError(f"There is no player {kind!r}; there are: {', '.join(PLAYERS)}.", Exit.USAGE)
    if len(kinds) > 2 * MAX_SEATS:
        raise CommandError(f"A race has at most {MAX_SEATS} seats, for a player or a team of two each.", Exit.USAGE)
    called = [name.strip() for name in names.split(",")] if names is not None else kinds
    if len(called) != len(kinds):
        raise CommandError("--names must have one name for each of --players.", Exit.USAGE)
    return [Entrant(name, kind) for name, kind in zip(called, kinds, strict=True)]


def result_json(match: Match, over: MatchOver) -> str:
    """The result as one line of JSON."""
    result = {
        "match": match.id,
        "deal": over.deal.deal,
        "game": over.deal.game,
        "options": over.deal.options,
        "standings": [
            {"name": row.names, "score": row.score, "turns": row.turns, "ended": row.ended} for row in over.standings
        ],
    }
    return json.dumps(result, ensure_ascii=False)


async def _race(args: argparse.Namespace, entrants: list[Entrant]) -> tuple[Match, MatchOver]:
    settings = read_settings(args, countdown=NO_COUNTDOWN)
    async with AsyncExitStack() as stack:
        address = args.server or await stack.enter_async_context(own_server(args.database))
        clients = [await stack.enter_async_context(connect(address, name=one.name)) for one in entrants]
        if args.join is not None:
            code = args.join
            rooms = [await clients[0].join_room(code, password=args.password)]
        else:
            settings = await on_deal(args, clients[0], settings)
            rooms = [await clients[0].create_room(settings, public=args.public, password=args.password)]
            code = rooms[0].code
        rooms += [await client.join_room(code, password=args.password) for client in clients[1:]]
        _tell(f"Room {code} at {address}")
        await _start(rooms, hosting=args.join is None, wait=args.wait)
        matches = [await seated(room) for room in rooms]
        chosen = [PLAYERS[one.kind](match) for one, match in zip(entrants, matches, strict=True)]
        runs = [match.play(_paced(choose, args.delay)) for choose, match in zip(chosen, matches, strict=True)]
        picture = RacePicture([] if args.quiet or args.json else matches)
        await asyncio.gather(*runs, *picture.shows())
        return matches[0], await matches[0].result()


async def _start(rooms: list[Room], *, hosting: bool, wait: int) -> None:
    """Get the match started: as host, once enough players are there and all are ready."""
    for room in rooms:
        await room.ready()
    if not hosting:
        _tell("Waiting for the host to start.")
        return
    room = rooms[0]
    if wait > len(room.players):
        _tell(f"Waiting for {wait} players; join with: samedrop play --join {room.code}")
    await room.until(lambda: len(room.players) >= wait and all(one.ready for one in room.players))
    await room.start()


async def seated(room: Room) -> Match:
    """The match that starts now, in which our player has a seat.

    Raises:
        CommandError: it could not start.
    """
    async for message in room:
        if isinstance(message, from_server.Error):
            raise CommandError(plain(message.text), Exit.DATABASE)
        if isinstance(message, from_server.Started):
            match = await room.next_match()
            if match.seat is not None:
                return match
    raise RoomLeft(room.left or "closed")


def _paced(choose: Choose, delay: float) -> Choose:
    """`choose`, but only after `delay` seconds."""

    async def choose_later(view: View, moves: list[Move]) -> Move:
        await asyncio.sleep(delay)
        chosen = choose(view, moves)
        return await chosen if inspect.isawaitable(chosen) else chosen

    return choose_later if delay else choose


def _tell(line: str) -> None:
    print(plain(line), file=sys.stderr)
