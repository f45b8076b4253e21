"""Whole drops: links, points, rising, the end, and what is known."""

from __future__ import annotations

import pytest

from samedrop_rules import Ended, Event, IllegalMove, InvalidMove
from samedrop_rules.number_drop import NumberDrop
from samedrop_rules.number_drop.board import NumberDropBoard
from samedrop_rules.race import RaceTable

GAME = NumberDrop()


def text_of(*columns: str) -> str:
    """The text form of a board given by its columns from the left, each from the bottom up."""
    stacked = [column[::-1].rjust(7, "0") for column in (*columns, *[""] * (7 - len(columns)))]
    return "".join(stacked[column][row] for row in range(7) for column in range(7))


def drop(board: NumberDropBoard, column: int) -> list[Event]:
    return board.play({"column": column}).events


def waves(events: list[Event]) -> list[Event]:
    return [event for event in events if event["type"] == "wave"]


def types(events: list[Event]) -> list[object]:
    return [event["type"] for event in events]


@pytest.mark.parametrize(
    "columns",
    [("36", "57", "3", "2", "65", "4", "13"), ("47", "3", "3", "56", "13", "65", "2")],
    ids=["given", "found"],
)
def test_eleven_discs_in_two_rows(columns: tuple[str, ...]) -> None:
    board = NumberDropBoard.at(text_of(*columns), [5, 1])
    told = waves(drop(board, 2))
    assert [len(wave["cleared"]) for wave in told if isinstance(wave["cleared"], list)] == [2, 1, 1, 1, 1]
    assert [wave["wave"] for wave in told] == [1, 2, 3, 4, 5]
    assert [wave["points"] for wave in told] == [20, 40, 90, 160, 250]
    assert board.score == 560


def test_a_one_dropped_on_a_lonely_column() -> None:
    board = NumberDropBoard.at(text_of("644"), [1, 1])
    (wave,) = waves(drop(board, 0))
    assert wave["cleared"] == [[3, 0, 1], [4, 0, 4], [5, 0, 4]]
    assert board.score == 30
    assert board.grid.text == text_of("6")


def test_gaps_in_a_row_do_not_matter() -> None:
    board = NumberDropBoard.at(text_of("3", "", "3"), [7, 1])
    (wave,) = waves(drop(board, 6))
    assert wave["cleared"] == [[6, 0, 3], [6, 2, 3]]


def test_a_gray_disc_takes_one_crack_a_link() -> None:
    board = NumberDropBoard.at(text_of("", "3", "8", "3"), [7, 7])
    (wave,) = waves(drop(board, 2))
    assert (wave["cleared"], wave["cracked"], wave["revealed"]) == ([[6, 1, 3], [6, 3, 3]], [[6, 2]], [])
    assert board.grid.text == text_of("", "", "97")


def test_an_opened_disc_is_an_ordinary_one_from_the_next_link_on() -> None:
    board = NumberDropBoard.at(text_of("9"), [1, 7], reveals=[1])
    first, second = waves(drop(board, 1))
    assert (first["cleared"], first["revealed"]) == ([[6, 1, 1]], [[6, 0, 1]])
    assert second["cleared"] == [[6, 0, 1]]
    assert board.score == 10 + 40


def test_an_empty_board_gives_no_bonus() -> None:
    board = NumberDropBoard.at(text_of(), [1, 4])
    assert types(drop(board, 3)) == ["drop", "wave", "next"]
    assert (board.score, board.grid.empty) == (10, True)


def test_what_a_rise_clears_is_a_chain_of_its_own() -> None:
    # The 1 clears by itself; then the risen disc makes the column of the 3 one of three.
    board = NumberDropBoard.at(text_of("73"), [1, 4], clock=1)
    events = drop(board, 3)
    assert types(events) == ["drop", "wave", "rise", "wave", "next"]
    assert [wave["wave"] for wave in waves(events)] == [1, 1]
    assert [wave["points"] for wave in waves(events)] == [10, 10]
    assert events[-1] == {"type": "next", "disc": 4, "clock": 30}
    assert next(event for event in events if event["type"] == "rise") == {"type": "rise", "points": 0}


