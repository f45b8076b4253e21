from __future__ import annotations

from samedrop_protocol.model import Role
from samedrop_server.players import Player
from samedrop_server.rooms.member import Member
from tests.support.server import FakeSession


def test_a_member_is_shown_without_anything_secret() -> None:
    player = Player("id-1", "Ann")
    member = Member(player, "Ann 2", Role.PLAYER, ready=True)
    shown = member.public()
    assert (shown.player, shown.name, shown.role, shown.ready, shown.online) == (
        "id-1", "Ann 2", Role.PLAYER, True, False,
    )  # fmt: skip
    player.session = FakeSession()
    assert member.public().online
