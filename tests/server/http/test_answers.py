from __future__ import annotations

from http import HTTPStatus

import msgspec

from samedrop_server.http.answers import error_answer, json_answer, text_answer


def test_answers_say_what_they_are() -> None:
    answer = text_answer("héllo")
    assert (answer.status_code, answer.body) == (200, "héllo".encode())
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Length"] == "6"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"


def test_json() -> None:
    answer = json_answer({"a": [1]}, HTTPStatus.CREATED, retry_after="3")
    assert (answer.status_code, msgspec.json.decode(answer.body)) == (201, {"a": [1]})
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Retry-After"] == "3"


def test_errors_are_typed() -> None:
    answer = error_answer(HTTPStatus.BAD_REQUEST, "history.filter", "No.", "limit")
    assert msgspec.json.decode(answer.body) == {"code": "history.filter", "text": "No.", "field": "limit"}
    assert "field" not in msgspec.json.decode(error_answer(HTTPStatus.NOT_FOUND, "http.not_found", "No.").body)
