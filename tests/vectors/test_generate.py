"""The golden files are what their generators give now, and none is left over."""

from __future__ import annotations

import json

import pytest

from samedrop_rules import Deal, Entry, canonical_json, find_game, replay
from tests.vectors.generate import FOLDER, generated

FILES = generated()
KINDS = ("move", "view", "digest", "event")
PLAYTHROUGHS = [path for path in FILES if path.endswith(".txt") and not path.endswith("-match.txt")]


@pytest.mark.parametrize("path", FILES)
def test_a_golden_file_has_not_drifted(path: str) -> None:
    # After a change that is meant: `make vectors`, and look at the difference. Rules of a version never change.
    assert (FOLDER / path).read_text(encoding="utf-8") == FILES[path]


def test_no_golden_file_is_left_over() -> None:
    folders = {(FOLDER / path).parent for path in FILES} - {FOLDER}
    there = {file.relative_to(FOLDER).as_posix() for folder in folders for file in folder.iterdir() if file.is_file()}
    assert there == {path for path in FILES if "/" in path}


@pytest.mark.parametrize("path", PLAYTHROUGHS)
def test_a_playthrough_can_be_replayed_from_what_it_says(path: str) -> None:
    lines = (FOLDER / path).read_text(encoding="utf-8").splitlines()
    read = [(key, json.loads(text)) for line in lines if line[:1].isalpha() for key, text in [line.split(" ", 1)]]
    head = dict(read[:7])
    game = find_game(*head["game"])
    deal = game.deal(head["options"], seed=head["seed"], tape=head["tape"])
    assert (deal.id, deal.commitment) == (head["deal"], head["commitment"])
    assert isinstance(deal, Deal)
    table = game.table(deal, 1, head["drop_limit"])
    moves, views, digests, events = ([value for key, value in read if key == kind] for kind in KINDS)
    log = [
        Entry(0, turn, move, None, 0, views[turn + 1]["score"], digests[turn + 1]) for turn, move in enumerate(moves)
    ]
    assert canonical_json([event for _, step in replay(table, log) for event in step]) == canonical_json(events)
    assert table.over
    assert table.view(0) == views[-1]
