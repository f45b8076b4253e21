"""Reading the events of the games of discs as a client does that knows no rules."""

from __future__ import annotations

from typing import TypedDict, cast

from samedrop_rules import Event


class WaveEvent(TypedDict):
    """The parts of a wave that change the board."""

    cleared: list[list[int]]
    cracked: list[list[int]]
    revealed: list[list[int]]
    falls: list[list[int]]


class Follower:
    """A client that knows no rules: it draws the board from the events."""

    def __init__(self, board: list[list[int]]) -> None:
        self.board = [list(line) for line in board]

    def see(self, event: Event) -> None:
        match event:
            case {"type": "drop", "disc": int(disc), "cell": [int(row), int(column)]}:
                assert self.board[row][column] == 0
                self.board[row][column] = disc
            case {"type": "rise"}:
                assert self.board[0] == [0] * 7
                self.board = [*self.board[1:], [8] * 7]
            case {"type": "wave"}:
                self.see_wave(cast("WaveEvent", event))

    def see_wave(self, wave: WaveEvent) -> None:
        for row, column, number in wave["cleared"]:
            assert self.board[row][column] == number
            self.board[row][column] = 0
        for row, column in wave["cracked"]:
            assert self.board[row][column] == 8
            self.board[row][column] = 9
        for row, column, number in wave["revealed"]:
            assert self.board[row][column] in (8, 9)
            self.board[row][column] = number
        assert wave["falls"] == sorted(wave["falls"])
        moved = [(to_row, column, self.board[row][column]) for row, column, to_row in wave["falls"]]
        for row, column, to_row in wave["falls"]:
            assert to_row > row
            self.board[row][column] = 0
        for row, column, piece in moved:
            assert piece != 0
            assert self.board[row][column] == 0
            self.board[row][column] = piece

    def text(self) -> str:
        return "".join(str(piece) for line in self.board for piece in line)


def without_falls(event: Event) -> Event:
    """The event without what gravity does, which naive models do not tell."""
    return {key: value for key, value in event.items() if key != "falls"}


def bits(mask: int) -> list[int]:
    """The numbers of the draws in a mask."""
    return [k for k in range(mask.bit_length()) if mask >> k & 1]
