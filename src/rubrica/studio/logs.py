"""Structured logs: one JSON object a line on stderr. Secrets never appear: tokens in paths are cut out."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse

_SECRET = re.compile(r"^/(w|join|first)/[^/]+")
_requests = logging.getLogger("rubrica.requests")


class JsonLines(logging.Formatter):
    """A record as one line of JSON; ``extra={"data": {...}}`` adds keys."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
            **getattr(record, "data", {}),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


def configure(_: Mapping[str, Any]) -> None:
    """What Django calls to set up logging."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("rubrica", logging.INFO), ("django", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], name == "rubrica"
        logger.setLevel(level)
    logging.getLogger("rubrica").propagate = False
    # A refused request is in the request log already.
    logging.getLogger("django.request").setLevel(logging.ERROR)
    logging.getLogger("django.security").setLevel(logging.ERROR)


def without_secrets(path: str) -> str:
    """The path with the token of a link replaced."""
    return _SECRET.sub(lambda found: f"/{found[1]}/…", path)


class RequestLog:
    """Writes down every request that took long or failed, and, at level DEBUG, all others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        response = self.get_response(request)
        spent = (time.perf_counter() - start) * 1000
        failed = response.status_code >= 500
        level = logging.ERROR if failed else logging.INFO if spent > 1000 else logging.DEBUG
        if _requests.isEnabledFor(level):
            data = {
                "method": request.method,
                "path": without_secrets(request.path),
                "status": response.status_code,
                "ms": round(spent, 1),
            }
            _requests.log(level, "request", extra={"data": data})
        return response
