from __future__ import annotations

import pytest
from pydantic import ValidationError

from samedrop_server.settings import DEFAULT_DATABASE, DEFAULT_PORT, Settings


def test_defaults_suit_one_machine() -> None:
    settings = Settings()
    assert (settings.host, settings.port, settings.database) == ("127.0.0.1", DEFAULT_PORT, DEFAULT_DATABASE)
    assert settings.ping_interval <= 25
    assert not settings.compression


def test_the_environment_is_read_and_arguments_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEDROP_PORT", "8123")
    monkeypatch.setenv("SAMEDROP_LOG_FORMAT", "json")
    assert (Settings().port, Settings().log_format) == (8123, "json")
    assert Settings(port=9).port == 9


@pytest.mark.parametrize(
    ("name", "value"), [("port", 70_000), ("durability", "some"), ("max_rooms", 0), ("gather", -1)]
)
def test_nonsense_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError):
        Settings(**{name: value})  # type: ignore[arg-type]
