from __future__ import annotations

from samedrop_cli.runs import run_lines
from samedrop_protocol import model


def run(rank: int, name: str, *, first_sight: bool, partner: str = "") -> model.Run:
    return model.Run(
        rank=rank, match=f"m-{name}", seat=0, player=f"id-{name}", name=name, score=1_234 * rank, turns=7,
        ended="rules", started=1_800_000_000_000, first_sight=first_sight,
        partner=model.Partner(player="id-p", name=partner) if partner else None,
    )  # fmt: skip


def test_a_line_for_each() -> None:
    assert run_lines([run(1, "Ann", first_sight=True, partner="Bob"), run(2, "Cid\x1b", first_sight=False)]) == [
        "  1. Ann & Bob  1,234  7 moves, played to the end  2027-01-15 08:00  match m-Ann, at first sight",
        "  2. Cid        2,468  7 moves, played to the end  2027-01-15 08:00  match m-Cid\x1b",
    ]
    assert run_lines([]) == ["No runs."]
