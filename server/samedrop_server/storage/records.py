"""Records: what the server wants kept, as small values. Which rows they become is `writing`'s."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from samedrop_protocol import model
from samedrop_rules import Deal


class NewPlayer(NamedTuple):
    """A player was made. `token_hash` is the SHA-256 of the token in hex; None for one who cannot sign in."""

    id: str
    token_hash: str | None
    name: str
    created: int


class RenamedPlayer(NamedTuple):
    """A player has another name from now on."""

    id: str
    name: str


class KeptRoom(NamedTuple):
    """What is kept of a room for the time of a match; `password` is a salted hash, the others are ids of players."""

    title: str = ""
    public: bool = False
    host_id: str = ""
    password: str | None = None
    banned: tuple[str, ...] = ()
    departed: tuple[str, ...] = ()


class NewRoom(NamedTuple):
    """A room has the first match of a series."""

    id: str
    code: str
    created: int
    kept: KeptRoom


class ChangedRoom(NamedTuple):
    """A room is another from now on."""

    id: str
    kept: KeptRoom


class NewMatch(NamedTuple):
    """A match starts. Its deal is stored with it, where that is not there yet; `room_id` is None if imported."""

    id: str
    room_id: str | None
    deal: Deal
    known: model.Known
    settings: model.Settings
    started: int
    seats: Sequence[model.Seat]


class NewChallenge(NamedTuple):
    """A challenge is open until `closes`. Its deal is stored with it."""

    code: str
    deal: Deal
    title: str
    host_id: str
    settings: model.Settings
    opened: int
    closes: int


class ClosedChallenge(NamedTuple):
    """A challenge was opened to all before its time."""

    code: str
    closed: int


class Pause(NamedTuple):
    """A pause of a match, the `number`-th from 1; `ended` is None while it lasts."""

    match_id: str
    number: int
    began: int
    ended: int | None = None


class Logged(NamedTuple):
    """One entry of a match's log (see `samedrop_rules.replay.Entry`).

    The order of the fields is the stored form of `journal`; in `moves` each is a column of its name.

    Attributes:
        number: its place in the log, from 1 without gaps.
        request_id: the request that made it, if any.
        move: JSON text; None where the run was stopped.
    """

    match_id: str
    number: int
    seat: int
    turn: int
    request_id: str | None
    move: str | None
    stopped: str | None
    at: int
    score: int
    digest: str


class Finished(NamedTuple):
    """A match is over."""

    match_id: str
    finished: int
    standings: Sequence[model.Standing]


Record = (
    NewChallenge
    | ClosedChallenge
    | NewPlayer
    | RenamedPlayer
    | NewRoom
    | ChangedRoom
    | NewMatch
    | Pause
    | Logged
    | Finished
)
