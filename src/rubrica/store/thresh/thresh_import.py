"""Thresh data files into a study: items, judgements, and each entry as it stood in the file.

Nothing in a file that is a Thresh file at all is refused or lost, unless it is by somebody who was erased. What our
judgements cannot hold stays in the entry and is flagged; so is what the protocol would not have let through, such as an
edit without answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import attrs
from django.db import transaction
from django.db.models import Max

from rubrica.core.annotator_names import name_problems
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.study import Judgement
from rubrica.core.text_helpers import first_of
from rubrica.core.thresh import ThreshNames
from rubrica.exchange.thresh.entries import ANNOTATORS, EntryReader, named_in
from rubrica.exchange.thresh.files import EntryAt, ThreshData
from rubrica.exchange.thresh.json_layout import COMPACT, Layout
from rubrica.exchange.thresh.names import names_of
from rubrica.exchange.thresh.offsets import UTF16, differ
from rubrica.store import audit, models
from rubrica.store.allocation.eligibility import barred, barred_problem
from rubrica.store.parts import current_stages
from rubrica.store.people.annotators import named
from rubrica.store.people.identities import erased_problems, identities_of
from rubrica.store.recording.judgements import Place, Said, Saved, record
from rubrica.store.setup.study_items import add_items
from rubrica.store.studies import find_stage
from rubrica.store.thresh.thresh_items import NOBODY, Slot, Slots
from rubrica.store.translate import item_from, protocol_of, rules_of, validator_of

CHUNK = 500
STORED = Layout(indent=COMPACT, ascii=False)
"""How an entry is kept."""


@attrs.frozen(kw_only=True)
class Choices:
    """How to read a file: into which stage, whose it is, how its offsets count, whether it may bring new items."""

    stage: str = ""
    annotator: str = ""
    offsets: str = UTF16
    add_items: bool = False


class Imported(NamedTuple):
    """What an import did: judgements saved, items made, entries that nobody annotated, and what was odd."""

    saved: Saved
    items: int
    unannotated: int
    flags: list[Problem]
    remarks: list[str]


class _Placed(NamedTuple):
    entry: EntryAt
    slot: Slot
    annotator: str


def stage_for(study: models.Study, key: str = "") -> models.Stage:
    """The stage of that id; else the last one that annotators work at, for it asks the most. It must have edits."""
    stages = [find_stage(study, key)] if key else current_stages(study)
    able = [stage for stage in stages if _marks_edits(stage)]
    if not able:
        what = f"the stage {key!r} has no edits" if key else f"the protocol of {study.name!r} has no edits"
        fix = "Make a study of an edit protocol: `rubrica protocols import-thresh TEMPLATE.yml -o FILE.yaml`."
        raise wrong(what, "edits", fix, value=key or study.name)
    annotators = [stage for stage in able if rules_of(stage, protocol_of(stage)).role != "adjudicator"]
    return (annotators or able)[-1]


def _marks_edits(stage: models.Stage) -> bool:
    protocol = protocol_of(stage)
    return protocol.edits is not None and rules_of(stage, protocol).edits != "none"


def import_entries(study: models.Study, data: ThreshData, choices: Choices, now: datetime) -> Imported:
    """Import the entries of a file. All or nothing: raises InputError with everything that stands in the way."""
    stage = stage_for(study, choices.stage)
    names = names_of(protocol_of(stage))
    _check_categories(data, names)
    with transaction.atomic():
        models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        placed, slots = _placed(study, stage, data, choices)
        add_items(study, [slot.item for slot in slots.added], now)
        rows = {row.key: row for row in study.items.select_related("study")}
        for slot in slots.added:
            slot.row = rows[slot.item.key]
        _refuse_erased(study, placed, data.file)
        people = named(study, [one.annotator for one in placed if one.annotator], now)
        said, flags = _read(stage, EntryReader(names, validator_of(stage), choices.offsets), placed, people, data.file)
        saved = Saved.of(record(stage, said, models.Revision.Origin.IMPORT, now))
        flags += _ineligible(stage, placed, people, data.file)
        _keep(study, stage, data, choices, placed, people, now)
        audit.record("judgements imported", study, now, format="thresh", **saved._asdict())
    unannotated = sum(one.annotator == NOBODY for one in placed)
    return Imported(saved, len(slots.added), unannotated, flags, _remarks(data, choices, placed))


def _check_categories(data: ThreshData, names: ThreshNames) -> None:
    """A file none of whose edits the protocol knows belongs to another template."""
    used = {str(edit.get("category")) for entry in data.entries for edit in entry.data.get("edits") or ()}
    if used and not used & names.by_name.keys():
        theirs, ours = ", ".join(sorted(used)[:8]), ", ".join(list(names.by_name)[:8])
        what = f"none of its categories ({theirs}) is an edit of this protocol ({ours})"
        fix = "Import it into a study of its own template."
        raise wrong(what, "unknown_category", fix, file=data.file, line=data.entries[0].line)


def _placed(
    study: models.Study, stage: models.Stage, data: ThreshData, choices: Choices
) -> tuple[list[_Placed], Slots]:
    """Each entry with its item and annotator."""
    slots = Slots(study, protocol_of(stage))
    may_add = choices.add_items or not study.items.exists()
    placed, problems = [], []
    for entry in data.entries:
        name = choices.annotator or named_in(entry.data, ANNOTATORS) or Path(data.file).stem
        annotator = NOBODY if entry.data.get("edits") is None else name
        slot = slots.find(entry.data, annotator)
        if slot is None and may_add:
            slot = slots.add(entry.data, entry.number, annotator)
        for problem in name_problems([annotator]) if annotator else ():
            problems.append(problem.at(fix="Name the annotator with --annotator.", line=entry.line))
        if slot is None:
            what = f"entry {entry.number}: the study has no item with these texts"
            fix = "Take them along with --add-items, or import into a study without items."
            problems.append(Problem(what=what, rule="unknown_item", fix=fix, line=entry.line))
        else:
            placed.append(_Placed(entry, slot, annotator))
    if problems:
        raise InputError(*(problem.at(file=data.file) for problem in problems))
    return placed, slots


def _refuse_erased(study: models.Study, placed: Sequence[_Placed], file: str) -> None:
    """The one thing that refuses a Thresh file: what people said who were erased since does not come back."""
    names = dict.fromkeys(one.annotator for one in placed if one.annotator)
    known = {problem.value: problem for problem in erased_problems(study, identities_of(study, list(names)))}
    problems = [
        known[one.annotator].at(what=f"entry {one.entry.number}: {known[one.annotator].what}", line=one.entry.line)
        for one in placed
        if one.annotator in known
    ]
    if problems:
        raise InputError(*(problem.at(file=file) for problem in problems))


def _ineligible(
    stage: models.Stage, placed: Sequence[_Placed], people: dict[str, models.Annotator], file: str
) -> list[Problem]:
    """Annotators who may not take part in this stage: what they published is kept, and flagged."""
    who = {name: person.identity for name, person in people.items()}
    first = {one.annotator: one.entry.line for one in reversed(placed)}
    return [
        barred_problem(stage, one).at(file=file, line=first[one.name], fix="It is kept; look whether it should count.")
        for one in barred(stage, protocol_of(stage), who)
        if one.why != "excluded"
    ]


def _read(
    stage: models.Stage, reader: EntryReader, placed: Sequence[_Placed], people: dict[str, models.Annotator], file: str
) -> tuple[list[Said], list[Problem]]:
    said, flags = [], []
    for entry, slot, annotator in placed:
        assert slot.row is not None
        read = reader.read(entry.data, item_from(slot.row))
        flags += [flag.at(what=f"entry {entry.number}: {flag.what}", file=file, line=entry.line) for flag in read.flags]
        if annotator:
            said.append(Said(Place(stage, slot.row, people[annotator]), "", read.judgement or Judgement()))
    return said, flags


def _keep(
    study: models.Study,
    stage: models.Stage,
    data: ThreshData,
    choices: Choices,
    placed: Sequence[_Placed],
    people: dict[str, models.Annotator],
    now: datetime,
) -> None:
    """Keep the entries. One about the same item by the same annotator, from an earlier file, gives way."""
    last: int = study.imported_files.aggregate(last=Max("number"))["last"] or 0
    layout = {**attrs.asdict(data.layout), "offsets": choices.offsets}
    file = models.ImportedFile.objects.create(
        study=study, number=last + 1, name=Path(data.file).name[:200], layout=layout, at=now
    )
    rows = [
        models.ImportedEntry(
            file=file,
            position=one.entry.number,
            stage=stage,
            item=one.slot.row,
            annotator=people.get(one.annotator),
            text=STORED.text(one.entry.data),
        )
        for one in placed
    ]
    replaced = {(row.item_id, row.annotator_id) for row in rows}
    earlier = models.ImportedEntry.objects.filter(stage=stage).values_list("pk", "item", "annotator")
    gone = [pk for pk, item, annotator in earlier if (item, annotator) in replaced]
    for start in range(0, len(gone), CHUNK):
        models.ImportedEntry.objects.filter(pk__in=gone[start : start + CHUNK]).delete()
    models.ImportedEntry.objects.bulk_create(rows, batch_size=CHUNK)
    study.imported_files.filter(entries=None).delete()


def _remarks(data: ThreshData, choices: Choices, placed: Sequence[_Placed]) -> list[str]:
    found = []
    if not data.exact:
        found.append("its layout is not one that JSON writers make: an export is equal as JSON, not byte for byte")
    wide = [one.entry.number for one in placed if _counts_differ(one.entry.data)]
    if wide:
        numbers = first_of(wide, 5)
        other = "codepoints" if choices.offsets == UTF16 else UTF16
        found.append(
            f"entries {numbers} have characters beyond U+FFFF; offsets are taken to count {choices.offsets} "
            f"(--offsets {other} if they do not)"
        )
    return found


def _counts_differ(entry: dict[str, Any]) -> bool:
    return any(isinstance(entry.get(key), str) and differ(entry[key]) for key in ("source", "target"))
