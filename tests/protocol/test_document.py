"""docs/protocol.md names everything there is, and its examples are true."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import msgspec
import pytest
from msgspec import inspect

from samedrop_protocol import from_server, model
from samedrop_protocol.codec import JSON, MSGPACK
from samedrop_protocol.errors import CloseCode, ErrorCode
from samedrop_protocol.events import EVENT_TYPES
from samedrop_protocol.from_client import CLIENT_MESSAGES
from samedrop_protocol.from_server import SERVER_MESSAGES
from samedrop_protocol.types import MAX_DEPTH, MAX_FRAME_IN, MAX_WHOLE
from samedrop_protocol.versions import SUBPROTOCOLS
from samedrop_rules import find_game

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```(json from_client|json from_server|hex)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    """The text under a heading, up to the next one of the same rank."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def table(title: str) -> set[str]:
    """The first column of the tables in a section, without back quotes."""
    return {row.strip("` ") for row in re.findall(r"^\| (.*?) \|", section(title), re.MULTILINE)}


@pytest.mark.parametrize("name", [*CLIENT_MESSAGES, *SERVER_MESSAGES, *EVENT_TYPES, *SUBPROTOCOLS])
def test_every_type_is_named(name: str) -> None:
    assert f"`{name}`" in TEXT


def test_every_request_is_in_the_table_of_answers() -> None:
    requests = set(CLIENT_MESSAGES) - {"hello"}
    assert requests <= table("Requests and answers")


def test_the_tables_of_codes_are_complete_and_have_nothing_else() -> None:
    assert table("Error codes") - {"code", "---"} == set(ErrorCode)
    shared = {"1000, 1001", "1006, 1011", "1008", "1009"}
    assert table("Close codes") - {"code", "---"} - shared == {str(int(code)) for code in CloseCode}


SHARED = [kind for kind in vars(model).values() if isinstance(kind, type) and issubclass(kind, model.Model)]
KINDS = [*CLIENT_MESSAGES.values(), *SERVER_MESSAGES.values(), *EVENT_TYPES.values(), from_server.Step, *SHARED[1:]]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_field_is_named(kind: type[msgspec.Struct]) -> None:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    assert [field.encode_name for field in info.fields if f"`{field.encode_name}`" not in TEXT] == []


@pytest.mark.parametrize("kind", SHARED[1:], ids=lambda kind: kind.__name__)
def test_every_shared_value_is_described(kind: type[msgspec.Struct]) -> None:
    assert re.search(rf"\*\*{kind.__name__}\*\*|of {kind.__name__}:", section("Shared values"))


def test_columns_are_said_to_count_from_zero_more_than_once() -> None:
    assert len(re.findall(r"from 0\b.{0,80}|0 at the left", TEXT)) >= 3
    assert len(re.findall(r"people (?:say|count columns) 1 to 7", TEXT, re.IGNORECASE)) >= 2


def test_limits_are_those_of_the_code() -> None:
    limits = section("Limits")
    assert f"{MAX_FRAME_IN:,} bytes" in limits
    assert f"{MAX_WHOLE:,}" in limits
    assert f"| depth of maps and lists | {MAX_DEPTH} |" in limits
    assert f"at most {MAX_DEPTH} deep" in TEXT


def test_examples_are_what_the_codecs_make() -> None:
    assert len(EXAMPLES) > 8
    message: msgspec.Struct | None = None
    for kind, body in EXAMPLES:
        if kind == "hex":
            assert message is not None
            code = "".join(line.partition("#")[0] for line in body.splitlines())
            assert bytes.fromhex(code) == MSGPACK.encode(message)
        else:
            message = (JSON.decode_client if kind == "json from_client" else JSON.decode_server)(body)
            assert JSON.encode(message) == json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False)


def test_the_worked_example_is_what_the_rules_make() -> None:
    game = find_game("drop7", 1)
    deal = game.deal({}, seed="friday")
    table = game.table(deal, 2)
    answers = [JSON.decode_server(body) for kind, body in EXAMPLES if kind == "json from_server"]
    started = next(message for message in answers if isinstance(message, from_server.Started))
    assert started.views == [table.view(0), table.view(1)]
    assert started.match.deal.commitment == deal.commitment
    assert started.match.deal.deal == deal.id
    table.play(0, {"column": 0})
    told = next(message for message in answers if isinstance(message, from_server.Events)).steps[0]
    assert told.move is not None
    assert told.events == table.play(0, told.move).events
    assert (told.score, told.digest) == (table.score(0), table.digest(0))


def test_the_commitment_is_the_hash_that_the_page_describes() -> None:
    digest = hashlib.sha256(b"samedrop-commit/1\x00friday").hexdigest()
    assert f"`{digest}`" in section("The end and the seed")


def test_links_within_the_page_lead_somewhere() -> None:
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^#{2,3} (.*)$", TEXT, re.MULTILINE)}
    assert set(re.findall(r"\]\(#(.*?)\)", TEXT)) <= headings
