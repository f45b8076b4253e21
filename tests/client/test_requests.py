"""The table of waiting requests."""

from __future__ import annotations

import pytest

from samedrop_client.requests import Requests
from samedrop_protocol.from_client import Chat, Move, Ping
from samedrop_protocol.from_server import Ok


async def test_an_answer_resolves_its_request_once() -> None:
    requests = Requests()
    with requests.waiting(Ping(id="a")) as entry, requests.waiting(Ping(id="b")) as other:
        requests.answer("a", Ok(re="a"))
        requests.answer("a", Ok(re="again"))
        requests.answer("nobody", Ok(re="nobody"))
        requests.answer(None, Ok(re="none"))
        assert await entry.answer == Ok(re="a")
        assert not other.answer.done()
        assert len(requests) == 2
    assert len(requests) == 0


async def test_a_request_that_fails_leaves_the_table() -> None:
    requests = Requests()
    with pytest.raises(KeyError), requests.waiting(Ping(id="a")):
        raise KeyError
    assert len(requests) == 0


async def test_only_what_must_not_be_repeated_is_lost() -> None:
    requests = Requests()
    move = Move(id="m", match="x", turn=0, move={})
    with (
        requests.waiting(move) as repeated,
        requests.waiting(Chat(id="c", text="hi")) as lost,
        requests.waiting(Chat(id="d", text="not sent")) as unsent,
    ):
        repeated.sent = lost.sent = True
        requests.fail(ConnectionError(), only_lost=True)
        assert [entry.answer.done() for entry in (repeated, lost, unsent)] == [False, True, False]
        requests.fail(KeyError())
        assert isinstance(lost.answer.exception(), ConnectionError)
        assert isinstance(repeated.answer.exception(), KeyError)
        assert isinstance(unsent.answer.exception(), KeyError)


def test_ids_are_new_and_short_enough() -> None:
    ids = [requests.new_id() for requests in (Requests(), Requests()) for _ in range(1000)]
    assert len(set(ids)) == 2000
    assert max(map(len, ids)) <= 64
