from __future__ import annotations

from samedrop_rules.row_clear import RowClear
from samedrop_rules.row_clear.chance import Queue
from tests.support.naive.row_clear import seeded

GAME = RowClear()


def test_the_fixed_queue_is_ten_pieces_whatever_the_options_say() -> None:
    for pieces in (1, 10, 100):
        queue = Queue(GAME.deal({"pieces": pieces}, seed="friday"))
        assert "".join(queue.piece(k) for k in range(queue.pieces)) == "IOTLIOTLIO"
        assert (queue.seen(0), queue.mask(0, 10)) == (10, 0)


def test_a_seeded_queue_is_the_same_in_whatever_order_it_is_asked_for() -> None:
    deal = GAME.deal({"queue": "seeded", "pieces": 30}, seed="friday")
    forth, back = Queue(deal), Queue(deal)
    assert [back.piece(k) for k in reversed(range(30))][::-1] == [forth.piece(k) for k in range(30)]
    assert [forth.piece(k) for k in range(30)] == seeded("friday", 30)


def test_what_is_known_ends_with_the_queue() -> None:
    queue = Queue(GAME.deal({"queue": "seeded", "pieces": 3}, seed="friday"))
    assert [queue.seen(used) for used in range(4)] == [2, 3, 3, 3]
    assert (queue.mask(0, 2), queue.mask(2, 3), queue.mask(3, 3)) == (0b11, 0b100, 0)
