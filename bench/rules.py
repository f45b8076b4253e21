"""Moves a second, random legal play: every game as the server plays it, and drop7 in its parts.

The parts are compact waves, events, and the naive model that the tests hold them to; all play the same games. Rounds
are interleaved; figures are medians, in CPU time. ``python -m bench.rules [ROUNDS]``.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from samedrop_rules import GAMES as ALL_GAMES
from samedrop_rules import Game, Move, Table, find_game
from samedrop_rules.drop7.board import Drop7Board
from samedrop_rules.race import RaceTable
from tests.support.naive.drop7 import NaiveDrop7

GAME = find_game("drop7")
ROUNDS = 9
GAMES = 500
NAIVE_GAMES = 50
GAMES_OF_EACH = 60
MOVES: Sequence[Move] = [{"column": column} for column in range(7)]
COLUMNS = random.Random(7).choices(range(7), k=100_000)
"""The column that a player tries next; a full one is passed over."""


def new_table(number: int) -> Table:
    """The table of one game, at its start."""
    return GAME.table(GAME.deal({}, seed=f"bench {number}"), 1)


def new_board(number: int) -> Drop7Board:
    """The board of one game, at its start."""
    table = new_table(number)
    assert isinstance(table, RaceTable)
    board = table.boards[0]
    assert isinstance(board, Drop7Board)
    return board


def waves() -> float:
    """Moves a second with the list of waves in compact form."""
    boards = [new_board(number) for number in range(GAMES)]
    columns = iter(COLUMNS)
    start = time.process_time()
    for board in boards:
        drop, grid = board.drop, board.grid
        while board.ended is None:
            column = next(columns)
            if grid.free[column]:
                drop(column)
    return sum(board.turn for board in boards) / (time.process_time() - start)


def events(with_digest: bool = False) -> float:
    """Moves a second as the server plays them: event dicts, disclosed draws, and perhaps a digest."""
    tables = [new_table(number) for number in range(GAMES)]
    columns = iter(COLUMNS)
    start = time.process_time()
    for table in tables:
        assert isinstance(table, RaceTable)
        board = table.boards[0]
        assert isinstance(board, Drop7Board)
        while board.ended is None:
            column = next(columns)
            if board.grid.free[column]:
                table.play(0, MOVES[column])
                if with_digest:
                    table.digest(0)
    return sum(table.turn(0) for table in tables) / (time.process_time() - start)


def naive() -> float:
    """Moves a second of the naive model, with its waves."""
    games = [NaiveDrop7(f"bench {number}") for number in range(NAIVE_GAMES)]
    columns = iter(COLUMNS)
    start = time.process_time()
    for game in games:
        while not game.over:
            column = next(columns)
            if game.board[0][column] == 0:
                game.drop(column)
    return sum(game.drops for game in games) / (time.process_time() - start)


def recorded(game: Game) -> list[list[Move]]:
    """The moves of random games, so that choosing them is not measured."""
    choice = random.Random(7)
    logs = []
    for number in range(GAMES_OF_EACH):
        table = game.table(game.deal({}, seed=f"bench {number}"), 1)
        log: list[Move] = []
        while moves := table.legal(0):
            log.append(choice.choice(moves))
            table.play(0, log[-1])
        logs.append(log)
    return logs


def replayed(game: Game, logs: list[list[Move]], with_digest: bool = False) -> float:
    """Moves a second of these games, events included, and perhaps digests."""
    tables = [game.table(game.deal({}, seed=f"bench {number}"), 1) for number in range(len(logs))]
    start = time.process_time()
    for table, log in zip(tables, logs, strict=True):
        for move in log:
            table.play(0, move)
            if with_digest:
                table.digest(0)
    return sum(map(len, logs)) / (time.process_time() - start)


def compare_games(rounds: int) -> None:
    """Measure and print every game."""
    logs = {game: recorded(game) for game in ALL_GAMES}
    rates: dict[Game, list[tuple[float, float]]] = {game: [] for game in ALL_GAMES}
    for round_number in range(rounds + 1):
        for game in ALL_GAMES:
            rate = replayed(game, logs[game]), replayed(game, logs[game], with_digest=True)
            if round_number:  # the first one warms up
                rates[game].append(rate)
    print(f"every game, random play, median of {rounds} interleaved rounds (CPU time)")
    for game, measured in rates.items():
        events_only, digests_too = (statistics.median(column) for column in zip(*measured, strict=True))
        print(
            f"  {game.id + ' ' + str(game.version):18} {events_only:9,.0f} moves/s with events, "
            f"{digests_too:9,.0f} with digests too"
        )


def main(rounds: int = ROUNDS) -> None:
    """Measure and print."""
    kinds: dict[str, Callable[[], float]] = {
        "waves": waves,
        "events": events,
        "events and digest": lambda: events(with_digest=True),
        "naive model": naive,
    }
    rates: dict[str, list[float]] = {name: [] for name in kinds}
    for round_number in range(rounds + 1):
        for name, measure in kinds.items():
            rate = measure()
            if round_number:  # the first one warms up
                rates[name].append(rate)
    compare_games(rounds)
    base = rates["naive model"]
    print(f"drop7, random play, median of {rounds} interleaved rounds (CPU time)")
    for name, measured in rates.items():
        rate = statistics.median(measured)
        ratio = statistics.median(one / other for one, other in zip(measured, base, strict=True))
        print(f"  {name:18} {rate:9,.0f} moves/s  {1e6 / rate:7.2f} us/move  {ratio:5.1f} x naive")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
