"""The golden playthroughs of merge-drop."""

from __future__ import annotations

from samedrop_rules import find_game
from tests.vectors.playthroughs import best_looking, playthrough, random_moves

GAME = find_game("merge-drop", 1)


def generate() -> dict[str, str]:
    """Games of several seeds, by path."""
    games = {
        "friday-greedy": ("friday", best_looking, 80),
        "friday-random": ("friday", random_moves("a"), None),
        "unicode-random": ("héllo wörld", random_moves("b"), None),
    }
    return {
        f"merge-drop/{name}.txt": playthrough(GAME, GAME.deal({}, seed=seed), choose, limit)
        for name, (seed, choose, limit) in games.items()
    }
