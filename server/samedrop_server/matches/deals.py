"""What a match deals: settings checked against the rules, a secret seed drawn, and what is told of deal and match."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_rules import (
    Deal,
    Game,
    InvalidInput,
    InvalidOptions,
    InvalidSeed,
    InvalidTape,
    Pace,
    UnknownGame,
    find_game,
)

SECRET_SEED_BYTES = 16
"""A secret seed is this many bytes from the operating system, in hex (docs/rules/deal.md, Seed)."""


def check_settings(settings: model.Settings) -> Game:
    """The game that `settings` are for, after checking all that the rules can say about them.

    Raises:
        ProtocolError: the game is unknown, or an option, the seed or the tape is not allowed.
    """
    game = new_deal(settings)[0]
    if settings.turn_limit is not None and not settings.lockstep and game.pace is not Pace.ROUNDS:
        text = "A turn limit is for games in rounds, and for races in lockstep."
        raise ProtocolError(ErrorCode.INVALID, text, field="settings.turn_limit")
    return game


def new_deal(settings: model.Settings, daily: Callable[[str], str] = str) -> tuple[Game, Deal, model.Known]:
    """A new deal by `settings`, and who can have known it.

    Args: daily: gives today's seed of a game; not needed to check settings.

    Raises:
        ProtocolError: see `check_settings`.
    """
    try:
        game = find_game(settings.game, settings.version)
        known, seed = known_by(settings), settings.seed
        if known is model.Known.DAILY:
            _require_plain(settings)
            seed = daily(game.id)
        elif known is model.Known.SEALED:
            seed = secrets.token_hex(SECRET_SEED_BYTES)
        return game, game.deal(settings.options, seed=seed, tape=settings.tape), known
    except UnknownGame as error:
        raise ProtocolError(ErrorCode.GAME_UNKNOWN, error.text, field="settings.game") from None
    except InvalidOptions as error:
        raise _refused(ErrorCode.OPTIONS, error, f"options.{error.field}") from None
    except InvalidSeed as error:
        raise _refused(ErrorCode.SEED, error, "seed") from None
    except InvalidTape as error:
        raise _refused(ErrorCode.TAPE, error, error.field or "tape") from None


def known_by(settings: model.Settings) -> model.Known:
    """Who can know what these settings deal."""
    if settings.daily:
        return model.Known.DAILY
    if settings.tape is not None:
        return model.Known.TAPE
    return model.Known.SEALED if settings.seed is None else model.Known.OPEN


def _require_plain(settings: model.Settings) -> None:
    """The daily deal is the same for all who play it."""
    if settings.options or settings.seed is not None or settings.tape is not None:
        text = "The daily deal is played with the default options, and without seed or tape."
        raise ProtocolError(ErrorCode.OPTIONS, text, field="settings.daily")


def _refused(code: ErrorCode, error: InvalidInput, field: str) -> ProtocolError:
    return ProtocolError(code, error.text, field=f"settings.{field}")


def public_deal(deal: Deal, known: model.Known, *, disclosed: bool) -> model.Deal:
    """The deal as it is told: with its seed or tape only once `disclosed`."""
    shown = model.Deal(
        deal=deal.id,
        game=deal.game,
        version=deal.version,
        options=dict(deal.options),
        known=known,
        commitment=deal.commitment,
    )
    if not disclosed:
        return shown
    if deal.seed is not None:
        return replace(shown, seed=deal.seed)
    return replace(shown, tape=dict(deal.tape or {}))


def effective(settings: model.Settings, game: Game, ghosts: Sequence[model.RunId] = ()) -> model.Settings:
    """The settings as a match of `game` beside `ghosts` is played by them.

    In rounds all go on together: there is no other lockstep, and nothing to hold back. A ghost must not tell the future
    of a deal that is a secret yet.
    """
    if game.pace is Pace.ROUNDS:
        return replace(settings, lockstep=False, rivals=model.Rivals.OPEN)
    if ghosts and is_secret(settings) and settings.rivals is model.Rivals.OPEN:
        settings = replace(settings, rivals=model.Rivals.FAIR)
    return replace(settings, ghosts=list(ghosts))


def is_secret(settings: model.Settings) -> bool:
    """Whether others are yet to play what these settings deal: it stays secret even after a match on it."""
    return settings.daily or settings.challenge is not None


def match_facts(
    match: str,
    room: str,
    deal: model.Deal,
    seats: Sequence[model.Seat],
    started: int,
    settings: model.Settings,
    ghosts: Sequence[model.Ghost] = (),
) -> model.Match:
    """The facts of a match of that id, in the room of that code, as they are told; by `effective` settings."""
    return model.Match(
        match=match,
        room=room,
        deal=deal,
        seats=list(seats),
        started=started,
        rivals=settings.rivals,
        drop_limit=settings.drop_limit,
        time_limit=settings.time_limit,
        turn_limit=settings.turn_limit,
        lockstep=settings.lockstep,
        ghosts=list(ghosts),
        align=settings.align,
    )
