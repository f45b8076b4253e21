"""Checks that tests mirror the sources: every source module has a test module at the same place, and none is left over.

Run as ``python -m tests.support.mirror``. Modules that need no test of their own are named here with the reason.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "rules/samedrop_rules": "tests/rules",
    "protocol/samedrop_protocol": "tests/protocol",
    "client/samedrop_client": "tests/client",
    "client/samedrop_cli": "tests/cli",
    "server/samedrop_server": "tests/server",
    "migrations/samedrop_migrations": "tests/migrations",
}
WITHOUT_TEST: dict[str, str] = {
    "server/samedrop_server/matches/services.py": "holds what it is given",
}


def expected(source: Path, package: str) -> Path:
    """Where the test of a source module belongs."""
    relative = source.relative_to(ROOT / package)
    return ROOT / PACKAGES[package] / relative.with_name(f"test_{relative.name.lstrip('_')}")


def missing() -> list[str]:
    """Source modules that have neither a test module nor a reason."""
    found: list[str] = []
    for package in PACKAGES:
        for source in sorted((ROOT / package).rglob("*.py")):
            name = source.relative_to(ROOT).as_posix()
            if (
                source.name in ("__init__.py", "__main__.py", "version.py")
                or "/versions/" in name
                or name in WITHOUT_TEST
            ):
                continue
            if not expected(source, package).exists():
                found.append(f"{name}: no {expected(source, package).relative_to(ROOT)}")
    return found


if __name__ == "__main__":
    lines = missing()
    sys.exit("\n".join(lines) if lines else 0)
