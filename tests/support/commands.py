"""The stored-match commands, run in this process."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from samedrop_cli.main import main
from samedrop_server.storage.database import Database
from samedrop_server.storage.ledger import Ledger
from tests.support.stored import Played


@dataclass
class Shell:
    """Runs ``samedrop …`` on one database."""

    url: str
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: str, database: bool = True) -> tuple[int, str, str]:
        """The exit code, what was printed, and what was complained."""
        code = main([*words, *(["--database", self.url] if database else [])])
        printed = self.capsys.readouterr()
        return code, printed.out, printed.err

    @property
    def file(self) -> Path:
        return Path(self.url.removeprefix("sqlite:///"))

    def store(self, *matches: Played, finish: bool = True) -> None:
        database = Database(self.url)
        ledger = Ledger(database)
        for match in matches:
            ledger.commit(match.records if finish else [*match.beginning, *match.log])
        ledger.close()
        database.close()

    def change(self, *statements: str) -> None:
        """Tamper with what is stored."""
        database = Database(self.url)
        for statement in statements:
            database.write_now(lambda connection, statement=statement: connection.exec_driver_sql(statement))  # type: ignore[misc]
        database.close()


def is_one_line(text: str) -> bool:
    return text.startswith("samedrop: ") and text.count(os.linesep) == 1
