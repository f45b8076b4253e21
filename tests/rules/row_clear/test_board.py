from __future__ import annotations

import pytest

from samedrop_rules import IllegalMove, InvalidMove, Move
from samedrop_rules.row_clear import RowClear
from samedrop_rules.row_clear.board import MAX_ATTEMPTS, RowClearBoard
from samedrop_rules.row_clear.chance import Queue

GAME = RowClear()
CONFIRM: Move = {"confirm": True}
RESTART: Move = {"restart": True}


def board(team: int = 1, **options: object) -> RowClearBoard:
    return RowClearBoard(Queue(GAME.deal(options, seed="friday")), team)


def place(column: int, rotation: int = 0, **by: int) -> Move:
    return {"rotation": rotation, "column": column, **by}


def refused(one: RowClearBoard, move: Move) -> str:
    """Why a move is refused; nothing changes."""
    before = one.digest(), one.view()
    with pytest.raises((IllegalMove, InvalidMove)) as error:
        one.play(move)
    assert (one.digest(), one.view()) == before
    return error.value.text


def test_the_worked_example() -> None:
    one = board()
    one.play(place(0))
    step = one.play(place(4))
    assert [event["type"] for event in step.events] == ["place_piece", "rows", "next_shape"]
    assert one.score == 1
    assert one.grid.rows[0] == [0, 0, 0, 0, 2, 2]
    assert not any(map(any, one.grid.rows[1:]))


def test_partners_choose_and_check_in_turn() -> None:
    one = board(team=2)
    assert refused(one, place(0, by=1)) == "Your partner chooses this piece."
    assert refused(one, {**CONFIRM, "by": 1}) == "There is no placement to check."
    assert "by must be" in refused(one, place(0))
    one.play(place(0, by=0))
    assert "waits" in refused(one, place(1, by=0))
    assert refused(one, {**CONFIRM, "by": 0}) == "Your partner checks what you chose."
    assert not any(map(any, one.grid.rows))
    one.play({"reject": "leaves a gap", "by": 1})
    assert (one.decider, one.used, one.pending) == (0, 0, None)
    one.play(place(2, by=0))
    one.play({**CONFIRM, "by": 1})
    assert (one.decider, one.used, one.turn) == (1, 1, 4)
    assert refused(one, place(0, by=0)) == "Your partner chooses this piece."


def test_a_placement_above_the_board_can_be_proposed_and_ends_the_run_once_confirmed() -> None:
    one = board(team=2, queue="seeded", pieces=100)
    while max(map(one.grid.height, range(6))) < 8 and one.ended is None:
        move = {**place(0, 1), "by": one.chooser}
        step = one.play(move)
        if not step.events[0]["cells"]:
            break
        one.play({**CONFIRM, "by": one.decider})
    score = one.score
    step = one.play({**CONFIRM, "by": one.decider})
    assert [event["type"] for event in step.events] == ["confirm", "too_high", "over"]
    assert step.events[-1]["cause"] == "too_high"
    assert one.score == score


def test_a_single_player_has_no_partner() -> None:
    one = board()
    assert "no partner" in refused(one, CONFIRM)
    assert "no partner" in refused(one, {"reject": "why not"})
    one.play({**place(0), "by": 7})
    assert one.used == 1


def test_a_restart_keeps_the_record_of_the_attempt() -> None:
    one = board(team=2)
    assert refused(one, {**RESTART, "by": 1}) == "Nothing has been placed yet."
    for column in (0, 4):
        one.play({**place(column), "by": one.decider})
        one.play({**CONFIRM, "by": one.decider})
    one.play({**place(0), "by": one.decider})
    step = one.play({**RESTART, "by": 1})
    assert step.events[0] == {"type": "restart", "by": 1, "attempt": 2, "used": 2, "points": -1}
    assert (one.score, one.used, one.attempt, one.abandoned, one.chooser, one.pending) == (0, 0, 2, [(2, 1)], 0, None)


def test_attempts_have_an_end() -> None:
    one = board()
    for _ in range(MAX_ATTEMPTS - 1):
        one.play(place(0))
        one.play(RESTART)
    one.play(place(0))
    assert str(MAX_ATTEMPTS) in refused(one, RESTART)
    assert one.legal()


def test_a_seat_keeps_what_it_knows_over_a_restart() -> None:
    one = board(queue="seeded", pieces=8)
    for column in (0, 0, 4):
        one.play(place(column))
    known = one.known
    assert known == (0b11111,)
    assert one.play(RESTART).disclosed == (0,)
    assert one.play(place(0)).disclosed == (0,)
    assert one.known == known
    assert one.view()["queue"] == [one.queue.piece(k) for k in range(5)]


def test_the_record_of_a_run() -> None:
    one = board()
    while moves := one.legal():
        one.play(max(moves, key=lambda move: GAME.outlook(one.view(), move)))
    view = one.view()
    assert (view["ended"], view["used"], view["attempt"], view["score"]) == ("rules", 10, 1, one.score)


def test_players_who_play_differently_meet_the_same_pieces() -> None:
    queue = Queue(GAME.deal({"queue": "seeded", "pieces": 6}, seed="friday"))
    left, right = RowClearBoard(queue, 1), RowClearBoard(queue, 2)
    met: list[list[object]] = [[], []]
    for _ in range(6):
        met[0].append(left.play(place(0)).events[0]["piece"])
        met[1].append(right.play({**place(2), "by": right.decider}).events[0]["piece"])
        right.play({**CONFIRM, "by": right.decider})
    assert met[0] == met[1]
