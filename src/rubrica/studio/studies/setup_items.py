"""Setup, step by step: the items. A file is sent, its columns are matched and shown, and then it is used."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.core.texts import shown
from rubrica.exchange.columns import OWN_COLUMNS, guess_columns
from rubrica.exchange.items import Read, read_items
from rubrica.exchange.tables import FORMATS, Table, read_table
from rubrica.store.item_setup import replace_items, review_count
from rubrica.store.parts import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.access import StudyRequest
from rubrica.studio.studies import uploads
from rubrica.studio.studies.setup_steps import setup_step, show

MAX_FILE = 200_000_000
ENDINGS = (*FORMATS, ".txt", ".ndjson")
ROWS = 5
"""How many rows show what was matched."""
PROBLEMS = 50
"""How many problems are listed; the rest are counted."""


class ColumnChoice(NamedTuple):
    """One field and the column it is taken from, with the first values."""

    name: str
    label: str
    required: bool
    column: str
    values: list[str]


class Matching(NamedTuple):
    """A waiting file, read with the columns as they are matched now."""

    table: Table | None
    choices: list[ColumnChoice]
    unused: list[str]
    read: Read | None
    problems: list[Problem]


@setup_step
@uploads.takes_files(MAX_FILE)
def items(request: StudyRequest) -> HttpResponse:
    """Send a file, match its columns, use it."""
    if request.method == "POST":
        return _act(request)
    return _page(request)


def _page(request: StudyRequest, problems: list[Problem] | None = None) -> HttpResponse:
    protocol = protocol_of(current_stages(request.study)[0])
    waiting = uploads.pending(request, request.study)
    matching = match(waiting, protocol) if waiting else None
    found = problems or (matching.problems if matching else [])
    context = {
        "count": review_count(request.study),
        "sample": request.study.items.filter(planted=None).order_by("position", "pk")[:ROWS],
        "fields": [(field, shown(field.label, get_language() or "en")) for field in protocol.fields],
        "formats": ",".join(ENDINGS),
        "limit": MAX_FILE,
        "waiting": waiting,
        "matching": matching,
        "problems": found[:PROBLEMS],
        "more_problems": max(0, len(found) - PROBLEMS),
    }
    return show(request, "items", context, status=422 if problems else 200)


def _act(request: StudyRequest) -> HttpResponse:
    try:
        wanted = uploads.decide(request, request.study, ENDINGS)
    except InputError as error:
        return _page(request, list(error.problems))
    return _use(request, wanted) if wanted else redirect("setup_items", request.study.pid)


def _use(request: StudyRequest, waiting: uploads.Pending) -> HttpResponse:
    study = request.study
    protocol = protocol_of(current_stages(study)[0])
    matching = match(waiting, protocol)
    if matching.read is None:
        return redirect("setup_items", study.pid)
    try:
        raised = replace_items(study, matching.read.items, timezone.now(), request.user.get_username())
    except InputError as error:
        return _page(request, list(error.problems))
    uploads.discard(request, study)
    count = len(matching.read.items)
    words = ngettext("%(count)d item is in the study.", "%(count)d items are in the study.", count) % {"count": count}
    if raised:
        words += " " + _("The number of judgements per item follows the protocol's rule for comparing systems.")
    messages.success(request, words, extra_tags="success")
    return redirect("setup_review", study.pid)


def match(waiting: uploads.Pending, protocol: Protocol) -> Matching:
    """Read a waiting file. Problems name the file as the researcher does, and the way to mend them on the page."""
    try:
        table = read_table(waiting.path, header=waiting.header)
    except InputError as error:
        return Matching(None, [], [], None, [_on_page(problem, waiting.name) for problem in error.problems])
    if not table.columns and table.problems:
        return Matching(None, [], [], None, [_on_page(problem, waiting.name) for problem in table.problems])
    names = [*(field.id for field in protocol.fields), *OWN_COLUMNS]
    given = {name: column for name, column in waiting.given.items() if name in names and column in ("", *table.columns)}
    columns = guess_columns(table, protocol, given)
    choices = [_choice(name, protocol, table, columns.get(name, "")) for name in names]
    unused = [column for column in table.columns if column and column not in columns.values()]
    try:
        read = read_items(table, protocol, {name: columns.get(name, "") for name in names})
    except InputError as error:
        problems = [_on_page(problem, waiting.name) for problem in error.problems]
        return Matching(table, choices, unused, None, problems)
    return Matching(table, choices, unused, read, [])


def _choice(name: str, protocol: Protocol, table: Table, column: str) -> ColumnChoice:
    own: dict[str, Any] = {
        "id": _("Id"),
        "system": _("System"),
        "author": _("Author"),
        "group": _("Shown together"),
    }
    field = next((field for field in protocol.fields if field.id == name), None)
    label = shown(field.label, get_language() or "en") if field else own[name]
    values = [row.values.get(column, "") for row in table.rows[:ROWS]]
    return ColumnChoice(name, label, bool(field and field.required), column, values)


def _on_page(problem: Problem, name: str) -> Problem:
    fix = _("Choose its column below, or tick that the file has no header.") if problem.rule == "columns" else ""
    return problem.at(file=name, fix=fix or problem.fix)
