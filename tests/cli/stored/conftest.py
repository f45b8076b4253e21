"""Databases for the tests of this folder."""

from __future__ import annotations

from tests.support.databases import database, empty_url, postgres_url, sqlite_url, url

__all__ = ["database", "empty_url", "postgres_url", "sqlite_url", "url"]
