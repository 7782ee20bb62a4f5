"""What keeps the studio from saving, told with its cause: a full disk, a database that takes nothing.

Whoever asks ``/health`` learns it before people do, because it really writes: a row that needs pages of its own, since
on a full disk a small change may still find room where an answer finds none. A request that could not be saved is
answered with 507 or 503 and the cause, as JSON or as a page; the work page says so too and keeps what was not saved.
"""

from __future__ import annotations

import errno
import logging
import shutil
import sqlite3
import sys
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import NamedTuple

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rubrica import __version__
from rubrica.store import models
from rubrica.store.database import home_from
from rubrica.studio import errors

LOW_BYTES = 500_000_000
"""With less free space than this, somebody should look."""
FULL_BYTES = 1_000_000
"""With less than this, an error of input and output is that of a full disk."""
PROBE = "." * 16_000
"""What is written to see whether writing works: several pages of a database."""
FORGOTTEN = timedelta(minutes=5)
"""After this, a row that a health check left behind belongs to one that was killed."""
RETRY_SECONDS = 30
DISK_FULL, READ_ONLY = "53100", "25006"
"""What PostgreSQL calls it."""
_log = logging.getLogger("rubrica.storage")


class Cause(NamedTuple):
    """Why nothing can be saved."""

    rule: str
    status: int
    what: str
    fix: str


def cause_of(error: BaseException) -> Cause | None:
    """Why this error kept something from being saved; nothing if it is a mistake of ours and not of the storage."""
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return _full()
        return _failing() if error.errno == errno.EROFS else None
    told = error.__cause__
    state = getattr(told, "sqlstate", None) or ""
    failed = isinstance(error, OperationalError | InterfaceError) or type(error) is DatabaseError
    if not failed and state != READ_ONLY:
        return None
    code = getattr(told, "sqlite_errorcode", 0) & 0xFF
    if (
        code == sqlite3.SQLITE_FULL
        or state == DISK_FULL
        or (code == sqlite3.SQLITE_IOERR and free_bytes() < FULL_BYTES)
    ):
        return _full()
    return _failing()


def _full() -> Cause:
    what = _("The disk of the server is full, so nothing can be saved.")
    return Cause("disk_full", HTTPStatus.INSUFFICIENT_STORAGE, what, _("Free space on the server, then send it again."))


def _failing() -> Cause:
    what = _("The server cannot save anything at the moment.")
    return Cause("database", HTTPStatus.SERVICE_UNAVAILABLE, what, _("Send it again later; the server's log says why."))


def free_bytes() -> int:
    """How much room the disk of the home has left for us."""
    return shutil.disk_usage(home_from(None)).free


class SavingErrors:
    """Middleware that answers a request which could not be saved with the cause."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
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
    _log.error("cannot save", extra={"data": data})
    response = errors.cannot_save(request, cause.status, cause.rule, cause.what, cause.fix)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


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
        _write()
    except (DatabaseError, InterfaceError) as error:
        cause = cause_of(error) or _failing()
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
