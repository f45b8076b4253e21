"""Whole placements: chains, rising, the end, and what is known."""

from __future__ import annotations

import pytest

from samedrop_rules import Ended, IllegalMove, InvalidMove
from samedrop_rules.merge_drop import MergeDrop
from tests.rules.merge_drop.positions import board, columns_of, place, types

GAME = MergeDrop()
HIGH = [32, 64, 128, 256, 512, 32, 64, 128, 256, 512, 32]


def test_a_lying_piece_splits_and_a_chain_runs() -> None:
    played = board([2], pieces=[(4, 2), (8, 8), (16, 2)])
    events = place(played, 0)
    assert types(events) == ["place", "merge", "merge", "next_piece"]
    assert events[0] == {"type": "place", "tiles": [[10, 0, 4], [11, 1, 2]]}
    assert events[1] == {
        "type": "merge",
        "step": 1,
        "merged": [[11, 0, 11, 0], [11, 1, 11, 0]],
        "made": [[11, 0, 4]],
        "points": 4,
        "falls": [],
    }
    assert events[3] == {"type": "next_piece", "piece": [8, 8], "next": [16, 2], "clock": 7}
    assert columns_of(played.grid.tiles) == [[8]]
    assert played.score == 4 + 2 * 8


def test_three_at_once() -> None:
    played = board([2])
    assert types(place(played, 1, 1)) == ["place", "merge", "next_piece"]
    assert (columns_of(played.grid.tiles), played.score) == ([[8]], 8)


def test_a_row_rises_after_the_eighth_piece_and_starts_a_chain_of_its_own() -> None:
    played = board([8, 16], pieces=[(2, 2), (4, 4), (4, 4)], rows=[[8, 2, 4, 2, 4, 4]], turn=7)
    step = played.play({"column": 4, "rotation": 0})
    # The 2s become a 4 in column 4; the row brings an 8 under the 8, and a 4 under the 4 beside another 4.
    assert types(step.events) == ["place", "merge", "rise_row", "merge", "merge", "next_piece"]
    assert [event["step"] for event in step.events if event["type"] == "merge"] == [1, 1, 2]
    assert step.events[2] == {"type": "rise_row", "numbers": [8, 2, 4, 2, 4, 4]}
    assert step.events[-1]["clock"] == 8
    assert step.disclosed == (3 << 18, 63)


def test_the_clock_counts_the_pieces_to_the_next_rise() -> None:
    assert [board(turn=turn).clock for turn in (0, 1, 7, 8, 15)] == [8, 7, 1, 8, 1]


def test_a_rise_that_pushes_a_tile_into_the_top_row_ends_the_run_at_once() -> None:
    played = board(HIGH, pieces=[(2, 4)] * 3, rows=[[8, 8, 2, 2, 4, 4]], turn=7)
    step = played.play({"column": 3, "rotation": 0})
    assert types(step.events) == ["place", "rise_row", "over"]
    assert step.events[-1] == {"type": "over", "ended": "rules", "cause": "rise"}
    assert step.disclosed == (0, 63)
    assert played.ended is Ended.RULES
    assert played.grid.tiles[0] == HIGH[-1]
    view = played.view()
    assert (view["piece"], view["next"], view["clock"]) == ([], [], 8)
    assert played.legal() == []


def test_the_end_by_lack_of_room() -> None:
    columns = [[32 << (height + 2 * column) % 5 for height in range(11)] for column in range(6)]
    columns[5] = columns[5][:9]
    played = board(*columns, pieces=[(2, 4)] * 3)
    events = place(played, 5, 1)
    assert events[-1] == {"type": "over", "ended": "rules", "cause": "full"}
    assert played.known == ((1 << 4) - 1, 0)


def test_a_milestone_is_reported_once() -> None:
    played = board([1024, 512], [64], pieces=[(512, 2)] * 4)
    events = place(played, 0, 3)
    assert types(events)[:4] == ["place", "merge", "merge", "milestone"]
    assert events[3] == {"type": "milestone", "tile": 2048}
    later = board([2048], [64], [1024], pieces=[(1024, 2)] * 4)
    assert "milestone" not in types(place(later, 2, 3))
    greater = board([2048, 4], [64], [1024], pieces=[(1024, 2)] * 4)
    assert "milestone" not in types(place(greater, 2, 3))


def test_refusals_change_nothing() -> None:
    played = board(HIGH[:10])
    before = (played.digest(), played.view())
    for column, rotation in ((0, 1), (0, 3), (5, 0), (5, 2)):
        with pytest.raises(IllegalMove):
            place(played, column, rotation)
    for move in ({}, {"column": 1}, {"rotation": 1}, {"column": 6, "rotation": 0}, {"column": 0, "rotation": 4}):
        with pytest.raises(InvalidMove):
            played.play(move)
    assert (played.digest(), played.view()) == before


def test_current_and_next_piece_are_known_from_the_start() -> None:
    table = GAME.table(GAME.deal({}, seed="known"), 1)
    assert table.knowledge(0) == (0b1111, 0)
    step = table.play(0, {"column": 0, "rotation": 0})
    assert step.disclosed == (0b110000, 0)
    assert table.knowledge(0) == (0b111111, 0)


def test_what_was_told_is_a_copy() -> None:
    table = GAME.table(GAME.deal({}, seed="copy"), 1)
    again = GAME.table(GAME.deal({}, seed="copy"), 1)
    for turn in range(20):
        moves = again.legal(0)
        for event in table.play(0, moves[turn % len(moves)]).events:
            for value in event.values():
                if isinstance(value, list):
                    value.clear()
        for value in table.view(0).values():
            if isinstance(value, list):
                value.clear()
        again.play(0, moves[turn % len(moves)])
        assert table.view(0) == again.view(0)


def test_the_deal_does_not_depend_on_play() -> None:
    table = GAME.table(GAME.deal({}, seed="same"), 2)
    pieces: list[list[object]] = [[], []]
    rows: list[list[object]] = [[], []]
    for seat, pick in ((0, 3), (1, 11)):
        while moves := table.legal(seat):
            pieces[seat].append(table.view(seat)["piece"])
            events = table.play(seat, moves[(pick * table.turn(seat)) % len(moves)]).events
            rows[seat] += [event["numbers"] for event in events if event["type"] == "rise_row"]
    turns, risen = min(map(len, pieces)), min(map(len, rows))
    assert turns > 20
    assert risen > 1
    assert pieces[0][:turns] == pieces[1][:turns]
    assert rows[0][:risen] == rows[1][:risen]
