"""Which path answers what (docs/protocol.md, HTTP).

`Routes.respond` is the websockets server's `process_request`: None lets the WebSocket handshake go on. Leaves to
others: who may come in at all (door).
"""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote

import msgspec
import structlog
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from samedrop_protocol import from_client
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_server.daily import day_of, end_of_day
from samedrop_server.gateway.gateway import Gateway
from samedrop_server.gateway.sockets import DirectConnection
from samedrop_server.http.answers import answer, error_answer, json_answer, text_answer
from samedrop_server.http.door import Door, limited_answer
from samedrop_server.http.metrics import METRICS_TYPE, Metrics
from samedrop_server.version import SERVER_NAME

log = structlog.get_logger(__name__)

SOCKET_PATH = "/ws"
_MATCHES = "/api/v1/matches"
_DEALS = "/api/v1/deals"
_DAILY = "/api/v1/daily"
_CHALLENGES = "/api/v1/challenges"
_MethodT = TypeVar("_MethodT", bound=from_client.Request)

_STATUS = {
    ErrorCode.MATCH_NOT_FOUND: HTTPStatus.NOT_FOUND,
    ErrorCode.DEAL_NOT_FOUND: HTTPStatus.NOT_FOUND,
    ErrorCode.CHALLENGE_NOT_FOUND: HTTPStatus.NOT_FOUND,
    ErrorCode.STORAGE: HTTPStatus.SERVICE_UNAVAILABLE,
}


class Routes:
    """All HTTP answers."""

    def __init__(self, gateway: Gateway, metrics: Metrics) -> None:
        self._gateway = gateway
        self._metrics = metrics
        self._door = Door(gateway)
        self._settings = gateway.settings
        self._prefix = self._settings.path_prefix

    async def respond(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer to an HTTP request, or None where it opens the socket. Never fails."""
        assert isinstance(connection, DirectConnection)
        try:
            response = await self._respond(connection, request)
        except Exception:
            log.exception("http_failed", method=request.method, path=request.path)
            response = error_answer(HTTPStatus.INTERNAL_SERVER_ERROR, ErrorCode.INTERNAL, "The server failed at this.")
        if response is not None and request.method == "HEAD":
            response.body = b""
        return response

    def responded(self, connection: ServerConnection, request: Request, response: Response) -> None:
        """Leave one line of what was answered, whether by `respond` or by the library."""
        address = connection.address if isinstance(connection, DirectConnection) else ""
        log.debug("http", address=address, method=request.method, path=request.path, status=response.status_code)

    async def _respond(self, connection: DirectConnection, request: Request) -> Response | None:
        connection.address = address = self._door.address(connection.peer, request)
        raw_path, _, query = request.path.partition("?")
        path = unquote(raw_path)
        if request.method not in ("GET", "HEAD"):
            text = "Only GET and HEAD are answered here."
            return error_answer(HTTPStatus.METHOD_NOT_ALLOWED, "http.method", text, allow="GET, HEAD")
        if path == "/healthz" or path == self._prefix + "/healthz":
            return json_answer({"status": "ok"}) if self._settings.http else _not_found()
        if (refused := self._door.refuse(address)) is not None:
            return refused
        if path == self._prefix and self._prefix:
            return text_answer("", HTTPStatus.PERMANENT_REDIRECT, location=self._prefix + "/")
        if not path.startswith(self._prefix + "/"):
            return _not_found()
        path = path.removeprefix(self._prefix)
        if path == SOCKET_PATH:
            if "websocket" not in map(str.lower, request.headers.get_all("Upgrade")):
                text = f"This is the WebSocket of {SERVER_NAME}; connect with a samedrop client."
                return error_answer(HTTPStatus.UPGRADE_REQUIRED, "http.upgrade", text, upgrade="websocket")
            return self._door.refuse_socket(connection.peer, address, request)
        return await self._answer(path, query, address)

    async def _answer(self, path: str, query: str, address: str) -> Response:
        if not self._settings.http:
            return _not_found()
        try:
            if path == "/":
                return text_answer(_front(self._prefix))
            if path == "/metrics" and self._settings.metrics:
                return answer(HTTPStatus.OK, self._metrics.text(), METRICS_TYPE)
            if path == _MATCHES:
                return await self._matches(query, address)
            if path.startswith(_MATCHES + "/"):
                return await self._match(path.removeprefix(_MATCHES + "/"), query, address)
            if path.startswith(_DEALS + "/"):
                return await self._deal(path.removeprefix(_DEALS + "/"), query, address)
            if path.startswith(_DAILY + "/"):
                return await self._daily(path.removeprefix(_DAILY + "/"), query, address)
            if path.startswith(_CHALLENGES + "/"):
                return await self._challenge(path.removeprefix(_CHALLENGES + "/"), query, address)
        except ProtocolError as error:
            if error.code is ErrorCode.RATE_LIMITED:
                return limited_answer(error)
            return error_answer(_STATUS.get(error.code, HTTPStatus.BAD_REQUEST), error.code, error.text, error.field)
        return _not_found()

    async def _matches(self, query: str, address: str) -> Response:
        wanted = _read(from_client.ListMatches, query, {})
        self._gateway.limits.history(address)
        matches, following = await self._gateway.history.list_matches(wanted)
        return json_answer({"matches": matches} | ({} if following is None else {"next": following}))

    async def _match(self, match_id: str, query: str, address: str) -> Response:
        wanted = _read(from_client.GetMatch, query, {"match": match_id})
        self._gateway.limits.history(address)
        record, following = await self._gateway.history.get_match(wanted)
        return json_answer({"record": record} | ({} if following is None else {"next": following}))

    async def _deal(self, deal_id: str, query: str, address: str) -> Response:
        wanted = _read(from_client.GetDeal, query, {"deal": deal_id})
        self._gateway.limits.history(address)
        deal, runs, following = await self._gateway.history.get_deal(wanted)
        return json_answer({"deal": deal, "runs": runs} | ({} if following is None else {"next": following}))

    async def _daily(self, game: str, query: str, address: str) -> Response:
        wanted = _read(from_client.GetDaily, query, {"game": game})
        self._gateway.limits.history(address)
        now, days, _ = await self._gateway.history.get_daily(wanted, None)
        return json_answer({"game": wanted.game, "day": day_of(now), "ends": end_of_day(now), "days": days})

    async def _challenge(self, code: str, query: str, address: str) -> Response:
        wanted = _read(from_client.GetChallenge, query, {"code": code})
        self._gateway.limits.history(address)
        self._gateway.limits.may_guess(address)
        try:
            challenge = await self._gateway.history.get_challenge(wanted.code)
        except ProtocolError as error:
            if error.code is ErrorCode.CHALLENGE_NOT_FOUND:
                self._gateway.limits.guessed(address)
            raise
        return json_answer({"challenge": challenge})


def _front(prefix: str) -> str:
    return f"""{SERVER_NAME}: race friends at drop puzzles on the same deal.

Play in a terminal:  samedrop play
Write a client:      WebSocket at {prefix}{SOCKET_PATH}, subprotocol samedrop.v1.msgpack or samedrop.v1.json
Finished matches:    {prefix}{_MATCHES}
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
