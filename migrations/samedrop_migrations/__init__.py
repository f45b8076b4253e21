"""Alembic environment and versions, importable so that a wheel can migrate."""
