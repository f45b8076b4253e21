"""Whose deal can be told, and when."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from samedrop_protocol import model
from samedrop_rules import Ended
from tests.server.rooms.support import House, running


@pytest.mark.parametrize(("secret", "told"), [(True, [False, True]), (False, [True, True])])
async def test_a_deal_is_told_when_nobody_plays_it_as_a_secret_any_more(secret: bool, told: list[bool]) -> None:
    house = House()
    played = model.Settings(countdown=0, drop_limit=1, seed="friday")
    matches = []
    for name in ("ann", "bob"):
        player = house.person(name)
        room = house.create(player, played)
        house.start(room, player)
        matches.append((player, running(room)))
    known = model.Known.SEALED if secret else model.Known.OPEN
    for _, match in matches:
        match.facts = replace(match.facts, deal=replace(match.facts.deal, known=known))
    disclosed = []
    for player, match in matches:
        match.stop(0, Ended.FORFEIT)
        house.journal.commit()
        assert match.over
        disclosed.append("friday" in repr(house.told(player).take()))
    assert disclosed == told
