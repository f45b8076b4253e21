"""The same as tests/server/matches/test_no_early_knowledge.py, through the whole server: sockets, history, HTTP.

A player lags behind two rivals, and asks for everything that one can ask for. Played again on a deal that agrees with
the first one only on what the player has been dealt, all answers and all steps must be the same, ids aside.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import JSON
from samedrop_rules import GAMES, Deal, Game, OptionValue, Pace
from samedrop_server.app import Running
from samedrop_server.rooms import series
from tests.e2e.support import Raw, raw, served, start_match
from tests.support.forked import forked
from tests.support.http import get
from tests.support.playing import case_name, option_sets
from tests.support.server import FakeClock

RACES = [
    (game, options)
    for game in GAMES
    if game.pace is not Pace.ROUNDS
    for options in option_sets(game)
    if game.team(game.deal(options, seed="any").options) == 1
]
LEAD = 25
"""Turns that each rival makes before each turn of the player."""
TURNS = (4, 2, 1)
"""Of the player: so many that the run goes on."""


class Story:
    """What everybody does on one deal, and what the player was told."""

    def __init__(self, deal: Deal, seed: int) -> None:
        self.deal = deal
        self.seed = seed
        self.steps: list[str] = []
        self.answers: list[str] = []
        self.known: dict[str, int] = {}

    async def play(self, folder: Path, rivals: model.Rivals, turns: int) -> None:
        """Args: turns: of the player."""
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(served(folder, FakeClock(), rate_limits=0))
            ann, bob, cid, dan, eve = everybody = [await stack.enter_async_context(raw(server, JSON)) for _ in range(5)]
            for who, called in zip(everybody, ("ann", "bob", "cid", "dan", "eve"), strict=True):
                await who.hello(called)
            game, options = self.deal.game, dict(self.deal.options)
            settings = model.Settings(game=game, options=options, rivals=rivals, countdown=0)
            started = await start_match(ann, bob, cid, settings=settings)
            match = started[0].match.match
            table = server.hall.matches[match].table
            await dan.ask(from_client.JoinRoom(id="w", code=started[0].match.room, role=model.Role.SPECTATOR))
            for turn in range(turns):
                for _ in range(LEAD):
                    for seat, rival in ((1, bob), (2, cid)):
                        await self.move(server, match, rival, seat)
                await self.ask_everything(server, match, ann, eve, turn)
                await self.move(server, match, ann, 0)
            await ann.ask(from_client.Ping(id="last"))
            over = table.ended(0) is not None
            self.known = {} if over else dict(zip(table.game.streams, table.knowledge(0), strict=True))
            self.keep(ann, [started[0].match.room, match, *(one.me.player for one in everybody)])

    async def move(self, server: Running, match: str, who: Raw, seat: int) -> None:
        """By what the mover sees, and nothing else."""
        table = server.hall.matches[match].table
        legal = table.legal(seat)
        if legal:
            turn, choice = table.turn(seat), random.Random(f"{self.seed} {seat} {table.view(seat)}")
            body = dict(choice.choice(legal))
            await who.ask(from_client.Move(id=f"{seat}.{turn}", match=match, turn=turn, move=body))

    async def ask_everything(self, server: Running, match: str, ann: Raw, eve: Raw, turn: int) -> None:
        """Whatever could tell of the deal: by the player, by somebody else, and over HTTP."""
        deal, game = self.deal.id, self.deal.game
        for who in (ann, eve):
            wanted: Sequence[from_client.Request] = (
                from_client.ListMatches(id="1"),
                from_client.ListMatches(id="2", deal=deal),
                from_client.GetMatch(id="3", match=match),
                from_client.GetDeal(id="4", deal=deal),
                from_client.GetDeal(id="5", deal=deal, each=model.Each.BEST),
                from_client.GetDaily(id="6", game=game),
                from_client.ListRooms(id="7"),
                from_client.GetChallenge(id="8", code="AAAAAA"),
                from_client.CreateRoom(id="9", settings=model.Settings(ghosts=[model.RunId(match=match, seat=1)])),
            )
            for message in wanted:
                self.answers.append(str(JSON.encode(await who.ask(message))))
        table = server.hall.matches[match].table
        legal = table.legal(0)
        for own in (
            from_client.Watch(id="10", match=match),
            from_client.Advise(id="11", match=match),
            from_client.Move(id="12", match=match, turn=turn + 7, move={}),
            from_client.Move(id="13", match=match, turn=table.turn(0), move={"nothing": 0}),
            from_client.Resume(id="14", match=match, last=turn % 2 or None),
        ):
            if legal:
                await ann.ask(own)
        for path in (f"matches/{match}", f"matches?deal={deal}", "matches", f"deals/{deal}", f"daily/{game}"):
            answer = await get(server, f"/api/v1/{path}")
            self.answers.append(f"{answer.status} {answer.body.decode()}")

    def keep(self, ann: Raw, ids: Sequence[str]) -> None:
        """Where rivals stand is told in any case; of the rest every step, in order, and every answer."""
        for message in ann.seen:
            if isinstance(message, from_server.Events):
                for number, step in enumerate(message.steps, message.first):
                    self.steps.append(f"{number} {JSON.encode(step)!r}")
            elif isinstance(message, from_server.Resumed):
                own = [one for one in message.progress if one.seat == 0]
                self.answers.append(json.dumps([message.answer, str(own), message.views], sort_keys=True))
            elif getattr(message, "re", None) is not None:
                self.answers.append(str(JSON.encode(message)))
        for number, one in enumerate(ids):
            self.steps = [text.replace(one, f"<{number}>") for text in self.steps]
            self.answers = [text.replace(one, f"<{number}>") for text in self.answers]


async def both(
    game: Game,
    options: Mapping[str, OptionValue],
    seed: int,
    rivals: model.Rivals,
    folder: Path,
    patch: pytest.MonkeyPatch,
) -> tuple[Story, Story]:
    """The story on a sealed deal, and on one that agrees with it only on what the player was dealt."""

    async def story(played: Deal, turns: int) -> Story:
        patch.setattr(series, "new_deal", lambda *_: (game, played, model.Known.SEALED))
        told = Story(played, seed)
        place = folder / f"{turns} on {type(played).__name__}"
        place.mkdir()
        await told.play(place, rivals, turns)
        return told

    deal = game.deal(options, seed=f"early {seed}")
    for turns in TURNS:
        first = await story(deal, turns)
        if first.known:
            return first, await story(forked(deal, first.known), turns)
    raise AssertionError("the player's run must go on")


@pytest.mark.parametrize("rivals", [model.Rivals.FAIR, model.Rivals.SCORES])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("game", "options"), RACES, ids=case_name)
async def test_nothing_that_can_be_asked_for_depends_on_what_was_not_dealt(
    game: Game,
    options: dict[str, OptionValue],
    seed: int,
    rivals: model.Rivals,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = await both(game, options, seed, rivals, tmp_path, monkeypatch)
    assert second.known == first.known
    assert second.steps == first.steps
    assert second.answers == first.answers


async def test_it_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with `open`, where nothing is kept back: the steps differ."""
    (game,) = (game for game in GAMES if game.id == "drop7")
    first, second = await both(game, {}, 0, model.Rivals.OPEN, tmp_path, monkeypatch)
    assert second.steps != first.steps
