"""Logging: structured lines on stderr, as text for people or JSON for programs.

Lines carry the ids of what they are about: `connection` (a number), `player`, `room`, `match`, `request`. Never logged:
tokens and their hashes, passwords, seeds of running deals, chat.
"""

from __future__ import annotations

import logging
import sys
from typing import Literal

import structlog

_OURS = __name__.partition(".")[0]
_EXPECTED = ("opening handshake failed",)
"""What some versions of websockets call an error, with a traceback, wherever a port probe came by."""


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
        # Other formatters of tracebacks show local variables, and some of these are tokens.
        else [
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
        ]
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
    # Libraries have nothing to tell below a warning; at their lowest levels some print whole frames.
    root.setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]))
    logging.getLogger(_OURS).setLevel(level.upper())
    logging.captureWarnings(True)


def websockets_logger() -> logging.Logger:
    """The logger for the websockets library: it says only what is a fault. At lower levels it prints every frame."""
    logger = logging.getLogger("samedrop_server.websockets")
    logger.setLevel(logging.ERROR)
    logger.addFilter(_is_fault)
    return logger


def _is_fault(record: logging.LogRecord) -> bool:
    return record.msg not in _EXPECTED
