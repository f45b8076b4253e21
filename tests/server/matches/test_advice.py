from __future__ import annotations

import pytest

from samedrop_protocol import from_client, from_server
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_rules import Ended
from tests.server.matches.support import Scene

ADVISE = from_client.Advise(id="a1", match="m1")


async def test_what_is_allowed_now() -> None:
    scene = Scene()
    scene.match.advise(0, ADVISE, scene.sessions[0])
    advice = scene.sessions[0].take_only(from_server.Advice)
    assert (advice.re, advice.match, advice.turn) == ("a1", "m1", 0)
    assert advice.advice == {"moves": scene.match.table.legal(0)}


async def test_it_waits_for_what_is_being_stored() -> None:
    scene = Scene()
    scene.move(0, 0)
    scene.match.advise(0, ADVISE, scene.sessions[0])
    assert scene.sessions[0].take() == []
    scene.journal.commit()
    told = scene.sessions[0].take()
    assert [type(one) for one in told if isinstance(one, from_server.Advice)] == [from_server.Advice]
    assert next(one for one in told if isinstance(one, from_server.Advice)).turn == 1


async def test_what_was_not_stored_is_advised_on_as_if_it_had_not_been() -> None:
    scene = Scene()
    scene.move(0, 0)
    scene.match.advise(0, ADVISE, scene.sessions[0])
    scene.journal.fail()
    scene.match.suspend()
    scene.match.rebuild([])
    assert next(one for one in scene.sessions[0].take() if isinstance(one, from_server.Advice)).turn == 0


async def test_a_run_that_is_over_gets_none() -> None:
    scene = Scene()
    scene.match.stop(0, Ended.FORFEIT)
    with pytest.raises(ProtocolError) as refused:
        scene.match.advise(0, ADVISE, scene.sessions[0])
    assert refused.value.code == ErrorCode.MATCH_OVER
