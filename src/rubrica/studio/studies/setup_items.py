"""Setup, step by step: the items. A file is sent, its columns are matched and shown, and then it is used."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.target_words import words_at
from rubrica.core.texts import shown
from rubrica.core.typed import storable
from rubrica.exchange.columns import own_columns
from rubrica.exchange.items import Looked, look_at_items
from rubrica.exchange.tables import FORMATS
from rubrica.exchange.target_places import NOT_FOUND
from rubrica.exchange.thresh.entries import FIELDS
from rubrica.exchange.thresh.files import edited_entries, read_file
from rubrica.exchange.thresh.matching import Choices, items_in
from rubrica.exchange.wide_columns import IN_EVERY_ROW, REFERENCE, REMARK, wide_field
from rubrica.store import models
from rubrica.store.people import joining
from rubrica.store.recording.thresh import import_entries
from rubrica.store.setup.study_items import replace_items, review_count
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of, validator_of
from rubrica.studio.access import StudyRequest, role_in
from rubrica.studio.studies import uploads
from rubrica.studio.studies.setup_steps import setup_step, show

ENDINGS = (*FORMATS, ".txt", ".ndjson", ".json")
ROWS = 5
"""How many rows show what was matched."""
FLAGS = 5
"""How many odd things of a file with edits are told one by one."""
JUDGEMENTS, SUGGESTIONS = EDITS = ("judgements", "suggestions")
"""As what the edits of a Thresh file can be taken."""
UNPLACED = 30
"""How many rows without a place for their target are asked about at once."""
WHY = {
    "known by this name": gettext_lazy("known by this name"),
    "a usual name for it": gettext_lazy("a usual name for it"),
    "nothing else fits": gettext_lazy("nothing else fits"),
    "texts of other columns resemble it row by row": gettext_lazy("texts of other columns resemble it row by row"),
    IN_EVERY_ROW: gettext_lazy("it has a text in every row"),
    REFERENCE: gettext_lazy("its name is that of a reference"),
    REMARK: gettext_lazy("its name is that of remarks"),
}
"""Why a column was taken, as the reader of tables says it, for the page."""


APART = ("id", "system", "author", "group")
"""Columns about an item that are not its texts."""
WHOLE_ROWS = 3
"""How many rows of a table with systems side by side are shown whole."""


class SystemColumn(NamedTuple):
    """A column that can be ticked as a system's, and what speaks for or against it."""

    column: str
    ticked: bool
    why: str


class ColumnChoice(NamedTuple):
    """One field and the column it is taken from, with the first values; ``ticks`` if it may be several columns."""

    name: str
    label: str
    required: bool
    column: str
    values: list[str]
    why: str
    ticks: list[SystemColumn]

    @property
    def spare(self) -> bool:
        """Whether it may be folded: nothing of what is judged, or not in the file."""
        return not self.required and (not self.column or self.name in APART)


class Unplaced(NamedTuple):
    """A row whose target word is not found: its words to choose from, with the place where each begins."""

    line: int
    target: str
    context: str
    words: list[tuple[int, str]]


class Matching(NamedTuple):
    """A waiting file, read with the columns as they are matched now; ``table`` is None if it is none.

    ``unplaced`` are the first rows that need a place for their target, or a word that they are left out.
    """

    table: Looked | None
    choices: list[ColumnChoice]
    problems: list[Problem]
    unplaced: list[Unplaced] = []

    @property
    def main(self) -> list[ColumnChoice]:
        """What annotators are shown, as far as it is in the file or must be."""
        return [one for one in self.choices if not one.spare]

    @property
    def spare(self) -> list[ColumnChoice]:
        """The others."""
        return [one for one in self.choices if one.spare]

    @property
    def systems(self) -> list[str]:
        """The columns that each hold the texts of one system."""
        return list(self.table.matched.systems) if self.table else []

    @property
    def whole_rows(self) -> list[list[tuple[str, str]]]:
        """Three rows with the texts of every system, as they will be judged."""
        if self.table is None:
            return []
        columns = [one.column for one in self.choices if one.required and not one.ticks] + self.systems
        return [[(column, row.values.get(column, "")) for column in columns] for row in self.table.first[:WHOLE_ROWS]]

    @property
    def asks_for_header(self) -> bool:
        """Whether it may be read once somebody says that it has no header."""
        return self.table is not None or any(problem.rule == "header" for problem in self.problems)

    @property
    def usable(self) -> bool:
        """Whether nothing is wrong."""
        return self.table is not None and not self.problems and not self.unplaced


@setup_step
@uploads.takes_files(uploads.table_bytes)
def items(request: StudyRequest) -> HttpResponse:
    """Send a file, match its columns, use it."""
    if request.method == "POST":
        return _act(request)
    return _page(request)


