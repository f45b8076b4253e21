"""Settings of the whole test run."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

settings.register_profile("samedrop", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("samedrop")


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """A test that runs a server process' `main` sets up logging for the whole process; undo that."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers = handlers
    root.setLevel(level)
    logging.getLogger("samedrop_server").setLevel(logging.NOTSET)
    logging.captureWarnings(False)
    structlog.reset_defaults()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything must be there (CI), a skipped test is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("SAMEDROP_NO_SKIPS") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
