"""Settings of the server: from the environment (``SAMEDROP_*``), overridden by the command line.

Every number has its unit in its description; docs/operating.md lists them for people.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from samedrop_server.gateway.addresses import read_networks
from samedrop_server.gateway.origins import read_origins

DEFAULT_PORT = 7077
DEFAULT_DATABASE = "sqlite:///samedrop.db"


def _origins(text: str) -> str:
    read_origins(text)
    return text


def _networks(text: str) -> str:
    read_networks(text)
    return text


def _prefix(text: str) -> str:
    """``/drop``, whether it was written ``drop``, ``/drop`` or ``/drop/``; empty for the root."""
    path = text.strip("/")
    if not all(part.isascii() and part.replace("-", "").replace("_", "").isalnum() for part in path.split("/") if path):
        raise ValueError("write a path of letters, digits, - and _, such as /drop")
    return f"/{path}" if path else ""


class Settings(BaseSettings):
    """All that an operator may want to change."""

    model_config = SettingsConfigDict(env_prefix="SAMEDROP_", frozen=True)

    host: str = Field("127.0.0.1", description="address to listen on; :: is every address, IPv4 and IPv6")
    port: Annotated[int, Field(ge=0, le=65535)] = Field(
        DEFAULT_PORT, description="port to listen on; 0 takes a free one"
    )
    database: str = Field(DEFAULT_DATABASE, description="SQLAlchemy URL of the database")
    durability: Literal["normal", "full"] = Field(
        "normal", description="full also survives a power cut, at the cost of one disk flush for each commit"
    )
    http: bool = Field(True, description="answer HTTP requests (history, health, metrics) on the same port")
    metrics: bool = Field(True, description="answer /metrics, in the form that Prometheus reads")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="least severe line to log")
    log_format: Literal["text", "json"] = Field("text", description="form of the log lines")
    compression: bool = Field(False, description="permessage-deflate: smaller frames for more memory and CPU")

    tls_certificate: str = Field("", description="PEM file with the certificate chain: speak TLS")
    tls_key: str = Field("", description="PEM file with its private key, if that is a file of its own")
    daily_secret: str = Field(
        "", repr=False, description="text from which daily seeds are made; without one anybody can compute them"
    )
    path_prefix: Annotated[str, AfterValidator(_prefix)] = Field(
        "", description="path below which everything is found, such as /drop, where a proxy passes it on"
    )
    trusted_proxies: Annotated[str, AfterValidator(_networks)] = Field(
        "", description="addresses and networks, comma separated, whose X-Forwarded headers are believed"
    )
    origins: Annotated[str, AfterValidator(_origins)] = Field(
        "", description="origins, comma separated, whose pages may connect besides this server's own; * is any"
    )

    rate_limits: float = Field(
        1.0, ge=0, description="how generous the rate limits are: 1 as documented, 2 twice so, 0 for none"
    )
    max_connections: int = Field(5_000, ge=1, description="open connections at most")
    max_per_address: int = Field(250, ge=1, description="open connections of one address at most")
    max_rooms: int = Field(1_000, ge=1, description="rooms at most")
    max_members: int = Field(64, ge=1, description="members of a room at most")
    hello_timeout: float = Field(10.0, gt=0, description="seconds until `hello` must have come")
    ping_interval: float = Field(20.0, gt=0, le=25, description="seconds between keep-alive pings; at most 25")
    ping_timeout: float = Field(20.0, gt=0, description="seconds until an unanswered ping ends the connection")
    max_waiting: int = Field(256 * 1024, ge=1024, description="bytes that may wait for a slow reader")
    gather: float = Field(0.016, ge=0, description="seconds for which news of rivals may be gathered into one frame")
    linger: float = Field(60.0, gt=0, description="seconds that a member who is away keeps a place in the lobby")
    absence_limit: float = Field(600.0, gt=0, description="seconds away after which a running seat forfeits")
    idle_limit: float = Field(1_800.0, gt=0, description="seconds without a move after which a running seat forfeits")

    pause_limit: float = Field(3_600.0, gt=0, description="seconds after which a pause ends by itself")

    @field_validator("tls_key")
    @classmethod
    def _key_of_a_certificate(cls, key: str, info: ValidationInfo) -> str:
        if key and not info.data.get("tls_certificate"):
            raise ValueError("a key needs the certificate that it belongs to (tls_certificate)")
        return key
