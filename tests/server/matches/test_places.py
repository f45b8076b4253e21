from __future__ import annotations

from samedrop_protocol import model
from samedrop_rules import Ended, find_game
from samedrop_server.matches.places import progress, standings
from tests.server.matches.support import held


def test_where_seats_stand_and_the_result() -> None:
    game = find_game("drop7")
    table = game.table(game.deal({}, seed="friday"), 2)
    table.play(1, {"column": 3})
    table.stop(0, Ended.FORFEIT)
    assert progress(table) == [
        model.SeatProgress(seat=0, turn=0, score=0, ended="forfeit"),
        model.SeatProgress(seat=1, turn=1, score=table.score(1)),
    ]
    table.stop(1, Ended.TIME)
    first, last = standings(table, [held(0, 2), held(1, 2)])
    assert (first.seat, first.player, first.names, first.rank, first.ended) == (1, "p1", "n1 & m1", 1, "time")
    assert (last.seat, last.partner, last.ended) == (0, model.Partner(player="q0", name="m0"), "forfeit")
