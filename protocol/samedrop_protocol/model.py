"""Values that several messages share.

Every struct ignores unknown fields, so that a newer side can add some.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from samedrop_protocol.types import (
    MAX_GHOSTS,
    MAX_SEATS,
    Code,
    Id,
    Millis,
    MoveBody,
    Name,
    OptionsBody,
    SeatNumber,
    Seed,
    Signed,
    TapeBody,
    Title,
    UnixMillis,
    Whole,
)


class Model(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base of the shared values."""


class Rivals(StrEnum):
    """What a seated player sees of the others while the own run goes on."""

    FAIR = "fair"
    """Their steps, each once it discloses nothing that this player has not been dealt."""
    OPEN = "open"
    """Their steps at once."""
    SCORES = "scores"
    """Score and turn only; the steps come when the own run is over."""


class Known(StrEnum):
    """Who can have known the deal before the match."""

    SEALED = "sealed"
    """Nobody: the server drew the seed in secret."""
    OPEN = "open"
    """Whoever chose the seed, or played it before."""
    DAILY = "daily"
    """Nobody before that day; then whoever has played it. Without a daily secret of the server: everybody."""
    TAPE = "tape"
    """Whoever wrote the tape."""


class Align(StrEnum):
    """When a ghost is where it is told to be."""

    TURN = "turn"
    """It has made as many turns as the player who races it."""
    TIME = "time"
    """It is where it was so long after its own start."""


class Each(StrEnum):
    """Which run of each player counts where a deal has a ranking of players."""

    BEST = "best"
    FIRST = "first"
    """The one that began first: nobody had seen the deal longer than that."""


class Phase(StrEnum):
    """What a room is doing."""

    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    PLAYING = "playing"


class Role(StrEnum):
    """What a member of a room is there for."""

    PLAYER = "player"
    SPECTATOR = "spectator"


class RunId(Model, frozen=True, kw_only=True):
    """Names a stored run: what one seat did in a finished match."""

    match: Id
    seat: SeatNumber = 0


class Settings(Model, frozen=True, kw_only=True):
    """What a room plays next.

    Without `seed` and `tape` the server draws a secret seed. Limits: `drop_limit` in turns of each seat; `time_limit`
    for the whole match, `turn_limit` for each turn (rounds or lockstep), `countdown` and `spectator_delay` in seconds.
    `first_to` wins decide the room's series. `daily` plays the daily deal of the game, with its default options;
    `challenge` a challenge, by its code, with the challenge's game, options and limits. `ghosts` are stored runs that
    are raced beside the players, on their deal: without seed, tape, daily and challenge they bring it along.
    """

    game: Id = "drop7"
    version: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    options: OptionsBody = {}
    seed: Seed | None = None
    tape: TapeBody | None = None
    daily: bool = False
    challenge: Code | None = None
    ghosts: Annotated[list[RunId], Meta(max_length=MAX_GHOSTS)] = []
    align: Align = Align.TURN
    seats: Annotated[int, Meta(ge=1, le=MAX_SEATS)] = MAX_SEATS
    drop_limit: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    time_limit: Annotated[int, Meta(ge=1, le=86_400)] | None = None
    turn_limit: Annotated[int, Meta(ge=1, le=3_600)] | None = None
    lockstep: bool = False
    rivals: Rivals = Rivals.FAIR
    countdown: Annotated[int, Meta(ge=0, le=30)] = 3
    spectators: bool = True
    spectator_delay: Annotated[int, Meta(ge=0, le=3600)] = 0
    first_to: Annotated[int, Meta(ge=1, le=100)] | None = None


class Member(Model, frozen=True, kw_only=True):
    """One person (or program) in a room."""

    player: Id
    name: Name
    role: Role
    ready: bool
    online: bool


class Wins(Model, frozen=True, kw_only=True):
    """How many matches of a series a player has won; who shares a victory has won."""

    player: Id
    name: Name
    wins: Whole


class Series(Model, frozen=True, kw_only=True):
    """The score over the matches of a room, most wins first; `winners` once `first_to` has decided it."""

    played: Whole
    wins: list[Wins]
    first_to: Whole | None = None
    winners: list[Id] = []


class Room(Model, frozen=True, kw_only=True):
    """A room as its members see it. `match` is the running match, or the last one.

    `settings` come without the seed or tape, since a room is shown while a match on it runs; `known` says whether
    there is one. `locked` says whether joining takes a password, which is never shown.
    """

    code: Code
    title: Title
    public: bool
    host: Id
    phase: Phase
    settings: Settings
    known: Known
    members: list[Member]
    match: Id | None = None
    locked: bool = False
    series: Series | None = None


class RoomSummary(Model, frozen=True, kw_only=True):
    """A public room as the list shows it."""

    code: Code
    title: Title
    phase: Phase
    game: Id
    players: Whole
    spectators: Whole
    host: Name
    locked: bool = False


class Option(Model, frozen=True, kw_only=True):
    """One option of a game; its kind is that of `default`."""

    name: str
    help: str
    default: bool | int | str
    minimum: Signed | None = None
    maximum: Signed | None = None
    choices: list[str] | None = None


