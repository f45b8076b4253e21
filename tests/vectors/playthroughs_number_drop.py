"""The golden playthroughs of number-drop."""

from __future__ import annotations

from samedrop_rules import find_game
from tests.vectors.playthroughs import best_looking, playthrough, random_moves

GAME = find_game("number-drop", 1)


def generate() -> dict[str, str]:
    """Games of several seeds and options, by path."""
    sequence = {"mode": "sequence", "latent": True}
    games = {
        "friday-greedy": (GAME.deal({}, seed="friday"), best_looking, 40),
        "friday-random": (GAME.deal({}, seed="friday"), random_moves("a"), None),
        "sequence-latent-random": (GAME.deal(sequence, seed="friday"), random_moves("b"), None),
        "seven-start-discs": (GAME.deal({"start_discs": 7}, seed="héllo wörld"), best_looking, 35),
    }
    return {
        f"number-drop/{name}.txt": playthrough(GAME, deal, choose, limit)
        for name, (deal, choose, limit) in games.items()
    }
