from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from samedrop_protocol.model import Deal, Known, Match, Rivals
from samedrop_rules import Draws, Ended, covers
from samedrop_rules import Step as Decided
from samedrop_server.matches.steps import Step
from samedrop_server.matches.streams import SeatStream, Stream
from tests.server.matches.support import held


class Log:
    """Makes the steps of a two-stream game: each turn discloses the next disc, some also a reveal."""

    def __init__(self, seats: int) -> None:
        self.turns = [0] * seats
        self.reveals = [0] * seats
        self.steps: list[Step] = []

    def move(self, seat: int, *, reveals: int = 0, ended: Ended | None = None) -> Step:
        turn = self.turns[seat]
        self.turns[seat] += 1
        mask = sum(1 << (self.reveals[seat] + k) for k in range(reveals))
        self.reveals[seat] += reveals
        disclosed: Draws = (1 << (turn + 1), mask)
        step = Step(len(self.steps) + 1, seat, turn, {"column": 0}, Decided([], disclosed), 0, 0, "", ended, None)
        self.steps.append(step)
        return step


def numbers(stream: Stream) -> list[int]:
    return [step.number for step in stream.told]


def stream(rivals: Rivals, seat: int = 0, seats: int = 2) -> SeatStream:
    return SeatStream(seat, replace(match_of(seats), rivals=rivals), (1, 0))


def match_of(seats: int) -> Match:
    deal = Deal(deal="d", game="drop7", version=1, options={}, known=Known.OPEN, commitment="")
    return Match(match="m1", room="ABC234", deal=deal, seats=[held(seat, 1) for seat in range(seats)], started=0)


def test_the_gallery_sees_the_log() -> None:
    log, gallery = Log(2), Stream()
    assert [gallery.feed(log.move(seat)) for seat in (0, 1, 1)] == [1, 1, 1]
    assert numbers(gallery) == [1, 2, 3]


def test_a_rival_who_is_ahead_is_held_until_the_own_turn() -> None:
    log, mine = Log(2), stream(Rivals.FAIR)
    assert mine.feed(log.move(1)) == 0
    assert mine.feed(log.move(1)) == 0
    assert mine.feed(log.move(0)) == 2
    assert numbers(mine) == [3, 1]
    assert mine.feed(log.move(0)) == 2
    assert numbers(mine) == [3, 1, 4, 2]


def test_a_rival_who_is_behind_is_told_at_once() -> None:
    log, mine = Log(2), stream(Rivals.FAIR)
    mine.feed(log.move(0))
    assert mine.feed(log.move(1)) == 1


def test_a_rivals_reveal_is_held_and_keeps_later_steps_back() -> None:
    log, mine = Log(2), stream(Rivals.FAIR)
    for _ in range(3):
        mine.feed(log.move(0))
    assert mine.feed(log.move(1, reveals=1)) == 0
    assert mine.feed(log.move(1)) == 0, "in order, although its own disc is known"
    assert mine.feed(log.move(0, reveals=1)) == 3


def test_when_the_own_run_is_over_the_rest_comes_at_once_in_the_order_of_the_log() -> None:
    log, mine = Log(3), stream(Rivals.FAIR, seats=3)
    for seat in (2, 1, 2, 1):
        mine.feed(log.move(seat))
    assert mine.feed(log.move(0, ended=Ended.FORFEIT)) == 5
    assert numbers(mine) == [5, 1, 2, 3, 4]
    assert mine.feed(log.move(2)) == 1


def test_open_holds_nothing_and_scores_holds_everything() -> None:
    log, everything, nothing = Log(2), stream(Rivals.OPEN), stream(Rivals.SCORES)
    for seat in (1, 1, 0, 1):
        step = log.move(seat)
        assert everything.feed(step) == 1
        nothing.feed(step)
    assert numbers(nothing) == [3]
    nothing.feed(log.move(0, ended=Ended.RULES))
    assert numbers(nothing) == [3, 5, 1, 2, 4]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=60))
def test_nothing_is_told_early_and_nothing_is_lost(moves: list[tuple[int, int]]) -> None:
    log, mine = Log(3), stream(Rivals.FAIR, seats=3)
    for seat, reveals in moves:
        before = len(mine.told)
        gained = mine.feed(log.move(seat, reveals=reveals))
        assert len(mine.told) == before + gained
    known: Draws = (1, 0)
    latest = [0, 0, 0]
    for step in mine.told:
        if step.seat == 0:
            known = (known[0] | step.disclosed[0], known[1] | step.disclosed[1])
        assert covers(known, step.disclosed)
        assert step.turn == latest[step.seat], "each seat's steps in order, none twice"
        latest[step.seat] += 1
    mine.feed(log.move(0, ended=Ended.RULES))
    assert sorted(numbers(mine)) == [step.number for step in log.steps]