def _page(request: StudyRequest, problems: list[Problem] | None = None) -> HttpResponse:
    protocol = protocol_of(current_stages(request.study)[0])
    waiting = uploads.pending(request, request.study)
    matching = match(waiting, protocol) if waiting else None
    edited = edits_offered(waiting, protocol) if waiting else 0
    found = problems or (matching.problems if matching else [])
    source = request.study.authors_from
    context = {
        "source": source,
        "source_known": source is not None and bool(role_in(source, request.user)),
        "sources": _sources(request).exclude(pk=source.pk if source else 0),
        "count": review_count(request.study),
        "sample": request.study.items.given().unplanted().order_by("position", "pk")[:ROWS],
        "fields": [(field, shown(field.label, get_language() or "en")) for field in protocol.fields],
        "formats": ",".join(ENDINGS),
        "limit": uploads.table_bytes(),
        "waiting": waiting,
        "matching": matching,
        "edited": edited,
        "suggests": edited and any(validator_of(stage).suggests for stage in current_stages(request.study)),
        "problems": found,
    }
    return show(request, "items", context, status=422 if problems else 200)


def _sources(request: StudyRequest) -> QuerySet[models.Study]:
    """The studies that the texts may come from: those that one manages."""
    return joining.joinable(request.user.get_username()).exclude(pk=request.study.pk).order_by("title", "name")


def _act(request: StudyRequest) -> HttpResponse:
    if request.POST.get("action") in ("take", "join", "part"):
        return _join(request, request.POST["action"])
    try:
        wanted = uploads.decide(request, request.study, ENDINGS)
    except InputError as error:
        return _page(request, list(error.problems))
    return _use(request, wanted) if wanted else redirect("setup_items", request.study.pid)


def _join(request: StudyRequest, action: str) -> HttpResponse:
    """Take the items from another study, name the study that the authors come from, or take that back."""
    study, now, actor = request.study, timezone.now(), request.user.get_username()
    wanted = request.POST.get("source", "")
    source = _sources(request).filter(pid=wanted).first() if storable(wanted) else None
    try:
        if action == "part":
            joining.leave(study, now, actor)
            messages.success(request, _("The authors come from no other study any more."))
        elif source is None:
            raise wrong("no study is chosen", "authors_from", _("Choose the study in which the texts were written."))
        elif action == "take":
            _take(request, source)
            return redirect("setup_review", study.pid)
        else:
            messages.success(request, _joined(joining.join(study, source, now, actor)))
    except InputError as error:
        return _page(request, list(error.problems))
    return redirect("setup_items", study.pid)


def _take(request: StudyRequest, source: models.Study) -> None:
    study, now, actor = request.study, timezone.now(), request.user.get_username()
    found = joining.items_from(source, protocol_of(current_stages(study)[0]))
    with transaction.atomic():
        joining.join(study, source, now, actor)
        replace_items(study, found.items, now, actor)
    count = len(found.items)
    words = ngettext("%(count)d item is in the study.", "%(count)d items are in the study.", count) % {"count": count}
    if found.discarded:
        left = ngettext(
            "%(n)d item of the other study is discarded: enough people flagged it.",
            "%(n)d items of the other study are discarded: enough people flagged them.",
            found.discarded,
        )
        words += " " + left % {"n": found.discarded}
    messages.success(request, words)


def _joined(joined: joining.Joined) -> str:
    text = ngettext(
        "The studies are joined: %(n)d author is known.",
        "The studies are joined: %(n)d authors are known.",
        joined.authors,
    )
    words = text % {"n": joined.authors}
    if joined.erased:
        gone = ngettext(
            "%(n)d text is erased, because its author was erased there.",
            "%(n)d texts are erased, because their author was erased there.",
            joined.erased,
        )
        words += " " + gone % {"n": joined.erased}
    if joined.already:
        words += " " + _("These took part here although they wrote there: %(names)s.") % {
            "names": ", ".join(joined.already)
        }
    return words


def _use(request: StudyRequest, waiting: uploads.Pending) -> HttpResponse:
    study = request.study
    protocol = protocol_of(current_stages(study)[0])
    matching = match(waiting, protocol, whole=True)
    taken = request.POST.get("edits", "")
    try:
        if (taken in EDITS and edits_offered(waiting, protocol)) or _is_unmarked(waiting, protocol, matching):
            return _with_edits(request, waiting, suggest=taken == SUGGESTIONS)
        if matching.table is None or not matching.usable:
            return redirect("setup_items", study.pid)
        raised = replace_items(study, matching.table.items, timezone.now(), request.user.get_username())
    except InputError as error:
        return _page(request, list(error.problems))
    uploads.discard(request, study)
    count = study.items.given().unplanted().count()
    words = ngettext("%(count)d item is in the study.", "%(count)d items are in the study.", count) % {"count": count}
    if raised:
        words += " " + _("The number of judgements per item follows the protocol's rule for comparing systems.")
    messages.success(request, words, extra_tags="success")
    return redirect("setup_review", study.pid)


def edits_offered(waiting: uploads.Pending, protocol: Protocol) -> int:
    """How many entries of a waiting file have edits that a study of this protocol could take."""
    if protocol.edits is None or waiting.path.suffix != ".json":
        return 0
    try:
        return uploads.read_apart(edited_entries, waiting.name, waiting.path)
    except InputError:
        return 0


