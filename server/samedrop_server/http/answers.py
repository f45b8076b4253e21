"""HTTP answers."""

from __future__ import annotations

import email.utils
from http import HTTPStatus

import msgspec
from websockets.datastructures import Headers
from websockets.http11 import Response

TEXT = "text/plain; charset=utf-8"
JSON = "application/json"


def answer(status: HTTPStatus, body: bytes, content_type: str, **more: str) -> Response:
    """An HTTP response; `more` are header fields with underscores for dashes."""
    headers = Headers(
        {
            "Date": email.utils.formatdate(usegmt=True),
            "Connection": "close",
            "Content-Type": content_type,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        }
    )
    for name, value in more.items():
        headers[name.replace("_", "-").title()] = value
    return Response(status.value, status.phrase, headers, body)


def json_answer(value: object, status: HTTPStatus = HTTPStatus.OK, **more: str) -> Response:
    """`value` as JSON."""
    return answer(status, msgspec.json.encode(value), JSON, **more)


def text_answer(text: str, status: HTTPStatus = HTTPStatus.OK, **more: str) -> Response:
    """Plain text."""
    return answer(status, text.encode(), TEXT, **more)


def error_answer(status: HTTPStatus, code: str, text: str, field: str | None = None, **more: str) -> Response:
    """A typed error (docs/protocol.md, HTTP)."""
    body = {"code": code, "text": text} | ({} if field is None else {"field": field})
    return json_answer(body, status, **more)
