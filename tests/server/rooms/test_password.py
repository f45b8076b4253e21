from __future__ import annotations

import hmac

import pytest

from samedrop_server.rooms.password import Password, new_password


def test_only_the_same_text_matches() -> None:
    password = Password("rote Grütze")
    assert password.matches("rote Grütze")
    assert password.matches("rote Gru\u0308tze")  # composed otherwise
    for other in ("", "rote Grutze", "Rote Grütze", "rote Grütze "):
        assert not password.matches(other)


def test_it_is_held_as_a_hash_with_a_salt_of_its_own() -> None:
    one, other = Password("herring"), Password("herring")
    assert one._digest != other._digest
    assert "herring" not in repr(one)
    assert not hasattr(one, "__dict__")


def test_it_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return False

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert not Password("herring").matches("herring")
    assert len(compared) == 1


def test_an_empty_text_is_no_password() -> None:
    assert new_password("") is None
    assert new_password("x") is not None
