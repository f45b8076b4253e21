"""`samedrop play`: a person races in a terminal, by typed commands.

Who plays where is found out here; what is typed and told during the race is `play_session`'s.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import sys
from contextlib import AsyncExitStack
from getpass import getuser

from samedrop_cli.console import Console
from samedrop_cli.display import plain
from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.network import default_server, explained
from samedrop_cli.play_session import PlaySession
from samedrop_cli.settings import add_settings, on_deal, read_settings
from samedrop_cli.tokens import TokenStore, home
from samedrop_client.address import socket_url
from samedrop_client.client import Client, connect
from samedrop_client.errors import TokenUnknown
from samedrop_client.room import Room
from samedrop_protocol.model import Phase

EPILOG = """\
examples:
  samedrop play --name Ann                          open a room on this machine's server
  samedrop play --name Bob --join K7QXM2            join it
  samedrop play --server games.example:7077 --list  show the rooms that anybody may join
Then type: ready, start, 4 (to drop in column 4), board, scores, help ...
A player who comes back under the same name is the same player, and goes on where the race was left.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "play",
        help="race your friends in this terminal",
        description="Race your friends in this terminal, by typed commands.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_player(parser)
    room = parser.add_mutually_exclusive_group()
    room.add_argument("--create", action="store_true", help="open a room (this is what happens if nothing is said)")
    room.add_argument("--join", metavar="CODE", help="join the room with this code")
    room.add_argument("--list", action="store_true", help="show the public rooms and end")
    parser.add_argument("--public", action="store_true", help="show your room in the list of rooms")
    parser.add_argument("--password", metavar="TEXT", default="", help="of the room: asked of all who join")
    parser.add_argument("--title", default="", help="what your room is called in that list")
    parser.add_argument(
        "--countdown", metavar="SECONDS", type=int, choices=range(31), default=3, help="before the start (default: 3)"
    )
    parser.add_argument(
        "--boards",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="draw the board after every move (default: in a terminal)",
    )
    add_settings(parser)


def add_player(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where one plays, and as whom."""
    parser.add_argument(
        "--server", metavar="ADDRESS", default=default_server(), help="host:port or URL (default: %(default)s)"
    )
    parser.add_argument("--name", default=None, help="what you are called (default: your user name)")
    parser.add_argument("--guest", action="store_true", help="keep nothing: be a new player each time")


def guest_unless_named(args: argparse.Namespace) -> None:
    """Who only looks, and is not named, must not take the place of somebody who plays in another terminal."""
    args.guest = args.guest or args.name is None


def run(args: argparse.Namespace) -> int:
    """Play until the player leaves."""
    with explained():
        return asyncio.run(_play(args))


async def _play(args: argparse.Namespace) -> int:
    settings = read_settings(args, countdown=args.countdown)
    async with AsyncExitStack() as stack:
        client = await connect_player(args, stack)
        if args.list:
            await list_rooms(client)
            return Exit.OK
        room = await enter(client, join=args.join, create=args.create, password=args.password)
        if room is None:
            settings = await on_deal(args, client, settings)
            room = await client.create_room(settings, title=args.title, public=args.public, password=args.password)
            friend = f"samedrop play --server {shlex.quote(args.server)} --join {room.code} --name THEIR_NAME"
            friend += " --password THE_PASSWORD" if args.password else ""
            _tell(f"You opened room {room.code}. Your friends type: {friend}")
        _tell("Type ready when you are, and start when everybody is. Type help for all commands.")
        boards = sys.stdout.isatty() if args.boards is None else args.boards
        session = PlaySession(client, room, Console(), _write, boards=boards, may_return=not args.guest)
        await session.run()
    return Exit.OK


async def connect_player(args: argparse.Namespace, stack: AsyncExitStack) -> Client:
    """Connect as the player that is kept under this name, or as a new one."""
    name = args.name or getuser()
    server = socket_url(args.server)
    store = None if args.guest or getattr(args, "list", False) else TokenStore(home(os.environ))
    token = None if store is None else store.get(server, name)
    try:
        client = await stack.enter_async_context(connect(server, name=name, token=token, notice=_tell))
    except TokenUnknown:
        _tell("This server does not know you from earlier; you are a new player.")
        client = await stack.enter_async_context(connect(server, name=name, notice=_tell))
    if store is not None:
        store.keep(server, name, client.token)
    return client


async def enter(client: Client, *, join: str | None, create: bool, password: str = "") -> Room | None:
    """The room where this player is already, or the one to join; None to make one.

    Raises:
        CommandError: the player races in another room.
    """
    room = client.room
    if room is not None:
        if not create and (join is None or _same(join, room.code)):
            _tell(f"You are back in room {room.code}.")
            return room
        if room.state.phase is Phase.PLAYING:
            text = f"You are racing in room {room.code}. Go back with: samedrop play --join {room.code}"
            raise CommandError(text, Exit.NETWORK)
        await room.leave()
    if join is None:
        return None
    room = await client.join_room(join, password=password)
    _tell(f"You are in room {room.code}.")
    return room


def _same(typed: str, code: str) -> bool:
    """Whether a code was typed; case, spaces and dashes do not matter."""
    return typed.translate({ord(" "): None, ord("-"): None}).casefold() == code.casefold()


async def list_rooms(client: Client) -> None:
    """Print the public rooms."""
    rooms = await client.rooms()
    for room in rooms:
        title = ("  (password)" if room.locked else "") + (f"  {plain(room.title)}" if room.title else "")
        print(f"{room.code}  {room.game}  {room.phase}  {room.players} players, host {plain(room.host)}{title}")
    if not rooms:
        print("There is no public room. Open one with: samedrop play --public")


def _tell(line: str) -> None:
    _write(plain(line))


def _write(line: str) -> None:
    print(line, flush=True)
