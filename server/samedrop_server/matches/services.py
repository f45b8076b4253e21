"""What matches need of the server around them."""

from __future__ import annotations

from samedrop_server.challenges import Challenges
from samedrop_server.clock import Clock
from samedrop_server.daily import Daily
from samedrop_server.journal import Journal
from samedrop_server.matches.follow import Flusher


class Services:
    """What matches need of the server."""

    def __init__(
        self,
        journal: Journal,
        flusher: Flusher,
        clock: Clock,
        daily: Daily | None = None,
        challenges: Challenges | None = None,
    ) -> None:
        self.journal = journal
        self.flusher = flusher
        self.clock = clock
        self.daily = daily or Daily()
        self.challenges = challenges or Challenges(journal, clock)
