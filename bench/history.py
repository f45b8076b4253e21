"""How long history's queries take on 200,000 finished matches: ``python -m bench.history``.

A hundred players, one of whom sat in every second match; the slowest of five runs of each query is shown.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, insert

import samedrop_migrations
from samedrop_protocol.from_client import ListMatches
from samedrop_server.history import list_matches
from samedrop_server.storage.database import Database
from samedrop_server.storage.models import Deal, Match, Player, Result, Seat

MATCHES = 200_000
PLAYERS = 100
GAMES = ("drop7", "number-drop", "merge-drop")
RUNS = 5


def fill(connection: Connection) -> None:
    chance = random.Random(7)
    connection.execute(
        insert(Player), [{"id": f"p{number}", "name": f"Name {number}", "created": 0} for number in range(PLAYERS)]
    )
    for start in range(0, MATCHES, 10_000):
        numbers = range(start, start + 10_000)
        deals = [
            {
                "id": f"d{number}",
                "game": GAMES[number % 3],
                "version": 1,
                "options": {},
                "seed": str(number),
                "commitment": "",
                "created": 0,
            }
            for number in numbers
        ]
        matches = [
            {
                "id": f"{chance.getrandbits(60):x}",
                "deal_id": "d0" if number % 4 == 0 else f"d{number}",
                "game": GAMES[number % 3],
                "known": "sealed",
                "settings": {},
                "started": 1_000 * number,
                "finished": 1_000 * number + 500,
                "entries": 0,
            }
            for number in numbers
        ]
        seats: list[dict[str, object]] = []
        for number, match in zip(numbers, matches, strict=True):
            players = {0 if number % 2 else 1, chance.randrange(2, PLAYERS - 1)}
            seats += [
                {
                    "match_id": match["id"],
                    "seat": seat,
                    "player_id": f"p{player}",
                    "name": f"Name {player}",
                    "started": match["started"],
                    "game": match["game"],
                }
                for seat, player in enumerate(sorted(players))
            ]
        connection.execute(insert(Deal), deals)
        connection.execute(insert(Match), matches)
        connection.execute(insert(Seat), seats)
        results = [
            {"match_id": seat["match_id"], "seat": seat["seat"], "rank": 1, "score": 7, "turns": 1, "ended": "rules"}
            for seat in seats
        ]
        connection.execute(insert(Result), results)


def queries() -> Iterator[tuple[str, ListMatches]]:
    middle = 500 * MATCHES
    yield "newest", ListMatches(id="b")
    yield "newest, 100", ListMatches(id="b", limit=100)
    yield "a page in the middle", ListMatches(id="b", cursor=f"{middle}-x")
    yield "between two times", ListMatches(id="b", since=middle, until=middle + 10_000)
    yield "one game", ListMatches(id="b", game=GAMES[1])
    yield "a game that nobody plays", ListMatches(id="b", game="chess")
    yield "one deal, played 50,000 times", ListMatches(id="b", deal="d0")
    yield "one deal, played once", ListMatches(id="b", deal="d7")
    yield "player id, 100,000 matches", ListMatches(id="b", player="p0")
    yield "player name, 100,000 matches", ListMatches(id="b", player="Name 0")
    yield "player id, 1,000 matches", ListMatches(id="b", player="p50")
    yield "player who never played", ListMatches(id="b", player=f"p{PLAYERS - 1}")
    yield "player and game", ListMatches(id="b", player="p0", game=GAMES[1])
    yield "player, game that nobody plays", ListMatches(id="b", player="p0", game="chess")
    yield "player and deal", ListMatches(id="b", player="p50", deal="d0")
    yield "player, old page", ListMatches(id="b", player="p0", cursor="5000-x")
    yield "all filters", ListMatches(id="b", player="p0", game=GAMES[0], deal="d0", since=1, until=2 * middle)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'history.db'}"
        samedrop_migrations.upgrade(url)
        database = Database(url)
        database.write_now(fill)
        print(f"history on {MATCHES:,} matches, slowest of {RUNS} runs")
        for name, wanted in queries():
            slowest, found = 0.0, database.read_now(partial(list_matches, wanted=wanted))
            for _ in range(RUNS):
                begin = time.perf_counter()
                found = database.read_now(partial(list_matches, wanted=wanted))
                slowest = max(slowest, time.perf_counter() - begin)
            print(f"{1000 * slowest:8.1f} ms  {len(found[0]):3d} matches  {name}")
        database.close()


if __name__ == "__main__":
    main()
