"""No byte told to a seated player whose run goes on depends on what that player has not been dealt.

A player lags behind while others run to their ends, with spectators on, errors and resumes in between. The same is
then played on a second deal that agrees with the first one only on what the player has been dealt in the end: all that
is told to the player must be the same, byte for byte, but for the progress of the others, which is never held back.
Two ghosts race along, on moves that were drawn for each deal anew.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import MSGPACK
from samedrop_protocol.errors import ProtocolError
from samedrop_rules import GAMES, Deal, Game, OptionValue, Pace
from tests.server.matches.support import Scene, run_on
from tests.support.forked import forked
from tests.support.playing import case_name, option_sets
from tests.support.server import FakeSession

RACES = [(game, options) for game in GAMES if game.pace is not Pace.ROUNDS for options in option_sets(game)]
AHEAD = 60
"""Turns that rivals make at most: far more than the player."""


class Told(FakeSession):
    """Keeps what the player was told, without where rivals stand: steps as bytes, with their numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes: list[bytes] = []

    def write(self, frame: bytes | str) -> None:
        message = MSGPACK.decode_server(frame)
        if isinstance(message, from_server.Events):
            for number, step in enumerate(message.steps, message.first):
                one = from_server.Events(match=message.match, first=number, steps=[step], repeat=message.repeat)
                self.bytes.append(bytes(MSGPACK.encode(one)))
        elif isinstance(message, from_server.Resumed):
            own = [seat for seat in message.progress if seat.seat == 0]
            self.bytes.append(bytes(MSGPACK.encode(model_without(message, own))))
        elif not isinstance(message, from_server.Progress):
            self.bytes.append(bytes(MSGPACK.encode(message)))


def model_without(message: from_server.Resumed, own: list[model.SeatProgress]) -> from_server.Resumed:
    return from_server.Resumed(
        re=message.re, match=message.match, answer=message.answer, last=message.last, progress=own, time=message.time,
        views=message.views,
    )  # fmt: skip


class Story:
    """What everybody does: decided by a seed and, in each turn, by what the mover sees, and by nothing else."""

    def __init__(
        self, deal: Deal, rivals: model.Rivals, seed: int, turns: int, align: model.Align = model.Align.TURN
    ) -> None:
        runs = (run_on(deal, "one", every=20, turns=AHEAD), run_on(deal, "another", every=35, turns=AHEAD))
        self.scene = Scene(seats=3, deal=deal, rivals=rivals, follow=False, runs=runs, align=align)
        self.player = Told()
        self.watcher = FakeSession()
        self.scene.sessions[0] = self.player
        match = self.scene.match
        for seat, session in enumerate(self.scene.sessions):
            match.audience.follow(session, seat, 0)
        match.audience.follow(self.watcher, None, 0)
        match.open()
        self.seed = seed
        choice = random.Random(seed)
        for turn in range(turns):
            self.rivals_run(choice.randint(0, AHEAD))
            self.scene.clock.advance(choice.random())
            match._time_passes(match.timing.played())
            self.errors(turn)
            self.move(0, "player")
            if choice.random() < 0.4:
                self.come_back(choice.choice([None, 0, turn]))
            if match.table.ended(0) is not None:
                break
        self.scene.flush()
        match.close()

    def rivals_run(self, turns: int) -> None:
        for _ in range(turns):
            for seat in (1, 2):
                self.move(seat, "rival")
        self.scene.flush()

    def move(self, seat: int, who: str) -> None:
        table = self.scene.match.table
        moves = table.legal(seat)
        if not moves:
            return
        choice = random.Random(f"{self.seed} {who} {seat} {table.view(seat)}")
        turn = table.turn(seat)
        message = from_client.Move(id=f"{seat}.{turn}", match="m1", turn=turn, move=dict(choice.choice(moves)))
        self.scene.match.move(seat, message, self.scene.sessions[seat], by=int(str(message.move.get("by", 0))))
        self.scene.journal.commit()
        self.scene.flush()

    def errors(self, turn: int) -> None:
        """What is refused: a turn that has not come, and moves that nobody can make."""
        now = self.scene.match.table.turn(0)
        for number, move in ((turn + 5, {"column": 0}), (now, {"column": 99, "rotation": 0})):
            message = from_client.Move(id=f"e{turn}", match="m1", turn=number, move=move)
            with pytest.raises(ProtocolError) as refused:
                self.scene.match.move(0, message, self.player)
            error = refused.value
            told = from_server.Error(code=error.code, text=error.text, field=error.field, turn=error.turn)
            self.player.bytes.append(bytes(MSGPACK.encode(told)))

    def come_back(self, last: int | None) -> None:
        """With a snapshot, or from a number; and ask what may be done."""
        match = self.scene.match
        match.audience.leave(self.player)
        match.resume("r", 0, last, self.player)
        if match.table.ended(0) is None:
            match.advise(0, from_client.Advise(id="a", match="m1"), self.player)

    @property
    def known(self) -> Mapping[str, int]:
        game = self.scene.match.game
        return dict(zip(game.streams, self.scene.match.table.knowledge(0), strict=True))


def deal_of(game: Game, options: Mapping[str, OptionValue], seed: str) -> Deal:
    return game.deal(options, seed=seed)


@pytest.mark.parametrize(("game", "options"), RACES, ids=case_name)
@settings(max_examples=6)
@given(
    seed=st.integers(0, 10_000),
    turns=st.integers(1, 12),
    rivals=st.sampled_from([model.Rivals.FAIR, model.Rivals.SCORES]),
    align=st.sampled_from(model.Align),
)
async def test_what_a_player_is_told_does_not_depend_on_what_was_not_dealt(
    game: Game, options: dict[str, OptionValue], seed: int, turns: int, rivals: model.Rivals, align: model.Align
) -> None:
    deal = deal_of(game, options, f"early {seed}")
    first = Story(deal, rivals, seed, turns, align)
    if first.scene.match.table.ended(0) is not None:
        return  # the run is over: there is nothing left to be kept back
    second = Story(forked(deal, first.known), rivals, seed, turns, align)
    assert second.known == first.known
    assert second.player.bytes == first.player.bytes


async def test_it_would_be_seen() -> None:
    """The same with `open`, where nothing is kept back: the bytes differ."""
    (game,) = (game for game in GAMES if game.id == "drop7")
    deal = deal_of(game, {}, "early")
    first = Story(deal, model.Rivals.OPEN, 1, 4)
    second = Story(forked(deal, first.known), model.Rivals.OPEN, 1, 4)
    assert second.player.bytes != first.player.bytes
