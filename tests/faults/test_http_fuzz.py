"""Any request to the HTTP API: never a failure of the server, and errors always in the form that is promised."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from samedrop_protocol import from_server, model
from samedrop_server.app import Running
from tests.e2e.support import served, start_match
from tests.faults.players import player

PATIENCE = 10.0


@dataclass
class Api:
    """A server with a finished match, and what is known of that."""

    runner: asyncio.Runner
    server: Running
    match: str
    cursor: str
    deal: str

    def get(self, target: str, method: str = "GET") -> tuple[int, bytes]:
        """Status and body of the answer."""
        return self.runner.run(self._get(method, target))

    async def _get(self, method: str, target: str) -> tuple[int, bytes]:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
            writer.write(f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode("latin-1"))
            answer = await reader.read()
            writer.close()
            await writer.wait_closed()
        head, _, body = answer.partition(b"\r\n\r\n")
        version, _, rest = head.partition(b" ")
        assert version == b"HTTP/1.1", answer[:100]
        return int(rest[:3]), body


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        stack = AsyncExitStack()
        server = runner.run(stack.enter_async_context(served(Path(folder), rate_limits=0)))
        match = runner.run(play(server))
        try:
            found = Api(runner, server, match, "", "")
            summary = json.loads(found.get("/api/v1/matches")[1])["matches"][0]
            found.deal = summary["deal"]
            found.cursor = f"{summary['started']}-{match}"
            yield found
        finally:
            runner.run(stack.aclose())


async def play(server: Running) -> str:
    async with player(server, "ann") as ann:
        (started,) = await start_match(ann, settings=model.Settings(countdown=0, drop_limit=3))
        match = started.match.match
        await ann.fill(match, 3)
        await ann.until(from_server.MatchOver)
        return match


PARAMETERS = ["player", "game", "deal", "since", "until", "cursor", "limit", "first", "id", "type", "match", "x",
              "first_sight"]  # fmt: skip
VALUES = ["", "0", "-1", "1", "1e3", "9" * 400, "2030-01-31T12:00Z", "0001-01-01T00:00+23:59", "9999-12-31T23:59-23:59",
          "ann", "drop7", "\x00", "\ud800", "%", "💧", "NaN", "true", "null", "1-1", "CURSOR", "MATCH",
          "DEAL"]  # fmt: skip
values = st.sampled_from(VALUES) | st.text(max_size=30) | st.integers().map(str)
queries = st.lists(st.tuples(st.sampled_from(PARAMETERS), values), max_size=5)
ids = st.sampled_from(["MATCH", "DEAL"]) | values


def written(text: str, api: Api) -> str:
    """As part of a URL, with what only the server knows put in."""
    return quote(
        text.replace("MATCH", api.match).replace("CURSOR", api.cursor).replace("DEAL", api.deal),
        safe="",
        errors="surrogatepass",
    )


def check(status: int, body: bytes) -> None:
    assert status < 500, (status, body)
    if status >= 400:
        error = json.loads(body)
        assert isinstance(error["code"], str)
        assert isinstance(error["text"], str)
        assert error["code"] != "server.internal"


@given(query=queries)
def test_lists(query: list[tuple[str, str]], api: Api) -> None:
    target = "/api/v1/matches?" + "&".join(f"{name}={written(value, api)}" for name, value in query)
    status, body = api.get(target)
    check(status, body)
    if status == 200:
        assert {one["match"] for one in json.loads(body)["matches"]} <= {api.match}


@given(match=ids, query=queries)
def test_matches(match: str, query: list[tuple[str, str]], api: Api) -> None:
    target = f"/api/v1/matches/{written(match, api)}?" + "&".join(f"{name}={written(v, api)}" for name, v in query)
    status, body = api.get(target)
    check(status, body)
    if status == 200:
        record = json.loads(body)["record"]
        assert (record["match"]["match"], record["entries"]) == (api.match, 3)


@given(kind=st.sampled_from(["deals", "daily"]), name=ids, query=queries)
def test_deals_and_days(kind: str, name: str, query: list[tuple[str, str]], api: Api) -> None:
    target = f"/api/v1/{kind}/{written(name, api)}?" + "&".join(f"{name}={written(v, api)}" for name, v in query)
    status, body = api.get(target)
    check(status, body)
    if status == 200 and kind == "deals":
        assert {run["match"] for run in json.loads(body)["runs"]} <= {api.match}


# What may stand in a request line; a connection with anything else in it is closed without an answer.
raw = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=60)


@given(start=st.sampled_from(["", "/", "//", "/ws", "/api/v1/", "/api/v1/matches", "/healthz", "http://"]), rest=raw)
@example(start="//", rest="[")
@example(start="http://", rest="[::1")
@example(start="/api/v1/matches?", rest="player=%ff&limit=%00")
def test_targets_of_any_kind(start: str, rest: str, api: Api) -> None:
    check(*api.get((start + rest) or "/"))


@given(method=st.sampled_from(["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "FOO"]), rest=raw)
def test_other_methods(method: str, rest: str, api: Api) -> None:
    target = f"/api/v1/matches{rest}"
    status, body = api.get(target, method)
    check(status, body)
    assert status == 405


@given(rest=raw)
def test_head_is_get_without_a_body(rest: str, api: Api) -> None:
    target = f"/api/v1/matches{rest}"
    status, body = api.get(target, "HEAD")
    assert (status, body) == (api.get(target)[0], b"")
