"""Messages from a client: the closed set of what the server takes.

Every message but `Hello` carries a request `id`; the answer names it as `re`.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from samedrop_protocol.model import Each, Role, Settings
from samedrop_protocol.types import (
    ChatText,
    Code,
    Cursor,
    Id,
    LogPageSize,
    MoveBody,
    Name,
    PageSize,
    Password,
    RequestId,
    Signed,
    Title,
    UnixMillis,
    Whole,
)


class ClientMessage(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """Base of all messages from a client."""


class Request(ClientMessage, frozen=True, kw_only=True, omit_defaults=True):
    """A message that is answered: by its own answer, by `ok`, or by `error`."""

    id: RequestId


class Hello(ClientMessage, frozen=True, kw_only=True, omit_defaults=True, tag="hello"):
    """The first message. Without `token` the server makes a new player."""

    versions: Annotated[list[Signed], Meta(min_length=1, max_length=16)]
    name: Name
    token: Annotated[str, Meta(max_length=200)] | None = None
    client: Annotated[str, Meta(max_length=100)] = ""


class Ping(Request, frozen=True, kw_only=True, omit_defaults=True, tag="ping"):
    """Asks for `pong` with the server's time."""


class CreateRoom(Request, frozen=True, kw_only=True, omit_defaults=True, tag="create_room"):
    """Makes a room with the sender as host."""

    title: Title = ""
    public: bool = False
    settings: Settings = Settings()
    password: Password = ""


class ListRooms(Request, frozen=True, kw_only=True, omit_defaults=True, tag="list_rooms"):
    """Asks for the public rooms."""


class JoinRoom(Request, frozen=True, kw_only=True, omit_defaults=True, tag="join_room"):
    """Enters a room by its code."""

    code: Code
    role: Role = Role.PLAYER
    password: Password = ""


class LeaveRoom(Request, frozen=True, kw_only=True, omit_defaults=True, tag="leave_room"):
    """Leaves the room; a run that is not over is forfeited."""


class ConfigureRoom(Request, frozen=True, kw_only=True, omit_defaults=True, tag="configure_room"):
    """The host changes the room; what is absent stays. After new settings everybody must say ready again.

    An empty password takes the password away.
    """

    title: Title | None = None
    public: bool | None = None
    settings: Settings | None = None
    password: Password | None = None


class Ready(Request, frozen=True, kw_only=True, omit_defaults=True, tag="ready"):
    """Says whether the sender is ready."""

    ready: bool = True


class Start(Request, frozen=True, kw_only=True, omit_defaults=True, tag="start"):
    """The host starts the countdown. With `force`, players who are not ready watch."""

    force: bool = False


class CancelStart(Request, frozen=True, kw_only=True, omit_defaults=True, tag="cancel_start"):
    """The host stops the countdown."""


class Rematch(Request, frozen=True, kw_only=True, omit_defaults=True, tag="rematch"):
    """The host starts the countdown again for all players present: on the same deal, or on a new one."""

    same_deal: bool = False


class Kick(Request, frozen=True, kw_only=True, omit_defaults=True, tag="kick"):
    """The host removes a member; kicked players cannot come back to this room."""

    player: Id


class Chat(Request, frozen=True, kw_only=True, omit_defaults=True, tag="chat"):
    """Says something to the room."""

    text: ChatText


class Move(Request, frozen=True, kw_only=True, omit_defaults=True, tag="move"):
    """A decision: the sender's `turn`-th (from 0) in `match`. Sent again with the same id, it is answered the same."""

    match: Id
    turn: Whole
    move: MoveBody


class Advise(Request, frozen=True, kw_only=True, omit_defaults=True, tag="advise"):
    """Asks what the rules allow the sender now; with a `draft`, a part of a move, what could become of it."""

    match: Id
    draft: MoveBody = {}


class Forfeit(Request, frozen=True, kw_only=True, omit_defaults=True, tag="forfeit"):
    """Gives up the sender's run."""

    match: Id


