"""The picture of a race in a terminal: what each player does, and all boards side by side after every round."""

from __future__ import annotations

import shutil
from collections.abc import Coroutine, Sequence

from samedrop_cli.display import plain, side_by_side
from samedrop_cli.telling import happened, mover
from samedrop_client.match import Match


class RacePicture:
    """Prints as the steps come.

    A seat is shown as its own player's client sees it if that player is one of ours; otherwise as the first of ours
    does.
    """

    def __init__(self, matches: Sequence[Match]) -> None:
        """Args: matches: the same match as seen by each of our players; none for no picture."""
        self._ours = {match.seat: match for match in matches}
        self._running = {seat: 0 for seat in self._ours if seat is not None}
        self._rounds = 0

    def shows(self) -> list[Coroutine[object, object, None]]:
        """For each of our players: prints what they do, until the match is over."""
        seated = [(match, seat) for seat, match in self._ours.items() if seat is not None]
        if seated and seated[0][0].in_rounds:
            return [self._show_rounds(seated[0][0])]
        return [self._show(match, seat) for match, seat in seated]

    async def _show_rounds(self, match: Match) -> None:
        async for step in match:
            lines = happened(match.game, match.facts.seats, step.events)
            if lines:
                print("\n".join(lines))
                self._print_boards(match)

    async def _show(self, match: Match, seat: int) -> None:
        async for step in match:
            if step.seat == seat:
                name = mover(match.facts.seats[seat], step.move)
                print(f"{name}, move {step.turn + 1}:")
                print("\n".join(f"  {line}" for line in match.game.describe(step.events)))
                self._running[seat] = step.turn + 1
                if any(event.get("type") == "over" for event in step.events):
                    del self._running[seat]
                self._end_of_round(match, step.turn + 1)

    def _end_of_round(self, match: Match, turns: int) -> None:
        """Print the boards if this was the last of our players' moves of a turn."""
        done = min(self._running.values(), default=turns)
        if done > self._rounds:
            self._rounds = done
            self._print_boards(match)

    def _print_boards(self, match: Match) -> None:
        blocks = [self._block(seat.seat, self._ours.get(seat.seat, match)) for seat in match.boards]
        columns = shutil.get_terminal_size((100, 24)).columns
        print("\n".join(["", *side_by_side(blocks, columns), ""]))

    def _block(self, seat: int, match: Match) -> list[str]:
        return [plain(match.boards[seat].names), *match.game.render(match.view(seat))]
