"""Deal pages: what was played on a deal, best first.

A run is at first sight if its match was the first on a sealed deal. What may be shown when is `history`'s.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, and_, case, exists, func, literal, or_, select

from samedrop_protocol import model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.from_client import GetDeal
from samedrop_rules import Deal, Ended
from samedrop_server.daily import day_of, start_of_day
from samedrop_server.matches.deals import public_deal
from samedrop_server.storage import models
from samedrop_server.storage.standings import load_partners

_SEALED = models.Match.known == model.Known.SEALED.value
_LATER = case((models.Result.ended == Ended.FORFEIT.value, 1), else_=0)
_ORDER = (models.Match.started, models.Result.match_id, models.Result.seat)
_EACH = {
    model.Each.BEST: (_LATER, models.Result.score.desc(), *_ORDER),
    model.Each.FIRST: _ORDER,
}


def _same_seat(held: type[models.Seat] | type[models.Partner]) -> ColumnElement[bool]:
    return and_(held.match_id == models.Result.match_id, held.seat == models.Result.seat)


_RUNS = (
    select(
        models.Result,
        models.Seat.player_id,
        models.Seat.name,
        models.Match.started,
        _SEALED.label("sealed"),
        _LATER.label("later"),
    )
    .join(models.Match, models.Match.id == models.Result.match_id)
    .join(models.Seat, _same_seat(models.Seat))
)


def get_deal(
    connection: Connection, wanted: GetDeal, now: int | None
) -> tuple[model.Deal, list[model.Run], int | None]:
    """The deal, a page of the runs on it, and the number of the next run, if there is one.

    Args: now: a deal of the day that is secret then comes without its seed; None shows it, to who owns the database.

    Raises:
        ProtocolError: nobody has finished a match on a deal of that id.
    """
    return _find(connection, wanted.deal, now), *list_runs(connection, wanted)


def list_runs(connection: Connection, wanted: GetDeal) -> tuple[list[model.Run], int | None]:
    """A page of the runs on a deal, best first, and the number of the next run, if there is one."""
    ranked = _ranked(wanted.deal, wanted.each).subquery()
    statement = select(ranked)
    if wanted.player is not None:
        statement = statement.where(_of_player(ranked.c, wanted.player))
    if wanted.first_sight is not None:
        statement = statement.where(ranked.c.sealed == wanted.first_sight)
    # One more than asked for says whether there is another page.
    statement = statement.order_by(ranked.c.sealed.desc(), ranked.c.place, ranked.c.started, ranked.c.match_id)
    first = min(wanted.first, 2**31)
    rows = connection.execute(statement.order_by(ranked.c.seat).offset(first).limit(wanted.limit + 1)).all()
    page = rows[: wanted.limit]
    partners = load_partners(connection, [row.match_id for row in page])
    runs = [
        model.Run(
            rank=row.place,
            match=row.match_id,
            seat=row.seat,
            player=row.player_id,
            name=row.name,
            partner=partners.get((row.match_id, row.seat)),
            score=row.score,
            turns=row.turns,
            ended=row.ended,
            started=row.started,
            first_sight=bool(row.sealed),
        )
        for row in page
    ]
    return runs, first + len(page) if len(rows) > len(page) else None


def _ranked(deal: str, each: model.Each | None) -> Select[Any]:
    """The runs on a deal that count, with their rank, at first sight and others apart."""
    chosen = _RUNS.where(models.Match.deal_id == deal)
    if each is not None:
        player, partner = models.Seat.player_id, func.coalesce(models.Partner.player_id, literal(""))
        # A team is the same whoever of the two holds the seat.
        holders = (case((player < partner, player), else_=partner), case((player < partner, partner), else_=player))
        nth = func.row_number().over(partition_by=(_SEALED, *holders), order_by=_EACH[each]).label("nth")
        numbered = chosen.outerjoin(models.Partner, _same_seat(models.Partner)).add_columns(nth).subquery()
        runs = select(numbered).where(numbered.c.nth == 1).subquery()
    else:
        runs = chosen.subquery()
    rank = func.rank().over(partition_by=runs.c.sealed, order_by=(runs.c.later, runs.c.score.desc()))
    return select(runs, rank.label("place"))


def get_challenge(connection: Connection, code: str, now: int) -> model.Challenge:
    """A challenge as it is then; its deal is disclosed once it is closed and nobody plays it any more.

    Raises:
        ProtocolError: there is none with that code.
    """
    statement = (
        select(models.Challenge, models.Deal, models.Player.name)
        .join(models.Deal, models.Deal.id == models.Challenge.deal_id)
        .join(models.Player, models.Player.id == models.Challenge.host_id)
        .where(models.Challenge.code == code)
    )
    row = connection.execute(statement).one_or_none()
    if row is None:
        raise ProtocolError(ErrorCode.CHALLENGE_NOT_FOUND, "There is no challenge with that code.", field="code")
    deal = Deal(row.game, row.version, row.options, seed=row.seed, tape=row.tape)
    runs, _ = list_runs(connection, GetDeal(id="challenge", deal=deal.id, first_sight=True, limit=100))
    is_open = now < row.closes
    # Who began before it closed goes on, and must not be told what comes.
    running = exists().where(models.Match.deal_id == row.deal_id, models.Match.finished.is_(None))
    disclosed = not is_open and not connection.scalar(select(running))
    return model.Challenge(
        code=row.code,
        title=row.title,
        host=row.host_id,
        host_name=row.name,
        deal=public_deal(deal, model.Known.SEALED, disclosed=disclosed),
        settings=msgspec.convert(row.settings, model.Settings),
        opened=row.opened,
        closes=row.closes,
        open=is_open,
        runs=runs,
    )


def still_played(connection: Connection, deal_id: str, now: int) -> bool:
    """Whether somebody plays, or may still play, a deal that was secret once, and so may not have seen it yet.

    A sealed match is the first on its deal. Of an open deal nothing needs to be kept: its seed was there to begin with.
    """
    first = (
        select(models.Match.known)
        .where(models.Match.deal_id == deal_id)
        .order_by(models.Match.started, models.Match.id)
        .limit(1)
    )
    if connection.scalar(first) != model.Known.SEALED.value:
        return False
    running = exists().where(models.Match.deal_id == deal_id, models.Match.finished.is_(None))
    challenge = exists().where(models.Challenge.deal_id == deal_id, models.Challenge.closes > now)
    return bool(connection.scalar(select(or_(running, challenge))))


def secret_daily(connection: Connection, deal_id: str, now: int) -> bool:
    """Whether it is a deal of the day, and either that day is not over then, or a run that began on it."""
    held = or_(models.Match.started >= start_of_day(day_of(now)), models.Match.finished.is_(None))
    played = exists().where(models.Match.deal_id == deal_id, models.Match.known == model.Known.DAILY.value, held)
    return bool(connection.scalar(select(played)))


def _find(connection: Connection, deal_id: str, now: int | None) -> model.Deal:
    statement = (
        select(models.Deal, models.Match.known)
        .join(models.Match, models.Match.deal_id == models.Deal.id)
        .where(models.Deal.id == deal_id, models.Match.finished.is_not(None))
        .order_by(models.Match.started, models.Match.id)
        .limit(1)
    )
    row = connection.execute(statement).one_or_none()
    if row is None:
        raise ProtocolError(ErrorCode.DEAL_NOT_FOUND, "Nobody has finished a match on a deal of that id.", field="deal")
    deal = Deal(row.game, row.version, row.options, seed=row.seed, tape=row.tape)
    disclosed = now is None or not secret_daily(connection, deal_id, now)
    return public_deal(deal, model.Known(row.known), disclosed=disclosed)


def _of_player(run: object, player: str) -> ColumnElement[bool]:
    name = unicodedata.normalize("NFC", player)
    columns = run
    partner = exists().where(
        models.Partner.match_id == columns.match_id,  # type: ignore[attr-defined]
        models.Partner.seat == columns.seat,  # type: ignore[attr-defined]
        or_(models.Partner.player_id == player, models.Partner.name == name),
    )
    return or_(columns.player_id == player, columns.name == name, partner)  # type: ignore[attr-defined]
