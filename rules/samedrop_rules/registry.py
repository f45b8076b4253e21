"""The explicit list of games and versions that this program can play and replay.

To add one, see docs/adding-a-game.md. A line here is never removed while matches played under it exist.
"""

from __future__ import annotations

from samedrop_rules.dice_drop import DiceDrop
from samedrop_rules.drop7 import Drop7
from samedrop_rules.errors import UnknownGame
from samedrop_rules.game import Game
from samedrop_rules.merge_drop import MergeDrop
from samedrop_rules.number_drop import NumberDrop
from samedrop_rules.row_clear import RowClear

GAMES: tuple[Game, ...] = (Drop7(), NumberDrop(), MergeDrop(), RowClear(), DiceDrop())
"""Every (game, version); of one game, the newest last."""


def find_game(game_id: object, version: object = None) -> Game:
    """The game of that id, in that version or (None) its newest.

    Raises:
        UnknownGame: with a text that lists what there is.
    """
    for game in reversed(GAMES):
        if game.id == game_id and (version is None or game.version == version):
            return game
    known = ", ".join(f"{game.id} {game.version}" for game in GAMES)
    wanted = f"{game_id!s:.40}" if version is None else f"{game_id!s:.40} {version!s:.10}"
    raise UnknownGame(f"There is no game {wanted}; this server plays: {known}.")
