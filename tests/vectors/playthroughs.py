"""Writing down a whole game so that people can read it and programs can check it.

A playthrough is lines of text: first the deal; then for each turn a picture, the view, the digest, the move, its events
and the draws that they disclose; last the end. A line that a program reads begins with its key, and what follows is
JSON; lines of a picture begin with two spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from samedrop_rules import Cursor, Deal, Draws, Game, Move, Table, View, canonical_json

Chooser = Callable[[Game, View, list[Move]], Move]


def random_moves(seed: str) -> Chooser:
    """Any legal move, drawn from `seed`."""
    cursor = Cursor(seed, "playthrough")
    return lambda game, view, moves: cursor.pick(moves)


def best_looking(game: Game, view: View, moves: list[Move]) -> Move:
    """The greedy player's move."""
    return max(moves, key=lambda move: game.outlook(view, move))


def playthrough(game: Game, deal: Deal, choose: Chooser, drop_limit: int | None = None) -> str:
    """One seat's game from start to end, played by `choose`."""
    lines = [*_head(deal, drop_limit)]
    table = game.table(deal, 1, drop_limit)
    while moves := table.legal(0):
        lines += _position(game, table, f"turn {table.turn(0)}")
        move = choose(game, table.view(0), moves)
        step = table.play(0, move)
        lines.append(f"move {canonical_json(move)}")
        lines += [f"event {canonical_json(event)}" for event in step.events]
        lines += [f"story {canonical_json(line)}" for line in game.describe(step.events)]
        lines.append(f"disclosed {_draws(game, step.disclosed)}")
    lines += _position(game, table, "end")
    return "\n".join(lines) + "\n"


def _head(deal: Deal, drop_limit: int | None) -> Iterator[str]:
    yield f"game {canonical_json([deal.game, deal.version])}"
    yield f"options {canonical_json(dict(deal.options))}"
    yield f"seed {canonical_json(deal.seed)}"
    yield f"tape {canonical_json(deal.tape)}"
    yield f"drop_limit {canonical_json(drop_limit)}"
    yield f"deal {canonical_json(deal.id)}"
    yield f"commitment {canonical_json(deal.commitment)}"


def _position(game: Game, table: Table, title: str) -> Iterator[str]:
    yield ""
    yield f"== {title}"
    yield from (f"  {line}".rstrip() for line in game.render(table.view(0)))
    yield f"view {canonical_json(table.view(0))}"
    yield f"digest {canonical_json(table.digest(0))}"


def _draws(game: Game, draws: Draws) -> str:
    """The draws of each stream by their numbers."""
    listed = zip(game.streams, draws, strict=True)
    return canonical_json({name: [k for k in range(mask.bit_length()) if mask >> k & 1] for name, mask in listed})
