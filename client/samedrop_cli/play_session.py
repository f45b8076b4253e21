"""One person's time in a room: what is typed, and what is told.

Commands are done one after another, so that what is typed ahead (or piped in) has its order.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from samedrop_cli.console import Console
from samedrop_cli.display import ENDED, plain, side_by_side, standings_lines
from samedrop_cli.telling import happened, mover, room_news
from samedrop_client.client import Client
from samedrop_client.errors import Refused, RoomLeft
from samedrop_client.feed import Signal
from samedrop_client.match import Match
from samedrop_client.room import Room, RoomMessage
from samedrop_protocol import from_server
from samedrop_protocol.model import Phase, SeatProgress
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
        self._boards = boards
        self._may_return = may_return
        self._match: Match | None = None
        self._leaving = False
        self._told_turn = -1
        self._told = Signal()
        self._seen = room.state
        self.commands = (
            Command(
                ("drop",),
                "drop in a column: drop 4, or just 4; where there are rotations, 4 r1",
                self._move,
            ),
            Command(("board", "b"), "your board", self._show_board),
            Command(("next", "n"), "what you are to drop, and when the board rises", self._show_next),
            Command(("scores", "s"), "where everybody stands", self._show_scores),
            Command(("rivals", "r"), "the others' boards, as far as you may know them", self._show_rivals),
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
            except (Refused, RulesError) as error:
                self._tell(error.text)
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
        if self._playing() is not None and self._may_return:
            self._tell("Your place is kept for a while. Come back with the same command.")
            return
        await self._room.leave()

    def _playing(self) -> Match | None:
        """The match, if there is one and the own run in it goes on."""
        match = self._match
        return None if match is None or match.seat is None or match.ended is not None else match

    async def _move(self, text: str) -> None:
        match = self._playing()
        if match is None:
            known = text.isdigit() or not text
            self._tell("There is nothing to drop now." if known else f"There is no command {text!r}; type help.")
            return
        move = match.game.parse_move(text, match.view())
        if waits_for := match.waits_for:
            self._tell(f"Wait for {', '.join(seat.names for seat in waits_for)}.")
            return
        step = await match.move(move)
        # So that the answer to the next command stands below what this move led to.
        await self._told.until(lambda: self._told_turn >= step.turn)

    async def _show_board(self, rest: str) -> None:
        match = self._match
        if match is None or match.seat is None:
            self._tell("You have no board now.")
            return
        self._draw(match.game.render(match.view()))

    async def _show_next(self, rest: str) -> None:
        match = self._playing()
        if match is None:
            self._tell("There is nothing to drop now.")
            return
        self._tell(f"Next {match.game.prompt(match.view())}.")

    async def _show_scores(self, rest: str) -> None:
        if self._match is None:
            self._tell("There is no race yet.")
            return
        self._tell("; ".join(self._standing(one) for one in self._match.progress) + ".")

    def _standing(self, one: SeatProgress) -> str:
        assert self._match is not None
        state = "" if one.ended is None else f", {ENDED.get(one.ended, one.ended)}"
        moves = "1 move" if one.turn == 1 else f"{one.turn} moves"
        return f"{self._match.boards[one.seat].names} {one.score:,} after {moves}{state}"

    async def _show_rivals(self, rest: str) -> None:
        match = self._match
        others = [] if match is None else [board for board in match.boards if board.seat != match.seat]
        if match is None or not others:
            self._tell("There are no rivals.")
            return
        blocks = [[plain(board.names), *match.game.render(match.view(board.seat))] for board in others]
        self._draw(side_by_side(blocks, shutil.get_terminal_size((80, 24)).columns))

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
        if (match := self._playing()) is not None:
            self._tell(_how_to_move(match))

    async def _quit(self, rest: str) -> None:
        if self._playing() is not None:
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
            case from_server.Error():
                self._tell(message.text)

    async def _matches(self) -> None:
        while True:
            self._match = await self._room.next_match()
            await self._follow(self._match)

    async def _follow(self, match: Match) -> None:
        """Tell a match from its start (or from where it is now) to its result."""
        self._told_turn = match.turn - 1
        names = ", ".join(board.names for board in match.boards)
        self._tell(f"{match.game.title}, deal {match.facts.deal.deal}: {names}.")
        self._tell(f"Commitment {match.facts.deal.commitment}")
        if match.seat is not None:
            await self._show_board("")
        async for step in match:
            if match.in_rounds:
                self._tell_round(match, step)
            elif step.seat == match.seat:
                self._tell_own(match, step)
            elif any(event.get("type") == "over" for event in step.events):
                self._tell(f"Finished: {self._standing(match.progress[step.seat])}.")
        over = await match.result()
        self._draw(["", *standings_lines(over.standings)])
        for ghost in match.facts.ghosts:
            self._tell(f"{self._standing(match.progress[ghost.seat])}.")
        self._tell(f"Match {match.id}. Look at it where the server runs: samedrop show {match.id}")
        self._tell("Type rematch or rematch same (host) to race again, or quit.")

    def _tell_own(self, match: Match, step: from_server.Step) -> None:
        for line in match.game.describe([event for event in step.events if "points" in event]):
            self._tell(f"  {line}")
        if step.move is not None and step.move.get("by", match.by) != match.by:
            self._tell(f"{mover(match.facts.seats[step.seat], step.move)}:")
        self._tell(match.game.summary(step.events) if step.move is not None else "Your run was ended.")
        if match.facts.seats[step.seat].partner is not None and match.legal():
            self._tell(f"Your turn: {match.game.prompt(match.view())}.")
        if self._boards:
            self._draw(match.game.render(match.view()))
        if len(match.boards) > 1:
            self._tell("; ".join(self._standing(one) for one in match.progress) + ".")
        self._told_turn = step.turn
        self._told.fire()

    def _tell_round(self, match: Match, step: from_server.Step) -> None:
        """What a decision led to: nothing yet, until the last of a round brings what became of all of them."""
        lines = happened(match.game, match.facts.seats, step.events)
        for line in lines:
            self._tell(line)
        if lines and self._boards and match.seat is not None:
            self._draw(match.game.render(match.view()))
        if step.seat == match.seat:
            self._told_turn = step.turn
            self._told.fire()

    def _tell(self, line: str) -> None:
        self._write(plain(line))

    def _draw(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._write(line.rstrip())


def _how_to_move(match: Match) -> str:
    """What the game says to who types something that is no move."""
    try:
        match.game.parse_move("?", match.view())
    except RulesError as error:
        return error.text
    return ""
