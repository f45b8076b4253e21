"""The small interface of every game: `Game` (facts, and what can be done with a view) and `Table` (the state).

A `Table` is the pure state of a match: all boards. `play` says what happened as events, and what chance these
disclose; nothing here knows a clock, a socket or a file. Behaviour never changes under a (game, version): a change
is a new version registered beside the old one (see `registry`).

Leaves to others: who may decide when (lockstep, time), who is told what and when, and storing it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from samedrop_rules.deal import Deal, read_seed
from samedrop_rules.errors import InvalidTape
from samedrop_rules.options import Option, read_options

Json = None | bool | int | str | Sequence["Json"] | Mapping[str, "Json"]
Move = Mapping[str, object]
"""What a seat decides, in its wire form; each game documents and checks its own keys."""
Event = dict[str, object]
"""One thing that happened, in its wire form: key ``type`` and what belongs to it (docs/protocol.md, Events)."""
View = dict[str, object]
"""All that a viewer may know, in its wire form; each game documents its own keys."""
Draws = tuple[int, ...]
"""A set of draws of chance: one bit mask for each of `Game.streams`; bit k stands for draw k of that stream."""


class Pace(StrEnum):
    """How the seats' decisions relate."""

    RACE = "race"
    """Own boards, own speed."""
    ROUNDS = "rounds"
    """All decide, then all is shown."""
    SHARED = "shared"
    """One board, roles."""


class Ended(StrEnum):
    """Why a seat's run is over."""

    RULES = "rules"
    """The game's own end."""
    CENSORED = "censored"
    """Stopped by a drop limit, or by a tape that ran out."""
    TIME = "time"
    """The match's time was up."""
    FORFEIT = "forfeit"
    """The player gave up."""


class Step(NamedTuple):
    """What one decision led to.

    Attributes:
        events: in order, complete enough to animate without knowing the rules.
        disclosed: the draws that these events make known.
    """

    events: list[Event]
    disclosed: Draws


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat's place in the result. Equal scores share a rank, counted 1, 1, 3."""

    seat: int
    rank: int
    score: int
    turns: int
    ended: Ended


def covers(known: Draws, needed: Draws) -> bool:
    """Whether all `needed` draws are `known`."""
    # A plain loop is three times as fast as `all`; this is asked for every step and receiver.
    for have, need in zip(known, needed):  # noqa: B905, SIM110 - both have one mask for each stream
        if need & ~have:
            return False
    return True


class Table(ABC):
    """The state of a match: all boards of one deal.

    Attributes:
        game, deal: what is played.
        seats: how many seats; they are numbered from 0.
        drop_limit: turns after which a seat is stopped as censored, or None.
    """

    def __init__(self, game: Game, deal: Deal, seats: int, drop_limit: int | None = None) -> None:
        self.game = game
        self.deal = deal
        self.seats = seats
        self.drop_limit = drop_limit

    @abstractmethod
    def legal(self, seat: int) -> list[Move]:
        """All moves that `play` would take from this seat now; empty once its run is over."""

    @abstractmethod
    def play(self, seat: int, move: Move) -> Step:
        """Apply one decision.

        Raises:
            InvalidMove: not of the documented form (field names the part).
            IllegalMove: not allowed now, or the run is over. In both cases the table is as it was.
        """

    @abstractmethod
    def stop(self, seat: int, ended: Ended, cause: str = "") -> Step:
        """End a seat's run from outside the rules (forfeit, time). A run that is over stays as it is (no events).

        `cause` refines `ended` in the event; it is the same word where nothing is said.
        """

    @abstractmethod
    def view(self, seat: int) -> View:
        """All that this seat may know of its own part."""

    @abstractmethod
    def knowledge(self, seat: int) -> Draws:
        """The draws that this seat has been dealt itself."""

    @abstractmethod
    def turn(self, seat: int) -> int:
        """How many decisions this seat has made: the number of its next turn."""

    @abstractmethod
    def score(self, seat: int) -> int:
        """Points of this seat so far."""

    @abstractmethod
    def ended(self, seat: int) -> Ended | None:
        """Why this seat's run is over, or None while it goes on."""

    @abstractmethod
    def digest(self, seat: int) -> str:
        """16 hex digits over the state of this seat's run: equal states, equal digests."""

    def due(self, seat: int) -> bool:
        """Whether the table takes a decision of this seat now. In a race: while its run goes on."""
        return self.ended(seat) is None

    def default(self, seat: int) -> Move | None:
        """The move made for a seat that is `due` and lets its time for a turn run out; None where the game has none."""
        return None

    @property
    def over(self) -> bool:
        """Whether every seat's run is over."""
        return all(self.ended(seat) is not None for seat in range(self.seats))

    def outcome(self) -> list[Standing]:
        """The standings, best first: highest score; who forfeited comes after all who did not; ties share a rank.

        Only once the match is `over`.
        """
        rows: list[tuple[tuple[bool, int], int, Ended]] = []
        for seat in range(self.seats):
            ended = self.ended(seat)
            if ended is None:
                raise ValueError("the match is not over")
            rows.append(((ended is Ended.FORFEIT, -self.score(seat)), seat, ended))
        rows.sort(key=lambda row: row[:2])
        keys = [key for key, _, _ in rows]
        return [
            Standing(seat, keys.index(key) + 1, self.score(seat), self.turn(seat), ended) for key, seat, ended in rows
        ]


