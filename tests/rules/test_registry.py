"""Finding games."""

from __future__ import annotations

import pytest

from samedrop_rules import GAMES, UnknownGame, find_game


def test_every_game_and_version_is_listed_once_newest_last() -> None:
    listed = [(game.id, game.version) for game in GAMES]
    assert len(set(listed)) == len(listed)
    for game in GAMES:
        versions = [version for game_id, version in listed if game_id == game.id]
        assert versions == sorted(versions)


def test_a_game_is_found_in_its_version_or_its_newest() -> None:
    for game in GAMES:
        assert find_game(game.id, game.version) is game
        assert find_game(game.id).version == max(other.version for other in GAMES if other.id == game.id)


@pytest.mark.parametrize("game_id", ["", "drop8", "Drop7", None, 7, ["drop7"], "x" * 100_000])
def test_unknown_games(game_id: object) -> None:
    with pytest.raises(UnknownGame, match="drop7 1") as refused:
        find_game(game_id)
    assert len(refused.value.text) < 300


@pytest.mark.parametrize("version", [0, 2, -1, "1", 10**100])
def test_unknown_versions(version: object) -> None:
    with pytest.raises(UnknownGame, match="drop7 1"):
        find_game("drop7", version)
