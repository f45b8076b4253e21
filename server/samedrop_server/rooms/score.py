"""The score of a series: who won how many of the matches that a room played one after another."""

from __future__ import annotations

from collections.abc import Sequence

from samedrop_protocol import model
from samedrop_rules import Ended


class Score:
    """The score of one series, match after match. Matches of one seat do not count: there is nobody to win against."""

    def __init__(self, first_to: int | None = None) -> None:
        """Args: first_to: so many wins decide the series; None: it goes on for ever."""
        self._first_to = first_to
        self._played = 0
        self._wins: dict[str, model.Wins] = {}

    def count(self, standings: Sequence[model.Standing]) -> None:
        """Take in a result: all who share the first place have won; who gave up has not."""
        if len(standings) < 2:
            return
        self._played += 1
        for row in standings:
            won = row.rank == 1 and row.ended != Ended.FORFEIT
            for one in (row,) if row.partner is None else (row, row.partner):
                before = self._wins.get(one.player)
                wins = (0 if before is None else before.wins) + won
                self._wins[one.player] = model.Wins(player=one.player, name=one.name, wins=wins)

    @property
    def winners(self) -> list[str]:
        """The players who have won the series; empty while it goes on."""
        most = max((one.wins for one in self._wins.values()), default=0)
        if self._first_to is None or most < self._first_to:
            return []
        return [one.player for one in self._wins.values() if one.wins == most]

    def public(self) -> model.Series | None:
        """The score as it is told, most wins first; None before the first match that counts."""
        if not self._played:
            return None
        wins = sorted(self._wins.values(), key=lambda one: -one.wins)
        return model.Series(played=self._played, wins=wins, first_to=self._first_to, winners=self.winners)
