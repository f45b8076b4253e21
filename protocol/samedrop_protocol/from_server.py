"""Messages from the server: the closed set of what a client may meet.

`re` names the request that is answered; a message without it was sent unasked.
"""

from __future__ import annotations

from msgspec import Struct

from samedrop_protocol.model import (
    Challenge,
    Day,
    Deal,
    GameInfo,
    Match,
    MatchRecord,
    MatchSummary,
    Room,
    RoomSummary,
    Run,
    SeatProgress,
    Standing,
)
from samedrop_protocol.types import (
    Cursor,
    EventBody,
    Id,
    Millis,
    MoveBody,
    Name,
    RequestId,
    SeatNumber,
    Signed,
    UnixMillis,
    ViewBody,
    Whole,
)


class ServerMessage(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """Base of all messages from the server."""


class Welcome(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="welcome"):
    """Answers `hello`. `token` comes once, when the player is made: keep it, it is the seat and the identity.

    `room` and `matches` say where this player already is; take up the matches with `resume`.
    """

    version: Whole
    server: str
    player: Id
    name: Name
    time: UnixMillis
    games: list[GameInfo]
    token: str | None = None
    room: Room | None = None
    matches: list[Id] = []


class Error(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="error"):
    """A request was refused and changed nothing.

    `re` is absent where the request could not be read. `field` is the dotted name of the part at fault, `turn` the
    sender's current turn, `retry_after` seconds to wait, `versions` what the server speaks.
    """

    code: str
    text: str
    re: RequestId | None = None
    field: str | None = None
    turn: Whole | None = None
    retry_after: float | None = None
    versions: list[Whole] | None = None


class Ok(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="ok"):
    """The request was done."""

    re: RequestId


class Pong(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="pong"):
    """Answers `ping`."""

    re: RequestId
    time: UnixMillis


class Rooms(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="rooms"):
    """Answers `list_rooms`."""

    re: RequestId
    rooms: list[RoomSummary]


class RoomState(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="room"):
    """The room as it is now: answers `create_room` and `join_room`, and comes with every change."""

    room: Room
    re: RequestId | None = None


class RoomLeft(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="room_left"):
    """The receiver is in no room any more. `reason` is left, kicked or closed."""

    reason: str
    re: RequestId | None = None


class ChatLine(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="chat"):
    """Somebody said something: plain text, to be shown as such."""

    player: Id
    name: Name
    text: str
    time: UnixMillis


class Countdown(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="countdown"):
    """The match starts at `starts`, unless `cancelled`."""

    starts: UnixMillis
    seconds: Whole
    cancelled: bool = False


class Started(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="started"):
    """A match starts. `views` are the seats' first views, by seat; the stream's first step has number 1."""

    match: Match
    views: list[ViewBody]
    time: UnixMillis


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One decision and all that it led to.

    `id` is the request that made it: to the mover this step is the acknowledgement, and means stored. `stopped` is
    present, and `move` absent, where the run was ended from outside the rules; in rounds a `move` is never told. `at`
    counts from the match's start; `score` and `digest` are the seat's after it.
    """

    seat: SeatNumber
    turn: Whole
    at: Millis
    score: Signed
    digest: str
    events: list[EventBody]
    move: MoveBody | None = None
    stopped: str | None = None
    id: RequestId | None = None


class Events(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="events"):
    """Steps of a match, in the receiver's order, numbered `first`, `first` + 1, … With `repeat`, sent before.

    `progress` says the same as the message of that name, to spare a frame.
    """

    match: Id
    first: Whole
    steps: list[Step]
    progress: list[SeatProgress] = []
    repeat: bool = False


class Advice(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="advice"):
    """Answers `advise`: what the rules of the game say about the sender's `turn`, in the game's own form."""

    re: RequestId
    match: Id
    turn: Whole
    advice: ViewBody


class Progress(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="progress"):
    """Where the seats stand; only those that changed, and only what `events` did not tell the receiver."""

    match: Id
    seats: list[SeatProgress]


class Resumed(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="resumed"):
    """Answers `resume` and `watch`.

    `answer` is up_to_date, events (they follow) or snapshot (`views` hold each seat's view as of number `last`).
    `last` is the number of the newest step that was sent to this receiver, after the snapshot or before the events.
    `progress` has all seats. If the match is over, `over` follows.
    """

    re: RequestId
    match: Match
    answer: str
    last: Whole
    progress: list[SeatProgress]
    time: UnixMillis
    views: list[ViewBody] | None = None


class MatchOver(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="over"):
    """The match is over: the result, and the deal with its seed or tape disclosed."""

    match: Id
    standings: list[Standing]
    deal: Deal


class Paused(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="paused"):
    """Who agrees to a pause, by seat; and whether the match is paused: it takes no moves, and its time stands still."""

    match: Id
    agreed: list[SeatNumber]
    paused: bool


class Suspended(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="suspended"):
    """Storage trouble: the match takes no moves until `continued`."""

    match: Id
    text: str


class Continued(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="continued"):
    """Storage is back, the match goes on; resume from your last number and send unanswered moves again."""

    match: Id


class Matches(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="matches"):
    """Answers `list_matches`; ask again with `next` for older ones."""

    re: RequestId
    matches: list[MatchSummary]
    next: Cursor | None = None


class MatchPage(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="match"):
    """Answers `get_match`; `next` is the number of the next log entry, absent on the last page."""

    re: RequestId
    record: MatchRecord
    next: Whole | None = None


class DealPage(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="deal"):
    """Answers `get_deal`; `next` is the number of the next run, absent on the last page."""

    re: RequestId
    deal: Deal
    runs: list[Run]
    next: Whole | None = None


class DailyPage(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="daily"):
    """Answers `get_daily`: today's `day`, which `ends` then; the days that were played; days in a row of the asker."""

    re: RequestId
    game: Id
    day: str
    ends: UnixMillis
    days: list[Day]
    streak: Whole


class ChallengePage(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="challenge"):
    """Answers `create_challenge`, `get_challenge` and `close_challenge`."""

    re: RequestId
    challenge: Challenge


class Closing(ServerMessage, frozen=True, kw_only=True, omit_defaults=True, tag="closing"):
    """The server goes down; everything told is stored. Come back and resume."""

    text: str


SERVER_MESSAGES: dict[str, type[ServerMessage]] = {
    "welcome": Welcome,
    "error": Error,
    "ok": Ok,
    "pong": Pong,
    "rooms": Rooms,
    "room": RoomState,
    "room_left": RoomLeft,
    "chat": ChatLine,
    "countdown": Countdown,
    "started": Started,
    "events": Events,
    "advice": Advice,
    "progress": Progress,
    "resumed": Resumed,
    "over": MatchOver,
    "paused": Paused,
    "suspended": Suspended,
    "continued": Continued,
    "matches": Matches,
    "match": MatchPage,
    "deal": DealPage,
    "daily": DailyPage,
    "challenge": ChallengePage,
    "closing": Closing,
}
"""Every message of this direction by its `type`."""
