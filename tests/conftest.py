"""Settings of the whole test run."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("samedrop", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("samedrop")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything must be there (CI), a skipped test is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("SAMEDROP_NO_SKIPS") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
