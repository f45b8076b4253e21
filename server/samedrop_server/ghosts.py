"""Finding ghosts: the stored runs that a room wants to race, and whether they may be raced now.

How they are raced is `matches.ghosts`'.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import Connection, select

from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_rules import Pace, ReplayMismatch, RulesError, find_game
from samedrop_rules.replay import replay
from samedrop_server.daily import day_of
from samedrop_server.deals import secret_daily, still_played
from samedrop_server.matches.deals import new_deal
from samedrop_server.rooms.codes import read_code
from samedrop_server.storage import models
from samedrop_server.storage.errors import DamagedLog
from samedrop_server.storage.loading import StoredRun, load_run

GHOST_TURNS = 5_000
"""Turns of all ghosts of a room together, at most: they are held in memory."""


def find_ghosts(
    connection: Connection, settings: model.Settings, now: int
) -> tuple[model.Settings, tuple[StoredRun, ...]]:
    """See `History.ghosts`; at that time."""
    keys = {(run.match, run.seat) for run in settings.ghosts}
    if len(keys) < len(settings.ghosts):
        raise _refused("A run can be raced once at a time; one of the ghosts is named twice.")
    runs = _find_all(connection, settings.ghosts)
    for run in runs:
        _check(run)
    if any(run.deal.id != runs[0].deal.id for run in runs):
        raise _refused("These runs are not all on the same deal, so they cannot be raced together.")
    if settings.challenge is None and not settings.daily:
        settings = _on_deal(settings, runs[0])
        _require_open(connection, runs, now)
    else:
        _require_own_deal(connection, settings, runs[0], now)
    return settings, runs


def _find_all(connection: Connection, wanted: Sequence[model.RunId]) -> tuple[StoredRun, ...]:
    runs: list[StoredRun] = []
    turns = 0
    for run in wanted:
        runs.append(_find(connection, run))
        turns += len(runs[-1].log)
        if turns > GHOST_TURNS:
            raise _refused(f"These runs have over {GHOST_TURNS} turns, which is the most for all ghosts of a room.")
    return tuple(runs)


def _find(connection: Connection, wanted: model.RunId) -> StoredRun:
    try:
        run = load_run(connection, wanted)
    except DamagedLog as error:
        raise _refused(f"That run cannot be raced: {error.text}") from None
    if run is None:
        raise _refused(f"There is no finished run of seat {wanted.seat} in a match {wanted.match}.")
    return run


def _check(run: StoredRun) -> None:
    """Play it again, so that a race never stumbles over it.

    Raises:
        ProtocolError: it cannot be raced.
    """
    try:
        game = find_game(run.deal.game, run.deal.version)
        if game.pace is Pace.ROUNDS:
            raise _refused(f"{game.title} is played in rounds, not raced: it has no ghosts.")
        for _ in replay(game.table(run.deal, 1, run.drop_limit), run.log):
            pass
    except (RulesError, ReplayMismatch) as error:
        raise _refused(f"That run cannot be raced, for it does not replay: {error}.") from None


def _on_deal(settings: model.Settings, run: StoredRun) -> model.Settings:
    """The settings, on the deal of the run; if they name a seed or a tape, it must be that one."""
    deal = run.deal
    if settings.seed is None and settings.tape is None:
        tape = None if deal.tape is None else dict(deal.tape)
        return replace(
            settings, game=deal.game, version=deal.version, options=dict(deal.options), seed=deal.seed, tape=tape
        )
    if new_deal(settings)[1].id != deal.id:
        raise _refused("That run is not on the deal of these settings; leave seed and tape out to race it on its own.")
    return settings


def _require_open(connection: Connection, runs: Sequence[StoredRun], now: int) -> None:
    """Refuse runs that would disclose a deal which others have yet to play."""
    if still_played(connection, runs[0].deal.id, now):
        raise _refused("That run can be raced later: its deal is still being played by others.")
    if secret_daily(connection, runs[0].deal.id, now):
        raise _refused("That run is on the deal of the day: outside a room with daily, when that day is over for all.")


def _require_own_deal(connection: Connection, settings: model.Settings, run: StoredRun, now: int) -> None:
    """Refuse runs that are not on the challenge, or on the deal of the day, that is played."""
    if settings.daily:
        if run.known is model.Known.DAILY and run.deal.game == settings.game and day_of(run.started) == day_of(now):
            return
        raise _refused("That run is not on today's deal of this game.")
    code = read_code(settings.challenge or "")
    deal = connection.scalar(select(models.Challenge.deal_id).where(models.Challenge.code == code))
    if deal != run.deal.id:
        raise _refused("That run is not on the deal of this challenge.")


def _refused(text: str) -> ProtocolError:
    return ProtocolError(ErrorCode.GHOST, text, field="settings.ghosts")
