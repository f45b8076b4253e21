from __future__ import annotations

from samedrop_protocol.errors import ErrorCode
from samedrop_server.gateway.tally import Tally


def test_all_codes_are_there_from_the_start() -> None:
    tally = Tally()
    assert set(tally.errors) == set(ErrorCode)
    assert (tally.opened, tally.moves, tally.slow, sum(tally.errors.values())) == (0, 0, 0, 0)