def _is_unmarked(waiting: uploads.Pending, protocol: Protocol, matching: Matching) -> bool:
    """Whether it is a data file of Thresh that nobody annotated, matched as Thresh has it, for a template's protocol.

    It is kept as it is then, so that it goes out again with what is marked here.
    """
    if protocol.thresh is None or waiting.path.suffix != ".json" or matching.table is None or not matching.usable:
        return False
    taken = matching.table.taken
    return all(taken.get(name) in (None, "", key) for key, name in FIELDS.items()) and not edits_offered(
        waiting, protocol
    )


def _with_edits(request: StudyRequest, waiting: uploads.Pending, *, suggest: bool) -> HttpResponse:
    """The items of a Thresh file and its edits, all or nothing, as `rubrica import` takes them."""
    study, now = request.study, timezone.now()
    data = uploads.read_apart(read_file, waiting.name, waiting.path)._replace(file=waiting.name)
    with transaction.atomic():
        replace_items(study, items_in(data, protocol_of(current_stages(study)[0])), now, request.user.get_username())
        done = import_entries(study, data, Choices(suggest=suggest), now)
    uploads.discard(request, study)
    count = study.items.given().unplanted().count()
    words = ngettext("%(count)d item is in the study.", "%(count)d items are in the study.", count) % {"count": count}
    if suggest:
        n = done.suggested
        more = ngettext("%(n)d edit is suggested to annotators.", "%(n)d edits are suggested to annotators.", n)
    else:
        n = done.saved.judgements
        more = ngettext("%(n)d judgement came with them.", "%(n)d judgements came with them.", n)
    words += " " + more % {"n": n} if n else ""
    messages.success(request, words, extra_tags="success")
    for flag in done.flags[:FLAGS]:
        messages.warning(request, flag.what)
    if len(done.flags) > FLAGS:
        messages.warning(request, _("%(n)d more odd things were kept.") % {"n": len(done.flags) - FLAGS})
    return redirect("setup_review", study.pid)


def match(waiting: uploads.Pending, protocol: Protocol, *, whole: bool = False) -> Matching:
    """Read a waiting file. Problems name the file as the researcher does, and the way to mend them on the page."""
    path, name, given, header, decided = waiting
    try:
        looked = uploads.read_apart(
            look_at_items, name, path, protocol, given, header, decided, first=ROWS, whole=whole
        )
    except InputError as error:
        if error.problems[0].rule in uploads.DIED:
            path.unlink(missing_ok=True)
        return Matching(None, [], [_on_page(problem, name) for problem in error.problems])
    fields = [*(field.id for field in protocol.fields), *own_columns(protocol)]
    choices = [_choice(field, protocol, looked) for field in fields]
    problems = [_on_page(problem, name) for problem in looked.problems if problem.rule != NOT_FOUND]
    unplaced = [Unplaced(*row, words_at(row.context)) for row in looked.unmarked[:UNPLACED]]
    return Matching(looked, choices, problems, unplaced)


def _choice(name: str, protocol: Protocol, table: Looked) -> ColumnChoice:
    column = table.taken.get(name, "")
    own: dict[str, Any] = {
        "id": _("Id"),
        "system": _("System"),
        "author": _("Author"),
        "group": _("Shown together"),
        "start": _("Start of the word"),
        "occurrence": _("Occurrence of the word"),
    }
    field = next((field for field in protocol.fields if field.id == name), None)
    label = shown(field.label, get_language() or "en") if field else own[name]
    values = [row.values.get(column, "") for row in table.first]
    why = WHY.get(table.matched.why.get(name, ""), "")
    ticks = _ticks(table, name) if name == wide_field(protocol) else []
    return ColumnChoice(name, label, bool(field and field.required), column, values, str(why), ticks)


def _ticks(table: Looked, name: str) -> list[SystemColumn]:
    """The columns that may hold what systems wrote: ticked ones, likely ones, then what nothing else uses."""
    ticked = table.matched.systems or (table.taken.get(name, ""),)
    offered = {one.column: one for one in table.matched.offered}
    found = []
    for column in table.columns:
        if column and (column in ticked or column in table.matched.unused):
            likely = offered.get(column)
            why = (
                ""
                if likely is None
                else str(WHY.get(likely.why, likely.against or _("its texts resemble the other text")))
            )
            found.append(SystemColumn(column, column in ticked, why))
    return sorted(found, key=lambda one: (not one.ticked, one.column not in offered))


def _on_page(problem: Problem, name: str) -> Problem:
    fixes = {
        "columns": _("Choose its column below, or tick that the file has no header."),
        "header": _("Rename one of the two columns, or tick that the file has no header.")
        if problem.value
        else _("Tick that the file has no header; or put a line with a name for every column above the texts."),
        "system": _("Choose for the system a column with names, or none."),
    }
    fix = fixes.get(problem.rule, "")
    return problem.at(file=name, fix=fix or problem.fix)
