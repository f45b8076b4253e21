"""The parts that all games share: deals, standings, knowledge."""

from __future__ import annotations

import pytest

from samedrop_rules import (
    Ended,
    InvalidMove,
    InvalidOptions,
    InvalidSeed,
    InvalidTape,
    Standing,
    Table,
    covers,
    find_game,
)
from samedrop_rules.game import Draws, Event, Game, Move, Pace, Step, View

GAME = find_game("drop7")


class Tapeless(Game):
    """A game that does nothing, to see what `Game` itself does."""

    id, version, title, pace, max_seats, options, streams = "nothing", 1, "Nothing", Pace.RACE, 1, (), ()

    def table(self, deal: object, seats: int, drop_limit: int | None = None) -> Table:
        raise NotImplementedError

    def legal(self, view: View) -> list[Move]:
        return []

    def follow(self, view: View, events: object) -> View:
        return view

    def outlook(self, view: View, move: Move) -> tuple[int, ...]:
        return ()

    def parse_move(self, text: str, view: View) -> Move:
        raise InvalidMove("There are no moves.")

    def render(self, view: View) -> list[str]:
        return []

    def describe(self, events: object) -> list[str]:
        return []

    def summary(self, events: object) -> str:
        return ""

    def prompt(self, view: View) -> str:
        return ""


class Finished(Table):
    """A table of which only scores and ends are known."""

    def __init__(self, results: list[tuple[int, Ended | None]]) -> None:
        super().__init__(GAME, GAME.deal({}, seed="x"), len(results))
        self.results = results

    def legal(self, seat: int) -> list[Move]:
        return []

    def play(self, seat: int, move: Move) -> Step:
        raise NotImplementedError

    def stop(self, seat: int, ended: Ended, cause: str = "") -> Step:
        raise NotImplementedError

    def view(self, seat: int) -> View:
        return {}

    def knowledge(self, seat: int) -> Draws:
        return ()

    def turn(self, seat: int) -> int:
        return 10 + seat

    def score(self, seat: int) -> int:
        return self.results[seat][0]

    def ended(self, seat: int) -> Ended | None:
        return self.results[seat][1]

    def digest(self, seat: int) -> str:
        return ""


def ranks(*results: tuple[int, Ended]) -> list[tuple[int, int]]:
    return [(standing.seat, standing.rank) for standing in Finished(list(results)).outcome()]


def test_the_highest_score_is_first() -> None:
    assert ranks((5, Ended.RULES), (9, Ended.TIME), (7, Ended.CENSORED)) == [(1, 1), (2, 2), (0, 3)]


def test_ties_share_a_rank_and_the_next_is_counted_on() -> None:
    assert ranks((7, Ended.RULES), (9, Ended.RULES), (9, Ended.TIME), (1, Ended.RULES)) == [
        (1, 1),
        (2, 1),
        (0, 3),
        (3, 4),
    ]


def test_who_gave_up_comes_last_whatever_the_score() -> None:
    assert ranks((90, Ended.FORFEIT), (1, Ended.RULES), (95, Ended.FORFEIT)) == [(1, 1), (2, 2), (0, 3)]


def test_a_tie_is_not_shared_between_who_gave_up_and_who_did_not() -> None:
    assert ranks((5, Ended.FORFEIT), (5, Ended.RULES)) == [(1, 1), (0, 2)]


def test_a_standing_tells_all() -> None:
    assert Finished([(3, Ended.TIME)]).outcome() == [Standing(0, 1, 3, 10, Ended.TIME)]


def test_a_match_is_over_when_every_run_is() -> None:
    assert not Finished([(3, Ended.TIME), (2, None)]).over
    assert Finished([(3, Ended.TIME), (2, Ended.RULES)]).over
    with pytest.raises(ValueError, match="not over"):
        Finished([(3, Ended.TIME), (2, None)]).outcome()


@pytest.mark.parametrize(
    ("known", "needed", "covered"),
    [
        ((0b111, 0), (0b100, 0), True),
        ((0b111, 0), (0b1000, 0), False),
        ((0b111, 0b1), (0b1, 0b10), False),
        ((0, 0), (0, 0), True),
        ((1 << 300, 0), (1 << 300, 0), True),
    ],
)
def test_covers(known: Draws, needed: Draws, covered: bool) -> None:
    assert covers(known, needed) is covered


def test_a_deal_is_checked_in_all_parts() -> None:
    deal = GAME.deal({"latent": True}, seed=" Friday ")
    assert (deal.game, deal.version, deal.seed, deal.tape) == ("drop7", 1, "Friday", None)
    assert deal.options == {"start_rows": 1, "latent": True, "drops_per_rise": 5}
    with pytest.raises(InvalidOptions):
        GAME.deal({"latent": 1}, seed="friday")
    with pytest.raises(InvalidSeed):
        GAME.deal({}, seed="")
    with pytest.raises(InvalidSeed):
        GAME.deal({})


def test_options_left_out_and_options_at_their_default_are_one_deal() -> None:
    assert GAME.deal({}, seed="x").id == GAME.deal({"start_rows": 1}, seed="x").id


def test_a_deal_has_a_seed_or_a_tape_not_both() -> None:
    deal = GAME.deal({}, tape={"discs": [1]})
    assert deal.seed is None
    assert deal.tape is not None
    with pytest.raises(InvalidTape):
        GAME.deal({}, seed="friday", tape={"discs": [1]})


def test_a_game_without_tapes_refuses_them() -> None:
    with pytest.raises(InvalidTape, match="Nothing cannot be dealt from a tape"):
        Tapeless().deal({}, tape={"discs": [1]})


def test_events_are_plain_dicts() -> None:
    step = GAME.table(GAME.deal({}, seed="x"), 1).play(0, {"column": 0})
    event: Event = step.events[0]
    assert type(event) is dict
