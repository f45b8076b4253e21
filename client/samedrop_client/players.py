"""Built-in players: each makes, for a match, the function that chooses its moves.

They see what any client sees, and are deterministic: the same deal and seat lead to the same moves.
"""

from __future__ import annotations

from collections.abc import Callable

from samedrop_client.match import Choose, Match
from samedrop_rules import Cursor, Move, View


def random_player(match: Match) -> Choose:
    """Takes any legal move; draws from a stream of its own, named by the deal's id and the seat."""
    cursor = Cursor(f"{match.facts.deal.deal}:{match.seat}", "player")

    def choose(view: View, moves: list[Move]) -> Move:
        return cursor.pick(moves)

    return choose


def greedy_player(match: Match) -> Choose:
    """Takes the move with the best outlook; among equals the first."""
    game = match.game

    def choose(view: View, moves: list[Move]) -> Move:
        return max(moves, key=lambda move: game.outlook(view, move))

    return choose


PLAYERS: dict[str, Callable[[Match], Choose]] = {"greedy": greedy_player, "random": random_player}
"""The built-in players by name."""
