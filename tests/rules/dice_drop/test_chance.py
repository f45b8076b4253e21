from __future__ import annotations

from samedrop_rules.dice_drop.chance import DICE, Chance, Throw
from tests.rules.dice_drop.positions import GAME
from tests.support.naive.dice_drop import NaiveDiceDrop


def test_a_throw_is_the_same_in_whatever_order_it_is_asked_for() -> None:
    deal = GAME.deal({"shapes": "five"}, seed="friday")
    forth, back = Chance(deal), Chance(deal)
    assert [back.throw(k) for k in reversed(range(30))][::-1] == [forth.throw(k) for k in range(30)]
    for k in range(30):
        dice, shape = forth.throw(k)
        assert all(face in faces for face, faces in zip(dice, DICE, strict=True))
        assert shape in "IOTLS*"


def test_stars() -> None:
    assert Throw("1*57", "T").starred
    assert Throw("1457", "*").starred
    assert not Throw("1457", "T").starred


def test_blocks_are_dealt_onto_letters() -> None:
    chance = Chance(GAME.deal({}, seed="friday"))
    assert chance.blocks == NaiveDiceDrop("friday", 1, five=False, opening=False).blocks
    assert sorted(chance.blocks.values()) == ["I3", "T5", "U5", "V3", "X5"]
    assert sorted(Chance(GAME.deal({"solo": True}, seed="friday")).blocks.values()) == ["I", "L", "O", "S", "T"]
    assert len({tuple(Chance(GAME.deal({}, seed=f"{n}")).blocks.values()) for n in range(30)}) > 10
