from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from alembic import command

import samedrop_migrations
from samedrop_migrations import _config


def test_no_file_of_the_environment_is_missing_from_the_package() -> None:
    folder = Path(samedrop_migrations.__file__).parent
    assert (folder / "env.py").is_file()
    assert (folder / "script.py.mako").is_file()
    assert (folder / "versions" / "0001_initial.py").is_file()


def test_revisions_form_one_line_of_numbers() -> None:
    folder = Path(samedrop_migrations.__file__).parent / "versions"
    numbers = sorted(file.name[:4] for file in folder.glob("[0-9]*.py"))
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]
    assert numbers[-1] == samedrop_migrations.head()


def test_the_template_makes_a_revision(tmp_path: Path) -> None:
    folder = tmp_path / "migrations"
    shutil.copytree(Path(samedrop_migrations.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    config = _config()
    config.set_main_option("script_location", str(folder))
    command.revision(config, "another", rev_id="9000")
    (made,) = folder.glob("versions/9000*.py")
    text = made.read_text("utf-8")
    compile(text, str(made), "exec")
    assert f"revision = '9000'\ndown_revision = '{samedrop_migrations.head()}'" in text


def test_an_upgrade_writes_nothing_to_the_terminal(empty_url: str, capfd: pytest.CaptureFixture[str]) -> None:
    samedrop_migrations.upgrade(empty_url)
    assert capfd.readouterr() == ("", "")
