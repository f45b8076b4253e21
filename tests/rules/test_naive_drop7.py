"""The naive second implementation alone, against the golden files, before it judges the real engine."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TypedDict

import pytest

from tests.support.naive.deal import below, commitment, stream_bytes, weighted
from tests.support.naive.drop7 import NaiveDrop7, Tape

VECTORS = Path(__file__).parents[1] / "vectors"


class StreamVector(TypedDict):
    seed: str
    label: str
    first_bytes_hex: str


class UniformVector(TypedDict):
    seed: str
    label: str
    n: int
    plus: int
    draws: list[int]


class WeightedVector(TypedDict):
    seed: str
    label: str
    items: list[int]
    weights: list[int]
    draws: list[int]


class CommitmentVector(TypedDict):
    seed: str
    sha256: str


class DealVectors(TypedDict):
    streams: list[StreamVector]
    uniform: list[UniformVector]
    weighted: list[WeightedVector]
    commitments: list[CommitmentVector]


class ExampleWave(TypedDict):
    wave: int
    cleared: int
    points: int


class Example(TypedDict):
    name: str
    board: str
    disc: int
    column: int
    clock: int
    hidden: list[tuple[int, int, int]]
    score: int
    board_after: str
    waves: list[ExampleWave]
    over: bool


class Examples(TypedDict):
    examples: list[Example]


def read_deal_vectors() -> DealVectors:
    vectors: DealVectors = json.loads((VECTORS / "deal.json").read_text(encoding="utf-8"))
    return vectors


def read_examples() -> list[Example]:
    content: Examples = json.loads((VECTORS / "drop7-examples.json").read_text(encoding="utf-8"))
    return content["examples"]


def test_streams_have_their_check_values() -> None:
    vectors = read_deal_vectors()
    assert len(vectors["streams"]) == 9
    for stream in vectors["streams"]:
        expected = bytes.fromhex(stream["first_bytes_hex"])
        assert bytes(islice(stream_bytes(stream["seed"], stream["label"]), len(expected))) == expected
    for uniform in vectors["uniform"]:
        source = stream_bytes(uniform["seed"], uniform["label"])
        assert [uniform["plus"] + below(source, uniform["n"]) for _ in uniform["draws"]] == uniform["draws"]
    for choice in vectors["weighted"]:
        source = stream_bytes(choice["seed"], choice["label"])
        drawn = [weighted(source, choice["items"], choice["weights"]) for _ in choice["draws"]]
        assert drawn == choice["draws"]
    for published in vectors["commitments"]:
        assert commitment(published["seed"]) == published["sha256"]


@pytest.mark.parametrize("example", read_examples(), ids=lambda example: example["name"])
def test_example_positions(example: Example) -> None:
    game = NaiveDrop7.at(example["board"], example["disc"], example["clock"], example["hidden"])
    waves = game.drop(example["column"])
    assert game.text() == example["board_after"]
    assert game.score == example["score"]
    assert game.over == example["over"]
    assert [{"wave": wave.number, "cleared": len(wave.cleared), "points": wave.points} for wave in waves] == example[
        "waves"
    ]


def test_there_are_thirteen_examples() -> None:
    assert len(read_examples()) == 13


def test_the_rise_keeps_counting_waves() -> None:
    # The 3s clear as wave 1, then the new row makes the lone 2 a column of two: wave 2, worth 39.
    game = NaiveDrop7.at("0" * 42 + "3300002", 3, 1, [])
    waves = game.drop(2)
    assert [(wave.number, wave.points) for wave in waves] == [(1, 21), (2, 39)]
    assert game.text() == "0" * 42 + "8888889"
    assert game.score == 21 + 17_000 + 39
    assert game.clock == 5


def test_a_blocked_rise_keeps_what_the_waves_scored() -> None:
    game = NaiveDrop7.at("8000000" * 7, 1, 1, [])
    waves = game.drop(6)
    assert [wave.points for wave in waves] == [7]
    assert (game.over, game.cause, game.score) == (True, "rise", 7)
    with pytest.raises(ValueError, match="column 1"):
        game.drop(1)


def test_a_full_top_row_ends_the_game() -> None:
    game = NaiveDrop7.at("8888880" + "8888888" * 6, 1, 5, [])
    assert game.drop(6) == []
    assert (game.over, game.cause) == (True, "full")


def test_a_full_column_is_refused_and_nothing_changes() -> None:
    game = NaiveDrop7.at("8000000" * 7, 3, 5, [])
    for column in (0, -1, 7):
        with pytest.raises(ValueError, match="cannot be chosen"):
            game.drop(column)
    assert (game.text(), game.drops, game.clock, game.disc) == ("8000000" * 7, 0, 5, 3)


def test_opening_rows_lie_as_if_each_had_risen_under_the_last() -> None:
    rows = [[1 + (row + column) % 7 for column in range(7)] for row in range(4)]
    game = NaiveDrop7("", start_rows=3, tape=Tape([1, 2], rows))
    assert game.hidden[4:] == rows[:3]
    assert game.text() == "0" * 28 + "8" * 21


def test_a_tape_that_runs_out_ends_the_game() -> None:
    game = NaiveDrop7("", tape=Tape([7, 6, 5], [[1] * 7] * 9))
    game.drop(0)
    game.drop(1)
    assert not game.over
    game.drop(2)
    assert (game.over, game.cause, game.drops) == (True, "tape", 3)


def test_a_hidden_number_that_the_tape_lacks_stops_the_wave_that_needs_it() -> None:
    game = NaiveDrop7("", tape=Tape([2, 1, 2, 2], []))
    assert [wave.cracked for wave in game.drop(0)] == [[(6, 0)]]
    assert not game.over
    assert [wave.cracked for wave in game.drop(6)] == [[(6, 6)]]
    # The 2 matches, but it would open the cracked disc below it.
    assert game.drop(0) == []
    assert (game.over, game.cause, game.score, game.drops, game.clock) == (True, "tape", 14, 3, 3)
    assert game.board[5][0] == 2


def test_the_most_moves_of_a_tape_end_the_game() -> None:
    game = NaiveDrop7("", tape=Tape([7, 6, 5], [[1] * 7] * 9, maximum_moves=2))
    game.drop(0)
    assert not game.over
    game.drop(1)
    assert (game.over, game.cause, game.drops) == (True, "drop_limit", 2)


def test_a_chain_that_starts_with_the_rise_can_empty_the_board() -> None:
    tape = Tape([2, 4], [[7, 6, 5, 4, 3, 2, 1]])
    game = NaiveDrop7.at("0" * 35 + "1300000" + "3322220", 2, 1, [], tape)
    waves = game.drop(6)
    assert game.rise_after == 0
    assert [wave.points for wave in waves] == [8 * 7, 39, 109, 224, 391, 617, 907, 1267, 1701]
    assert game.text() == "0" * 49
    assert game.score == 17_000 + sum(wave.points for wave in waves) + 70_000
    assert (game.disc, game.clock, game.over) == (4, 5, False)
