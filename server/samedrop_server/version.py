"""The program's version."""

from __future__ import annotations

from importlib.metadata import version

VERSION = version("samedrop")
SERVER_NAME = f"samedrop/{VERSION}"
