"""The page on which judgements are exported: what, in which format; how far it is; earlier ones to fetch again."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, NamedTuple, cast

import attrs
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from rubrica.core.errors import InputError
from rubrica.exchange.exports import FORMATS as EXPORTS
from rubrica.exchange.exports import Wanted
from rubrica.store import models
from rubrica.store.jobs import exporting
from rubrica.store.jobs.jobs import KEPT
from rubrica.store.public_ids import new_public_id
from rubrica.store.recording.exports import revisions_of
from rubrica.store.releases import word_task
from rubrica.studio.access import StudyRequest, studies_of, study_page
from rubrica.studio.export_files import download, exports_of, is_kept, start
from rubrica.studio.wording import stage_title

SHOWN = 20
_KEY = re.compile(r"[0-9a-z]{16}")
FORMATS = {
    "xlsx": (gettext_lazy("Excel"), gettext_lazy("One row for each judgement, to look at and to share.")),
    "csv": (gettext_lazy("CSV"), gettext_lazy("The same table as plain text, for any program.")),
    "jsonl": (gettext_lazy("JSON lines"), gettext_lazy("Everything with its structure, edits and lists included.")),
    "parquet": (gettext_lazy("Parquet"), gettext_lazy("Typed columns, small and fast: polars, pandas, R, DuckDB.")),
    "edits-csv": (gettext_lazy("Edits as CSV"), gettext_lazy("One row for each edit: words, answers, type.")),
    "edits-jsonl": (gettext_lazy("Edits as JSON lines"), gettext_lazy("One object for each edit, with its structure.")),
    "words": (
        gettext_lazy("Words as CSV"),
        gettext_lazy("One row for each word and annotator with its labels, to train quality estimation."),
    ),
    "corrections": (
        gettext_lazy("Corrections as CSV"),
        gettext_lazy("One row for each text that somebody wrote: source, rewrite, correction, kind, who."),
    ),
    "thresh": (
        gettext_lazy("Thresh"),
        gettext_lazy("A data file of thresh.tools; what came in goes out the same."),
    ),
    "benchmark": (
        gettext_lazy("Benchmark"),
        gettext_lazy("Perfect rewrites as gold, what was dropped and why, and a data card, in one archive."),
    ),
    "mlsp": (
        gettext_lazy("Data set of words (MLSP)"),
        gettext_lazy("The files of the shared task with counts, metadata and a data card, in one archive."),
    ),
    "tsar": (
        gettext_lazy("Substitutes (TSAR)"),
        gettext_lazy("Context, target and substitutes, the most frequent first."),
    ),
    "guideline": (
        gettext_lazy("Words as the guideline has them"),
        gettext_lazy("Token, context, mean complexity from 1 to 5 and substitutes, with a header."),
    ),
    "profiles": (
        gettext_lazy("Profiles as CSV"),
        gettext_lazy("What annotators told about themselves, without names, where the consent in force covers it."),
    ),
}
"""The formats with their names; those of edits and of corrections where the protocol asks for such."""


WORD_FORMATS = tuple(form for form, known in EXPORTS.items() if known.asks == "words")
PARTS = {
    "": gettext_lazy("everything in one archive"),
    "usual": gettext_lazy("the one file that the studies have"),
    "lcp": gettext_lazy("complexity"),
    "ls": gettext_lazy("substitutes"),
    "combined": gettext_lazy("complexity and substitutes"),
    "unlabelled": gettext_lazy("words without labels"),
}
"""What of a release of words can be had."""
TIES = {
    "first": gettext_lazy("in the order first given"),
    "ascending": gettext_lazy("by letter, ascending"),
    "descending": gettext_lazy("by letter, descending"),
}


class Shown(NamedTuple):
    """An export as the page lists it."""

    job: models.Job
    kept: bool
    until: datetime | None
    address: str

    @property
    def going(self) -> bool:
        """Whether it is still to be watched."""
        return self.job.state in models.Job.GOING

    @property
    def form(self) -> str:
        """The name of its format."""
        return str(FORMATS[self.job.arguments["form"]][0])


@require_http_methods(["GET", "POST"])
@study_page("viewer")
def export(request: StudyRequest) -> HttpResponse:
    """Choose what to export, and see what was exported before."""
    study = request.study
    if request.method == "POST":
        wanted = _wanted(request)
        key = request.POST.get("key", "")
        try:
            start(study, wanted, request.user.get_username(), key if _KEY.fullmatch(key) else "")
        except InputError as error:
            return render(request, "dashboard/export.html", _page(request, wanted, error), status=422)
        return redirect(f"{reverse('export', args=[study.pid])}?format={wanted.form}#exports")
    chosen = request.GET.get("format", "")
    first = attrs.evolve(_first_choice(study), form=chosen) if chosen in FORMATS else _first_choice(study)
    return render(request, "dashboard/export.html", _page(request, first, None))


def _first_choice(study: models.Study) -> Wanted:
    """Excel with all stages; where those do not go into one table, the last stage that has judgements."""
    wanted = Wanted(form="xlsx")
    try:
        exporting.stages_of(study, wanted)
    except InputError:
        judged = [stage for stage in study.stages.order_by("position") if revisions_of([stage]).exists()]
        return attrs.evolve(wanted, stage=judged[-1].key) if judged else wanted
    return wanted


@require_GET
@study_page("viewer")
def one_export(request: StudyRequest, export: str) -> HttpResponse:
    """One export of the list, for the page to put in place of what it shows."""
    return render(request, "dashboard/export_one.html", {"study": request.study, "one": _shown(_find(request, export))})


@require_GET
@study_page("viewer")
def export_file(request: StudyRequest, export: str) -> HttpResponse:
    """The file of a finished export."""
    return cast(HttpResponse, download(_find(request, export)))


def _find(request: StudyRequest, pid: str) -> models.Job:
    job = exports_of(request.study).filter(pid=pid).first() if _KEY.fullmatch(pid) else None
    if job is None:
        raise Http404
    return job


def _wanted(request: StudyRequest) -> Wanted:
    given = request.POST
    wanted = Wanted(
        form=given.get("format", ""),
        stage=given.get("stage", "")[:100],
        every_revision="every_revision" in given,
        excluded="excluded" in given,
        safe_cells="safe_cells" in given,
    )
    return attrs.evolve(wanted, **_of_words(request)) if wanted.form in WORD_FORMATS else wanted


def _of_words(request: StudyRequest) -> dict[str, Any]:
    """The choices of a release of words; what the page does not offer is refused later, with its reason."""
    given = request.POST
    other = next((one for one in _others(request) if one.pid == given.get("other", "")), None)
    trial = given.get("trial", "").strip()
    return {
        "joined": other.name if other else "",
        "part": given.get("part", "")[:20] if given.get("format") == "mlsp" else "",
        "ties": given.get("ties", "first")[:20],
        "none_simpler": given.get("none_simpler", "target")[:20],
        "trial": int(trial) if trial.isascii() and trial.isdigit() and len(trial) < 7 else 0,
        **{name: name in given for name in ("strict", "unattested", "unaggregated", "annotators", "same_people")},
    }


def _others(request: StudyRequest) -> list[models.Study]:
    """Studies of the other task that this person may see."""
    own = word_task(request.study)
    seen = studies_of(request.user).exclude(pk=request.study.pk).order_by("title", "name")
    return [one for one in seen if own and word_task(one) not in ("", own)]


def _page(request: StudyRequest, wanted: Wanted, error: InputError | None) -> dict[str, Any]:
    study = request.study
    asked = {"", *exporting.asked_for(study)}
    words = "words" in asked
    stages = list(study.stages.select_related("protocol_version"))
    found = list(exports_of(study)[:SHOWN])
    return {
        "study": study,
        "role": request.role,
        "section": "export",
        "formats": [(form, *texts) for form, texts in FORMATS.items() if EXPORTS[form].asks in asked],
        "stages": [(stage.key, stage_title(stage), revisions_of([stage]).count()) for stage in stages],
        "judgements": revisions_of(stages).count(),
        "revisions": revisions_of(stages, every_revision=True).count(),
        "anything": revisions_of(stages, every_revision=True, excluded=True).exists(),
        "excluded": study.annotators.excluded().count(),
        "wanted": wanted,
        "of_words": words,
        "others": _others(request) if words else [],
        "parts": PARTS,
        "ties": TIES,
        "problems": error.problems if error else (),
        "exports": [_shown(job) for job in found],
        "more": exports_of(study).count() - len(found),
        "key": new_public_id(),
        "kept_days": KEPT.days,
    }


def _shown(job: models.Job) -> Shown:
    until = job.finished_at + KEPT if job.finished_at and job.state == models.Job.State.DONE else None
    assert job.study is not None
    address = reverse("export_file", args=[job.study.pid, job.pid])
    return Shown(job, is_kept(job), until, address)
