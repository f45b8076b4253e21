from __future__ import annotations

import re
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from samedrop_client import connect
from samedrop_protocol import from_client, model
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Phase
from samedrop_server.app import Running
from samedrop_server.gateway.limits import RATES
from samedrop_server.version import SERVER_NAME
from tests.e2e.support import raw, served, start_match
from tests.support.http import get

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def scrape(server: Running) -> Samples:
    """All samples, by name and labels."""
    answer = await get(server, "/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    families = text_string_to_metric_families(answer.body.decode())
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


async def test_what_happens_is_counted(tmp_path: Path) -> None:
    async with served(tmp_path) as server, raw(server) as ann, raw(server) as bob:
        await ann.hello("Ann")
        await bob.hello("Bob")
        (started, _) = await start_match(ann, bob, settings=model.Settings(countdown=0))
        for turn in range(3):
            await ann.move(started.match.match, turn, turn)
        await ann.move(started.match.match, 3, 7)
        await ann.ask(from_client.CreateRoom(id="again"))
        after = await scrape(server)
    expected: Samples = {
        ("samedrop_connections", ()): 2,
        ("samedrop_connections_opened_total", ()): 2,
        ("samedrop_players", ()): 2,
        ("samedrop_rooms", (("phase", "playing"),)): 1,
        ("samedrop_rooms", (("phase", "lobby"),)): 0,
        ("samedrop_matches_running", ()): 1,
        ("samedrop_matches_suspended", ()): 0,
        ("samedrop_moves_total", ()): 3,
        ("samedrop_errors_total", (("code", "move.invalid"),)): 1,
        ("samedrop_errors_total", (("code", "room.already_in_room"),)): 1,
        ("samedrop_journal_waiting", ()): 0,
        ("samedrop_commits_failed_total", ()): 0,
        ("samedrop_slow_peers_dropped_total", ()): 0,
    }
    assert {key: after.get(key) for key in expected} == expected
    # Two players, the room with its match, three moves.
    assert after["samedrop_commit_records_sum", ()] == 2 + 2 + 3
    commits = after["samedrop_commit_records_count", ()]
    assert (
        commits
        == after["samedrop_commit_seconds_count", ()]
        == after["samedrop_commit_seconds_bucket", (("le", "+Inf"),)]
    )
    assert 0 < after["samedrop_commit_seconds_sum", ()] < 10
    assert ("process_resident_memory_bytes", ()) in after


async def test_refusals_are_counted_by_limit(tmp_path: Path) -> None:
    async with served(tmp_path) as server, raw(server) as ann:
        await ann.hello()
        for number in range(30):
            await ann.ask(from_client.ListRooms(id=f"{number}"))
        after = await scrape(server)
    assert after["samedrop_refused_total", (("limit", "lists"),)] > 0
    assert after["samedrop_errors_total", (("code", "server.rate_limited"),)] > 0


async def test_labels_are_closed_sets_and_name_nobody(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.url, name="Nameable Ann") as ann:
        room = await ann.create_room(model.Settings(countdown=0, drop_limit=1), title="Nameable room", public=True)
        await room.start()
        match = await room.next_match()
        await match.play(lambda view, moves: moves[0])
        answer = await get(server, "/metrics")
        first = await scrape(server)
        text = answer.body.decode()
        for secret in ("Nameable", room.code, match.id, ann.player, ann.token, "127.0.0.1"):
            assert secret not in text
    labels: dict[str, set[str]] = {}
    for name, value in re.findall(r'[{,](\w+)="(.*?)"', text):
        labels.setdefault(name, set()).add(value)
    labels.pop("le")
    (info,) = labels.pop("server")
    assert info == SERVER_NAME
    assert labels == {"phase": set(Phase), "code": set(ErrorCode), "limit": {rate.name for rate in RATES}}
    assert len(first) < 150


async def test_the_page_for_operators_lists_every_metric(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "operating.md").read_text(encoding="utf-8")
    async with served(tmp_path) as server:
        names = {name for name, _ in await scrape(server)}
    for name in names:
        stem = re.sub(r"_(bucket|count|sum|created)$", "", name)
        assert name.startswith("process_") or f"`{stem}`" in page, name