def test_a_row_that_cannot_rise_ends_the_game() -> None:
    board = NumberDropBoard.at(text_of("8888888"), [6], clock=1)
    events = drop(board, 3)
    assert types(events) == ["drop", "over"]
    assert events[-1] == {"type": "over", "ended": "rules", "cause": "rise"}
    assert (board.ended, board.clock, board.view()["disc"]) == (Ended.RULES, 0, 0)


def test_a_board_without_an_empty_cell_ends_the_game() -> None:
    board = NumberDropBoard.at(text_of(*["8888888"] * 6, "888888"), [6])
    assert drop(board, 6)[-1] == {"type": "over", "ended": "rules", "cause": "full"}


def test_the_clear_comes_before_the_end_is_judged() -> None:
    board = NumberDropBoard.at(text_of(*["8888888"] * 6, "888888"), [7, 1])
    events = drop(board, 6)
    assert types(events) == ["drop", "wave", "next"]


def test_refusals_change_nothing() -> None:
    board = NumberDropBoard.at(text_of("8888888"), [6, 1])
    before = board.digest()
    with pytest.raises(IllegalMove):
        board.play({"column": 0})
    for move in ({}, {"column": 7}, {"column": "1"}, {"column": True}):
        with pytest.raises(InvalidMove):
            board.play(move)
    assert board.digest() == before


def started(seed: str, **options: object) -> NumberDropBoard:
    table = GAME.table(GAME.deal(options, seed=seed), 1)
    assert isinstance(table, RaceTable)
    board = table.boards[0]
    assert isinstance(board, NumberDropBoard)
    return board


@pytest.mark.parametrize("start_discs", [0, 1, 3, 7])
def test_everybody_knows_the_start_discs_and_the_first_disc(start_discs: int) -> None:
    board = started("start", start_discs=start_discs)
    assert board.known == (1, 0, 0, (1 << 2 * start_discs) - 1)
    assert (board.score, board.turn, board.clock) == (0, 0, 30)
    assert not board.grid.matching
    assert len(board.grid.text.replace("0", "")) <= start_discs


def test_start_discs_that_match_are_cleared_without_points() -> None:
    cleared = 0
    for number in range(50):
        board = started(f"start {number}", start_discs=7)
        cleared += 7 - len(board.grid.text.replace("0", ""))
        assert board.score == 0
    assert cleared > 50


@pytest.mark.parametrize("latent", [False, True])
def test_the_deal_does_not_depend_on_play(latent: bool) -> None:
    deal = GAME.deal({"latent": latent, "mode": "sequence"}, seed="same")
    table = GAME.table(deal, 2)
    dealt: list[list[object]] = [[], []]
    opened: list[dict[int, object]] = [{}, {}]
    for seat, pick in ((0, 0), (1, -1)):
        drawn = 0
        while moves := table.legal(seat):
            dealt[seat].append(table.view(seat)["disc"])
            for wave in waves(table.play(seat, moves[pick]).events):
                assert isinstance(wave["revealed"], list)
                for _, _, number in wave["revealed"]:
                    opened[seat][drawn] = number
                    drawn += 1
    turns = min(map(len, dealt))
    assert turns > 20
    assert dealt[0][:turns] == dealt[1][:turns] == [deal.stream("discs", 7, first=1)[k] for k in range(turns)]
    if not latent:
        both = opened[0].keys() & opened[1].keys()
        assert both
        assert all(opened[0][k] == opened[1][k] == deal.stream("reveals", 7, first=1)[k] for k in both)


def test_a_hidden_number_fixed_in_advance_is_that_of_its_rise_and_column() -> None:
    table = GAME.table(GAME.deal({"latent": True, "start_discs": 0}, seed="latent"), 1)
    rows = table.deal.stream("rows", 7, first=1)
    disclosed = 0
    for turn in range(400):
        if not (moves := table.legal(0)):
            break
        step = table.play(0, moves[turn % len(moves)])
        numbers = sorted(rows[k] for k in range(step.disclosed[2].bit_length()) if step.disclosed[2] >> k & 1)
        assert numbers == sorted(
            number
            for wave in waves(step.events)
            for _, _, number in wave["revealed"]  # type: ignore[attr-defined]
        )
        disclosed += len(numbers)
    assert disclosed > 3
