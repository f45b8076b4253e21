"""Playing tables at random, repeatably."""

from __future__ import annotations

from collections.abc import Iterator

from samedrop_rules import Cursor, Entry, Game, OptionValue, Step, Table


def random_log(table: Table, seed: str) -> Iterator[tuple[Entry, Step]]:
    """Play `table` on to its end by moves drawn from `seed`, seat after seat; yields entries and steps."""
    cursor = Cursor(seed, "moves")
    while not table.over:
        for seat in range(table.seats):
            moves = table.legal(seat)
            if not moves:
                continue
            turn, move = table.turn(seat), cursor.pick(moves)
            step = table.play(seat, move)
            yield Entry(seat, turn, move, None, 0, table.score(seat), table.digest(seat)), step


def case_name(value: object) -> str:
    """For the ids of tests that run over games and option sets."""
    if isinstance(value, Game):
        return value.id
    return ",".join(f"{key}={one}" for key, one in value.items()) or "defaults" if isinstance(value, dict) else ""


def option_sets(game: Game) -> list[dict[str, OptionValue]]:
    """The defaults, and each option alone at every end of its range."""
    sets: list[dict[str, OptionValue]] = [{}]
    for option in game.options:
        ends: list[OptionValue]
        if isinstance(option.default, bool):
            ends = [False, True]
        elif isinstance(option.default, int):
            ends = [option.minimum, option.maximum]
        else:
            ends = list(option.choices)
        sets += [{option.name: end} for end in ends if end != option.default]
    return sets
