"""What is new in a room, and what happened in a match, told in lines."""

from __future__ import annotations

from collections.abc import Sequence

from samedrop_cli.display import plain
from samedrop_client.match import Match
from samedrop_protocol.from_server import Paused
from samedrop_protocol.model import Phase, Role, Room, Seat, Series
from samedrop_rules import Event, Game, Move, Pace


def room_news(before: Room, now: Room, me: str) -> list[str]:
    """What changed in a room, a line each, for the player `me`."""
    old = {member.player: member for member in before.members}
    new = {member.player: member for member in now.members}
    lines = [f"{plain(member.name)} left." for player, member in old.items() if player not in new]
    for player, member in new.items():
        name = "You" if player == me else plain(member.name)
        was = old.get(player)
        if was is None:
            lines.append(f"{name} joined{' to watch' if member.role is Role.SPECTATOR else ''}.")
            continue
        if was.online != member.online:
            lines.append(f"{name} {'is back' if member.online else 'lost the connection'}.")
        # After a match nobody is ready any more; that is not news.
        if was.ready != member.ready and now.phase is Phase.LOBBY and before.phase is Phase.LOBBY:
            verb = "are" if player == me else "is"
            lines.append(f"{name} {verb} {'ready' if member.ready else 'not ready'}.")
    if before.host != now.host and now.host in new:
        lines.append("You are the host now." if now.host == me else f"{plain(new[now.host].name)} is the host now.")
    if before.settings != now.settings:
        lines.append("The settings were changed.")
    if now.series is not None and before.series != now.series:
        lines += _score(now.series, me)
    if now.host == me and can_start(now) and not can_start(before):
        lines.append("Everybody is ready: type start.")
    return lines


def _score(series: Series, me: str) -> list[str]:
    if series.played == 1 and series.first_to is None:
        return []  # the result has just been told
    goal = "" if series.first_to is None else f", first to {series.first_to}"
    told = ", ".join(f"{plain(one.name)} {one.wins}" for one in series.wins)
    names = [("You" if one.player == me else plain(one.name)) for one in series.wins if one.player in series.winners]
    won = [f"{' and '.join(names)} {'wins' if len(names) == 1 and names != ['You'] else 'win'} the series."]
    return [f"Series after {series.played}{goal}: {told}.", *(won if names else [])]


def can_start(room: Room) -> bool:
    """Whether a room waits for nothing but its host's start."""
    others = [one for one in room.members if one.role is Role.PLAYER and one.online and one.player != room.host]
    return room.phase is Phase.LOBBY and bool(others) and all(one.ready for one in others)


def pause_news(match: Match, news: Paused) -> str:
    """Who wants a pause, or whether there is one."""
    if news.paused:
        return "The match is paused, and its time stands still. Type go to go on."
    if not news.agreed:
        return "The match goes on."
    names = ", ".join(plain(match.facts.seats[seat].names) for seat in news.agreed)
    wants = "wants" if len(news.agreed) == 1 else "want"
    return f"{names} {wants} a pause; it begins once all have typed pause."


def happened(game: Game, seats: Sequence[Seat], events: Sequence[Event]) -> list[str]:
    """What `events` of one step tell: in rounds a line for each thing, with whom it is about; else at most one."""
    if game.pace is not Pace.ROUNDS:
        lines = game.describe(events)
        return ["; ".join(lines)] if lines else []
    told = []
    for event in events:
        seat = event.get("seat")
        who = f"{plain(seats[seat].names)}: " if isinstance(seat, int) else ""
        told += [f"{who}{line}" for line in game.describe([event])]
    return told


def mover(seat: Seat, move: Move | None) -> str:
    """Who made a move: of a team the partner who did."""
    if seat.partner is None or move is None:
        return plain(seat.names)
    return plain(seat.partner.name if move.get("by") == 1 else seat.name)
