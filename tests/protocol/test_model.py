"""Values that messages share."""

from __future__ import annotations

import msgspec

from samedrop_protocol import model
from samedrop_protocol.from_client import CreateRoom
from tests.vectors.frames_samples import DEAL, DISCLOSED


def test_settings_that_were_not_changed_take_no_room() -> None:
    assert msgspec.to_builtins(model.Settings()) == {}
    assert msgspec.to_builtins(CreateRoom(id="a")) == {"type": "create_room", "id": "a"}


def test_the_rules_are_fair_and_the_seed_is_secret_unless_something_else_is_said() -> None:
    settings = msgspec.convert({}, model.Settings)
    assert (settings.rivals, settings.seed, settings.tape) == (model.Rivals.FAIR, None, None)


def test_a_deal_shows_its_seed_only_where_it_is_disclosed() -> None:
    assert "seed" not in msgspec.to_builtins(DEAL)
    assert "tape" not in msgspec.to_builtins(DEAL)
    assert msgspec.to_builtins(DISCLOSED)["seed"] == "friday"


def test_enumerations_travel_as_their_words() -> None:
    member = model.Member(player="a", name="Ada", role=model.Role.SPECTATOR, ready=False, online=True)
    assert msgspec.to_builtins(member)["role"] == "spectator"
    assert all(word.value == word.value.lower() for kind in (model.Rivals, model.Known, model.Phase) for word in kind)
