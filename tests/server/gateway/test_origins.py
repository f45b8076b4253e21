from __future__ import annotations

import pytest

from samedrop_server.gateway.origins import may_connect, read_origins

ALLOWED = read_origins("https://games.example, http://localhost:8080")


@pytest.mark.parametrize(
    ("origins", "host"),
    [
        # Programs that are no browsers.
        ([], "drop.example"),
        ([], None),
        # The allow-list.
        (["https://games.example"], "drop.example"),
        (["https://GAMES.example:443"], "drop.example"),
        (["http://localhost:8080"], None),
        # This server's own pages.
        (["http://drop.example"], "drop.example"),
        (["http://drop.example:80"], "drop.example"),
        (["https://drop.example"], "Drop.Example:443"),
        (["http://127.0.0.1:7077"], "127.0.0.1:7077"),
        (["http://[::1]:7077"], "[::1]:7077"),
    ],
)
def test_may_connect(origins: list[str], host: str | None) -> None:
    assert may_connect(origins, host, ALLOWED)


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://games.example",  # not https
        "https://games.example:8443",
        "https://games.example.evil.example",
        "https://evil.example/games.example",
        "https://evilgames.example",
        "https://games.example@evil.example",
        "https://games.exampl",
        "http://localhost",
        "http://localhost:80800",
        "http://drop.example:7078",
        "http://drop.example.evil.example:7077",
        "http://drop.example",
        "ftp://drop.example:7077",
        "drop.example:7077",
        "null",
        "",
        "*",
        "https://[",
        "https://games.example, https://evil.example",
    ],
)
def test_others_may_not(origin: str) -> None:
    assert not may_connect([origin], "drop.example:7077", ALLOWED)


def test_two_origins_are_none_that_can_be_believed() -> None:
    assert not may_connect(["https://games.example", "https://games.example"], "drop.example", ALLOWED)


@pytest.mark.parametrize("host", [None, "", "evil@drop.example", "drop.example/x"])
def test_a_host_that_is_none_matches_nothing(host: str | None) -> None:
    assert not may_connect(["http://drop.example"], host, frozenset())


def test_any_is_any() -> None:
    assert may_connect(["http://evil.example"], "drop.example", read_origins("*"))
    assert may_connect(["null"], "drop.example", read_origins("https://a.example, *"))


@pytest.mark.parametrize(
    "text", ["games.example", "https://games.example/", "wss://games.example", "https://x:y", "//x"]
)
def test_a_list_of_what_are_no_origins_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_origins(text)


def test_an_empty_list_is_empty() -> None:
    assert read_origins(" , ") == frozenset()
