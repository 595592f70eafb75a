"""Structured logs: to standard error for a service, to a file for the terminal chat.

Exceptions are logged as types and places in the code; their texts stay out, because a text may quote a message or an
address with a token in it.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import MutableMapping
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import structlog

from bot.errors import ConfigInvalid

_MAX_BYTES = 5_000_000
_FRAMES = 6


def set_up_logs(level: str, style: str, file: Path | None = None) -> None:
    """Send every log line, ours and the libraries', to one place.

    ``level`` is "debug" … "error"; ``style`` "console", "json" or "auto" (colours in a terminal, JSON elsewhere).
    Raises :class:`~bot.errors.ConfigInvalid` when the file cannot be written.
    """
    handler: logging.Handler
    if file is not None:
        try:
            handler = _Rotating(file, maxBytes=_MAX_BYTES, backupCount=3, encoding="utf-8")
        except OSError as error:
            raise ConfigInvalid(
                f"the log {file} cannot be written: {error.strerror}; let us read and write it and its folder"
            ) from error
    else:
        handler = logging.StreamHandler(sys.stderr)
    shared = _shared()
    root = logging.getLogger()
    root.handlers = [handler]
    adjust_logs(level, style)
    for name in ("httpx", "httpcore", "aiogram", "aiohttp", "watchfiles", "asyncio"):
        logging.getLogger(name).setLevel(logging.ERROR)
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # it logs what servers say when it cannot read it
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def adjust_logs(level: str, style: str) -> None:
    """Change level and style of the logs that were set up; they stay where they are, and a file stays JSON."""
    root = logging.getLogger()
    root.setLevel(level.upper())
    for handler in root.handlers:
        in_file = isinstance(handler, logging.FileHandler)
        pretty = not in_file and (style == "console" or (style == "auto" and sys.stderr.isatty()))
        renderer: Any = (
            structlog.dev.ConsoleRenderer() if pretty else structlog.processors.JSONRenderer(ensure_ascii=False)
        )
        handler.setFormatter(
            structlog.stdlib.ProcessorFormatter(
                foreign_pre_chain=_shared(),
                processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
            )
        )


def _shared() -> list[Any]:  # Any: structlog's processors
    """Return what every line goes through, ours and the libraries'."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _exception_without_text,
    ]


class _Rotating(RotatingFileHandler):
    """Rotates by the size that the file has: the library's own way formats every line twice."""

    def shouldRollover(self, record: logging.LogRecord) -> bool:  # noqa: N802, ARG002 - the library's signature
        """Return whether the file is full; the line that fills it is its last."""
        return self.stream is not None and os.fstat(self.stream.fileno()).st_size >= self.maxBytes


def _exception_without_text(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    info = event.pop("exc_info", None)
    if info is True:
        info = sys.exc_info()
    elif isinstance(info, BaseException):
        info = (type(info), info, info.__traceback__)
    if info and info[0] is not None:
        frames = traceback.extract_tb(info[2])[-_FRAMES:]
        where = [f"{Path(frame.filename).name}:{frame.lineno}:{frame.name}" for frame in frames]
        event["error"] = info[0].__name__
        event["where"] = where
    return event
