"""The door: who is asking, and whether they may open the socket.

What is behind it is found by `routes`.
"""

from __future__ import annotations

from http import HTTPStatus

import structlog
from websockets.http11 import Request, Response

from samedrop_protocol.errors import ProtocolError
from samedrop_server.gateway.addresses import Proxies, read_networks
from samedrop_server.gateway.gateway import Gateway
from samedrop_server.gateway.origins import may_connect, read_origins
from samedrop_server.http.answers import error_answer

log = structlog.get_logger(__name__)

_BUSY_SECONDS = 10


class Door:
    """Stands before everything that is asked for over HTTP."""

    def __init__(self, gateway: Gateway) -> None:
        settings = gateway.settings
        self._gateway = gateway
        self._proxies = Proxies(read_networks(settings.trusted_proxies))
        self._origins = read_origins(settings.origins)
        self._warned = False

    def address(self, peer: str, request: Request) -> str:
        """The address of the client that asks through `peer`."""
        forwarded = request.headers.get_all("X-Forwarded-For")
        if forwarded and not self._warned and not self._proxies.trusts(peer):
            self._warned = True
            log.warning("x_forwarded_for_ignored", peer=peer, hint="is this a proxy of yours? see trusted_proxies")
        return self._proxies.client(peer, forwarded)

    def refuse(self, address: str) -> Response | None:
        """The answer to a request that is one too many; None lets it go on."""
        try:
            self._gateway.limits.request(address)
        except ProtocolError as error:
            return limited_answer(error)
        return None

    def refuse_socket(self, peer: str, address: str, request: Request) -> Response | None:
        """The answer to one who may not open the socket; None lets the handshake go on."""
        if not may_connect(request.headers.get_all("Origin"), self._host(peer, request), self._origins):
            text = "Pages of that origin may not connect here (see the setting origins)."
            return error_answer(HTTPStatus.FORBIDDEN, "http.origin", text)
        settings, gateway = self._gateway.settings, self._gateway
        if len(gateway) >= settings.max_connections:
            return _busy(HTTPStatus.SERVICE_UNAVAILABLE, "This server has as many connections as it takes.")
        if gateway.connections_from(address) >= settings.max_per_address:
            return _busy(HTTPStatus.TOO_MANY_REQUESTS, "Your address has as many connections as one may have.")
        return None

    def _host(self, peer: str, request: Request) -> str | None:
        """What the client called this server."""
        names = request.headers.get_all("X-Forwarded-Host") if self._proxies.trusts(peer) else []
        names = names or request.headers.get_all("Host")
        return names[0].partition(",")[0].strip() if names else None


def limited_answer(error: ProtocolError) -> Response:
    """A rate limit in the words of HTTP."""
    seconds = str(int(-(-(error.retry_after or 1) // 1)))
    return error_answer(HTTPStatus.TOO_MANY_REQUESTS, error.code, error.text, error.field, retry_after=seconds)


def _busy(status: HTTPStatus, text: str) -> Response:
    return error_answer(status, "http.busy", text, retry_after=str(_BUSY_SECONDS))
