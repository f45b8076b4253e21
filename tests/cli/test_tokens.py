"""The token store."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from samedrop_cli.exits import CommandError, Exit
from samedrop_cli.tokens import FILE_NAME, TokenStore, home


def test_tokens_are_kept_by_server_and_name(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    store = TokenStore(folder)
    assert store.get("ws://a/ws", "Ann") is None
    store.keep("ws://a/ws", "Ann", "1")
    store.keep("ws://a/ws", "Bob", "2")
    store.keep("ws://b/ws", "Ann", "3")
    again = TokenStore(folder)
    assert [again.get("ws://a/ws", "Ann"), again.get("ws://a/ws", "Bob"), again.get("ws://b/ws", "Ann")] == [
        "1",
        "2",
        "3",
    ]
    assert again.get("ws://b/ws", "Bob") is None
    assert [file.name for file in folder.iterdir()] == [FILE_NAME]


def test_only_the_owner_can_read_them(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    TokenStore(folder).keep("s", "n", "t")
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_what_is_kept_already_is_not_written_again(tmp_path: Path) -> None:
    store = TokenStore(tmp_path)
    store.keep("s", "n", "t")
    before = (tmp_path / FILE_NAME).stat().st_ino
    store.keep("s", "n", "t")
    assert (tmp_path / FILE_NAME).stat().st_ino == before
    store.keep("s", "n", "new")
    assert store.get("s", "n") == "new"


@pytest.mark.parametrize("content", ["", "[]", '{"s": 1}', "{"])
def test_a_broken_file_is_said_and_left_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE_NAME).write_text(content)
    with pytest.raises(CommandError, match="tokens") as caught:
        TokenStore(tmp_path).get("s", "n")
    assert caught.value.exit_code == Exit.INPUT
    assert (tmp_path / FILE_NAME).read_text() == content


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="guest") as caught:
        TokenStore(tmp_path / "file" / "folder").keep("s", "n", "t")
    assert caught.value.exit_code == Exit.INPUT


def test_names_may_be_any_text(tmp_path: Path) -> None:
    store = TokenStore(tmp_path)
    store.keep("s", "Zoë 火", "t")
    assert store.get("s", "Zoë 火") == "t"
    assert json.loads((tmp_path / FILE_NAME).read_text("utf-8")) == {"s": {"Zoë 火": "t"}}


def test_home() -> None:
    assert home({"SAMEDROP_HOME": "/here", "XDG_CONFIG_HOME": "/x"}) == Path("/here")
    assert home({"XDG_CONFIG_HOME": "/x"}) == Path("/x/samedrop")
    assert home({}) == Path.home() / ".config" / "samedrop"
