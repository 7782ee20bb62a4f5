"""Files that researchers send: streamed to disk up to a limit, kept under a random name until used or thrown away."""

from __future__ import annotations

import logging
import secrets
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.engine.limits import limits
from rubrica.engine.own_process import DiedError, in_own_process, turn
from rubrica.exchange.tables import not_read
from rubrica.exchange.target_places import OUT, UNMARKED
from rubrica.exchange.wide_columns import joined_columns
from rubrica.store import models

View = Callable[..., HttpResponse]
Given = ParamSpec("Given")
Result = TypeVar("Result")
_log = logging.getLogger("rubrica.uploads")
KEPT_FOR = 24 * 3600
DIED = ("memory", "time", "unreadable")
"""Rules of what is said of a file that brought its reader down: it is not tried again."""
CHUNK = 1 << 20


class Pending(NamedTuple):
    """A file that was sent and not yet used; ``name`` is what the researcher calls it.

    ``decided`` is what was said of rows whose target word is not found (``exchange.target_places``).
    """

    path: Path
    name: str
    given: dict[str, str]
    header: bool
    decided: dict[str, str]


class TooLarge(NamedTuple):
    """A file that was sent and not taken, and how many bytes it might have had."""

    name: str
    limit: int


class _Bounded(TemporaryFileUploadHandler):
    """Writes files to disk, those of a request up to a limit; one beyond it is noted, the rest of the form is kept."""

    def __init__(self, request: Any, limit: int, too_large: dict[str, list[TooLarge]]) -> None:
        super().__init__(request)
        self.limit, self.room, self.too_large = limit, limit, too_large

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Take the next piece, or no more of this file."""
        if len(raw_data) > self.room:
            self.room += start
            self.too_large.setdefault(self.field_name or "", []).append(TooLarge(self.file_name or "", self.limit))
            raise SkipFile
        self.room -= len(raw_data)
        super().receive_data_chunk(raw_data, start)


def table_bytes() -> int:
    """How many bytes a file with a table may have."""
    return limits().bytes


def protocol_bytes() -> int:
    """How many bytes a file with a protocol may have."""
    return limits().protocol_bytes


def takes_files(limit: Callable[[], int]) -> Callable[[View], View]:
    """For views with file fields: up to ``limit`` bytes go to disk, not to memory; see ``sent`` for what is larger.

    The CSRF check reads the body, so it must come after whatever decides who may send one: put this decorator below
    the one that checks access.
    """

    def decorate(view: View) -> View:
        protected = csrf_protect(view)

        @csrf_exempt
        @wraps(view)
        def guarded(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST":
                bound(request, limit())
            return protected(request, *args, **kwargs)

        return guarded

    return decorate


def bound(request: Any, limit: int) -> None:
    """Have the files of this request, together up to ``limit`` bytes, written to disk; before its body is read."""
    request.too_large = {}
    request.upload_handlers = [_Bounded(request, limit, request.too_large)]


def sent(request: Any, field: str) -> UploadedFile[bytes] | None:
    """The file of this field, if one was sent. Raises InputError for one that is too large."""
    files, too_large = several(request, field)
    if too_large:
        raise InputError(*too_large)
    return files[-1] if files else None


def several(request: Any, field: str) -> tuple[list[UploadedFile[bytes]], list[Problem]]:
    """All files of this field, and what is to be said of those that were not taken."""
    files: list[UploadedFile[bytes]] = request.FILES.getlist(field)  # reads the body
    refused: list[TooLarge] = request.too_large.get(field, [])
    what = _("this file is too large: at most %(size)s MB are taken")
    return files, [
        Problem(
            what=what % {"size": f"{one.limit / 1_000_000:g}"},
            rule="size",
            fix=_("Choose another one, or split it."),
            file=Path(one.name).name[:200],
        )
        for one in refused
    ]


def needed(request: Any, field: str) -> UploadedFile[bytes]:
    """The file of this field. Raises InputError if there is none, or if it is too large."""
    file = sent(request, field)
    if file is None:
        raise wrong("no file was sent", "file", "Choose a file first.")
    return file


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
        raise not_read(name, ending, formats)
    discard(request, study)
    _sweep()
    path = folder() / f"{secrets.token_hex(16)}{ending}"
    save(file, path)
    request.session[_key(study)] = {"file": path.name, "name": name, "given": {}, "header": True, "decided": {}}


def decide(request: Any, study: models.Study, formats: tuple[str, ...]) -> Pending | None:
    """What the form of a page for files says: a new file, other columns, none of it; the file, if it is to be used.

    Raises InputError if there is no file, or none that can be kept.
    """
    action = request.POST.get("action", "")
    if action == "upload":
        keep(request, study, needed(request, "file"), formats)
        return None
    waiting = pending(request, study)
    if action == "discard" or waiting is None:
        discard(request, study)
        return None
    chosen = [key for key in request.POST if key.startswith("column.")]
    columns = {key.removeprefix("column."): _columns_of(request.POST.getlist(key)) for key in chosen}
    header = "no_header" not in request.POST
    decided = _decided(request, waiting) if header == waiting.header and columns == (waiting.given or columns) else {}
    note(request, study, columns if header == waiting.header else {}, header, decided)
    return waiting._replace(given=columns, header=header, decided=decided) if action == "confirm" else None


def _decided(request: Any, waiting: Pending) -> dict[str, str]:
    """What was said so far of rows whose target word is not found."""
    said = decided_rows(request.POST)
    return said if request.POST.get("action") == "forget" else {**waiting.decided, **said}


def decided_rows(sent: Mapping[str, str]) -> dict[str, str]:
    """What a form says of rows whose target word is not found: its place, or that they are left out."""
    if sent.get("action") == "forget":
        return {}
    said = {key.removeprefix("place."): value for key, value in sent.items() if key.startswith("place.")}
    places = {line: value for line, value in said.items() if line.isdigit() and (value == OUT or value.isdigit())}
    return {**places, UNMARKED: OUT} if sent.get("action") == "leave_out" else places


def _columns_of(ticked: list[str]) -> str:
    """The columns that were chosen for a field, as a mapping names them; each once, in their order."""
    return joined_columns(list(dict.fromkeys(filter(None, ticked))))


def save(file: UploadedFile[bytes], path: Path) -> None:
    """Write a file that was sent to disk, readable by the studio alone."""
    path.touch(mode=0o600)
    with path.open("wb") as out:
        for chunk in file.chunks(CHUNK):
            out.write(chunk)


def read_sent(
    function: Callable[Concatenate[Path, Given], Result],
    file: UploadedFile[bytes],
    *arguments: Given.args,
    **named: Given.kwargs,
) -> Result:
    """The same of a file that was just sent and is not kept; the ending of its name says what it is."""
    name = Path(file.name or "").name[:200]
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / f"sent{Path(name).suffix.lower()[:20]}"
        save(file, path)
        return read_apart(function, name, path, *arguments, **named)


def read_apart(function: Callable[Given, Result], name: str, *arguments: Given.args, **named: Given.kwargs) -> Result:
    """What a reader gives of what was sent, read in a process of its own; problems name it as its sender does.

    Raises InputError, also if reading takes too much memory or time, or breaks the reader.
    """
    try:
        with turn(Path(settings.MEDIA_ROOT).parent):
            return in_own_process(function, name, *arguments, **named)
    except InputError as error:
        if isinstance(error.__cause__, DiedError):
            code, said = error.__cause__.args
            _log.error("a file could not be read", extra={"data": {"why": str(code), "said": said}})
        raise InputError(*(problem.at(file=name) for problem in error.problems)) from error


def pending(request: Any, study: models.Study) -> Pending | None:
    """The file that waits for this researcher's decision, if it is still there."""
    noted = request.session.get(_key(study))
    if not noted:
        return None
    path = folder() / noted["file"]
    if not path.is_file():
        return None
    return Pending(path, noted["name"], noted["given"], noted["header"], noted.get("decided", {}))


def note(request: Any, study: models.Study, given: dict[str, str], header: bool, decided: dict[str, str]) -> None:
    """Remember which columns the researcher chose, and what was said of single rows."""
    said = {"given": given, "header": header, "decided": decided}
    request.session[_key(study)] = {**request.session[_key(study)], **said}


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
