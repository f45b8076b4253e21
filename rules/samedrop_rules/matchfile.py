"""The match file: one match, taken anywhere, and checked by playing it again.

Source: docs/matchfile.md, format ``samedrop-match/1``. Here are its reading, its checks and its writing, on texts and
values; where files lie, and what they are imported into, is others'.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

from samedrop_rules.deal import Deal, canonical_json
from samedrop_rules.errors import InvalidInput, InvalidOptions, RulesError
from samedrop_rules.fields import MAX_WHOLE, Fields
from samedrop_rules.game import Ended, Standing
from samedrop_rules.registry import find_game
from samedrop_rules.replay import Entry, ReplayMismatch, replay

FORMAT = "samedrop-match/1"
MAX_TEXT = 64 * 1024 * 1024
"""Characters of a match file, at most."""
MAX_SEATS = 16
MAX_ENTRIES = 500_000
MAX_PAUSES = 100_000
MAX_DROP_LIMIT = 100_000
MAX_TIME_LIMIT = 86_400
MAX_TURN_LIMIT = 3_600
"""Seconds."""
_KNOWN = ("sealed", "open", "daily", "tape")
_RIVALS = ("fair", "open", "scores")


class InvalidMatchFile(InvalidInput):
    """The file is not of the documented form; `field` names the part."""


class Unverified(RulesError):
    """The file is well formed, but what it says did not happen. `number` is the log entry at fault, from 1."""

    def __init__(self, text: str, number: int | None = None) -> None:
        super().__init__(text)
        self.number = number


@dataclass(frozen=True, slots=True)
class FileSeat:
    """Who held a seat: the id on the server where it was played, and the name; in a team the partner, too."""

    player: str
    name: str
    partner: FileSeat | None = None


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A match as a file holds it (docs/matchfile.md). `verify` says whether it is true.

    Attributes:
        match: its id.
        deal: made from the parts that the file gives.
        deal_id, commitment: what the file says that these are.
        known: who can have known the deal: sealed, open or tape.
        seats: by seat.
        drop_limit, time_limit, turn_limit, lockstep, rivals: the settings of the match.
        started, finished: milliseconds since 1970 in UTC.
        log: in the order of decision.
        standings: best first.
        pauses: when each began and ended, in order, in the unit of `started`.
    """

    match: str
    deal: Deal
    deal_id: str
    commitment: str
    known: str
    seats: tuple[FileSeat, ...]
    drop_limit: int | None
    time_limit: int | None
    lockstep: bool
    rivals: str
    started: int
    finished: int
    log: tuple[Entry, ...]
    standings: tuple[Standing, ...]
    turn_limit: int | None = None
    pauses: tuple[tuple[int, int], ...] = ()


def read_match_file(source: str | Mapping[str, object]) -> MatchFile:
    """The match that a file's text, or its decoded JSON, holds. Keys that are not known are ignored.

    Raises:
        InvalidMatchFile: not of the documented form.
        UnknownGame: of a game, or a version of it, that is not known here.
    """
    whole = Fields(_decode(source) if isinstance(source, str) else source, "", InvalidMatchFile)
    if whole.mapping.get("format") != FORMAT:
        whole.refuse("format", f"must be {FORMAT}")
    deal = whole.fields("deal")
    settings = whole.fields("settings")
    held = whole.list_of_fields("seats", 1, MAX_SEATS)
    seats = tuple(_read_seat(seat) for seat in held)
    known = deal.choice("known", _KNOWN)
    dealt = _read_deal(deal)
    if (known == "tape") != (dealt.tape is not None):
        deal.refuse("known", "must be tape for a deal with a tape, and for no other")
    return MatchFile(
        match=whole.word("match"),
        deal=dealt,
        deal_id=deal.word("deal"),
        commitment=deal.word("commitment"),
        known=known,
        seats=seats,
        drop_limit=settings.whole_or_none("drop_limit", 1, MAX_DROP_LIMIT),
        time_limit=settings.whole_or_none("time_limit", 1, MAX_TIME_LIMIT),
        turn_limit=settings.whole_or_none("turn_limit", 1, MAX_TURN_LIMIT),
        lockstep=settings.switch("lockstep"),
        rivals=settings.choice("rivals", _RIVALS),
        started=whole.whole("started"),
        finished=whole.whole("finished"),
        log=tuple(_read_entry(entry, len(seats)) for entry in whole.list_of_fields("log", 0, MAX_ENTRIES)),
        standings=tuple(
            _read_standing(row, len(seats)) for row in whole.list_of_fields("standings", len(seats), len(seats))
        ),
        pauses=_read_pauses(whole),
    )


