from __future__ import annotations

import pytest

from samedrop_client import settings_on
from samedrop_protocol import model
from samedrop_protocol.model import Settings

DEAL = {
    "deal": "f067wk609w6k", "game": "drop7", "version": 1, "options": {"start_rows": 2}, "known": model.Known.OPEN,
    "commitment": "00" * 32,
}  # fmt: skip


def test_a_seed_or_a_tape_is_dealt_again() -> None:
    wanted = Settings(drop_limit=9, game="dice-drop", daily=True)
    seed = settings_on(model.Deal(**DEAL, seed="friday"), wanted)  # type: ignore[arg-type]
    assert seed == Settings(game="drop7", version=1, options={"start_rows": 2}, seed="friday", drop_limit=9)
    tape = settings_on(model.Deal(**DEAL, tape={"discs": [1]}))  # type: ignore[arg-type]
    assert (tape.seed, tape.tape) == (None, {"discs": [1]})


def test_what_is_not_disclosed_cannot_be_dealt() -> None:
    with pytest.raises(ValueError, match="not disclosed"):
        settings_on(model.Deal(**DEAL))  # type: ignore[arg-type]
