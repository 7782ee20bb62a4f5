"""What keeps the studio from saving, told with its cause: a busy database, a full disk, one that takes nothing.

Whoever asks ``/health`` learns it before people do, because it really writes: a row that needs pages of its own, since
on a full disk a small change may still find room where an answer finds none. A request that could not be saved is
answered with 507 or 503 and the cause, as JSON or as a page; the work page says so too and keeps what was not saved.
A page that could not be opened because others write tries again by itself.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import NamedTuple

from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rubrica import __version__
from rubrica.home.database_trouble import Trouble, free_bytes, trouble_of
from rubrica.home.sqlite.base import patience
from rubrica.store import models
from rubrica.studio import errors

LOW_BYTES = 500_000_000
"""With less free space than this, somebody should look."""
PROBE = "." * 16_000
"""What is written to see whether writing works: several pages of a database."""
FORGOTTEN = timedelta(minutes=5)
"""After this, a row that a health check left behind belongs to one that was killed."""
RETRY_SECONDS, BUSY_SECONDS = 30, 3
OPENING_SECONDS, SENDING_SECONDS = 1.0, 5.0
"""How long a request waits for those who write: few threads answer all, and who only opens a page can ask again."""
_log = logging.getLogger("rubrica.storage")


class Cause(NamedTuple):
    """Why nothing can be saved, or opened; ``seconds`` after which it may be tried again."""

    rule: str
    status: int
    seconds: int
    what: str
    fix: str


def cause_of(error: BaseException) -> Cause | None:
    """Why this error kept something from being saved; nothing if it is a mistake of ours and not of the storage."""
    trouble = trouble_of(error)
    if trouble is None:
        return None
    if trouble is Trouble.BUSY:
        status, seconds = HTTPStatus.SERVICE_UNAVAILABLE, BUSY_SECONDS
        what, fix = _("The studio is busy at the moment."), _("Send it again in a few seconds.")
    elif trouble is Trouble.FULL:
        status, seconds = HTTPStatus.INSUFFICIENT_STORAGE, RETRY_SECONDS
        what = _("The disk of the server is full, so nothing can be saved.")
        fix = _("Free space on the server, then send it again.")
    else:
        status, seconds = HTTPStatus.SERVICE_UNAVAILABLE, RETRY_SECONDS
        what, fix = (
            _("The server cannot save anything at the moment."),
            _("Send it again later; the server's log says why."),
        )
    return Cause(trouble.value, status, seconds, what, fix)


class SavingErrors:
    """Middleware that lets no request wait for long, and answers one which could not be saved with the cause."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with patience(OPENING_SECONDS if request.method in ("GET", "HEAD") else SENDING_SECONDS):
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The answer, if the storage is to blame."""
        return answer(request, error)


def answer(request: HttpRequest, error: BaseException) -> HttpResponse | None:
    """What a request is told that could not be saved; nothing if the storage is not to blame."""
    cause = cause_of(error)
    if cause is None:
        return None
    data = {"cause": cause.rule, "free_bytes": free_bytes(), "error": f"{type(error).__name__}: {error}"}
    _log.log(logging.WARNING if cause.rule == Trouble.BUSY else logging.ERROR, "cannot save", extra={"data": data})
    response = errors.cannot_save(request, cause.status, cause.rule, cause.what, cause.fix, cause.seconds)
    response["Retry-After"] = str(cause.seconds)
    return response


def limit_waiting(connection: BaseDatabaseWrapper, **_: object) -> None:
    """A connection of a server's process to PostgreSQL waits for those who hold a row no longer than a request may."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{SENDING_SECONDS:g}s"])


def broken(request: HttpRequest) -> HttpResponse:
    """The page for an error outside of every view, for instance when a session is saved: ours, or the storage's."""
    error = sys.exc_info()[1]
    return (answer(request, error) if error else None) or errors.broken(request)


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Whether the server and its database answer and take what is saved, and how much room there is."""
    free = free_bytes()
    known = {"database": connection.vendor, "version": __version__, "free_bytes": free, "low_space": free < LOW_BYTES}
    try:
        # As patient as whoever saves something: a moment's wait is no failure.
        with patience(SENDING_SECONDS):
            _write()
    except (DatabaseError, InterfaceError) as error:
        cause = cause_of(error)
        if cause is None:
            raise
        _log.error("the health check cannot write", exc_info=error, extra={"data": {"cause": cause.rule}})
        told = {"cause": cause.rule, "what": cause.what, "fix": cause.fix, "error": type(error.__cause__).__name__}
        return JsonResponse({"status": "failing", **known, **told}, status=HTTPStatus.SERVICE_UNAVAILABLE)
    return JsonResponse({"status": "ok", **known})


def _write() -> None:
    """Write something, wait until it is kept, and take it away again."""
    now = timezone.now()
    with transaction.atomic():
        row = models.HealthCheck.objects.create(at=now, content=PROBE)
    with transaction.atomic():
        models.HealthCheck.objects.filter(pk=row.pk).delete()
        models.HealthCheck.objects.filter(at__lt=now - FORGOTTEN).delete()
