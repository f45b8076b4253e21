"""Where a board's numbers come from, and what its player knows of them."""

from __future__ import annotations

import pytest

from samedrop_rules import Ended, Table, covers
from samedrop_rules.drop7 import Drop7
from tests.rules.drop7.positions import board, board_text, drop, of_type
from tests.support.playing import random_log

GAME = Drop7()

# --- tapes ----------------------------------------------------------------------------------------------------------


def tape_table(discs: list[int], rows: list[list[int]], moves: int | None = None, **options: int) -> Table:
    tape = {"discs": discs, "latent_rows": rows, "maximum_moves": moves}
    return GAME.table(GAME.deal(options, tape=tape), 1)


def test_a_tape_without_a_next_disc_ends_the_run_after_the_drop() -> None:
    table = tape_table([4, 4], [[1] * 7])
    table.play(0, {"column": 0})
    step = table.play(0, {"column": 3})
    assert step.events[-1] == {"type": "over", "ended": "censored", "cause": "tape"}
    assert of_type(step.events, "next") == []
    assert table.ended(0) is Ended.CENSORED
    assert table.knowledge(0) == (0b11, 0, 0)
    assert table.view(0)["clock"] == 3


def test_a_tape_s_hidden_numbers_come_from_its_rows() -> None:
    # 2 on the gray row matches its column; again on the cracked disc beneath, which then opens as a 7.
    table = tape_table([2, 2, 5], [[1, 2, 3, 7, 5, 6, 1]])
    assert of_type(table.play(0, {"column": 3}).events, "wave")[0]["cracked"] == [[6, 3]]
    step = table.play(0, {"column": 3})
    assert of_type(step.events, "wave")[0]["revealed"] == [[6, 3, 7]]
    assert step.disclosed == (0b100, 0, 0b1000)
    assert of_type(step.events, "wave")[1]["cleared"] == [[6, 3, 7]]


def test_a_wave_that_needs_a_missing_number_does_not_take_place() -> None:
    table = tape_table([2, 2, 5], [])
    table.play(0, {"column": 3})
    step = table.play(0, {"column": 3})
    assert [event["type"] for event in step.events] == ["drop", "over"]
    assert step.events[-1]["cause"] == "tape"
    view = table.view(0)
    assert view["board"] == board_text("...2...", "8889888")
    assert (view["score"], view["turn"], view["clock"], view["ended"]) == (7, 2, 4, "censored")
    assert step.disclosed == (0, 0, 0)


def test_a_number_missing_after_the_rise_keeps_the_rise() -> None:
    # The rise makes the 3's column three high; the cracked disc under it would open, and has no number.
    played = board("...3...", "...9...", discs=[7, 1], clock=1)
    events = drop(played, 0)
    assert [event["type"] for event in events] == ["drop", "rise", "over"]
    assert (played.ended, played.clock, played.score) == (Ended.CENSORED, 5, 17_000)
    assert played.grid.text == board_text("...3...", "7..9...", "8888888")


def test_the_most_moves_act_as_a_drop_limit_and_the_smaller_one_counts() -> None:
    tape = {"discs": [4] * 9, "latent_rows": [[1] * 7] * 3, "maximum_moves": 3}
    deal = GAME.deal({}, tape=tape)
    for limit, drops in ((None, 3), (2, 2), (8, 3)):
        table = GAME.table(deal, 1, drop_limit=limit)
        events = [event for _, step in random_log(table, "limit") for event in step.events]
        assert table.turn(0) == drops
        assert events[-1] == {"type": "over", "ended": "censored", "cause": "drop_limit"}


def test_opening_rows_are_laid_one_after_another() -> None:
    # Row 0 of the tape is the first laid, so it lies highest.
    table = tape_table([3, 3, 1], [[7] * 7, [5] * 7], start_rows=2)
    table.play(0, {"column": 3})
    assert table.view(0)["board"] == board_text("8889888", "8888888")
    wave = of_type(table.play(0, {"column": 3}).events, "wave")[0]
    assert wave["revealed"] == [[5, 3, 7]]
    assert table.knowledge(0)[2] == 1 << 3


