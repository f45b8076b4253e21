"""The golden playthroughs of dice-drop: alone, with tiles, and a whole match with blocks."""

from __future__ import annotations

from collections.abc import Iterator

from samedrop_rules import Deal, canonical_json, find_game
from tests.vectors.playthroughs import Chooser, best_looking, playthrough, random_moves

GAME = find_game("dice-drop", 1)


def match_of(deal: Deal, players: list[Chooser]) -> str:
    """A match of some seats: each decision with its events, and after each round what all see."""
    return "\n".join(_lines(deal, players)) + "\n"


def _lines(deal: Deal, players: list[Chooser]) -> Iterator[str]:
    yield f"deal {canonical_json(deal.id)}"
    table = GAME.table(deal, len(players))
    while not table.over:
        yield ""
        for seat, choose in enumerate(players):
            if not table.due(seat):
                continue
            move = choose(GAME, table.view(seat), table.legal(seat))
            step = table.play(seat, move)
            yield f"move {canonical_json([seat, dict(move)])}"
            yield from (f"event {canonical_json(event)}" for event in step.events)
            yield f"digest {canonical_json(table.digest(seat))}"
        yield from (f"view {canonical_json(table.view(seat))}" for seat in range(len(players)))


def generate() -> dict[str, str]:
    """Runs and a match, by path."""
    runs: dict[str, tuple[str, dict[str, object], Chooser]] = {
        "friday-greedy": ("friday", {}, best_looking),
        "friday-solo-greedy": ("friday", {"solo": True}, best_looking),
        "unicode-five-opening-random": (
            "héllo wörld",
            {"shapes": "five", "opening_number": True},
            random_moves("a"),
        ),
    }
    texts = {
        name: playthrough(GAME, GAME.deal(options, seed=seed), choose) for name, (seed, options, choose) in runs.items()
    }
    texts["blocks-match"] = match_of(GAME.deal({}, seed="friday"), [best_looking, random_moves("b"), best_looking])
    return {f"dice-drop/{name}.txt": text for name, text in texts.items()}
