from __future__ import annotations

import pytest

from samedrop_rules import InvalidMove
from samedrop_rules.dice_drop.move import Drop, Slide, read_column, read_drop, read_placement
from samedrop_rules.dice_drop.shapes import Placement

DROP: dict[str, object] = {"turns": 1, "column": 3, "numbers": [5, 1, 7, 2]}
COMBO: dict[str, object] = {"kind": "identical", "cells": [[13, 0], [12, 0], [12, 1]]}


def test_a_whole_decision() -> None:
    move = {**DROP, "shape": "T", "mirror": True, "combo": COMBO, "slides": [{"letter": "B"}, {"letter": "D", **DROP}]}
    slides = (Slide("B", None), Slide("D", Placement(False, 1, 3)))
    combo = ("identical", ((13, 0), (12, 0), (12, 1)))
    assert read_drop(move) == Drop(slides, "T", Placement(True, 1, 3), (5, 1, 7, 2), combo)
    assert read_drop(DROP) == Drop((), None, Placement(False, 1, 3), (5, 1, 7, 2), None)
    assert read_placement({**DROP, "later": 1}) == Placement(False, 1, 3)
    assert read_column({"column": 6}) == 6


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"turns": 4}, "move.turns"),
        ({"turns": True}, "move.turns"),
        ({"column": 7}, "move.column"),
        ({"column": None}, "move.column"),
        ({"mirror": 1}, "move.mirror"),
        ({"shape": "Z"}, "move.shape"),
        ({"shape": ["T"]}, "move.shape"),
        ({"numbers": [5, 1, 7]}, "move.numbers"),
        ({"numbers": [5, 1, 7, 10]}, "move.numbers"),
        ({"numbers": [5, 1, 7, True]}, "move.numbers"),
        ({"numbers": "5172"}, "move.numbers"),
        ({"combo": []}, "move.combo"),
        ({"combo": {**COMBO, "kind": "equal"}}, "move.combo.kind"),
        ({"combo": {**COMBO, "kind": ["identical"]}}, "move.combo.kind"),
        ({"combo": {**COMBO, "cells": [[13, 0], [12, 0]]}}, "move.combo.cells"),
        ({"combo": {**COMBO, "cells": [[13, 0]] * 3}}, "move.combo.cells"),
        ({"combo": {**COMBO, "cells": [[13, 0], [14, 0], [12, 1]]}}, "move.combo.cells"),
        ({"combo": {**COMBO, "cells": [[13, 0], [12.0, 0], [12, 1]]}}, "move.combo.cells"),
        ({"combo": {**COMBO, "cells": [[13, 0], [12, 0, 1], [12, 1]]}}, "move.combo.cells"),
        ({"combo": {**COMBO, "cells": [[13, column] for column in range(7)] * 2}}, "move.combo.cells"),
        ({"slides": {}}, "move.slides"),
        ({"slides": [{"letter": "A"}] * 3}, "move.slides"),
        ({"slides": [{"letter": "F"}]}, "move.slides[0].letter"),
        ({"slides": [{"letter": "AB"}]}, "move.slides[0].letter"),
        ({"slides": ["A"]}, "move.slides[0]"),
        ({"slides": [{"letter": "A"}, {"letter": "B", "column": 3}]}, "move.slides[1].turns"),
    ],
)
def test_what_is_not_of_the_form(change: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidMove) as refused:
        read_drop({**DROP, **change})
    assert refused.value.field == field


@pytest.mark.parametrize("junk", [None, 3, "column", ["column"]])
def test_what_is_no_object(junk: object) -> None:
    for read in (read_drop, read_placement, read_column):
        with pytest.raises(InvalidMove, match="object"):
            read(junk)  # type: ignore[arg-type]
