"""Logging: structured lines on stderr, as text for people or JSON for programs.

Never logged: tokens, seeds of running deals, chat.
"""

from __future__ import annotations

import logging
import sys
from typing import Literal

import structlog


def configure_logging(level: str, form: Literal["text", "json"]) -> None:
    """Set up structlog, and pass the libraries' own logging through it."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: list[structlog.typing.Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if form == "json"
        else [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    # A port probe or a client that vanishes is worth a debug line, not a traceback.
    logging.getLogger("websockets.server").setLevel(logging.DEBUG if level == "debug" else logging.CRITICAL)
