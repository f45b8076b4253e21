"""The golden playthroughs of drop7."""

from __future__ import annotations

from samedrop_rules import Cursor, find_game
from tests.vectors.playthroughs import best_looking, playthrough, random_moves

GAME = find_game("drop7", 1)


def generate() -> dict[str, str]:
    """Games of several seeds, options and tapes, by path."""
    friday, secret = "friday", "00112233445566778899aabbccddeeff"
    options = {"start_rows": 3, "drops_per_rise": 4}
    quick = {"start_rows": 0, "drops_per_rise": 1, "latent": True}
    games = {
        "friday-greedy": (GAME.deal({}, seed=friday), best_looking, 60),
        "friday-random": (GAME.deal({}, seed=friday), random_moves("a"), None),
        "friday-latent-greedy": (GAME.deal({"latent": True}, seed=friday), best_looking, 60),
        "friday-latent-random": (GAME.deal({"latent": True}, seed=friday), random_moves("a"), None),
        "secret-random": (GAME.deal({}, seed=secret), random_moves("b"), None),
        "secret-latent-greedy": (GAME.deal({"latent": True}, seed=secret), best_looking, 40),
        "unicode-options": (GAME.deal(options, seed="héllo wörld"), random_moves("c"), None),
        "rise-every-drop": (GAME.deal(quick, seed="quick"), best_looking, 40),
        "tape": (GAME.deal({}, tape=tape(discs=30, rows=8, moves=None)), best_looking, None),
        "tape-without-rows": (GAME.deal({}, tape=tape(discs=30, rows=0, moves=None)), best_looking, None),
        "scripted-round": (GAME.deal({}, tape=scripted_round()), best_looking, None),
    }
    return {
        f"drop7/{name}.txt": playthrough(GAME, deal, choose, limit) for name, (deal, choose, limit) in games.items()
    }


def tape(discs: int, rows: int, moves: int | None) -> dict[str, object]:
    """A tape in its normal form."""
    cursor = Cursor("tape", "numbers")
    return {
        "discs": [1 + cursor.below(7) for _ in range(discs)],
        "latent_rows": [[1 + cursor.below(7) for _ in range(7)] for _ in range(rows)],
        "maximum_moves": moves,
    }


def scripted_round() -> dict[str, object]:
    """The same numbers in the form of the research community, with a limit that comes before their end."""
    numbers = tape(discs=30, rows=8, moves=20)
    return {
        "format": "drop7-scripted-round-v1",
        "id": "example-01",
        "name": "Example 01",
        "generatorSeedHex": "0x1",
        "maximumMoves": numbers["maximum_moves"],
        "discs": numbers["discs"],
        "latentRows": numbers["latent_rows"],
    }
