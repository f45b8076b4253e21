from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from samedrop_server.settings import DEFAULT_DATABASE, DEFAULT_PORT, Settings

PAGE = (Path(__file__).parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")


def test_defaults_suit_one_machine() -> None:
    settings = Settings()
    assert (settings.host, settings.port, settings.database) == ("127.0.0.1", DEFAULT_PORT, DEFAULT_DATABASE)
    assert settings.ping_interval <= 25
    assert not settings.compression


def test_the_environment_is_read_and_arguments_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEDROP_PORT", "8123")
    monkeypatch.setenv("SAMEDROP_LOG_FORMAT", "json")
    monkeypatch.setenv("SAMEDROP_ORIGINS", "https://games.example, http://localhost:8080")
    assert (Settings().port, Settings().log_format) == (8123, "json")
    assert Settings().origins == "https://games.example, http://localhost:8080"
    assert Settings(port=9).port == 9


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", 70_000),
        ("durability", "some"),
        ("max_rooms", 0),
        ("max_per_address", 0),
        ("gather", -1),
        ("rate_limits", -1),
        ("ping_interval", 0),
        ("ping_interval", 25.1),
        ("ping_timeout", 0),
        ("origins", "games.example"),
        ("trusted_proxies", "10.0.0.1/8"),
        ("path_prefix", "/a b"),
        ("path_prefix", "/a/../b"),
        ("path_prefix", "/a//b"),
        ("tls_key", "key.pem"),
    ],
)
def test_nonsense_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError) as error:
        Settings(**{name: value})  # type: ignore[arg-type]
    assert error.value.errors()[0]["loc"] == (name,)


def test_the_longest_ping_interval_is_25_seconds() -> None:
    assert Settings(ping_interval=25).ping_interval == 25


@pytest.mark.parametrize("text", ["drop", "/drop", "/drop/", "drop/"])
def test_a_prefix_may_be_written_with_any_slashes(text: str) -> None:
    assert Settings(path_prefix=text).path_prefix == "/drop"


@pytest.mark.parametrize(("text", "prefix"), [("", ""), ("/", ""), ("/games/drop-7_x", "/games/drop-7_x")])
def test_prefixes(text: str, prefix: str) -> None:
    assert Settings(path_prefix=text).path_prefix == prefix


def test_a_key_needs_its_certificate() -> None:
    assert Settings(tls_certificate="certificate.pem", tls_key="key.pem").tls_key == "key.pem"


def test_the_page_for_operators_lists_every_setting_with_its_default() -> None:
    listed = dict(re.findall(r"^\| `(\w+)` \| `?(.*?)`? \| ", PAGE, re.MULTILINE))
    expected = {name: str(field.default).lower() or "none" for name, field in Settings.model_fields.items()}
    assert {name: listed.get(name) for name in expected} == expected
