"""Scripts and styles under names that carry their hash, so that browsers may keep them for good.

They are sent compressed, and without comments and indentation, which are for whoever reads the source. A page that
people open hundreds of times a day on slow lines has its styles in itself: it is seen after one answer instead of two.

The service worker of annotators' pages is served where it may look after all of them: a worker controls addresses at or
below its own, so it must come from ``/w/`` and not from ``/static/``; and the browser must ask for it anew each time,
so that a new version of the studio is not kept out by an old worker.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = "rubrica/"


class Hashed(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    """Also rewrites the imports between our ES modules."""

    support_js_module_import_aggregation = True

    def _save(self, name: str, content: Any) -> str:
        if name.startswith(OURS) and name.endswith((".js", ".css")):
            content.seek(0)
            text = content.read()
            content = ContentFile(lean(text.decode() if isinstance(text, bytes) else text, name).encode())
        return super()._save(name, content)  # type: ignore[no-any-return]


def lean(text: str, name: str) -> str:
    """The file without comments on lines of their own, indentation and empty lines.

    Of a style neither comments nor blanks at braces and semicolons, or after colons and commas. No text of ours runs
    over several lines, so the beginning of a line is never part of one; none in a style has such a blank (tests look).
    """
    if name.endswith(".css"):
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        text = re.sub(r"\s*([{};])\s*|([:,])\s+", r"\1\2", text)
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


class PageStyle(NamedTuple):
    """Styles that stand in a page: their text, and its hash as a Content-Security-Policy names it."""

    text: SafeString
    source: str


@cache
def page_style(*names: str) -> PageStyle:
    """These styles of ours, one after the other, for the ``<style>`` of a page; as long as the server runs."""
    files = [finders.find(f"{OURS}{name}.css", find_all=True)[0] for name in names]
    text = "".join(lean(Path(file).read_text(encoding="utf-8"), file) for file in files)
    return PageStyle(mark_safe(text), f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'")  # noqa: S308 ours


_WORKER = Path(__file__).parent / "static" / "rubrica" / "desk-worker.js"


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The script of the worker."""
    response = HttpResponse(_script(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@cache
def _script() -> bytes:
    return _WORKER.read_bytes()
