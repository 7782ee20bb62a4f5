"""Structured logs: one JSON object a line on stderr. Secrets never appear: tokens in paths are cut out.

``RUBRICA_LOG`` sets the level: ``info`` (default) tells requests that failed or took long, ``debug`` tells every one.

What is cut out follows from the addresses themselves: a part of a route that is a secret is named so (``SECRETS``), and
every route that has one is looked for in every text that is written. A test knows the names of all other parts.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver

from rubrica.core.errors import wrong

LEVELS = ("debug", "info", "warning", "error")
SLOW_MS = 1000
SECRETS = frozenset({"token", "code", "secret", "password"})
"""The names of those parts of routes that are secrets: whoever knows one gets in."""
_PART = re.compile(r"<(?:[^>:]+:)?([^>]+)>")
_ANY = r"[^/\s'\"?]+"
_UNKNOWN = re.compile(r"[^/\s]{25,}")
"""Longer than any part of an address that is no secret: a mistyped link may hold a token anywhere."""
_requests = logging.getLogger("rubrica.requests")


class JsonLines(logging.Formatter):
    """A record as one line of JSON; ``extra={"data": {...}}`` adds keys."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name.removeprefix("_"),
            "what": record.getMessage(),
            **getattr(record, "data", {}),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        hidden = {key: without_secrets(value) if isinstance(value, str) else value for key, value in entry.items()}
        return json.dumps(hidden, ensure_ascii=False, default=str)


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
    """The text with the secret part of every address of the studio replaced."""
    if "/" in text:
        for pattern in _secret_places():
            text = pattern.sub(r"\1…", text)
    return text


@cache
def _secret_places() -> list[re.Pattern[str]]:
    """What comes before each secret part of an address, and that part."""
    found = {}
    for route in routes():
        before, end = "/", 0
        for part in _PART.finditer(route):
            before += re.escape(route[end : part.start()])
            if part[1] in SECRETS:
                found[before] = re.compile(f"({before}){_ANY}", re.IGNORECASE)
            before, end = before + _ANY, part.end()
    return list(found.values())


def routes(patterns: Iterable[URLPattern | URLResolver] | None = None, before: str = "") -> Iterator[str]:
    """Every address of the studio, with its parts in angle brackets and without the first slash."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


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
                "path": self._path(request, response),
                "status": response.status_code,
                "ms": round(spent, 1),
            }
            _requests.log(importance, "request", extra={"data": data})
        return response

    @staticmethod
    def _path(request: HttpRequest, response: HttpResponse) -> str:
        nowhere = response.status_code == 404 and request.resolver_match is None
        return _UNKNOWN.sub("…", request.path) if nowhere else request.path