class Pause(Request, frozen=True, kw_only=True, omit_defaults=True, tag="pause"):
    """Agrees to a pause, or (`agree` false) takes that back; during a pause it ends it.

    The match is paused once every seat whose run goes on has agreed.
    """

    match: Id
    agree: bool = True


class Resume(Request, frozen=True, kw_only=True, omit_defaults=True, tag="resume"):
    """Takes up the stream of a match after number `last`; without `last`, with a snapshot."""

    match: Id
    last: Whole | None = None


class Watch(Request, frozen=True, kw_only=True, omit_defaults=True, tag="watch"):
    """Follows a match without a seat: answered like `resume`."""

    match: Id
    last: Whole | None = None


class Unwatch(Request, frozen=True, kw_only=True, omit_defaults=True, tag="unwatch"):
    """Stops following a match."""

    match: Id


class ListMatches(Request, frozen=True, kw_only=True, omit_defaults=True, tag="list_matches"):
    """Asks for finished matches, newest first.

    `player` is a player id, or a name as it was played under; `since` and `until` bound the start (until excluded).
    """

    player: Name | None = None
    game: Id | None = None
    deal: Id | None = None
    since: UnixMillis | None = None
    until: UnixMillis | None = None
    cursor: Cursor | None = None
    limit: PageSize = 20


class GetMatch(Request, frozen=True, kw_only=True, omit_defaults=True, tag="get_match"):
    """Asks for a finished match and a page of its log."""

    match: Id
    first: Whole = 0
    limit: LogPageSize = 500


class GetDeal(Request, frozen=True, kw_only=True, omit_defaults=True, tag="get_deal"):
    """Asks for a deal that was played, and the runs on it, best first; by `first_sight` only those, or only others.

    With `each` there is one run of each player (each team) in either of the two groups, ranked among those.
    """

    deal: Id
    player: Name | None = None
    first_sight: bool | None = None
    each: Each | None = None
    first: Whole = 0
    limit: PageSize = 20


class GetDaily(Request, frozen=True, kw_only=True, omit_defaults=True, tag="get_daily"):
    """Asks for the days on which the daily deal of a game was played, newest first, and the sender's streak.

    `before` is a day as 2030-01-31: only days before that.
    """

    game: Id
    before: str | None = None
    limit: PageSize = 20


class CreateChallenge(Request, frozen=True, kw_only=True, omit_defaults=True, tag="create_challenge"):
    """Makes a challenge on a new secret deal by `settings`, open for so many hours."""

    settings: Settings = Settings()
    hours: Annotated[int, Meta(ge=1, le=744)] = 24
    title: Title = ""


class GetChallenge(Request, frozen=True, kw_only=True, omit_defaults=True, tag="get_challenge"):
    """Asks for a challenge and the runs on it, best first."""

    code: Code


class CloseChallenge(Request, frozen=True, kw_only=True, omit_defaults=True, tag="close_challenge"):
    """Who made it opens a challenge to all before its time."""

    code: Code


CLIENT_MESSAGES: dict[str, type[ClientMessage]] = {
    "hello": Hello,
    "ping": Ping,
    "create_room": CreateRoom,
    "list_rooms": ListRooms,
    "join_room": JoinRoom,
    "leave_room": LeaveRoom,
    "configure_room": ConfigureRoom,
    "ready": Ready,
    "start": Start,
    "cancel_start": CancelStart,
    "rematch": Rematch,
    "kick": Kick,
    "chat": Chat,
    "move": Move,
    "advise": Advise,
    "forfeit": Forfeit,
    "pause": Pause,
    "resume": Resume,
    "watch": Watch,
    "unwatch": Unwatch,
    "list_matches": ListMatches,
    "get_match": GetMatch,
    "get_deal": GetDeal,
    "get_daily": GetDaily,
    "create_challenge": CreateChallenge,
    "get_challenge": GetChallenge,
    "close_challenge": CloseChallenge,
}
"""Every message of this direction by its `type`."""
