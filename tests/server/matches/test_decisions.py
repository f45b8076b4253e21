"""The decisions of a match: numbers, repeats, and who waits for a step that is not stored yet."""

from __future__ import annotations

import pytest

from samedrop_protocol import from_client
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_rules import Ended, Entry, IllegalMove, InvalidMove, ReplayMismatch, find_game
from samedrop_server.matches.decisions import Decisions
from samedrop_server.matches.places import progress
from tests.support.server import FakeSession


def decisions(game: str = "drop7", seats: int = 2) -> Decisions:
    rules = find_game(game)
    return Decisions(rules.table(rules.deal({}, seed="friday"), seats), in_rounds=game == "dice-drop")


def test_steps_are_numbered_in_the_order_of_decision() -> None:
    made = decisions()
    steps = [
        made.play(1, {"column": 3}, 5, "a"),
        made.play(0, {"column": 3}, 6, None),
        made.play(1, {"column": 2}, 7, "b"),
        made.stop(0, Ended.FORFEIT, 8, "c"),
    ]
    assert [(step.number, step.seat, step.turn, step.at) for step in steps] == [
        (1, 1, 0, 5),
        (2, 0, 0, 6),
        (3, 1, 1, 7),
        (4, 0, 1, 8),
    ]
    assert made.by_seat == [[steps[1], steps[3]], [steps[0], steps[2]]]
    assert steps[3].ended is Ended.FORFEIT


@pytest.mark.parametrize("column", [7, "3", None])
def test_what_the_rules_refuse_is_no_decision(column: object) -> None:
    made = decisions()
    before = made.table.digest(0)
    with pytest.raises((InvalidMove, IllegalMove)):
        made.play(0, {"column": column}, 0, None)
    assert (made.decided, made.table.digest(0), made.by_seat) == (0, before, [[], []])


def test_in_rounds_a_decision_tells_of_all_whom_it_changed() -> None:
    made = decisions("dice-drop")
    before = progress(made.table)
    while not made.table.over:
        for seat in range(2):
            step = made.play(seat, made.table.legal(seat)[0], 0, None)
            now = progress(made.table)
            assert step.others == [now[other] for other in range(2) if other != seat and now[other] != before[other]]
            before = now
    assert any(step.others for steps in made.by_seat for step in steps)


def test_a_step_that_is_not_stored_keeps_its_askers() -> None:
    made = decisions()
    first = made.play(0, {"column": 3}, 0, "a")
    second = made.play(0, {"column": 3}, 0, "b")
    ann, bob = FakeSession(), FakeSession()
    assert not made.ask(first, ann)
    assert not made.ask(first, bob)
    assert not made.ask(second, ann)
    assert made.store(first) == [ann, bob]
    assert made.ask(first, ann)
    assert not made.all_stored
    assert made.store(second) == [ann]
    assert made.all_stored
    assert made.store(second) == ()


def test_only_the_very_request_finds_its_step() -> None:
    made = decisions()
    step = made.play(0, {"column": 3}, 0, "a")

    def find(turn: int, request: str, column: int) -> object:
        message = from_client.Move(id=request, match="m1", turn=turn, move={"column": column})
        return made.find(0, 1, message, message.move)

    assert find(0, "a", 3) is step
    for turn, request, column, code in [
        (0, "b", 3, ErrorCode.STALE_TURN),
        (0, "a", 4, ErrorCode.STALE_TURN),
        (2, "a", 3, ErrorCode.FUTURE_TURN),
    ]:
        with pytest.raises(ProtocolError) as refused:
            find(turn, request, column)
        assert (refused.value.code, refused.value.turn) == (code, 1)


def test_a_log_is_decided_again_to_the_same_steps() -> None:
    made, again = decisions(), decisions()
    for seat, column in [(0, 3), (1, 3), (0, 4)]:
        step = made.play(seat, {"column": column}, 9, "r")
        repeated = again.replay(step.entry(), "r")
        assert (repeated.number, repeated.digest, repeated.at) == (step.number, step.digest, 9)


def test_a_log_that_does_not_come_out_is_named() -> None:
    entry = Entry(0, 0, {"column": 3}, None, 0, 12, "nothing")
    with pytest.raises(ReplayMismatch, match="digest") as error:
        decisions().replay(entry, None)
    assert (error.value.index, error.value.entry) == (0, entry)
