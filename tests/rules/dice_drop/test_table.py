from __future__ import annotations

import pytest

from samedrop_rules import Ended, IllegalMove, InvalidMove, InvalidOptions, Move
from samedrop_rules.dice_drop.chance import Throw
from samedrop_rules.dice_drop.table import DiceDropTable
from tests.rules.dice_drop.positions import GAME, drop, new_table


def default(table: DiceDropTable, seat: int) -> Move:
    move = table.default(seat)
    assert move is not None
    return move


def round_of_defaults(table: DiceDropTable) -> list[object]:
    """All who are due make the default move; the types of what the last one led to."""
    events: list[object] = []
    for seat in range(table.seats):
        if table.due(seat):
            events = [event["type"] for event in table.play(seat, default(table, seat)).events]
    return events


def test_nothing_is_shown_before_all_have_decided() -> None:
    table = new_table(2)
    before = [table.view(1), {**table.view(0), "due": False, "decided": True, "turn": 1}]
    assert table.play(0, default(table, 0)).events == [{"type": "decided", "seat": 0}]
    assert [table.view(1), table.view(0)] == before
    with pytest.raises(IllegalMove, match="wait for the others"):
        table.play(0, default(table, 1))
    events = table.play(1, default(table, 1)).events
    assert [(event["type"], event.get("seat")) for event in events] == [
        ("decided", 1), ("fill", 0), ("fill", 1), ("throw", None)
    ]  # fmt: skip


def test_a_block_hits_who_has_not_circled_its_letter() -> None:
    table = new_table(3)
    table.sheets[1].circled = {"B", "D"}
    table.now = table.now._replace(throw=Throw("1457", "T"))
    table._chance._thrown[1:] = [table._chance.throw(0), Throw("1*57", "T"), Throw("1457", "*"), Throw("1457", "*")]
    told = round_of_defaults(table)
    # Throw 1 may or may not have a star; go on until the block falls.
    while table.now.block is None:
        told = round_of_defaults(table)
    assert told[-1] == "throw"
    assert table.now.block == "B"
    assert [table.due(seat) for seat in range(3)] == [True, False, True]
    with pytest.raises(IllegalMove, match="nothing for you to decide"):
        table.play(1, {"turns": 0, "column": 0})
    turns = [table.turn(seat) for seat in range(3)]
    told = round_of_defaults(table)
    assert told.count("block") == 2
    assert "cross" in told
    assert "B" in table.now.crossed
    assert [table.turn(seat) - before for seat, before in enumerate(turns)] == [1, 0, 1]
    assert table.sheets[0].grid != table.sheets[1].grid


def test_a_letter_that_all_have_circled_costs_no_turn() -> None:
    table = new_table(2)
    for sheet in table.sheets:
        sheet.circled = {"C"}
    for _ in range(8):
        told = round_of_defaults(table)
        assert "block" not in told
        if "cross" in told:
            break
    assert table.now.crossed == {"C"}
    assert table.now.phase == "drop"


def test_the_game_ends_for_all_when_somebody_is_above_the_line() -> None:
    table = new_table(2)
    for row in range(3, 14):
        table.sheets[1].fill([(row, 0)], "X")
    table.now = table.now._replace(throw=Throw("1457", "I"))
    table.play(0, drop(0, "1457"))
    events = table.play(1, drop(0, "1457")).events
    overs = [(event["seat"], event["cause"]) for event in events if event["type"] == "over"]
    assert overs == [(0, "line"), (1, "line")]
    assert table.over
    assert table.score(1) == -5
    assert [standing.seat for standing in table.outcome()] == [0, 1]


def test_who_stops_does_not_keep_the_others_waiting() -> None:
    table = new_table(3)
    table.play(0, default(table, 0))
    table.play(1, default(table, 1))
    events = table.stop(2, Ended.FORFEIT).events
    assert [event["type"] for event in events] == ["over", "fill", "fill", "throw"]
    assert events[-1]["due"] == [0, 1]
    table.play(0, default(table, 0))
    assert [event["type"] for event in table.stop(0, Ended.TIME).events] == ["over"]
    assert [event["type"] for event in table.play(1, default(table, 1)).events] == ["decided", "fill", "throw"]


def test_a_drop_limit_stops_after_the_round() -> None:
    table = GAME.table(GAME.deal({}, seed="friday"), 2, drop_limit=1)
    assert isinstance(table, DiceDropTable)
    assert round_of_defaults(table)[-2:] == ["over", "over"]
    assert table.ended(0) is Ended.CENSORED


def test_an_opening_number() -> None:
    table = new_table(3, opening_number=True)
    assert table.now.throw is None
    assert table.knowledge(0) == (0, 1)
    assert table.legal(2) == [{"column": column} for column in range(7)]
    for seat in range(2):
        table.play(seat, {"column": 2})
    events = table.play(2, {"column": 2}).events
    assert [event.get("number") for event in events[1:4]] == [1, 2, 3]
    assert table.knowledge(0) == (1, 1)
    assert [sheet.grid[13][2] for sheet in table.sheets] == ["1", "2", "3"]


def test_all_tiles_down_is_the_end_of_solo() -> None:
    table = new_table(solo=True)
    assert table.sheets[0].tiles is not None
    table.sheets[0].tiles.update(dict.fromkeys("ABCDE", 4), A=3)
    table.sheets[0].circled = {"A"}
    events = table.play(0, default(table, 0)).events
    assert events[-1]["cause"] == "tiles"
    assert table.now.crossed == {"A"}
    with pytest.raises(InvalidOptions, match="room for 1"):
        new_table(2, solo=True)


def test_a_default_is_only_the_default() -> None:
    table = new_table()
    with pytest.raises(IllegalMove, match="not the default"):
        table.play(0, {**default(table, 0), "column": 6})
    with pytest.raises(InvalidMove, match="default must be true"):
        table.play(0, {**default(table, 0), "default": False})
    step = table.play(0, default(table, 0))
    assert step.events[1]["default"] is True
    assert table.default(0) is not None
    table.stop(0, Ended.FORFEIT)
    assert table.default(0) is None


def test_players_who_play_differently_meet_the_same_throws() -> None:
    one, other = new_table(1), new_table(2)
    seen: list[list[object]] = [[], []]
    for number in range(5):
        seen[0].append(one.now.throw)
        seen[1].append(other.now.throw)
        round_of_defaults(one)
        for seat in range(2):
            other.play(seat, other.legal(seat)[3 * number + seat])
    assert seen[0] == seen[1]


def test_digests_tell_seats_and_deciders_apart() -> None:
    table = new_table(2)
    before = [table.digest(seat) for seat in range(2)]
    assert before[0] != before[1]
    table.play(0, default(table, 0))
    assert before != [table.digest(seat) for seat in range(2)]
