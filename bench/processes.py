"""Server and load as processes of their own, and the server's CPU time in between (Linux)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Server:
    """A running server process."""

    process: subprocess.Popen[str]
    url: str


def cpu_seconds(pid: int) -> float:
    """User and system time of all threads of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextmanager
def server(kind: str, *arguments: str) -> Iterator[Server]:
    """A process of `bench.server`, pinned to the first core where that is possible."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.server", kind, *arguments], stdout=subprocess.PIPE, text=True, env=_core(0)
    )
    try:
        assert process.stdout is not None
        yield Server(process, process.stdout.readline().strip())
    finally:
        process.terminate()
        process.wait(timeout=30)
        assert process.stdout is not None
        process.stdout.close()


def load(kind: str, target: Server, *arguments: str) -> dict[str, float]:
    """Run `bench.load` against `target` on the other core; its result."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.load", kind, target.url, "--pid", str(target.process.pid), *arguments],
        stdout=subprocess.PIPE, text=True, check=True, env=_core(1),
    )  # fmt: skip
    result: dict[str, float] = json.loads(done.stdout)
    return result


def _core(number: int) -> dict[str, str]:
    return os.environ | {"SAMEDROP_BENCH_CORE": str(number)}


def pin() -> None:
    """Keep this process on the core that its parent chose, if there is more than one."""
    wanted = int(os.environ.get("SAMEDROP_BENCH_CORE", "0"))
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[wanted % len(cores)]})
