"""The pace of rounds, on the smallest game there is: each decides on a number, and all numbers are told."""

from __future__ import annotations

import pytest

from samedrop_rules import Draws, Ended, Event, IllegalMove, InvalidMove, Move, View, find_game
from samedrop_rules.rounds import RoundsTable


class Numbers(RoundsTable[int]):
    """Whoever is not in `absent` is asked; the game ends when somebody says 9."""

    absent: frozenset[int] = frozenset()
    rounds = 0

    def asks(self, seat: int) -> bool:
        return seat not in self.absent

    def plan(self, seat: int, move: Move) -> int:
        if not isinstance(move["number"], int):
            raise InvalidMove("A number.", "move.number")
        return move["number"]

    def resolve(self, plans: dict[int, int]) -> tuple[list[Event], str]:
        told: list[Event] = [{"type": "said", "seat": seat, "number": plans[seat]} for seat in sorted(plans)]
        return told, "nine" if 9 in plans.values() else ""

    def begin_round(self) -> tuple[list[Event], Draws]:
        self.rounds += 1
        return [{"type": "throw"}], (1 << self.rounds, 0)

    def legal(self, seat: int) -> list[Move]:
        return [{"number": 1}] if self.due(seat) else []

    def view(self, seat: int) -> View:
        return {}

    def knowledge(self, seat: int) -> Draws:
        return 0, 0

    def score(self, seat: int) -> int:
        return 0

    def digest(self, seat: int) -> str:
        return ""


def table(seats: int = 3, drop_limit: int | None = None) -> Numbers:
    game = find_game("dice-drop")
    return Numbers(game, game.deal({}, seed="any"), seats, drop_limit)


def say(one: Numbers, seat: int, number: int = 1) -> list[str]:
    return [f"{event['type']}{event.get('seat', '')}" for event in one.play(seat, {"number": number}).events]


def test_the_last_decision_brings_what_all_decided() -> None:
    one = table()
    assert say(one, 2) == ["decided2"]
    assert say(one, 0) == ["decided0"]
    assert [one.due(seat) for seat in range(3)] == [False, True, False]
    assert say(one, 1) == ["decided1", "said0", "said1", "said2", "throw"]
    assert [one.turn(seat) for seat in range(3)] == [1, 1, 1]
    assert all(map(one.due, range(3)))


def test_what_is_refused_changes_nothing() -> None:
    one = table()
    with pytest.raises(InvalidMove):
        one.play(0, {"number": "x"})
    assert one.due(0)
    assert one.turn(0) == 0
    say(one, 0)
    with pytest.raises(IllegalMove, match="wait for the others"):
        say(one, 0)
    one.absent = frozenset({1})
    with pytest.raises(IllegalMove, match="nothing for you"):
        say(one, 1)
    assert say(one, 2) == ["decided2", "said0", "said2", "throw"]


def test_a_stop_can_end_a_round_and_drops_what_was_decided() -> None:
    one = table()
    say(one, 0)
    say(one, 1)
    step = one.stop(2, Ended.FORFEIT)
    assert [event["type"] for event in step.events] == ["over", "said", "said", "throw"]
    assert step.disclosed == (2, 0)
    say(one, 0)
    assert [event["type"] for event in one.stop(0, Ended.TIME).events] == ["over"]
    assert say(one, 1) == ["decided1", "said1", "throw"]
    assert one.stop(0, Ended.TIME).events == []
    with pytest.raises(IllegalMove, match="over"):
        say(one, 0)
    assert [event["type"] for event in one.stop(1, Ended.TIME).events] == ["over"]
    assert one.over


def test_the_rules_end_it_for_all() -> None:
    one = table(2)
    say(one, 0, 9)
    assert say(one, 1) == ["decided1", "said0", "said1", "over0", "over1"]
    assert [one.ended(seat) for seat in range(2)] == [Ended.RULES, Ended.RULES]


def test_a_drop_limit_counts_each_seats_decisions() -> None:
    one = table(2, drop_limit=2)
    one.absent = frozenset({1})
    assert say(one, 0) == ["decided0", "said0", "throw"]
    one.absent = frozenset()
    say(one, 1)
    assert say(one, 0) == ["decided0", "said0", "said1", "over0", "throw"]
    assert say(one, 1) == ["decided1", "said1", "over1"]
    assert one.over