def verify(match: MatchFile, progress: Callable[[int], None] | None = None) -> None:
    """Play the match again and compare everything that can be: deal id, commitment, each score and digest, the result.

    Args:
        match: what is claimed.
        progress: called after each entry with how many have been compared.

    Raises:
        Unverified: naming what differs first.
        UnknownGame: this program does not know the game, or that version of it.
    """
    deal = match.deal
    if deal.id != match.deal_id:
        raise Unverified(f"The deal's id is {deal.id}, not {match.deal_id}.")
    if deal.commitment != match.commitment:
        raise Unverified("The seed or tape is not the one that was committed to at the start.")
    game = find_game(deal.game, deal.version)
    most = game.most_seats(deal.options)
    if len(match.seats) > most:
        raise Unverified(f"{game.title} has at most {most} {'seat' if most == 1 else 'seats'}, not {len(match.seats)}.")
    team = game.team(deal.options)
    if any((seat.partner is not None) != (team > 1) for seat in match.seats):
        raise Unverified(f"{game.title} with these options has {team} {'player' if team == 1 else 'players'} a seat.")
    table = game.table(deal, len(match.seats), match.drop_limit)
    try:
        for number, (entry, events) in enumerate(replay(table, match.log), 1):
            if entry.move is None and not events:
                raise Unverified(f"Entry {number} of the log stops a run that was over.", number)
            if progress is not None:
                progress(number)
    except ReplayMismatch as difference:
        number = difference.index + 1
        raise Unverified(f"Entry {number} of the log differs: {difference}.", number) from difference
    if not table.over:
        raise Unverified("The match is not over at the end of its log.")
    if tuple(table.outcome()) != match.standings:
        raise Unverified("The standings are not those of the log.")


def to_json(match: MatchFile) -> str:
    """The text of the file: an entry of the log on each line, the same text for the same match."""
    deal = match.deal
    chance = {"seed": deal.seed} if deal.tape is None else {"tape": deal.tape}
    facts: dict[str, object] = {
        "format": FORMAT,
        "match": match.match,
        "started": match.started,
        "finished": match.finished,
        "deal": {
            "deal": match.deal_id,
            "game": deal.game,
            "version": deal.version,
            "options": dict(deal.options),
            "known": match.known,
            "commitment": match.commitment,
            **chance,
        },
        "settings": {
            "drop_limit": match.drop_limit,
            "time_limit": match.time_limit,
            "turn_limit": match.turn_limit,
            "lockstep": match.lockstep,
            "rivals": match.rivals,
        },
    }
    lists: dict[str, list[dict[str, object]]] = {
        "seats": [_seat_json(seat) for seat in match.seats],
        "standings": [
            {"seat": row.seat, "rank": row.rank, "score": row.score, "turns": row.turns, "ended": row.ended.value}
            for row in match.standings
        ],
        "log": [_entry_json(entry) for entry in match.log],
    }
    if match.pauses:
        lists["pauses"] = [{"began": began, "ended": ended} for began, ended in match.pauses]
    lines = [f"{canonical_json(name)}: {canonical_json(value)}" for name, value in facts.items()]
    lines += [
        f"{canonical_json(name)}: [\n" + ",\n".join(map(canonical_json, rows)) + "\n]" for name, rows in lists.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _seat_json(seat: FileSeat) -> dict[str, object]:
    fields: dict[str, object] = {"player": seat.player, "name": seat.name}
    if seat.partner is not None:
        fields["partner"] = _seat_json(seat.partner)
    return fields


def _entry_json(entry: Entry) -> dict[str, object]:
    fields: dict[str, object] = {
        "seat": entry.seat,
        "turn": entry.turn,
        "at": entry.at,
        "score": entry.score,
        "digest": entry.digest,
    }
    if entry.move is not None:
        fields["move"] = dict(entry.move)
    if entry.stopped is not None:
        fields["stopped"] = entry.stopped.value
    return fields


def _decode(text: str) -> object:
    if len(text) > MAX_TEXT:
        raise InvalidMatchFile(f"A match file has at most {MAX_TEXT} characters.")
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InvalidMatchFile(f"This is not JSON: {error}.") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _read_deal(part: Fields) -> Deal:
    game = find_game(part.word("game"), part.whole("version"))
    options, chance = part.fields("options").mapping, part.mapping
    try:
        return game.deal(options, seed=chance.get("seed"), tape=chance.get("tape"))
    except InvalidInput as error:
        field = f"options.{error.field}" if isinstance(error, InvalidOptions) else error.field
        raise InvalidMatchFile(error.text, f"deal.{field}") from error


def _read_seat(part: Fields) -> FileSeat:
    partner = None
    if part.mapping.get("partner") is not None:
        other = part.fields("partner")
        partner = FileSeat(other.word("player"), other.word("name"))
    return FileSeat(part.word("player"), part.word("name"), partner)


def _read_entry(part: Fields, seats: int) -> Entry:
    move, stopped = part.mapping.get("move"), part.mapping.get("stopped")
    if (move is None) == (stopped is None):
        part.refuse("move", "must be there, or else stopped, and not both")
    return Entry(
        seat=part.whole("seat", most=seats - 1),
        turn=part.whole("turn"),
        move=None if move is None else part.fields("move").mapping,
        stopped=None if stopped is None else Ended(part.choice("stopped", tuple(Ended))),
        at=part.whole("at"),
        score=part.whole("score", least=-MAX_WHOLE),
        digest=part.word("digest"),
    )


def _read_pauses(whole: Fields) -> tuple[tuple[int, int], ...]:
    if whole.mapping.get("pauses") is None:
        return ()
    pauses = []
    for part in whole.list_of_fields("pauses", 0, MAX_PAUSES):
        began = part.whole("began")
        pauses.append((began, part.whole("ended", least=began)))
    return tuple(pauses)


def _read_standing(part: Fields, seats: int) -> Standing:
    return Standing(
        seat=part.whole("seat", most=seats - 1),
        rank=part.whole("rank"),
        score=part.whole("score", least=-MAX_WHOLE),
        turns=part.whole("turns"),
        ended=Ended(part.choice("ended", tuple(Ended))),
    )