class Game(ABC):
    """A set of rules under one version: its facts, and what can be said about a view of it.

    Attributes:
        id, version, title: `id` is the name on the wire and in the database.
        pace: how the seats' decisions relate.
        max_seats: seats of a match, at most.
        options: the game's settings.
        streams: names of the streams of chance, the order of `Draws`.
    """

    id: str
    version: int
    title: str
    pace: Pace
    max_seats: int
    options: tuple[Option, ...]
    streams: tuple[str, ...]

    def most_seats(self, options: Mapping[str, object]) -> int:
        """How many seats a match with these (checked) options has, at most."""
        return self.max_seats

    def team(self, options: Mapping[str, object]) -> int:
        """How many players share a seat with these (checked) options: 1, or the 2 of a team.

        In a team every move has a key ``by``: 0 or 1, which of the partners decided.
        """
        return 1

    def deal(self, options: Mapping[str, object], *, seed: object = None, tape: object = None) -> Deal:
        """A checked deal of this game from exactly one of a seed and a tape (any accepted JSON form).

        Raises:
            InvalidOptions, InvalidSeed, InvalidTape
        """
        checked = read_options(self.options, options)
        if tape is None:
            return Deal(self.id, self.version, checked, seed=read_seed(seed))
        if seed is not None:
            raise InvalidTape("Give a seed or a tape, not both.", "tape")
        return Deal(self.id, self.version, checked, tape=self.read_tape(tape))

    def read_tape(self, tape: object) -> Mapping[str, object]:
        """The normal JSON form of a tape.

        Raises:
            InvalidTape: not of an accepted form, or this game has no tapes.
        """
        raise InvalidTape(f"{self.title} cannot be dealt from a tape.", "tape")

    @abstractmethod
    def table(self, deal: Deal, seats: int, drop_limit: int | None = None) -> Table:
        """A new table at its start."""

    @abstractmethod
    def legal(self, view: View) -> list[Move]:
        """All moves allowed in this view, in the game's natural order."""

    @abstractmethod
    def follow(self, view: View, events: Sequence[Event]) -> View:
        """The view after these events: what a client that knows no more than the events can tell."""

    @abstractmethod
    def outlook(self, view: View, move: Move) -> tuple[int, ...]:
        """How good `move` looks to someone who sees only `view`: the greedy player takes the greatest.

        First the points that it scores now as far as the viewer can know, then the game's own tie-breaks.
        """

    def advise(self, view: View, draft: Move) -> dict[str, object]:
        """Help for clients that do not know the rules: what can be decided in this view.

        Args: draft: a part of a move, in games that say more about it; the others ignore it.

        Raises:
            InvalidMove, IllegalMove: the draft is none that could become a move.
        """
        return {"moves": self.legal(view)}

    @abstractmethod
    def parse_move(self, text: str, view: View) -> Move:
        """The move that a person typed, counting as people do (columns from 1).

        Raises:
            InvalidMove: with a text that says what to type.
        """

    @abstractmethod
    def render(self, view: View) -> list[str]:
        """The view as lines of plain text of equal width."""

    @abstractmethod
    def describe(self, events: Sequence[Event]) -> list[str]:
        """What happened, a line for each thing that a player would tell."""

    @abstractmethod
    def summary(self, events: Sequence[Event]) -> str:
        """A whole move in one line of full sentences, with what comes next."""

    @abstractmethod
    def prompt(self, view: View) -> str:
        """What there is to decide on in this view, in a few words: ``disc 3, rise in 2``."""
