"""Excel sheets for people who do not work on the pages: handed out, taken back, and what came of each file."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Count, Q, QuerySet
from django.http import FileResponse, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.typed import whole
from rubrica.exchange.sheets.layout import SheetFile, blank_row_answers, sheet_language
from rubrica.exchange.sheets.read import ReadBack, meta_of, read_at
from rubrica.exchange.sheets.write import write_sheet
from rubrica.store import models
from rubrica.store.allocation import sheets
from rubrica.store.setup.running import is_draft
from rubrica.store.translate import protocol_of, rules_of
from rubrica.studio.access import StudyRequest, has, study_page
from rubrica.studio.dashboard.controls import say_problems
from rubrica.studio.dashboard.forms import Refused, one
from rubrica.studio.export_files import TYPES
from rubrica.studio.formats import own_name
from rubrica.studio.studies import uploads
from rubrica.studio.wording import stage_title

MOST_FILES = 50
"""How many files one request may bring; the page's script sends any number, one after the other."""
MOST_ROWS = 10_000


class Handed(NamedTuple):
    """A sheet as the page lists it: its rows, how many are judged and how many are still open.

    ``last``: the one beside which all that this person holds at the stage can be taken back.
    """

    sheet: models.Sheet
    stage: str
    rows: int
    judged: int
    open: int
    last: bool


class Outcome(NamedTuple):
    """What came of one file: what was read, or why nothing of it was."""

    name: str
    result: sheets.ReadResult | None
    problems: Sequence[Problem] = ()


class SentSheet:
    """A file that somebody sent, read in processes of their own (design/024)."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.file = path, name
        self.meta = uploads.read_apart(meta_of, name, path)

    def read(self, sheet: SheetFile, *, blank_is_answer: bool = False) -> ReadBack:
        """What it says, if it was written as ``sheet``."""
        return uploads.read_apart(read_at, self.file, self.path, sheet, blank_is_answer)


@require_GET
@study_page()
def sheets_page(request: StudyRequest) -> HttpResponse:
    """Who holds which sheet; managers hand out and take back."""
    return _page(request)


@require_POST
@study_page("manager")
def deal(request: StudyRequest) -> HttpResponse:
    """Deal items to the people named, and make their sheets ready to be fetched."""
    study, form = request.study, request.POST
    names = [*form.getlist("person"), *(part.strip() for part in form.get("names", "").replace("\n", ",").split(","))]
    try:
        stage = _stage(study, form.get("stage", ""))
        language = sheet_language(protocol_of(stage), form.get("language", ""))
        wanted = sheets.Request([name for name in names if name], _rows(form.get("rows", "")), language)
        dealt = sheets.deal_sheets(stage, wanted, timezone.now(), request.user.get_username())
    except InputError as error:
        return _page(request, refused=Refused.by(error, "deal", request), chosen=form.getlist("person"))
    for name, reason in dealt.empty_handed.items():
        messages.warning(request, _("Nothing for %(name)s: %(reason)s.") % {"name": name, "reason": reason})
    for name, left in dealt.waiting.items():
        words = ngettext(
            "%(count)d hidden duplicate for %(name)s did not fit and will be on the next sheet.",
            "%(count)d hidden duplicates for %(name)s did not fit and will be on the next sheet.",
            left,
        )
        messages.info(request, words % {"count": left, "name": name})
    if not dealt.files:
        return redirect("sheets", study.pid)
    holders = {file.annotator for file in dealt.files}
    people = study.annotators.filter(name__in=holders).order_by("name").values_list("pid", flat=True)
    request.session[_key(study)] = {"sheets": len(dealt.files), "people": list(people)}
    return redirect("sheets", study.pid)


def _rows(text: str) -> int:
    """How many rows a sheet may have."""
    if rows := whole(text, 1, MOST_ROWS):
        return rows
    what = _("“%(rows)s” is not a number of rows") % {"rows": text[:20]}
    raise wrong(what, "rows", _("Write a whole number from 1 to %(most)s.") % {"most": f"{MOST_ROWS:,}"}, value=text)


def _stage(study: models.Study, key: str) -> models.Stage:
    found = study.stages.select_related("protocol_version").filter(key=key).first() if key else None
    return found or sheets.default_stage(study)


@require_GET
@study_page("manager")
def one_sheet(request: StudyRequest, sheet: str) -> HttpResponse:
    """The Excel file of one sheet, with the answers that were read so far."""
    file = sheets.sheet_file(one(_sheets(request.study), sheet))
    return _download(f"{file.file_name}.xlsx", TYPES["xlsx"], lambda path: write_sheet(file, path))


@require_GET
@study_page("manager")
def all_sheets(request: StudyRequest) -> HttpResponse:
    """Every sheet that has open rows, in one archive; with ``annotator`` in the address only those of these people."""
    study = request.study
    rows = _sheets(study).filter(open__gt=0)
    people = request.GET.getlist("annotator")
    rows = rows.filter(annotator__pid__in=people) if people else rows
    if not rows:
        messages.info(request, _("No sheet has open rows."))
        return redirect("sheets", study.pid)

    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive, tempfile.TemporaryDirectory() as place:
            for row in rows:
                file = sheets.sheet_file(row)
                made = Path(place) / f"{file.file_name}.xlsx"
                write_sheet(file, made)
                archive.write(made, made.name)
                made.unlink()

    return _download(f"{study.name}-sheets.zip", "application/zip", write)


def _download(name: str, kind: str, write: Callable[[Path], None]) -> HttpResponse:
    """A file that is written for this request and gone once it is sent."""
    place = tempfile.TemporaryDirectory()
    path = Path(place.name) / "file"
    try:
        write(path)
        response = FileResponse(path.open("rb"), as_attachment=True, filename=name, content_type=kind)
    finally:
        place.cleanup()  # what is open stays readable until it is sent
    return cast(HttpResponse, response)


@study_page("manager")
@require_POST
@uploads.takes_files(uploads.table_bytes)
def take_back(request: StudyRequest) -> HttpResponse:
    """Read filled sheets, each whole or not at all. The page's script sends one at a time."""
    files, too_large = uploads.several(request, "files")
    outcomes = [Outcome(problem.file, None, [problem]) for problem in too_large]
    if not files and not too_large:
        error = wrong(_("no file was sent"), "file", _("Choose the sheets that came back."))
        return _page(request, refused=Refused.by(error, "read", request))
    if len(files) > MOST_FILES:
        error = wrong(
            _("%(count)d files at once are too many") % {"count": len(files)},
            "size",
            _("Send at most %(most)d at a time.") % {"most": MOST_FILES},
        )
        return _page(request, refused=Refused.by(error, "read", request))
    outcomes += [_read(request, file) for file in files]
    failed = any(outcome.problems for outcome in outcomes)
    if request.headers.get("X-Requested-With") == "fetch":
        return render(request, "dashboard/sheets_read.html", {"study": request.study, "outcomes": outcomes})
    return _page(request, outcomes=outcomes, status=422 if failed else 200)


