"""Challenges on stand-ins; over sockets they are in tests/e2e/test_challenge.py."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from samedrop_protocol import from_client
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.model import Settings
from samedrop_server.challenges import HOUR, Challenges, OpenChallenge
from samedrop_server.journal import Journal
from samedrop_server.storage.records import ClosedChallenge, NewChallenge
from tests.support.server import FakeClock, FakeJournal


class Scene:
    """Challenges on a journal that stores when told to."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.journal = FakeJournal()
        self.challenges = Challenges(cast(Journal, self.journal), self.clock)

    async def make(self, host: str = "ann", hours: int = 2) -> str:
        message = from_client.CreateChallenge(id="c", hours=hours, settings=Settings(drop_limit=9))
        making = asyncio.create_task(self.challenges.make(host, message))
        await self.journal.recorded.wait()
        self.journal.recorded.clear()
        self.journal.commit()
        return await making


async def test_a_challenge_is_there_once_it_is_stored() -> None:
    scene = Scene()
    message = from_client.CreateChallenge(id="c", settings=Settings(drop_limit=9))
    making = asyncio.create_task(scene.challenges.make("ann", message))
    await scene.journal.recorded.wait()
    assert not making.done()
    (record,) = scene.journal.fail()
    assert isinstance(record, NewChallenge)
    scene.challenges.not_stored(record)
    with pytest.raises(ProtocolError) as refused:
        await making
    assert refused.value.code == ErrorCode.STORAGE
    with pytest.raises(ProtocolError):
        scene.challenges.enter(record.code, "bob")


async def test_each_has_one_run_until_it_closes() -> None:
    scene = Scene()
    code = await scene.make()
    deal = scene.challenges.enter(code, "bob")
    assert scene.challenges.seals(deal.id)
    assert not scene.challenges.seals("other")
    scene.challenges.entered(code, "bob")
    with pytest.raises(ProtocolError, match="each has one run"):
        scene.challenges.enter(code, "bob")
    scene.challenges.not_entered(code, "bob")
    assert scene.challenges.enter(code, "bob") == scene.challenges.enter(code, "cid") == deal
    scene.clock.advance(2 * HOUR / 1000)
    assert not scene.challenges.seals(deal.id)
    with pytest.raises(ProtocolError, match="no open challenge") as refused:
        scene.challenges.enter(code, "cid")
    assert refused.value.code == ErrorCode.CHALLENGE_CLOSED


async def test_closing_that_could_not_be_stored_did_not_happen() -> None:
    scene = Scene()
    code = await scene.make()
    closing = asyncio.create_task(scene.challenges.close("ann", code))
    await scene.journal.recorded.wait()
    (record,) = scene.journal.fail()
    assert isinstance(record, ClosedChallenge)
    scene.challenges.not_stored(record)
    with pytest.raises(ProtocolError):
        await closing
    assert scene.challenges.seals(scene.challenges.enter(code, "bob").id)


async def test_a_room_gets_the_challenges_settings() -> None:
    scene = Scene()
    code = await scene.make()
    settings = scene.challenges.settings_on(Settings(challenge=code.lower(), countdown=7, game="dice-drop", seats=9))
    assert (settings.game, settings.version, settings.drop_limit, settings.countdown) == ("drop7", 1, 9, 7)
    assert (settings.challenge, settings.seats, settings.spectators, settings.seed) == (code, 1, False, None)
    assert scene.challenges.settings_on(Settings(seed="a")) == Settings(seed="a")


async def test_open_ones_are_taken_up_and_there_are_not_too_many() -> None:
    scene = Scene()
    code = await scene.make()
    facts = next(record for record in scene.journal.stored if isinstance(record, NewChallenge))
    again = Challenges(cast(Journal, scene.journal), scene.clock, [OpenChallenge(facts, {"bob"})])
    with pytest.raises(ProtocolError, match="each has one run"):
        again.enter(code, "bob")
    for _ in range(19):
        await scene.make()
    with pytest.raises(ProtocolError, match="as many open challenges"):
        await scene.challenges.make("ann", from_client.CreateChallenge(id="c"))
    await scene.make("bob")
    scene.clock.advance(2 * HOUR / 1000)
    await scene.make("ann")
