from __future__ import annotations

import re
from pathlib import Path

import pytest

from samedrop_client import connect
from samedrop_protocol import model
from samedrop_server.app import Running
from tests.e2e.support import served
from tests.support.http import get, shake


async def played(server: Running) -> str:
    """The id of a match that was played there."""
    async with connect(server.url, name="Ann") as ann:
        room = await ann.create_room(model.Settings(countdown=0, drop_limit=2))
        await room.start()
        match = await room.next_match()
        await match.play(lambda view, moves: moves[0])
        return match.id


async def test_what_there_is(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        match = await played(server)
        assert (await get(server, "/healthz")).json == {"status": "ok"}
        front = await get(server, "/")
        assert front.headers["content-type"].startswith("text/plain")
        assert b"/ws" in front.body
        page = (await get(server, "/api/v1/matches?limit=1")).json
        assert [summary["match"] for summary in page["matches"]] == [match]
        record = (await get(server, f"/api/v1/matches/{match}?first=1&limit=1")).json["record"]
        assert (record["match"]["match"], record["entries"], len(record["log"])) == (match, 2, 1)


@pytest.mark.parametrize(
    ("path", "status", "code", "field"),
    [
        ("/nothing", 404, "http.not_found", None),
        ("/api/v1/matches/nothing", 404, "match.not_found", "match"),
        ("/api/v1/matches?limit=1000000000", 400, "history.filter", "limit"),
        ("/api/v1/matches?since=yesterday", 400, "history.filter", "since"),
        ("/api/v1/matches?cursor=x", 400, "history.filter", "cursor"),
        ("/api/v1/matches?%ff=1", 400, "history.filter", None),
        ("/ws", 426, "http.upgrade", None),
        ("//evil.example/", 404, "http.not_found", None),
        ("*", 404, "http.not_found", None),
        ("/../healthz", 404, "http.not_found", None),
    ],
)
async def test_errors_are_typed(tmp_path: Path, path: str, status: int, code: str, field: str | None) -> None:
    async with served(tmp_path) as server:
        answer = await get(server, path)
        assert (answer.status, answer.json["code"], answer.json.get("field")) == (status, code, field)


async def test_times_may_be_iso(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        await played(server)
        for since, count in (("2020-01-31T12:00Z", 1), ("2020-01-31", 1), ("1", 1), ("2999-01-01T00:00%2B02:00", 0)):
            assert len((await get(server, f"/api/v1/matches?since={since}")).json["matches"]) == count


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
async def test_only_get_and_head(tmp_path: Path, method: str) -> None:
    async with served(tmp_path) as server:
        answer = await get(server, "/healthz", method=method)
        assert (answer.status, answer.headers["allow"], answer.json["code"]) == (405, "GET, HEAD", "http.method")


async def test_head_is_get_without_the_body(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        with_body, without = await get(server, "/healthz"), await get(server, "/healthz", method="HEAD")
        assert without.body == b""
        assert without.headers["content-length"] == with_body.headers["content-length"]


async def test_http_can_be_off(tmp_path: Path) -> None:
    async with served(tmp_path, http=False) as server:
        for path in ("/", "/healthz", "/metrics", "/api/v1/matches"):
            assert (await get(server, path)).status == 404
        assert (await shake(server)).status == 101


async def test_metrics_can_be_off(tmp_path: Path) -> None:
    async with served(tmp_path, metrics=False) as server:
        assert (await get(server, "/metrics")).status == 404
    async with served(tmp_path) as server:
        assert (await get(server, "/metrics")).status == 200


async def test_everything_is_below_the_prefix(tmp_path: Path) -> None:
    async with served(tmp_path, path_prefix="/drop") as server:
        assert server.url.endswith("/drop/ws")
        match = await played(server)
        assert (await get(server, f"/drop/api/v1/matches/{match}")).status == 200
        front = await get(server, "/drop/")
        assert re.findall(r" (/\S+)", front.body.decode()) == ["/drop/ws,", "/drop/api/v1/matches"]
        assert (await get(server, "/drop")).headers["location"] == "/drop/"
        for path in ("/", "/ws", "/api/v1/matches", "/dropped/", "/drops"):
            assert (await get(server, path)).status == 404
        assert (await shake(server)).status == 404
        assert (await get(server, "/healthz")).status == (await get(server, "/drop/healthz")).status == 200


async def test_a_fault_is_told_as_such_and_logged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with served(tmp_path) as server:
        server.gateway.history = None  # type: ignore[assignment]
        answer = await get(server, "/api/v1/matches")
        assert (answer.status, answer.json["code"]) == (500, "server.internal")
        assert "NoneType" not in answer.body.decode()
    printed = capsys.readouterr().out
    assert "http_failed" in printed
    assert "NoneType" in printed
