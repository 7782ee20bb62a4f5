"""The service worker of annotators' pages, served where it may look after all of them.

A worker controls addresses at or below its own, so it must come from ``/w/`` and not from ``/static/``; and the browser
must ask for it anew each time, so that a new version of the studio is not kept out by an old worker.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

_FILE = Path(__file__).parent.parent / "static" / "rubrica" / "desk-worker.js"


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The script of the worker."""
    response = HttpResponse(_script(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@cache
def _script() -> bytes:
    return _FILE.read_bytes()
