"""The long form of the fault tests: ``make soak``. Prints a line for each round, and a summary; fails on any loss.

Every round races 40 matches of two bots on one server, kills it at a random moment and starts it again on the same
database; the last round does so with full durability. The matches of earlier rounds stay in the database. After that
come 300 random orders of all requests (tests/faults/test_machine.py).
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
import time
from pathlib import Path

import structlog
from hypothesis.stateful import run_state_machine_as_test

from tests.faults.crashes import crash
from tests.faults.processes import server_process
from tests.faults.races import Findings
from tests.faults.test_machine import Protocol, any_orders

ROUNDS = 25
MATCHES = 40
ORDERS = 300


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


def try_orders(count: int) -> None:
    """Look for an order of requests after which something does not hold; an exception shows it."""
    begun = time.monotonic()
    silence = structlog.make_filtering_bound_logger("critical")
    structlog.configure(wrapper_class=silence)
    run_state_machine_as_test(Protocol, settings=any_orders(count))
    print(f"{count} orders of requests: nothing wrong found, {time.monotonic() - begun:.0f} s")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--matches", type=int, default=MATCHES, help="of each round")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="repeats the moments of an earlier run")
    parser.add_argument("--orders", type=int, default=ORDERS, help="of requests")
    args = parser.parse_args()
    if args.rounds and not asyncio.run(soak(args.seed, args.rounds, args.matches)):
        return 1
    if args.orders:
        try_orders(args.orders)
    return 0


if __name__ == "__main__":
    sys.exit(main())
