"""When the deal of a match that is over can be told.

A deal that was secret when somebody began on it is told to nobody, by whatever match, before they have all played it.
What history shows of it meanwhile is for `deals` to say.
"""

from __future__ import annotations

from collections.abc import Iterable

from samedrop_protocol.model import Known
from samedrop_server.matches.match import Match
from samedrop_server.matches.services import Services


def may_disclose(over: Match, matches: Iterable[Match], services: Services) -> bool:
    """Whether it can be told what `over` was played on.

    Args: matches: all that run, and maybe some that do not.
    """
    deal = over.deal
    if services.challenges.seals(deal.id):
        return False
    if over.facts.deal.known is Known.DAILY and services.daily.is_of_today(deal, services.clock.now()):
        return False
    return not any(
        match.deal.id == deal.id and match is not over and not match.over and match.was_secret for match in matches
    )