class GameInfo(Model, frozen=True, kw_only=True):
    """A game that the server plays."""

    game: Id
    version: Whole
    title: str
    pace: str
    seats: Whole
    options: list[Option]


class Deal(Model, frozen=True, kw_only=True):
    """What is dealt. `seed` or `tape` is present only where it is disclosed: once the match is over."""

    deal: Id
    game: Id
    version: Whole
    options: OptionsBody
    known: Known
    commitment: str
    seed: str | UnsetType = UNSET
    tape: TapeBody | UnsetType = UNSET


class Partner(Model, frozen=True, kw_only=True):
    """The second of the two who share a seat: in their moves, `by` is 1."""

    player: Id
    name: Name


class Seat(Model, frozen=True, kw_only=True):
    """A place in a match and who holds it: one player, or a team of two."""

    seat: SeatNumber
    player: Id
    name: Name
    partner: Partner | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """The ids of all who hold it."""
        return (self.player,) if self.partner is None else (self.player, self.partner.player)

    @property
    def names(self) -> str:
        """For people: the name, or both names of a team."""
        return names_of(self)


class Ghost(Model, frozen=True, kw_only=True):
    """A stored run that is raced in this match, and who made it.

    Its steps, views and progress come under the number `seat`; the numbers of ghosts follow on those of the seats.
    """

    seat: SeatNumber
    run: RunId
    player: Id
    name: Name
    partner: Partner | None = None

    @property
    def names(self) -> str:
        """For people: whose ghost it is."""
        return f"{names_of(self)} (ghost)"


class Match(Model, frozen=True, kw_only=True):
    """The facts of a match that do not change while it runs. `started` is its start."""

    match: Id
    room: Code
    deal: Deal
    seats: list[Seat]
    started: UnixMillis
    rivals: Rivals = Rivals.FAIR
    drop_limit: Whole | None = None
    time_limit: Whole | None = None
    turn_limit: Whole | None = None
    lockstep: bool = False
    ghosts: list[Ghost] = []
    align: Align = Align.TURN

    @property
    def boards(self) -> list[Seat | Ghost]:
        """All that are raced: the seats, then the ghosts, by number."""
        return [*self.seats, *self.ghosts]


class SeatProgress(Model, frozen=True, kw_only=True):
    """Where a seat stands now: never held back. `ended` is absent while its run goes on."""

    seat: SeatNumber
    turn: Whole
    score: Signed
    ended: str | None = None


class Standing(Model, frozen=True, kw_only=True):
    """One line of a result, best first; equal scores share a rank."""

    seat: SeatNumber
    player: Id
    name: Name
    rank: Whole
    score: Signed
    turns: Whole
    ended: str
    partner: Partner | None = None

    @property
    def names(self) -> str:
        """For people: the name, or both names of a team."""
        return names_of(self)


def names_of(held: Seat | Ghost | Standing | Run) -> str:
    """For people: the name of who holds a seat, or both names of a team."""
    return held.name if held.partner is None else f"{held.name} & {held.partner.name}"


class MatchSummary(Model, frozen=True, kw_only=True):
    """A finished match as history lists it."""

    match: Id
    deal: Id
    game: Id
    version: Whole
    known: Known
    started: UnixMillis
    finished: UnixMillis
    standings: list[Standing]


class Run(Model, frozen=True, kw_only=True):
    """One seat's part of a finished match, as the page of its deal lists it.

    `first_sight` says that nobody could have seen the deal before: it was sealed when the match began. Runs at first
    sight and others are ranked apart.
    """

    rank: Whole
    match: Id
    seat: SeatNumber
    player: Id
    name: Name
    score: Signed
    turns: Whole
    ended: str
    started: UnixMillis
    first_sight: bool
    partner: Partner | None = None

    @property
    def names(self) -> str:
        """For people: the name, or both names of a team."""
        return names_of(self)


class Day(Model, frozen=True, kw_only=True):
    """A day on which the daily deal of a game was played: `day` as 2030-01-31 (UTC), the deal, how many matches."""

    day: str
    deal: Id
    matches: Whole


class Challenge(Model, frozen=True, kw_only=True):
    """A sealed deal that everybody plays once until it `closes`; then the deal is disclosed. `settings` are its own."""

    code: Code
    title: Title
    host: Id
    host_name: Name
    deal: Deal
    settings: Settings
    opened: UnixMillis
    closes: UnixMillis
    open: bool
    runs: list[Run]


class LogEntry(Model, frozen=True, kw_only=True):
    """One line of a stored match's log: a move, or a stop from outside the rules. `at` counts from the start."""

    seat: SeatNumber
    turn: Whole
    at: Millis
    score: Signed
    digest: str
    move: MoveBody | None = None
    stopped: str | None = None


class Pause(Model, frozen=True, kw_only=True):
    """When a match stood still because all had agreed to it."""

    began: UnixMillis
    ended: UnixMillis


class MatchRecord(Model, frozen=True, kw_only=True):
    """A finished match as it is stored; `log` is a page of it, starting at entry `first` of `entries`."""

    match: Match
    finished: UnixMillis
    standings: list[Standing]
    entries: Whole
    first: Whole
    log: list[LogEntry]
    pauses: list[Pause] = []
