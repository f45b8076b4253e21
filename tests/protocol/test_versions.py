"""Version negotiation."""

from __future__ import annotations

import pytest

from samedrop_protocol import versions
from samedrop_protocol.versions import PROTOCOL_VERSIONS, SUBPROTOCOLS, negotiate


@pytest.mark.parametrize(
    ("offered", "agreed"),
    [([1], 1), ([1, 2, 3], 1), ([3, 1], 1), ([2], None), ([0], None), ([-1], None), ([], None), ([1, 1], 1)],
)
def test_the_newest_common_version_is_taken(offered: list[int], agreed: int | None) -> None:
    assert negotiate(offered) == agreed


def test_of_several_common_versions_the_newest_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "PROTOCOL_VERSIONS", (1, 2, 3))
    assert negotiate([2, 1, 4]) == 2


def test_subprotocols_name_the_oldest_version_that_speaks_them() -> None:
    assert all(name.startswith(f"samedrop.v{PROTOCOL_VERSIONS[0]}.") for name in SUBPROTOCOLS)
    assert SUBPROTOCOLS[0].endswith("msgpack")
