"""Replay: the same table run again from a deal and the log of a match.

Used to rebuild running matches, to show stored ones, and to verify them. Reading logs from a database or a file is
the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from samedrop_rules.errors import RulesError
from samedrop_rules.game import Ended, Event, Move, Step, Table


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a match's log, in the order in which the server decided.

    Attributes:
        seat, turn: whose decision, and which of that seat's (from 0).
        move: what was decided; None where the run was stopped from outside the rules.
        stopped: why it was stopped; None for a move.
        at: milliseconds from the start of the match.
        score, digest: the seat's score and digest after it.
    """

    seat: int
    turn: int
    move: Move | None
    stopped: Ended | None
    at: int
    score: int
    digest: str


class ReplayMismatch(Exception):
    """The log does not replay to what it says. `entry` is the first that differs, `index` its place in the log."""

    def __init__(self, index: int, entry: Entry, text: str) -> None:
        super().__init__(f"seat {entry.seat}, turn {entry.turn}: {text}")
        self.index = index
        self.entry = entry


def apply(table: Table, entry: Entry) -> Step:
    """Run one entry on `table`.

    Raises:
        RulesError: the table refuses it.
    """
    if entry.move is not None:
        return table.play(entry.seat, entry.move)
    if entry.stopped is None:
        raise RulesError("The entry has neither a move nor a stop.")
    return table.stop(entry.seat, entry.stopped)


def replay(table: Table, log: Iterable[Entry]) -> Iterator[tuple[Entry, list[Event]]]:
    """Run `log` on `table`, checking seat, turn, score and digest of each entry.

    Yields:
        each entry with its events, once it has been applied.

    Raises:
        ReplayMismatch: naming the first entry that differs; the table is then past or at that entry.
    """
    for index, entry in enumerate(log):
        if not 0 <= entry.seat < table.seats:
            raise ReplayMismatch(index, entry, "there is no such seat")
        if table.turn(entry.seat) != entry.turn:
            raise ReplayMismatch(index, entry, f"the turn should be {table.turn(entry.seat)}")
        try:
            step = apply(table, entry)
        except RulesError as error:
            raise ReplayMismatch(index, entry, error.text) from error
        score, digest = table.score(entry.seat), table.digest(entry.seat)
        if score != entry.score:
            raise ReplayMismatch(index, entry, f"the score should be {score}, the log says {entry.score}")
        if digest != entry.digest:
            raise ReplayMismatch(index, entry, f"the digest should be {digest}, the log says {entry.digest}")
        yield entry, step.events
