"""Finished matches, played again."""

from __future__ import annotations

from msgspec.structs import replace

from samedrop_client.records import played_again
from tests.support.scene import Scene


def test_steps_and_views_are_those_that_were_told() -> None:
    scene = Scene()
    for turn in range(5):
        scene.play(0, turn)
        scene.play(1, 6 - turn)
    scene.over()
    steps, views = played_again(scene.record())
    assert steps == scene.steps
    assert views == scene.views()


def test_of_a_game_without_rules_here_steps_come_without_events() -> None:
    scene = Scene()
    scene.play(0, 3)
    scene.over()
    record = scene.record()
    facts = replace(record.match, deal=replace(record.match.deal, game="chess"))
    steps, views = played_again(replace(record, match=facts))
    assert steps == [replace(step, events=[]) for step in scene.steps]
    assert views == []


def test_a_record_that_does_not_replay_is_not_believed() -> None:
    scene = Scene()
    scene.play(0, 3)
    scene.over()
    record = scene.record()
    changed = replace(record, log=[replace(record.log[0], score=5), *record.log[1:]])
    steps, views = played_again(changed)
    assert all(step.events == [] for step in steps)
    assert views == []