# --- chance and knowledge -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("latent", [False, True])
def test_the_kth_disc_is_the_same_however_one_plays(latent: bool) -> None:
    deal = GAME.deal({"latent": latent}, seed="same")
    dealt = []
    for moves in ("a", "b", "c", "d"):
        table = GAME.table(deal, 1)
        discs = [table.view(0)["disc"]]
        discs += [event["disc"] for _, step in random_log(table, moves) for event in of_type(step.events, "next")]
        dealt.append(discs)
    shortest = min(map(len, dealt))
    assert shortest > 5
    assert len({tuple(discs[:shortest]) for discs in dealt}) == 1
    assert dealt[0] == [1 + deal.stream("discs", 7)[k] for k in range(len(dealt[0]))]


def test_drawn_numbers_are_taken_in_the_order_in_which_discs_open() -> None:
    deal = GAME.deal({"latent": False}, seed="drawn")
    table = GAME.table(deal, 1)
    waves = [wave for _, step in random_log(table, "moves") for wave in of_type(step.events, "wave")]
    numbers = [number for wave in waves for _, _, number in wave["revealed"]]  # type: ignore[attr-defined]
    assert numbers
    assert numbers == [1 + deal.stream("reveals", 7)[k] for k in range(len(numbers))]
    assert table.knowledge(0)[1:] == ((1 << len(numbers)) - 1, 0)


def test_buried_numbers_do_not_depend_on_the_order_in_which_discs_open() -> None:
    deal = GAME.deal({"latent": True, "drops_per_rise": 30}, seed="buried")
    found: dict[int, set[int]] = {}
    for moves in range(40):
        for _, step in random_log(GAME.table(deal, 1, drop_limit=20), str(moves)):
            for wave in of_type(step.events, "wave"):
                for _, column, number in wave["revealed"]:  # type: ignore[attr-defined]
                    found.setdefault(column, set()).add(number)
    # Only the opening row is there, so each column holds one number.
    assert len(found) == 7
    assert all(numbers == {1 + deal.stream("rows", 7)[column]} for column, numbers in found.items())


def test_latent_changes_what_opens_and_not_what_is_dealt() -> None:
    views = [GAME.table(GAME.deal({"latent": latent}, seed="x"), 1).view(0) for latent in (False, True)]
    assert views[0] == views[1]


def test_a_view_tells_nothing_that_was_not_dealt() -> None:
    view = GAME.table(GAME.deal({"latent": True}, seed="secret"), 1).view(0)
    assert set(view) == {"board", "disc", "clock", "score", "turn", "ended", "drops_per_rise"}
    assert view["board"] == board_text("8888888")


def test_knowledge_at_the_start_is_the_first_disc() -> None:
    assert GAME.table(GAME.deal({}, seed="x"), 1).knowledge(0) == (1, 0, 0)


@pytest.mark.parametrize("latent", [False, True])
@pytest.mark.parametrize("seed", [f"long {number}" for number in range(8)])
def test_what_always_holds(seed: str, latent: bool) -> None:
    table = GAME.table(GAME.deal({"latent": latent}, seed=seed), 1)
    score, known = 0, table.knowledge(0)
    for entry, step in random_log(table, seed):
        points = sum(event.get("points", 0) for event in step.events)  # type: ignore[misc]
        assert table.score(0) == score + points >= score
        score = table.score(0)
        assert covers(table.knowledge(0), known)
        known = table.knowledge(0)
        view = table.view(0)
        assert len(str(view["board"])) == 49
        assert known[0] == (1 << entry.turn + (1 if table.over else 2)) - 1
        assert 1 <= int(str(view["clock"])) <= 5 or table.over
        waves = [event["wave"] for event in of_type(step.events, "wave")]
        assert waves == list(range(1, len(waves) + 1))
    assert table.ended(0) is Ended.RULES
