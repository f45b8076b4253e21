"""What is told of a match, to somebody who plays, watches, or asks before there is one."""

from __future__ import annotations

import asyncio

from samedrop_cli.match_teller import MatchTeller
from samedrop_client.client import Client
from samedrop_client.match import Match
from samedrop_protocol.from_client import Hello, Move, Ping
from samedrop_rules import Ended
from tests.support.playbook import Playbook
from tests.support.scene import ANN, BOB, Scene, pong, room, welcome

RESULT = ["", " 1. Ann  0  1 move, stopped at the limit", " 2. Bob  0  0 moves, gave up"]


def begin(scene: Scene, player: str = ANN) -> Playbook:
    return Playbook().expects(Hello).says(welcome(player=player, room=room()), scene.started())


async def started(client: Client) -> Match:
    assert client.room is not None
    return await client.room.next_match()


def test_before_a_race_there_is_nothing_to_show() -> None:
    lines: list[str] = []
    teller = MatchTeller(lines.append, boards=True)
    for show in (teller.show_board, teller.show_next, teller.show_scores, teller.show_rivals):
        show()
    assert lines == [
        "You have no board now.",
        "There is nothing to drop now.",
        "There is no race yet.",
        "There are no rivals.",
    ]
    assert teller.playing is None


async def test_a_race_is_told_to_its_result() -> None:
    scene = Scene(drop_limit=1)
    book = begin(scene).expects(Move).answers(lambda request: scene.play(0, 6, request))
    book.answers(lambda _: scene.stop(1, Ended.FORFEIT), lambda _: scene.over())
    lines: list[str] = []
    teller = MatchTeller(lines.append, boards=False)
    async with book, book.connect() as client:
        match = await started(client)
        following = asyncio.create_task(teller.follow(match))
        await asyncio.sleep(0)
        assert teller.playing is match
        step = await match.move({"column": 6})
        await teller.until_told(step.turn)
        await following
    assert lines[:2] == [
        f"Drop7, deal {scene.deal.id}: Ann, Bob.",
        f"Commitment {scene.deal.commitment}",
    ]
    assert "Finished: Bob 0 after 0 moves, gave up." in lines
    assert lines[-5:-2] == RESULT
    assert teller.playing is None
    teller.show_scores()
    assert lines[-1] == "Ann 0 after 1 move, stopped at the limit; Bob 0 after 0 moves, gave up."


async def test_who_watches_is_told_of_the_others() -> None:
    scene = Scene()
    book = begin(scene, "player-eve").says(scene.play(0, 3), scene.stop(1, Ended.TIME)).expects(Ping).answers(pong)
    book.answers(lambda _: scene.over())
    lines: list[str] = []
    teller = MatchTeller(lines.append, boards=True)
    async with book, book.connect() as client:
        match = await started(client)
        following = asyncio.create_task(teller.follow(match))
        await client.ping()
        await following
        teller.show_board()
        teller.show_rivals()
    assert f"Finished: {BOB.removeprefix('player-').title()} 0 after 0 moves, time was up." in lines
    assert "You have no board now." in lines
    assert lines[-1].startswith("score 0")
    assert not any(line.startswith("Dropped") for line in lines)
