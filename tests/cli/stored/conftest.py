"""The commands of this folder, run on a database of their own."""

from __future__ import annotations

import pytest

from tests.support.commands import Shell
from tests.support.databases import sqlite_url

__all__ = ["sqlite_url"]


@pytest.fixture
def samedrop(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(sqlite_url, capsys)
