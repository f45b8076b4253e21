"""The long form of the kill -9 test: ``make soak``. Prints a line for each round, and a summary; fails on any loss.

Every round races 40 matches of two bots on one server, kills it at a random moment and starts it again on the same
database; the last round does so with full durability. The matches of earlier rounds stay in the database.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.crashes import crash
from tests.faults.processes import server_process
from tests.faults.races import Findings

ROUNDS = 25
MATCHES = 40


async def soak(seed: str, rounds: int, matches: int) -> bool:
    """Run all rounds; returns whether everything was as it must be."""
    begun = time.monotonic()
    total = Findings()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, rounds + 1):
            durability = "full" if number == rounds else "normal"
            async with server_process(Path(folder), "--durability", durability) as server:
                findings = await crash(server, f"{seed}/{number}", matches)
            print(f"round {number:2} ({durability}): {findings}", flush=True)
            total.add(findings)
    print(f"seed {seed}: {rounds} rounds, {rounds * matches} matches, {rounds} kills, {total},", end=" ")
    print(f"{time.monotonic() - begun:.0f} s")
    return total.clean


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--matches", type=int, default=MATCHES, help="of each round")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="repeats the moments of an earlier run")
    args = parser.parse_args()
    return 0 if asyncio.run(soak(args.seed, args.rounds, args.matches)) else 1


if __name__ == "__main__":
    sys.exit(main())
