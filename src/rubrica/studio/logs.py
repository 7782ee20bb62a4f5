"""Structured logs: one JSON object a line on stderr. Secrets never appear: tokens in paths are cut out.

``RUBRICA_LOG`` sets the level: ``info`` (default) tells requests that failed or took long, ``debug`` tells every one.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse

from rubrica.core.errors import wrong

LEVELS = ("debug", "info", "warning", "error")
SLOW_MS = 1000
_SECRET = re.compile(r"/(w|join|first)/[^/\s'\"]+")
_requests = logging.getLogger("rubrica.requests")


class JsonLines(logging.Formatter):
    """A record as one line of JSON; ``extra={"data": {...}}`` adds keys."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name.removeprefix("_"),
            "what": without_secrets(record.getMessage()),
            **getattr(record, "data", {}),
        }
        if record.exc_info:
            entry["error"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False, default=str)


def level() -> str:
    """The level that RUBRICA_LOG names. Raises InputError for any other word."""
    given = os.environ.get("RUBRICA_LOG", "").lower() or "info"
    if given not in LEVELS:
        raise wrong(f"there is no log level {given!r}", "log_level", f"Set RUBRICA_LOG to one of {', '.join(LEVELS)}.")
    return given


def configure(_: Mapping[str, Any]) -> None:
    """What Django calls to set up logging."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, lowest in (("rubrica", level()), ("django", "warning")):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate, logger.disabled = [handler], False, False
        logger.setLevel(lowest.upper())
    # A refused request is in the request log already.
    logging.getLogger("django.request").setLevel(logging.ERROR)
    logging.getLogger("django.security").setLevel(logging.ERROR)


def server_logging() -> dict[str, Any]:
    """The same form for the lines of granian, which otherwise writes its own to stdout."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonLines}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
        "loggers": {
            "_granian": {"handlers": ["stderr"], "propagate": False},
            "granian.access": {"handlers": ["stderr"], "propagate": False},
        },
    }


def without_secrets(text: str) -> str:
    """The text with the token of every link's path replaced."""
    return _SECRET.sub(lambda found: f"/{found[1]}/…", text)


class RequestLog:
    """Writes down every request that took long or failed, and, at level DEBUG, all others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        response = self.get_response(request)
        spent = (time.perf_counter() - start) * 1000
        failed = response.status_code >= 500
        importance = logging.ERROR if failed else logging.INFO if spent > SLOW_MS else logging.DEBUG
        if _requests.isEnabledFor(importance):
            data = {
                "method": request.method,
                "path": without_secrets(request.path),
                "status": response.status_code,
                "ms": round(spent, 1),
            }
            _requests.log(importance, "request", extra={"data": data})
        return response
