"""Reading tapes, good and hostile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samedrop_rules import InvalidTape
from samedrop_rules.drop7.tape import MAXIMUM_DISCS, MAXIMUM_ROWS, SCRIPTED_ROUND, read_tape

ROW = [1, 2, 3, 4, 5, 6, 7]
NORMAL: dict[str, object] = {"discs": [3, 1], "latent_rows": [ROW], "maximum_moves": 2}
SCRIPTED: dict[str, object] = {
    "format": SCRIPTED_ROUND,
    "id": "round-01",
    "name": "Round 01",
    "generatorSeedHex": "0x1",
    "maximumMoves": 2,
    "discs": [3, 1],
    "latentRows": [ROW],
}


def refusal(tape: object) -> InvalidTape:
    with pytest.raises(InvalidTape) as refused:
        read_tape(tape)
    assert len(refused.value.text) < 200
    return refused.value


def test_the_normal_form_stays_as_it_is() -> None:
    assert read_tape(NORMAL) == NORMAL
    assert read_tape(read_tape(NORMAL)) == NORMAL


def test_a_scripted_round_is_accepted_as_it_is() -> None:
    assert read_tape(SCRIPTED) == NORMAL


def test_rows_and_the_most_moves_may_be_left_out() -> None:
    assert read_tape({"discs": [7]}) == {"discs": [7], "latent_rows": [], "maximum_moves": None}
    assert read_tape({"discs": [7], "maximum_moves": None})["maximum_moves"] is None


def test_other_keys_are_ignored() -> None:
    assert read_tape({**NORMAL, "note": {"deep": []}, "": 3}) == NORMAL
    assert read_tape({**SCRIPTED, "more": None}) == NORMAL


def test_the_normal_form_is_a_copy() -> None:
    discs = [3, 1]
    tape = read_tape({"discs": discs})
    discs[0] = 9
    assert tape["discs"] == [3, 1]


def test_tapes_as_long_as_allowed() -> None:
    assert read_tape({"discs": [1] * MAXIMUM_DISCS, "latent_rows": [ROW] * MAXIMUM_ROWS})
    assert refusal({"discs": [1] * (MAXIMUM_DISCS + 1)}).field == "tape.discs"
    assert refusal({"discs": [1], "latent_rows": [ROW] * (MAXIMUM_ROWS + 1)}).field == "tape.latent_rows"


@pytest.mark.parametrize("tape", [None, 7, True, "tape", b"", [], [3, 1], float("nan")])
def test_what_is_no_object(tape: object) -> None:
    assert refusal(tape).field == "tape"


@pytest.mark.parametrize("form", ["", "drop7-scripted-round-v2", 1, [], {}, True])
def test_unknown_formats(form: object) -> None:
    assert refusal({**SCRIPTED, "format": form}).field == "tape.format"


@pytest.mark.parametrize("bad", [0, 8, -1, 2**63, 1.0, True, None, "3", [], {}, float("inf")])
def test_numbers_that_are_no_disc(bad: object) -> None:
    assert refusal({**NORMAL, "discs": [1, 2, 3, bad]}).field == "tape.discs[3]"
    assert refusal({**NORMAL, "latent_rows": [ROW, [*ROW[:6], bad]]}).field == "tape.latent_rows[1][6]"
    assert refusal({**SCRIPTED, "latentRows": [[bad, *ROW[:6]]]}).field == "tape.latentRows[0][0]"


@pytest.mark.parametrize("bad", [None, [], "1234567", {"0": 1}, 5, b"\x01"])
def test_lists_that_are_none(bad: object) -> None:
    assert refusal({**NORMAL, "discs": bad}).field == "tape.discs"
    assert refusal({**NORMAL, "latent_rows": [bad]}).field == "tape.latent_rows[0]"
    if bad != []:
        assert refusal({**NORMAL, "latent_rows": bad}).field == "tape.latent_rows"


@pytest.mark.parametrize("length", [0, 6, 8])
def test_rows_are_seven_numbers(length: int) -> None:
    assert refusal({**NORMAL, "latent_rows": [ROW, ([1] * 8)[:length]]}).field == "tape.latent_rows[1]"


@pytest.mark.parametrize("bad", [0, -1, MAXIMUM_DISCS + 1, 2**63, 2.0, True, "2", []])
def test_the_most_moves(bad: object) -> None:
    assert refusal({**NORMAL, "maximum_moves": bad}).field == "tape.maximum_moves"
    assert refusal({**SCRIPTED, "maximumMoves": bad}).field == "tape.maximumMoves"


@pytest.mark.parametrize("mixed", [{"latentRows": 3}, {"maximumMoves": "x"}])
def test_names_of_the_other_form_are_other_keys(mixed: dict[str, object]) -> None:
    assert read_tape({**NORMAL, **mixed}) == NORMAL


JSON: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
KEYS = st.sampled_from([*NORMAL, *SCRIPTED, "other"])


@given(st.dictionaries(KEYS, JSON | st.lists(st.integers(1, 7), min_size=7, max_size=7)))
def test_anything_is_read_or_refused_by_name(tape: dict[str, object]) -> None:
    try:
        normal = read_tape(tape)
    except InvalidTape:
        assert refusal(tape).field.startswith("tape")
    else:
        assert read_tape(normal) == normal
