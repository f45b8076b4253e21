"""Writes the golden files that are made from the program itself: ``python -m tests.vectors.generate``.

To add some, write a generator (a function that gives the text of each file, by its path under tests/vectors) in a
module of its own, and list it in `GENERATORS`. `test_generate` fails when a file is not what its generator gives now.
The check values of docs/rules/deal.md and the worked examples of docs/rules/drop7.md are not made here: they are given.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.vectors import (
    frames_generate,
    playthroughs_dice_drop,
    playthroughs_drop7,
    playthroughs_merge_drop,
    playthroughs_number_drop,
    playthroughs_row_clear,
)

FOLDER = Path(__file__).parent

Generator = Callable[[], Mapping[str, str]]

GENERATORS: tuple[Generator, ...] = (
    playthroughs_drop7.generate,
    playthroughs_number_drop.generate,
    playthroughs_merge_drop.generate,
    playthroughs_row_clear.generate,
    playthroughs_dice_drop.generate,
    frames_generate.generate,
)


def generated() -> dict[str, str]:
    """The text of every generated file, by its path under this folder."""
    files: dict[str, str] = {}
    for generator in GENERATORS:
        for path, text in generator().items():
            if path in files:
                raise ValueError(f"two generators write {path}")
            files[path] = text
    return files


def write() -> list[str]:
    """Write every generated file; returns the paths of those that changed."""
    changed = []
    for path, text in generated().items():
        file = FOLDER / path
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
            changed.append(path)
    return changed


if __name__ == "__main__":
    sys.stdout.writelines(f"{path}\n" for path in write())
