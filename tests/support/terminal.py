"""A program in a pseudo-terminal, as a person uses it: type lines, wait for words."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

PATIENCE = 20.0
"""Seconds until words that do not come fail the test."""


class Terminal:
    """The command `samedrop` in a terminal of its own."""

    def __init__(self, words: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        """Args: words: of the command line; folder: where it runs, and what it keeps."""
        self._own, theirs = os.openpty()
        self.screen = ""
        self._seen = 0
        self.process = subprocess.Popen(
            [sys.executable, "-m", "samedrop_cli.main", *words],
            cwd=folder,
            env={**os.environ, "SAMEDROP_HOME": str(folder / "home"), "COLUMNS": "100", **(environment or {})},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._own)

    def types(self, line: str) -> None:
        """Type a line."""
        os.write(self._own, f"{line}\n".encode())

    def presses(self, key: bytes) -> None:
        """Press a key, such as ``b"\\x04"`` for Ctrl-D."""
        os.write(self._own, key)

    def interrupts(self) -> None:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def reads(self, pattern: str) -> re.Match[str]:
        """Wait for words (a regular expression) that were not read yet."""
        deadline = time.monotonic() + PATIENCE
        while (found := re.compile(pattern).search(self.screen, self._seen)) is None:
            if not self._receive(deadline - time.monotonic()):
                raise AssertionError(f"no {pattern!r} on the screen:\n{self.screen}")
        self._seen = found.end()
        return found

    def ends(self) -> int:
        """Wait for its end; returns its exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._receive(deadline - time.monotonic()):
            pass
        return self.process.wait(max(1.0, deadline - time.monotonic()))

    def _receive(self, seconds: float) -> bool:
        """Take what is printed next; False if there is nothing more, or not in that time."""
        readable, _, _ = select.select([self._own], [], [], max(0.0, seconds))
        if not readable:
            return False
        try:
            printed = os.read(self._own, 65536)
        except OSError:
            return False  # the program has closed its terminal
        self.screen += printed.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(printed)
