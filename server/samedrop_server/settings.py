"""Settings of the server: from the environment (``SAMEDROP_*``), overridden by the command line.

Every number has its unit in its description; docs/operating.md lists them for people.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

DEFAULT_PORT = 7077
DEFAULT_DATABASE = "sqlite:///samedrop.db"


class Settings(BaseSettings):
    """All that an operator may want to change."""

    model_config = SettingsConfigDict(env_prefix="SAMEDROP_", frozen=True)

    host: str = Field("127.0.0.1", description="address to listen on")
    port: Annotated[int, Field(ge=0, le=65535)] = Field(
        DEFAULT_PORT, description="port to listen on; 0 takes a free one"
    )
    database: str = Field(DEFAULT_DATABASE, description="SQLAlchemy URL of the database")
    durability: Literal["normal", "full"] = Field(
        "normal", description="full also survives a power cut, at the cost of one disk flush for each commit"
    )
    http: bool = Field(True, description="answer HTTP requests (history, health) on the same port")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="least severe line to log")
    log_format: Literal["text", "json"] = Field("text", description="form of the log lines")
    compression: bool = Field(False, description="permessage-deflate: smaller frames for more memory and CPU")

    max_connections: int = Field(5_000, ge=1, description="open connections at most")
    max_rooms: int = Field(1_000, ge=1, description="rooms at most")
    max_members: int = Field(64, ge=1, description="members of a room at most")
    hello_timeout: float = Field(10.0, gt=0, description="seconds until `hello` must have come")
    ping_interval: float = Field(20.0, gt=0, description="seconds between keep-alive pings; keep it below 25")
    ping_timeout: float = Field(20.0, gt=0, description="seconds until an unanswered ping ends the connection")
    max_waiting: int = Field(256 * 1024, ge=1024, description="bytes that may wait for a slow reader")
    gather: float = Field(0.016, ge=0, description="seconds for which news of rivals may be gathered into one frame")
    linger: float = Field(60.0, gt=0, description="seconds that a member who is away keeps a place in the lobby")
    absence_limit: float = Field(600.0, gt=0, description="seconds away after which a running seat forfeits")
    idle_limit: float = Field(1_800.0, gt=0, description="seconds without a move after which a running seat forfeits")
