"""Full moves (in, decided, stored in SQLite, events out to both players) against the bare echo of the same frames.

The figure that counts is the ratio of server CPU per full move to server CPU per echo round trip, taken in one run
with interleaved rounds. ``python -m bench.race [ROUNDS]``.
"""

from __future__ import annotations

import statistics
import sys
from dataclasses import dataclass

from bench.processes import load, server

CONNECTIONS = "100"
SECONDS = "4"
MOVE_FRAME_BYTES = "82"
"""A move with a match id of 12 characters, as the load sends it."""


@dataclass(frozen=True, slots=True)
class Figure:
    micros: float
    rate: float
    result: dict[str, float]


def measure(kind: str, *arguments: str) -> Figure:
    """CPU-µs of the server for each unit of work, and units a second."""
    with server(kind) as running:
        work = "echo" if kind == "echo" else "race"
        result = load(work, running, "--connections", CONNECTIONS, "--seconds", SECONDS, *arguments)
    return Figure(1e6 * result["cpu"] / result["count"], result["count"] / result["seconds"], result)


def latency(matches: int) -> dict[str, float]:
    """Times from move sent to acknowledged (stored) with that many open matches at a person's quick pace."""
    with server("race") as running:
        return load(
            "race", running, "--connections", str(2 * matches), "--seconds", "8", "--think",
            "0.1" if matches <= 50 else "1.0",
        )  # fmt: skip


def main(rounds: int = 3) -> None:
    figures: dict[str, list[Figure]] = {"echo": [], "race": [], "unstored": []}
    reply = "139"
    for _ in range(rounds):
        race = measure("race")
        figures["race"].append(race)
        reply = str(round(race.result["bytes_per_frame"]))
        figures["echo"].append(measure("echo", "--size", MOVE_FRAME_BYTES, "--reply", reply))
        figures["unstored"].append(measure("unstored"))
    median = {kind: statistics.median(figure.micros for figure in taken) for kind, taken in figures.items()}
    rate = {kind: statistics.median(figure.rate for figure in taken) for kind, taken in figures.items()}
    print(f"server CPU-µs a unit, {CONNECTIONS} connections, median of {rounds} interleaved rounds:")
    print(f"  echo of {MOVE_FRAME_BYTES} B in, {reply} B out: {median['echo']:6.1f} µs  {rate['echo']:8.0f}/s")
    print(f"  full move, not stored:        {median['unstored']:6.1f} µs  {rate['unstored']:8.0f}/s")
    print(f"  full move, stored:            {median['race']:6.1f} µs  {rate['race']:8.0f}/s")
    print(f"  ratio of a stored move to the echo: {median['race'] / median['echo']:.2f} (aim: at most 2.0)")
    print(f"  the journal adds {100 * (median['race'] / median['unstored'] - 1):.0f} % (aim: at most 10)")
    last = figures["race"][-1].result
    print(
        f"  frames to a player for each own move: {last['frames_per_move']:.2f}, mean {last['bytes_per_frame']:.0f} B"
    )
    for matches in (50, 500):
        times = latency(matches)
        per_second = times["count"] / times["seconds"]
        print(
            f"  {matches} open matches, {per_second:.0f} moves/s: "
            f"acknowledged after p50 {times['p50_ms']:.1f} ms, p99 {times['p99_ms']:.1f} ms"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
