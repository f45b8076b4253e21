"""One person's time in a room: what is typed, and what is told.

Commands are done one after another, so that what is typed ahead (or piped in) has its order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from samedrop_cli.console import Console
from samedrop_cli.display import plain
from samedrop_cli.match_teller import MatchTeller
from samedrop_cli.telling import pause_news, room_news
from samedrop_client.client import Client
from samedrop_client.errors import ConnectionLost, Refused, RoomLeft
from samedrop_client.match import Match
from samedrop_client.room import Room, RoomMessage
from samedrop_protocol import from_server
from samedrop_protocol.model import Phase
from samedrop_rules import RulesError


class Command(NamedTuple):
    """A typed command: its words, what help says, and what it does with the rest of the line."""

    words: tuple[str, ...]
    help: str
    do: Callable[[str], Awaitable[None]]


class PlaySession:
    """See the module."""

    def __init__(
        self,
        client: Client,
        room: Room,
        console: Console,
        write: Callable[[str], None],
        *,
        boards: bool,
        may_return: bool,
    ) -> None:
        """A session of a player in `room`.

        Args:
            console: where commands are typed.
            write: takes each line that is told.
            boards: draw the board after every move.
            may_return: the player's token is kept, so that a run can be gone on with later.
        """
        self._client = client
        self._room = room
        self._console = console
        self._write = write
        self._may_return = may_return
        self._leaving = False
        self._teller = teller = MatchTeller(write, boards=boards)
        self._seen = room.state
        self.commands = (
            Command(
                ("drop",),
                "drop in a column: drop 4, or just 4; where there are rotations, 4 r1",
                self._move,
            ),
            Command(("board", "b"), "your board", _shows(teller.show_board)),
            Command(("next", "n"), "what you are to drop, and when the board rises", _shows(teller.show_next)),
            Command(("scores", "s"), "where everybody stands", _shows(teller.show_scores)),
            Command(("rivals", "r"), "the others' boards, as far as you may know them", _shows(teller.show_rivals)),
            Command(("pause",), "ask for a pause, or agree to one: it begins once all have agreed", self._pause),
            Command(("go",), "go on: end a pause, or do not agree to one after all", self._go_on),
            Command(("ready",), "you are ready", self._ready),
            Command(("unready",), "you are not ready", self._unready),
            Command(("start",), "host: start; start now does not wait for those who are not ready", self._start),
            Command(("cancel",), "host: stop the countdown", self._cancel),
            Command(("rematch",), "host: race again; rematch same on the same deal", self._rematch),
            Command(("kick",), "host: remove somebody: kick NAME", self._kick),
            Command(("who", "w"), "who is here", self._who),
            Command(("chat", "say"), "say something: chat TEXT", self._chat),
            Command(("help", "h", "?"), "this list", self._help),
            Command(("quit", "q"), "leave the room", self._quit),
            Command(("quit!",), "leave even though your run goes on; it is given up", self._quit_now),
        )
        self._by_word = {word: command for command in self.commands for word in command.words}

    async def run(self) -> None:
        """Play until the player leaves, or there is no room or connection any more."""
        if self._room.state.phase is not Phase.PLAYING:
            await self._who("")
        tasks = [asyncio.create_task(part()) for part in (self._commands, self._news, self._matches)]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except RoomLeft as error:
            if error.reason != "left":
                raise
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # What is typed.

    async def _commands(self) -> None:
        async for line in self._console.lines():
            try:
                await self._command(line.strip())
            except (Refused, RulesError, ConnectionLost) as error:
                self._tell(error.text)  # of a connection that is lost for good the news tell, too
            if self._leaving:
                await self._room.leave()
                return
        await self._end_of_input()

    async def _command(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if not word:
            return
        command = self._by_word.get(word.lower())
        await (command.do(rest.strip()) if command is not None else self._move(line))

    async def _end_of_input(self) -> None:
        """Nothing more can be typed. A run that goes on is not given up if the player can come back to it."""
        if self._teller.playing is not None and self._may_return:
            self._tell("Your place is kept for a while. Come back with the same command.")
            return
        await self._room.leave()

    async def _move(self, text: str) -> None:
        match = self._teller.playing
        if match is None:
            known = text.isdigit() or not text
            self._tell("There is nothing to drop now." if known else f"There is no command {text!r}; type help.")
            return
        move = match.game.parse_move(text, match.view())
        if waits_for := match.waits_for:
            self._tell(f"Wait for {', '.join(seat.names for seat in waits_for)}.")
            return
        step = await match.move(move, through_pauses=False)
        # So that the answer to the next command stands below what this move led to.
        await self._teller.until_told(step.turn)

    async def _pause(self, rest: str) -> None:
        match = self._teller.playing
        if match is None:
            self._tell("There is nothing to pause.")
            return
        await match.pause()

    async def _go_on(self, rest: str) -> None:
        match = self._teller.playing
        if match is None or not (match.paused or match.agreed):
            self._tell("There is no pause.")
            return
        await match.go_on()

    async def _ready(self, rest: str) -> None:
        await self._room.ready()

    async def _unready(self, rest: str) -> None:
        await self._room.ready(False)

    async def _start(self, rest: str) -> None:
        await self._room.start(force=rest == "now")

    async def _cancel(self, rest: str) -> None:
        await self._room.cancel_start()

    async def _rematch(self, rest: str) -> None:
        await self._room.rematch(same_deal=rest == "same")

    async def _kick(self, rest: str) -> None:
        for member in self._room.state.members:
            if member.name.casefold() == rest.casefold():
                await self._room.kick(member.player)
                return
        self._tell(f"There is nobody called {rest} here." if rest else "Type kick and a name.")

    async def _who(self, rest: str) -> None:
        state = self._room.state
        for member in state.members:
            facts = ["host"] if member.player == state.host else []
            facts += [] if member.player != self._client.player else ["you"]
            facts.append(member.role.value)
            facts += ["ready"] if member.ready else []
            facts += [] if member.online else ["away"]
            self._tell(f"{member.name} ({', '.join(facts)})")

    async def _chat(self, rest: str) -> None:
        if rest:
            await self._room.chat(rest)

    async def _help(self, rest: str) -> None:
        for command in self.commands:
            self._tell(f"{', '.join(command.words):<12} {command.help}")
        if (match := self._teller.playing) is not None:
            self._tell(_how_to_move(match))

    async def _quit(self, rest: str) -> None:
        if self._teller.playing is not None:
            self._tell("Your run still goes on, and leaving gives it up. Type quit! to leave all the same.")
            return
        self._leaving = True

    async def _quit_now(self, rest: str) -> None:
        self._leaving = True

    # What is told.

    async def _news(self) -> None:
        async for message in self._room:
            self._tell_news(message)
        raise RoomLeft(self._room.left or "closed")

    def _tell_news(self, message: RoomMessage) -> None:
        match message:
            case from_server.RoomState():
                for line in room_news(self._seen, message.room, self._client.player):
                    self._tell(line)
                self._seen = message.room
            case from_server.ChatLine():
                self._tell(f"{message.name}: {message.text}")
            case from_server.Countdown():
                self._tell("The start was called off." if message.cancelled else f"Starting in {message.seconds}.")
            case from_server.Paused():
                if self._room.match is not None:
                    self._tell(pause_news(self._room.match, message))
            case from_server.Error():
                self._tell(message.text)

    async def _matches(self) -> None:
        while True:
            await self._teller.follow(await self._room.next_match())

    def _tell(self, line: str) -> None:
        self._write(plain(line))


def _shows(show: Callable[[], None]) -> Callable[[str], Awaitable[None]]:
    """A command that only shows something."""

    async def do(rest: str) -> None:
        show()

    return do


def _how_to_move(match: Match) -> str:
    """What the game says to who types something that is no move."""
    try:
        match.game.parse_move("?", match.view())
    except RulesError as error:
        return error.text
    return ""
