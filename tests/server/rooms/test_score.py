from __future__ import annotations

from samedrop_protocol import model
from samedrop_server.rooms.score import Score


def result(*rows: tuple[str, int], ended: str = "rules") -> list[model.Standing]:
    """A result by name and rank."""
    return [
        model.Standing(seat=seat, player=f"id-{name}", name=name, rank=rank, score=0, turns=1, ended=ended)
        for seat, (name, rank) in enumerate(rows)
    ]


def told(score: Score) -> dict[str, int]:
    series = score.public()
    assert series is not None
    return {one.name: one.wins for one in series.wins}


def test_wins_are_counted_and_ties_shared() -> None:
    score = Score()
    assert score.public() is None
    score.count(result(("ann", 1), ("bob", 2)))
    score.count(result(("bob", 1), ("cid", 1), ("ann", 3)))
    assert told(score) == {"ann": 1, "bob": 1, "cid": 1}
    assert score.winners == []


def test_alone_nobody_wins_and_who_gave_up_has_not() -> None:
    score = Score()
    score.count(result(("ann", 1)))
    assert score.public() is None
    score.count(result(("ann", 1), ("bob", 1), ended="forfeit"))
    assert told(score) == {"ann": 0, "bob": 0}


def test_the_first_to_so_many_wins_the_series() -> None:
    score = Score(first_to=2)
    score.count(result(("ann", 1), ("bob", 1)))
    assert score.winners == []
    score.count(result(("ann", 1), ("bob", 2)))
    assert score.winners == ["id-ann"]
    series = score.public()
    assert series is not None
    assert (series.played, series.first_to, series.winners) == (2, 2, ["id-ann"])


def test_both_of_a_team_win() -> None:
    score = Score(first_to=1)
    (row, other) = result(("ann", 1), ("cid", 2))
    team = model.Standing(
        seat=0, player=row.player, name="ann", rank=1, score=3, turns=1, ended="rules",
        partner=model.Partner(player="id-bob", name="bob"),
    )  # fmt: skip
    score.count([team, other])
    assert score.winners == ["id-ann", "id-bob"]
