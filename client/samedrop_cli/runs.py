"""Runs on a deal, as lines."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from samedrop_cli.display import ENDED, clock_time, fit, plain, width
from samedrop_protocol import model


def add_each(parser: argparse.ArgumentParser, default: model.Each | None = None) -> None:
    """Add the option that says which runs count."""
    parser.add_argument(
        "--each",
        choices=[each.value for each in model.Each],
        default=default and default.value,
        help="of each player only the best, or the first run" + (f" (default: {default})" if default else ""),
    )


def run_lines(runs: Sequence[model.Run]) -> list[str]:
    """A line for each run, best first."""
    names = [plain(one.names) for one in runs]
    name_width = max(map(width, names), default=0)
    scores = [f"{one.score:,}" for one in runs]
    score_width = max(map(len, scores), default=0)
    lines = [
        f"{one.rank:>3}. {fit(name, name_width)}  {score.rjust(score_width)}  {one.turns} moves, "
        f"{ENDED.get(one.ended, one.ended)}  {clock_time(one.started)}  match {one.match}"
        f"{', at first sight' if one.first_sight else ''}"
        for one, name, score in zip(runs, names, scores, strict=True)
    ]
    return lines or ["No runs."]
