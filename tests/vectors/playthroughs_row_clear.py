"""The golden playthroughs of row-clear."""

from __future__ import annotations

from samedrop_rules import Game, Move, View, find_game
from tests.vectors.playthroughs import Chooser, best_looking, playthrough, random_moves

GAME = find_game("row-clear", 1)


def quarrelling(seed: str) -> Chooser:
    """A team that rejects every third placement and starts over twice; else any legal move."""
    choose = random_moves(seed)
    turns = 0

    def decide(game: Game, view: View, moves: list[Move]) -> Move:
        nonlocal turns
        turns += 1
        if turns in (14, 25):
            return {"restart": True, "by": turns % 2}
        if turns % 3 == 0 and view["pending"] is not None:
            return {"reject": f"not there ({turns})", "by": moves[0]["by"]}
        return choose(game, view, moves)

    return decide


def generate() -> dict[str, str]:
    """Runs on the fixed and on seeded queues, alone and in a team, by path."""
    runs: dict[str, tuple[str, dict[str, object], Chooser]] = {
        "fixed-greedy": ("friday", {}, best_looking),
        "friday-seeded-greedy": ("friday", {"queue": "seeded", "pieces": 40}, best_looking),
        "unicode-seeded-random": ("héllo wörld", {"queue": "seeded", "pieces": 40}, random_moves("a")),
        "friday-team": ("friday", {"queue": "seeded", "team": 2}, quarrelling("b")),
    }
    return {
        f"row-clear/{name}.txt": playthrough(GAME, GAME.deal(options, seed=seed), choose)
        for name, (seed, options, choose) in runs.items()
    }