def _read(request: StudyRequest, file: UploadedFile[bytes]) -> Outcome:
    name = Path(file.name or "").name[:200]
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "sent.xlsx"
        uploads.save(file, path)
        try:
            result = sheets.read_file(
                request.study,
                SentSheet(path, name),
                timezone.now(),
                blank_is_answer="blank" in request.POST,
                actor=request.user.get_username(),
            )
        except InputError as error:
            return Outcome(name, None, error.problems)
    return Outcome(name, result)


@require_POST
@study_page("manager")
def recall(request: StudyRequest) -> HttpResponse:
    """Return what somebody holds on sheets and has not judged to the pool. What was judged stays."""
    study = request.study
    person = one(study.annotators.all(), request.POST.get("annotator", ""))
    stages = list(study.stages.filter(key=request.POST.get("stage", "")))
    try:
        returned = sheets.recall(study, stages, [person.name], timezone.now(), request.user.get_username())
    except InputError as error:
        say_problems(request, error)
        return redirect("sheets", study.pid)
    count = returned[person.name]
    words = ngettext("%(count)d row of %(name)s taken back.", "%(count)d rows of %(name)s taken back.", count)
    messages.success(request, words % {"count": count, "name": person.name})
    return redirect("sheets", study.pid)


def _sheets(study: models.Study) -> QuerySet[Any]:
    """The study's sheets with the number of their rows, by what became of them."""
    judged = Q(assignments__state__in=models.Assignment.JUDGED)
    open_rows = Q(assignments__state=models.Assignment.State.OPEN)
    rows = models.Sheet.objects.filter(stage__study=study, annotator__erased_at=None).select_related(
        "annotator", "stage__study", "stage__protocol_version"
    )
    counted = rows.annotate(
        rows=Count("assignments"),
        judged=Count("assignments", filter=judged),
        open=Count("assignments", filter=open_rows),
    )
    return counted.order_by("annotator__name", "stage__position", "number")


def _key(study: models.Study) -> str:
    return f"sheets_dealt:{study.pid}"


def _page(
    request: StudyRequest,
    *,
    refused: Refused | None = None,
    chosen: Sequence[str] = (),
    outcomes: Sequence[Outcome] = (),
    status: int = 200,
) -> HttpResponse:
    study = request.study
    stages = list(study.stages.select_related("protocol_version"))
    titles = {stage.pk: stage_title(stage) for stage in stages}
    rows: list[Any] = list(_sheets(study))
    last = {(row.annotator_id, row.stage_id): row.pk for row in rows if row.open}
    handed = [
        Handed(row, titles[row.stage_id], row.rows, row.judged, row.open, row.pk in last.values()) for row in rows
    ]
    protocols = [protocol_of(stage) for stage in stages]
    codes = dict.fromkeys(code for protocol in protocols for code in (*protocol.languages, *protocol.partly_translated))
    known = study.annotators.people().living().included().order_by("name").values_list("name", flat=True)
    notes = dict(study.invitations.personal().exclude(note="").values_list("annotator__name", "note"))
    return render(
        request,
        "dashboard/sheets.html",
        {
            "study": study,
            "role": request.role,
            "section": "sheets",
            "may_manage": has(request.role, "manager"),
            "draft": is_draft(study),
            "handed": handed,
            "open": sum(1 for row in handed if row.open),
            "stages": [(stage.key, titles[stage.pk]) for stage in stages if stage.state == models.Stage.State.OPEN],
            "languages": [(code, own_name(code)) for code in codes],
            "people": [(name, notes.get(name, "")) for name in known],
            "blank": any(
                blank_row_answers(protocol, rules_of(stage, protocol))
                for stage, protocol in zip(stages, protocols, strict=True)
            ),
            "dealt": request.session.pop(_key(study), None) if request.method == "GET" else None,
            "limit": uploads.table_bytes(),
            "outcomes": outcomes,
            "refused": refused,
            "chosen": chosen,
        },
        status=422 if refused else status,
    )
