"""The rules of all games: pure, deterministic, standard library only.

Start with `find_game`, then `Game.deal` and `Game.table`.
"""

from samedrop_rules.deal import Cursor, Deal, Stream, canonical_json, read_seed
from samedrop_rules.errors import (
    IllegalMove,
    InvalidInput,
    InvalidMove,
    InvalidOptions,
    InvalidSeed,
    InvalidTape,
    RulesError,
    UnknownGame,
)
from samedrop_rules.game import Draws, Ended, Event, Game, Move, Pace, Standing, Step, Table, View, covers
from samedrop_rules.options import Option, OptionValue
from samedrop_rules.registry import GAMES, find_game
from samedrop_rules.replay import Entry, ReplayMismatch, apply, replay

__all__ = [
    "GAMES",
    "Cursor",
    "Deal",
    "Draws",
    "Ended",
    "Entry",
    "Event",
    "Game",
    "IllegalMove",
    "InvalidInput",
    "InvalidMove",
    "InvalidOptions",
    "InvalidSeed",
    "InvalidTape",
    "Move",
    "Option",
    "OptionValue",
    "Pace",
    "ReplayMismatch",
    "RulesError",
    "Standing",
    "Step",
    "Stream",
    "Table",
    "UnknownGame",
    "View",
    "apply",
    "canonical_json",
    "covers",
    "find_game",
    "read_seed",
    "replay",
]
