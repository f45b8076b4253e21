"""A deal that was played is played again: later, alone or with others, and all runs are on its page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from samedrop_client import Refused, connect, settings_on
from samedrop_client.players import greedy_player
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Known, Settings
from tests.e2e.support import served
from tests.e2e.test_games import samedrop

QUICK = Settings(game="number-drop", options={"mode": "sequence"}, drop_limit=10, countdown=0)


def test_a_command_races_on_a_deal_of_the_database(tmp_path: Path) -> None:
    words = ["race", "--players", "greedy,random", "--drop-limit", "12", "--json"]
    first = json.loads(samedrop(tmp_path, *words, "--option", "start_rows=2"))
    again = json.loads(samedrop(tmp_path, *words, "--deal", first["deal"]))
    assert (again["deal"], again["options"]) == (first["deal"], first["options"])
    assert again["standings"] == first["standings"]
    listed = samedrop(tmp_path, "deal", first["deal"])
    assert listed.count("at first sight") == 2
    assert listed.count("greedy") == 2


async def test_a_sealed_deal_is_open_once_it_was_played(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.url, name="a") as ann, connect(server.url, name="b") as bob:
        with pytest.raises(Refused) as refused:
            await bob.deal("none")
        assert refused.value.code == ErrorCode.DEAL_NOT_FOUND
        scores, deals = [], []
        settings = QUICK
        for client, known in ((ann, Known.SEALED), (bob, Known.OPEN)):
            room = await client.create_room(settings)
            assert room.state.known is known
            await room.start()
            match = await room.next_match()
            over = await match.play(greedy_player(match))
            scores.append(over.standings[0].score)
            deals.append(over.deal.deal)
            settings = settings_on(await client.deal(over.deal.deal), QUICK)
            assert (settings.game, settings.options["mode"], settings.drop_limit) == ("number-drop", "sequence", 10)
        assert scores[0] == scores[1]
        assert deals[0] == deals[1]
        runs = [run async for run in ann.runs(deals[0])]
        assert [(run.name, run.rank, run.first_sight) for run in runs] == [("a", 1, True), ("b", 1, False)]
