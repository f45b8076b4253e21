"""What is typed and told while a person plays, against a scripted server."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from samedrop_cli.console import Console
from samedrop_cli.play_session import PlaySession
from samedrop_client.client import Client
from samedrop_client.errors import RoomLeft
from samedrop_client.feed import Signal
from samedrop_protocol import from_client, from_server
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.from_client import Chat, Hello, LeaveRoom, Move
from samedrop_protocol.model import Phase
from samedrop_rules import Ended
from tests.support.playbook import Playbook
from tests.support.scene import ANN, BOB, MATCH, NOW, Scene, member, ok, refusal, room, welcome


class Player:
    """A person at a session."""

    def __init__(self, client: Client, *, boards: bool, may_return: bool) -> None:
        assert client.room is not None
        self._reading, self._writing = os.pipe()
        self.lines: list[str] = []
        self._written = Signal()
        console = Console(self._reading)
        playing = PlaySession(client, client.room, console, self._take, boards=boards, may_return=may_return)
        self.session = asyncio.create_task(playing.run())

    def _take(self, line: str) -> None:
        self.lines.append(line)
        self._written.fire()

    def types(self, *lines: str) -> None:
        for line in lines:
            os.write(self._writing, f"{line}\n".encode())

    async def reads(self, start: str) -> None:
        """Wait for a line that starts so."""
        async with asyncio.timeout(5):
            await self._written.until(lambda: any(line.startswith(start) for line in self.lines))

    def hangs_up(self) -> None:
        os.close(self._writing)
        self._writing = -1

    async def close(self) -> None:
        self.session.cancel()
        await asyncio.gather(self.session, return_exceptions=True)
        if self._writing >= 0:
            os.close(self._writing)
        # The thread that reads must have come to the end: else it would read from whatever has this number next.
        for thread in threading.enumerate():
            if thread.name == "console":
                await asyncio.to_thread(thread.join, 5)
        os.close(self._reading)


@asynccontextmanager
async def person(book: Playbook, *, boards: bool = False, may_return: bool = True) -> AsyncIterator[Player]:
    async with book, book.connect() as client:
        player = Player(client, boards=boards, may_return=may_return)
        try:
            yield player
        finally:
            await player.close()


def in_room() -> Playbook:
    return Playbook().expects(Hello).says(welcome(room=room()))


def left(request: str) -> from_server.RoomLeft:
    return from_server.RoomLeft(reason="left", re=request)


def leaving(book: Playbook) -> Playbook:
    return book.expects(LeaveRoom).answers(left)


@pytest.mark.parametrize(
    ("typed", "kind", "fields"),
    [
        ("ready", from_client.Ready, {"ready": True}),
        ("READY", from_client.Ready, {"ready": True}),
        ("unready", from_client.Ready, {"ready": False}),
        ("start", from_client.Start, {"force": False}),
        ("start now", from_client.Start, {"force": True}),
        ("cancel", from_client.CancelStart, {}),
        ("rematch", from_client.Rematch, {"same_deal": False}),
        ("rematch same", from_client.Rematch, {"same_deal": True}),
        ("kick bob", from_client.Kick, {"player": BOB}),
        ("say  well played ", from_client.Chat, {"text": "well played"}),
        ("chat 4", from_client.Chat, {"text": "4"}),
    ],
)
async def test_commands(typed: str, kind: type[from_client.Request], fields: dict[str, object]) -> None:
    async with person(leaving(in_room().expects(kind, **fields).answers(ok))) as player:
        player.types(typed, "quit")
        await player.session


async def test_words_without_a_request() -> None:
    async with person(leaving(in_room())) as player:
        player.types("help", "who", "4", "dance", "board", "next", "scores", "rivals", "kick Zoe", "kick", "", "q")
        await player.session
    for said in (
        "quit, q      leave the room",
        "Ann (host, you, player)",
        "There is nothing to drop now.",
        "There is no command 'dance'; type help.",
        "You have no board now.",
        "There is no race yet.",
        "There are no rivals.",
        "There is nobody called Zoe here.",
        "Type kick and a name.",
    ):
        assert said in player.lines


async def test_a_refusal_is_told_and_the_session_goes_on() -> None:
    book = in_room().expects(from_client.Start).answers(refusal(ErrorCode.NOT_READY, "Bob is not\x1b ready."))
    async with person(leaving(book)) as player:
        player.types("start", "quit")
        await player.session
    assert "Bob is not  ready." in player.lines


async def test_news() -> None:
    book = in_room().says(
        from_server.ChatLine(player=BOB, name="Bob", text="hi \x1b[31m<b>", time=NOW),
        from_server.RoomState(room=room(member(ANN), member(BOB, ready=True))),
        from_server.Countdown(starts=NOW, seconds=3),
        from_server.Countdown(starts=NOW, seconds=0, cancelled=True),
        from_server.Error(code=ErrorCode.STORAGE, text="It did not start."),
        from_server.RoomLeft(reason="kicked"),
    )
    async with person(book) as player:
        with pytest.raises(RoomLeft, match="removed"):
            await player.session
    assert player.lines[2:] == [
        "Bob: hi  [31m<b>",
        "Bob is ready.",
        "Everybody is ready: type start.",
        "Starting in 3.",
        "The start was called off.",
        "It did not start.",
    ]


def answer_moves(book: Playbook, scene: Scene, *columns: int) -> Playbook:
    for turn, column in enumerate(columns):
        book.expects(Move, turn=turn, move={"column": column})
        book.answers(lambda request, column=column: scene.play(0, column, request))  # type: ignore[misc]
    return book


START = [
    "Drop7, deal f067wk609w6k: Ann, Bob.",
    "Commitment 0d558a1a725b6ed1f2d97444acb1e3427b80bae617551d53fb06ece982894aee",
    *[". . . . . . ."] * 6,
    "▓ ▓ ▓ ▓ ▓ ▓ ▓",
    "1 2 3 4 5 6 7",
    "disc 3, rise in 5",
    "score 0, drops 0",
]


async def test_a_race() -> None:
    scene, go = Scene("friday", drop_limit=2), asyncio.Event()
    book = answer_moves(in_room().says(scene.started()), scene, 3, 3).waits_for(go)
    book.answers(lambda _: scene.play(1, 0), lambda _: scene.stop(1, Ended.FORFEIT), lambda _: scene.over())
    async with person(leaving(book)) as player:
        await player.reads("Drop7")
        player.types("4", "next", "8", "drop 4", "scores", "dance")
        await player.reads("There is no command")
        go.set()
        await player.reads("Type rematch")
        player.types("quit")
        await player.session
    standing = "Ann 46 after 2 moves, stopped at the limit; Bob 0 after 0 moves."
    assert player.lines[2:] == [
        *START,
        "Dropped 3 in column 4. Rise in 4. Next 2.",
        "Ann 0 after 1 move; Bob 0 after 0 moves.",
        "Next disc 2, rise in 4.",
        "Type a column from 1 to 7, such as 4 or drop 4.",
        "  wave 1: 1 cleared, 1 cracked, +7",
        "  wave 2: 1 cleared, 1 opened, +39",
        "Dropped 2 in column 4: 2 waves, 2 cleared, 1 cracked, 1 opened, +46. Your run is over.",
        standing,
        standing,
        "There is no command 'dance'; type help.",
        "Finished: Bob 0 after 1 move, gave up.",
        "",
        " 1. Ann  46  2 moves, stopped at the limit",
        " 2. Bob   0  1 move, gave up",
        "Match match-1. Look at it where the server runs: samedrop show match-1",
        "Type rematch or rematch same (host) to race again, or quit.",
    ]


async def test_boards_after_every_move_and_rivals() -> None:
    scene = Scene("friday")
    book = answer_moves(in_room().says(scene.started(), scene.play(1, 6)), scene, 0).expects(LeaveRoom).answers(left)
    async with person(book, boards=True) as player:
        await player.reads("Drop7")
        player.types("1", "rivals", "board", "quit!")
        await player.session
    own = scene_board(". . . . . . .", "3 . . . . . .")
    assert player.lines[2 + len(START) :] == [
        "Dropped 3 in column 1. Rise in 4. Next 2.",
        *own,
        "Ann 0 after 1 move; Bob 0 after 1 move.",
        "Bob",
        *scene_board(". . . . . . .", ". . . . . . 3"),
        *own,
    ]


def scene_board(empty: str, row: str) -> list[str]:
    return [*[empty] * 5, row, "▓ ▓ ▓ ▓ ▓ ▓ ▓", "1 2 3 4 5 6 7", "disc 2, rise in 4", "score 0, drops 1"]


async def test_leaving_in_the_middle_must_be_meant() -> None:
    scene = Scene("friday")
    async with person(leaving(in_room().says(scene.started()))) as player:
        await player.reads("Drop7")
        player.types("quit")
        await player.reads("Your run still goes on")
        assert not player.session.done()
        player.types("quit!")
        await player.session


async def test_hanging_up_in_the_middle_keeps_the_place() -> None:
    scene = Scene("friday")
    async with person(in_room().says(scene.started())) as player:
        await player.reads("Drop7")
        player.hangs_up()
        await player.session
    assert player.lines[-1].startswith("Your place is kept")


async def test_a_guest_who_hangs_up_leaves() -> None:
    scene = Scene("friday")
    async with person(leaving(in_room().says(scene.started())), may_return=False) as player:
        await player.reads("Drop7")
        player.hangs_up()
        await player.session


async def test_hanging_up_in_the_lobby_leaves() -> None:
    async with person(leaving(in_room())) as player:
        player.hangs_up()
        await player.session


async def test_lockstep_says_who_is_waited_for() -> None:
    scene = Scene("friday", lockstep=True)
    book = answer_moves(in_room().says(scene.started()), scene, 0).expects(LeaveRoom).answers(left)
    async with person(book) as player:
        await player.reads("Drop7")
        player.types("1", "1", "quit!")
        await player.session
    assert player.lines[-1] == "Wait for Bob."


async def test_coming_back_shows_where_the_race_is() -> None:
    scene = Scene("friday")
    scene.play(0, 0)
    playing = room(phase=Phase.PLAYING, match=MATCH)
    book = Playbook().expects(Hello).says(welcome(room=playing, matches=(MATCH,))).expects(from_client.Resume)
    book.answers(scene.resumed(1, snapshot=True)).expects(Move, turn=1)
    book.answers(lambda request: scene.play(0, 1, request))
    async with person(leaving(book)) as player:
        await player.reads("score 0, drops 1")
        player.types("2", "quit!")
        await player.session
    assert player.lines[-1] == "Ann 7 after 2 moves; Bob 0 after 0 moves."


def paused(*agreed: int, now: bool = False) -> from_server.Paused:
    return from_server.Paused(match=MATCH, agreed=list(agreed), paused=now)


async def test_a_pause() -> None:
    scene, go = Scene("friday"), asyncio.Event()
    book = in_room().says(scene.started(), paused(1)).waits_for(go).expects(from_client.Pause, agree=True)
    book.says(paused(0, 1, now=True)).answers(ok).expects(Move)
    book.answers(refusal(ErrorCode.MATCH_PAUSED, "The match is paused.", turn=0))
    book.expects(from_client.Pause, agree=False).says(paused()).answers(ok)
    book = answer_moves(book, scene, 0).expects(LeaveRoom).answers(left)
    async with person(book) as player:
        await player.reads("Bob wants a pause")
        go.set()
        player.types("pause", "1")
        await player.reads("The match is paused.")
        player.types("go", "1", "quit!")
        await player.session
    told = [line for line in player.lines if "pause" in line or "goes on" in line]
    assert told == [
        "Bob wants a pause; it begins once all have typed pause.",
        "The match is paused, and its time stands still. Type go to go on.",
        "The match is paused.",
        "The match goes on.",
    ]
    assert player.lines[-1] == "Ann 0 after 1 move; Bob 0 after 0 moves."


async def test_what_a_lost_connection_swallowed_is_told_and_play_goes_on() -> None:
    book = in_room().expects(Chat, text="hello").cuts()
    book.expects(Hello).says(welcome(token=None, room=room())).expects(Chat, text="again").answers(ok)
    async with person(leaving(book)) as player:
        player.types("chat hello")
        await player.reads("The connection broke before the answer came.")
        player.types("chat again", "quit")
        await player.session


async def test_there_is_no_pause_without_a_race() -> None:
    scene, go = Scene("friday"), asyncio.Event()
    async with person(leaving(in_room().waits_for(go).says(scene.started()))) as player:
        player.types("pause", "go")
        await player.reads("There is no pause.")
        go.set()
        await player.reads("Drop7")
        player.types("go", "quit!")
        await player.session
    assert player.lines[2:4] == ["There is nothing to pause.", "There is no pause."]
    assert player.lines[-1] == "There is no pause."
