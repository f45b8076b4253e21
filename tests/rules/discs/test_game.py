"""Views as every game of discs shows them. What differs is each game's own test."""

from __future__ import annotations

import pytest

from samedrop_rules import GAMES, InvalidMove
from samedrop_rules.discs.game import DiscGame

DISC_GAMES = [game for game in GAMES if isinstance(game, DiscGame)]


@pytest.mark.parametrize("game", DISC_GAMES, ids=lambda game: game.id)
def test_pictures_legal_and_typed_moves_are_read_off_the_view(game: DiscGame) -> None:
    view = game.table(game.deal({}, seed="view"), 1).view(0)
    view |= {"board": "1" + "0" * 41 + "1898989", "disc": 4, "clock": 3, "score": 1234, "turn": 5}
    lines = game.render(view)
    assert [lines[0].rstrip(), lines[6].rstrip()] == ["1 . . . . . .", "1 ▓ ▒ ▓ ▒ ▓ ▒"]
    assert [line.rstrip() for line in lines[-2:]] == ["disc 4, rise in 3", "score 1,234, drops 5"]
    assert game.legal(view) == [{"column": column} for column in range(1, 7)]
    assert game.legal({**view, "ended": "rules"}) == []
    assert game.parse_move("drop 7", view) == {"column": 6}
    with pytest.raises(InvalidMove, match="1 to 7"):
        game.parse_move("8", view)
