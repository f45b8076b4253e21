"""Which path answers what (docs/protocol.md, HTTP).

`Routes.respond` is the websockets server's `process_request`: None lets the WebSocket handshake go on.
"""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from samedrop_protocol import from_client
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_server.history import History
from samedrop_server.http.answers import error_answer, json_answer, text_answer
from samedrop_server.version import SERVER_NAME

SOCKET_PATH = "/ws"
_MATCHES = "/api/v1/matches"
_MethodT = TypeVar("_MethodT", bound=from_client.Request)

_STATUS = {
    ErrorCode.MATCH_NOT_FOUND: HTTPStatus.NOT_FOUND,
    ErrorCode.STORAGE: HTTPStatus.SERVICE_UNAVAILABLE,
}


class Routes:
    """All HTTP answers."""

    def __init__(self, history: History, *, enabled: bool) -> None:
        """Args: enabled: False leaves nothing but the socket."""
        self._history = history
        self._enabled = enabled

    async def respond(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer to an HTTP request, or None where it opens the socket."""
        url = urlsplit(request.path)
        path = unquote(url.path)
        if request.method not in ("GET", "HEAD"):
            text = "Only GET and HEAD are answered here."
            return error_answer(HTTPStatus.METHOD_NOT_ALLOWED, "http.method", text, allow="GET, HEAD")
        if path == SOCKET_PATH:
            if request.headers.get("Upgrade", "").lower() == "websocket":
                return None
            text = f"This is the WebSocket of {SERVER_NAME}; connect with a samedrop client."
            return error_answer(HTTPStatus.UPGRADE_REQUIRED, "http.upgrade", text, upgrade="websocket")
        response = await self._answer(path, url.query)
        if request.method == "HEAD":
            response.body = b""
        return response

    async def _answer(self, path: str, query: str) -> Response:
        if not self._enabled:
            return _not_found()
        try:
            if path == "/":
                return text_answer(_FRONT)
            if path == "/healthz":
                return json_answer({"status": "ok"})
            if path == _MATCHES:
                return await self._matches(query)
            if path.startswith(_MATCHES + "/"):
                return await self._match(path.removeprefix(_MATCHES + "/"), query)
        except ProtocolError as error:
            return error_answer(_STATUS.get(error.code, HTTPStatus.BAD_REQUEST), error.code, error.text, error.field)
        return _not_found()

    async def _matches(self, query: str) -> Response:
        wanted = _read(from_client.ListMatches, query, {})
        matches, following = await self._history.list_matches(wanted)
        return json_answer({"matches": matches} | ({} if following is None else {"next": following}))

    async def _match(self, match_id: str, query: str) -> Response:
        wanted = _read(from_client.GetMatch, query, {"match": match_id})
        record, following = await self._history.get_match(wanted)
        return json_answer({"record": record} | ({} if following is None else {"next": following}))


_FRONT = f"""{SERVER_NAME}: race friends at drop puzzles on the same deal.

Play in a terminal:  samedrop play
Write a client:      WebSocket at {SOCKET_PATH}, subprotocol samedrop.v1.msgpack or samedrop.v1.json
Finished matches:    {_MATCHES}
"""


def _not_found() -> Response:
    return error_answer(HTTPStatus.NOT_FOUND, "http.not_found", "There is nothing at this address.")


def _read(message: type[_MethodT], query: str, path: dict[str, str]) -> _MethodT:
    """The query as the protocol's message of the same meaning, so that both are checked alike."""
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=20, errors="strict")
    except ValueError as error:
        raise ProtocolError(ErrorCode.FILTER, f"The query cannot be read: {error}.") from None
    fields: dict[str, Any] = {"type": message.__struct_config__.tag, "id": "http"}
    for name, value in pairs:
        fields[name] = _millis(name, value) if name in ("since", "until") else value
    fields |= path
    try:
        return msgspec.convert(fields, message, strict=False)
    except msgspec.ValidationError as error:
        text, _, place = str(error).partition(" - at `$.")
        raise ProtocolError(ErrorCode.FILTER, text + ".", field=place.rstrip("`") or None) from None


def _millis(name: str, value: str) -> str | int:
    """A time as UTC milliseconds: given as such, or as ISO 8601 (without an offset: UTC)."""
    if value.isascii() and value.isdigit():
        return value
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        text = "Give a time as milliseconds since 1970 or as ISO 8601, such as 2030-01-31T12:00Z."
        raise ProtocolError(ErrorCode.FILTER, text, field=name) from None
    aware = time if time.tzinfo is not None else time.replace(tzinfo=UTC)
    return max(int(aware.timestamp() * 1000), 0)
