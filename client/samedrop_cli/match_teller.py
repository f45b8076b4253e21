"""What a person in a terminal is told of a match: the boards, the own moves, where everybody stands, the result."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence

from samedrop_cli.display import ENDED, counted, plain, side_by_side, standings_lines
from samedrop_cli.telling import happened, mover
from samedrop_client.feed import Signal
from samedrop_client.match import Match
from samedrop_protocol import from_server
from samedrop_protocol.model import SeatProgress


class MatchTeller:
    """See the module.

    Attributes:
        match: the one that is told now, or was told last.
    """

    def __init__(self, write: Callable[[str], None], *, boards: bool) -> None:
        """Args: write: takes each line; boards: draw the board after every move."""
        self.match: Match | None = None
        self._write = write
        self._boards = boards
        self._told_turn = -1
        self._told = Signal()

    @property
    def playing(self) -> Match | None:
        """The match, if there is one and the own run in it goes on."""
        match = self.match
        return None if match is None or match.seat is None or match.ended is not None else match

    async def until_told(self, turn: int) -> None:
        """Return once what the own move of that turn led to is told."""
        await self._told.until(lambda: self._told_turn >= turn)

    # What is asked for

    def show_board(self) -> None:
        """The own board."""
        match = self.match
        if match is None or match.seat is None:
            self._tell("You have no board now.")
            return
        self._draw(match.game.render(match.view()))

    def show_next(self) -> None:
        """What is to be dropped."""
        match = self.playing
        if match is None:
            self._tell("There is nothing to drop now.")
            return
        self._tell(f"Next {match.game.prompt(match.view())}.")

    def show_scores(self) -> None:
        """Where everybody stands."""
        if self.match is None:
            self._tell("There is no race yet.")
            return
        self._tell(self._standings(self.match))

    def show_rivals(self) -> None:
        """The others' boards, ghosts among them."""
        match = self.match
        others = [] if match is None else [board for board in match.boards if board.seat != match.seat]
        if match is None or not others:
            self._tell("There are no rivals.")
            return
        blocks = [[plain(board.names), *match.game.render(match.view(board.seat))] for board in others]
        self._draw(side_by_side(blocks, shutil.get_terminal_size((80, 24)).columns))

    # What comes

    async def follow(self, match: Match) -> None:
        """Tell a match from its start (or from where it is now) to its result."""
        self.match = match
        self._told_turn = match.turn - 1
        names = ", ".join(board.names for board in match.boards)
        self._tell(f"{match.game.title}, deal {match.facts.deal.deal}: {names}.")
        self._tell(f"Commitment {match.facts.deal.commitment}")
        if match.seat is not None:
            self.show_board()
        async for step in match:
            if match.in_rounds:
                self._tell_round(match, step)
            elif step.seat == match.seat:
                self._tell_own(match, step)
            elif any(event.get("type") == "over" for event in step.events):
                self._tell(f"Finished: {_standing(match, match.progress[step.seat])}.")
        over = await match.result()
        self._draw(["", *standings_lines(over.standings)])
        for ghost in match.facts.ghosts:
            self._tell(f"{_standing(match, match.progress[ghost.seat])}.")
        self._tell(f"Match {match.id}. Look at it where the server runs: samedrop show {match.id}")
        self._tell("Type rematch or rematch same (host) to race again, or quit.")

    def _tell_own(self, match: Match, step: from_server.Step) -> None:
        for line in match.game.describe([event for event in step.events if "points" in event]):
            self._tell(f"  {line}")
        if step.move is not None and step.move.get("by", match.by) != match.by:
            self._tell(f"{mover(match.facts.seats[step.seat], step.move)}:")
        self._tell(match.game.summary(step.events) if step.move is not None else "Your run was ended.")
        if match.facts.seats[step.seat].partner is not None and match.legal():
            self._tell(f"Your turn: {match.game.prompt(match.view())}.")
        if self._boards:
            self._draw(match.game.render(match.view()))
        if len(match.boards) > 1:
            self._tell(self._standings(match))
        self._told_turn = step.turn
        self._told.fire()

    def _tell_round(self, match: Match, step: from_server.Step) -> None:
        """What a decision led to: nothing yet, until the last of a round brings what became of all of them."""
        lines = happened(match.game, match.facts.seats, step.events)
        for line in lines:
            self._tell(line)
        if lines and self._boards and match.seat is not None:
            self._draw(match.game.render(match.view()))
        if step.seat == match.seat:
            self._told_turn = step.turn
            self._told.fire()

    def _standings(self, match: Match) -> str:
        return "; ".join(_standing(match, one) for one in match.progress) + "."

    def _tell(self, line: str) -> None:
        self._write(plain(line))

    def _draw(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._write(line.rstrip())


def _standing(match: Match, one: SeatProgress) -> str:
    """Where a seat or a ghost stands."""
    state = "" if one.ended is None else f", {ENDED.get(one.ended, one.ended)}"
    return f"{match.boards[one.seat].names} {one.score:,} after {counted(one.turn, 'move')}{state}"
