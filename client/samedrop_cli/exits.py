"""How the command ends: its exit codes, and the one exception that carries a text and a code to the end.

The codes are listed for people in docs/client.md and never change their meaning.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of `samedrop`."""

    OK = 0
    """Done."""
    NO = 1
    """The result is no: a match that does not verify, nothing found, differences."""
    USAGE = 2
    """The command line was not understood."""
    INPUT = 3
    """A file, seed, tape or option is not usable."""
    DATABASE = 4
    """The database cannot be opened, read or written."""
    NETWORK = 5
    """The server cannot be reached, refused, or is gone; or its address is in use."""
    NOT_INSTALLED = 6
    """The command needs the server part, which is not installed."""
    INTERRUPTED = 130
    """Stopped with Ctrl-C."""


class CommandError(Exception):
    """Ends the command with one line of text on stderr and an exit code."""

    def __init__(self, text: str, exit_code: Exit) -> None:
        super().__init__(text)
        self.text = text
        self.exit_code = exit_code
