"""The tables: what is kept for good, as typed SQLAlchemy models.

The models describe; statements are Core (see docs/adr/0010). Times are milliseconds since 1970 in UTC, ids are the
texts of the wire. A match's log lies in two places: in `journal` as it is decided, and in `moves`, a row for each
entry, once the match is over or the journal long (docs/adr/0011); `log` reads and writes both. Changes go through a
migration (samedrop_migrations).
"""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, ForeignKey, ForeignKeyConstraint, Index, Integer, MetaData, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

SCHEMA_REVISION = "0005"
"""The migration that these models describe; revisions are numbered, so a greater one is newer."""
VERSION_TABLE = "samedrop_version"
"""The table that names the revision of a database, and marks it as ours."""

Json = dict[str, object]
Texts = list[str]


class Base(DeclarativeBase):
    """Base of all tables; every constraint has a name, so that migrations can speak of it."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {str: Text, int: BigInteger, Json: JSON(none_as_null=True), Texts: JSON}  # noqa: RUF012


class Player(Base):
    """Somebody who plays. Who came in with an imported match has no token."""

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(primary_key=True)
    token_hash: Mapped[str | None] = mapped_column(unique=True)
    name: Mapped[str]
    created: Mapped[int]


class Room(Base):
    """Where the matches of one series took place: when a room begins a new series, it has a new row."""

    __tablename__ = "rooms"

    id: Mapped[str] = mapped_column(primary_key=True)
    code: Mapped[str]
    title: Mapped[str]
    public: Mapped[bool]
    host_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    created: Mapped[int]


class Admission(Base):
    """Who comes into a room, while a match in it runs.

    `password` is a salted hash, null without one; `banned` are the ids of players whom the host removed; `departed` of
    those who hold a seat in the match and have left the room.
    """

    __tablename__ = "admissions"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012

    room_id: Mapped[str] = mapped_column(ForeignKey("rooms.id"), primary_key=True)
    password: Mapped[str | None]
    banned: Mapped[Texts]
    departed: Mapped[Texts]


class Deal(Base):
    """Everything that chance decides, by the id of `samedrop_rules.Deal`."""

    __tablename__ = "deals"

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    version: Mapped[int] = mapped_column(Integer)
    options: Mapped[Json]
    seed: Mapped[str | None]
    tape: Mapped[Json | None]
    commitment: Mapped[str]
    created: Mapped[int]


class Match(Base):
    """One playing of one deal. `finished` and `entries` (of its log) are null while it runs.

    `room_id` is null for an imported match. `known` belongs here and not to the deal: a sealed deal is open to those
    who play it again.
    """

    __tablename__ = "matches"
    __table_args__ = (
        Index(None, "started", "id"),
        Index(None, "game", "started", "id"),
        Index(None, "deal_id", "started", "id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    room_id: Mapped[str | None] = mapped_column(ForeignKey("rooms.id"))
    deal_id: Mapped[str] = mapped_column(ForeignKey("deals.id"))
    game: Mapped[str]
    known: Mapped[str]
    settings: Mapped[Json]
    started: Mapped[int]
    finished: Mapped[int | None]
    entries: Mapped[int | None]


class Seat(Base):
    """A place in a match; `started` and `game` repeat the match's, so that a player's matches are found in order."""

    __tablename__ = "seats"
    __table_args__ = (
        Index(None, "player_id", "started", "match_id", "game"),
        Index(None, "name", "started", "match_id", "game"),
        {"sqlite_with_rowid": False},
    )

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    name: Mapped[str]
    started: Mapped[int]
    game: Mapped[str]


class Partner(Base):
    """The second player of a seat that a team holds; `started` and `game` as in `Seat`."""

    __tablename__ = "partners"
    __table_args__ = (
        ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
        Index(None, "player_id", "started", "match_id", "game"),
        Index(None, "name", "started", "match_id", "game"),
        {"sqlite_with_rowid": False},
    )

    match_id: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    name: Mapped[str]
    started: Mapped[int]
    game: Mapped[str]


class Challenge(Base):
    """A sealed deal that is played until it `closes` (which is set back if it is opened before its time)."""

    __tablename__ = "challenges"
    __table_args__ = (Index(None, "deal_id"),)

    code: Mapped[str] = mapped_column(primary_key=True)
    deal_id: Mapped[str] = mapped_column(ForeignKey("deals.id"))
    title: Mapped[str]
    host_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    settings: Mapped[Json]
    opened: Mapped[int]
    closes: Mapped[int]


class Result(Base):
    """One seat's line of a finished match."""

    __tablename__ = "results"
    __table_args__ = (
        ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
        {"sqlite_with_rowid": False},
    )

    match_id: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    rank: Mapped[int] = mapped_column(Integer)
    score: Mapped[int]
    turns: Mapped[int]
    ended: Mapped[str]


class Pause(Base):
    """A pause that the players of a match agreed on; `ended` is null while it lasts. `number` counts from 1."""

    __tablename__ = "pauses"
    __table_args__ = ({"sqlite_with_rowid": False},)

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    began: Mapped[int]
    ended: Mapped[int | None]


class JournalCommit(Base):
    """What one transaction added to the logs of all running matches: a JSON list of `records.Logged`.

    The writer counts `id` itself, so a second writer on the same database is refused by the primary key.
    """

    __tablename__ = "journal"

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False)
    entries: Mapped[str]


class Move(Base):
    """One entry of a match's log: what a seat did in a turn, and what came of it (see `records.Logged`).

    A seat decides each of its turns once, so (match, seat, turn) is the key. The order in which all seats of a match
    decided is `number`, from 1 without gaps; a page of it is read by sorting the match's rows (docs/adr/0011).
    """

    __tablename__ = "moves"
    __table_args__ = ({"sqlite_with_rowid": False},)

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    turn: Mapped[int] = mapped_column(Integer, primary_key=True)
    number: Mapped[int] = mapped_column(Integer)
    request_id: Mapped[str | None]
    move: Mapped[str | None]
    stopped: Mapped[str | None]
    at: Mapped[int]
    score: Mapped[int]
    digest: Mapped[str]
