"""The built-in players are deterministic, legal, and greedy is greedy."""

from __future__ import annotations

import pytest

from samedrop_client.match import Match
from samedrop_client.players import PLAYERS, greedy_player
from samedrop_rules import Move
from tests.support.playbook import Playbook
from tests.support.scene import ANN, BOB, Scene


def match_of(player: str, scene: Scene) -> Match:
    return Match(Playbook().connect()._connection, player, scene.facts, scene.first_views)


def played(kind: str, player: str, seed: str) -> tuple[int, list[Move]]:
    scene = Scene(seed)
    match = match_of(player, scene)
    assert match.seat is not None
    choose = PLAYERS[kind](match)
    chosen: list[Move] = []
    while moves := scene.table.legal(match.seat):
        move = choose(scene.table.view(match.seat), moves)
        assert isinstance(move, dict)
        chosen.append(move)
        scene.table.play(match.seat, move)
    return scene.table.score(match.seat), chosen


@pytest.mark.parametrize("kind", sorted(PLAYERS))
async def test_the_same_deal_and_seat_lead_to_the_same_moves(kind: str) -> None:
    assert played(kind, ANN, "friday") == played(kind, ANN, "friday")


async def test_random_differs_by_seat_and_deal() -> None:
    runs = [played("random", ANN, "friday"), played("random", BOB, "friday"), played("random", ANN, "monday")]
    assert len({str(moves) for _, moves in runs}) == 3


async def test_greedy_beats_random() -> None:
    seeds = [f"seed {number}" for number in range(5)]
    greedy = sum(played("greedy", ANN, seed)[0] for seed in seeds)
    assert greedy > sum(played("random", ANN, seed)[0] for seed in seeds)


async def test_greedy_takes_the_best_outlook() -> None:
    scene = Scene("friday")
    match = match_of(ANN, scene)
    choose = greedy_player(match)
    for _ in range(10):
        view, moves = scene.table.view(0), scene.table.legal(0)
        move = choose(view, moves)
        assert isinstance(move, dict)
        assert match.game.outlook(view, move) == max(match.game.outlook(view, one) for one in moves)
        scene.table.play(0, move)
