from __future__ import annotations

import hmac

import pytest

from samedrop_server.rooms.password import Password, kept_password, new_password


def password(text: str) -> Password:
    found = new_password(text)
    assert found is not None
    return found


def test_only_the_same_text_matches() -> None:
    held = password("rote Grütze")
    assert held.matches("rote Grütze")
    assert held.matches("rote Gru\u0308tze")  # composed otherwise
    for other in ("", "rote Grutze", "Rote Grütze", "rote Grütze "):
        assert not held.matches(other)


def test_it_is_held_as_a_hash_with_a_salt_of_its_own() -> None:
    one, other = password("herring"), password("herring")
    assert one._digest != other._digest
    assert "herring" not in repr(one)
    assert not hasattr(one, "__dict__")


def test_it_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return False

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert not password("herring").matches("herring")
    assert len(compared) == 1


def test_an_empty_text_is_no_password() -> None:
    assert new_password("") is None
    assert new_password("x") is not None


def test_it_is_kept_as_salt_and_hash() -> None:
    held = password("herring")
    kept = kept_password(held.kept)
    assert kept is not None
    assert kept.matches("herring")
    assert not kept.matches("cod")
    assert "herring" not in held.kept
    assert kept_password(None) is None
    for damaged in ("herring", "zz:00", "ä"):
        with pytest.raises(ValueError, match="hex"):
            kept_password(damaged)
