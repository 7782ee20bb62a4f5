"""Files that researchers send: streamed to disk up to a limit, kept under a random name until used or thrown away."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from rubrica.core.errors import wrong
from rubrica.store import models

View = Callable[..., HttpResponse]
SLACK = 100_000
"""What a form may weigh beside its file, in bytes."""
KEPT_FOR = 24 * 3600
CHUNK = 1 << 20


class Pending(NamedTuple):
    """A file that was sent and not yet used; ``name`` is what the researcher calls it."""

    path: Path
    name: str
    given: dict[str, str]
    header: bool


def takes_files(limit: int) -> Callable[[View], View]:
    """For views with a file field: bodies beyond ``limit`` bytes are refused, the others go to disk, not to memory.

    The CSRF check reads the body, so it must come after whatever decides who may send one: put this decorator below
    the one that checks access.
    """

    def decorate(view: View) -> View:
        protected = csrf_protect(view)

        @csrf_exempt
        @wraps(view)
        def guarded(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST":
                if int(request.META.get("CONTENT_LENGTH") or 0) > limit + SLACK:
                    return _too_large(request, limit)
                request.upload_handlers = [TemporaryFileUploadHandler(request)]
            return protected(request, *args, **kwargs)

        return guarded

    return decorate


def _too_large(request: HttpRequest, limit: int) -> HttpResponse:
    """Read the body away, so that the browser can show our answer, and say what is possible."""
    while request.read(CHUNK):
        pass
    words = _("This file is too large: at most %(size)d MB are taken. Split it, or use the command line.")
    messages.error(request, words % {"size": limit // 1_000_000}, extra_tags="error")
    return HttpResponseRedirect(request.path)


def folder() -> Path:
    """Where files wait."""
    place = Path(settings.MEDIA_ROOT) / "uploads"
    place.mkdir(parents=True, exist_ok=True)
    return place


def keep(request: Any, study: models.Study, file: UploadedFile[bytes], formats: tuple[str, ...]) -> None:
    """Keep this file for the study in place of one that waited. Raises InputError for an ending that is not read."""
    name = Path(file.name or "").name[:200]
    ending = Path(name).suffix.lower()
    if ending not in formats:
        raise wrong(
            f"files ending in {ending or 'nothing'} are not read",
            "format",
            f"Use one of {', '.join(formats)}.",
            file=name,
            value=ending,
        )
    discard(request, study)
    _sweep()
    path = folder() / f"{secrets.token_hex(16)}{ending}"
    save(file, path)
    request.session[_key(study)] = {"file": path.name, "name": name, "given": {}, "header": True}


def save(file: UploadedFile[bytes], path: Path) -> None:
    """Write a file that was sent to disk, readable by the studio alone."""
    path.touch(mode=0o600)
    with path.open("wb") as out:
        for chunk in file.chunks(CHUNK):
            out.write(chunk)


def pending(request: Any, study: models.Study) -> Pending | None:
    """The file that waits for this researcher's decision, if it is still there."""
    noted = request.session.get(_key(study))
    if not noted:
        return None
    path = folder() / noted["file"]
    return Pending(path, noted["name"], noted["given"], noted["header"]) if path.is_file() else None


def note(request: Any, study: models.Study, given: dict[str, str], header: bool) -> None:
    """Remember which columns the researcher chose."""
    request.session[_key(study)] = {**request.session[_key(study)], "given": given, "header": header}


def discard(request: Any, study: models.Study) -> None:
    """Throw the waiting file away."""
    noted = request.session.pop(_key(study), None)
    if noted:
        (folder() / noted["file"]).unlink(missing_ok=True)


def _key(study: models.Study) -> str:
    return f"upload:{study.pid}"


def _sweep() -> None:
    """Delete files that nobody came back for."""
    for file in folder().iterdir():
        try:
            if time.time() - file.stat().st_mtime > KEPT_FOR:
                file.unlink()
        except FileNotFoundError:
            continue
