"""Thresh data files into a study (items, judgements, and each entry as it stood in the file) and out of it again.

Going out, imported entries are in their place, with what was corrected since.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import attrs
from django.db import transaction
from django.db.models import Max, QuerySet

from rubrica.core.edits import Edit
from rubrica.core.eligibility import barred_problem
from rubrica.core.errors import Problem, refuse, wrong
from rubrica.core.study import Judgement, Saved
from rubrica.exchange.exports import Wanted
from rubrica.exchange.thresh.answers import names_of
from rubrica.exchange.thresh.entries import EntryReader
from rubrica.exchange.thresh.files import EntryAt, ThreshData, check_categories, remarks
from rubrica.exchange.thresh.json_layout import COMPACT, Layout, parse_one
from rubrica.exchange.thresh.matching import NOBODY, Choices, Matching, PlacedEntry
from rubrica.exchange.thresh.offsets import UTF16
from rubrica.exchange.thresh.writing import EntryWriter, Judged
from rubrica.store import audit, models
from rubrica.store.allocation.eligibility import barred
from rubrica.store.options import options_of
from rubrica.store.people.annotators import named
from rubrica.store.people.identities import erased_problems, identities_of
from rubrica.store.recording import suggestions
from rubrica.store.recording.exports import revisions_of
from rubrica.store.recording.imports import record_in_chunks
from rubrica.store.recording.judgements import CHUNK, Said
from rubrica.store.setup.study_items import add_items
from rubrica.store.stages import current_stages
from rubrica.store.studies import find_stage
from rubrica.store.translate import item_from, judgement_from, protocol_of, rules_of, validator_of

STORED = Layout(indent=COMPACT, ascii=False)
"""How an entry is kept."""


class Imported(NamedTuple):
    """What an import did: judgements saved, items made, entries that nobody annotated, oddities, suggestions kept."""

    saved: Saved
    items: int
    unannotated: int
    flags: list[Problem]
    remarks: list[str]
    suggested: int = 0


class Row(NamedTuple):
    """An entry with the rows of its item and annotator; None annotated nothing."""

    entry: EntryAt
    item: models.Item
    annotator: models.Annotator | None


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


def suggesting_stage(study: models.Study, key: str = "") -> models.Stage:
    """The stage of that id, or the first one, that shows suggestions to whoever marks edits there."""
    stages = [find_stage(study, key)] if key else current_stages(study)
    for stage in stages:
        if validator_of(stage).suggests:
            return stage
    fix = "Switch them on first (`salsa`: --set suggestions=shown), or take the edits as judgements."
    raise wrong(f"the study {study.name!r} shows no suggestions", "suggestions", fix, value=key or study.name)


def _marks_edits(stage: models.Stage) -> bool:
    protocol = protocol_of(stage)
    return protocol.edits is not None and rules_of(stage, protocol).edits != "none"


def import_entries(study: models.Study, data: ThreshData, choices: Choices, now: datetime) -> Imported:
    """Import the entries of a file. Raises InputError with everything that stands in the way; then nothing is changed.

    Items and people are made in one transaction, judgements and entries in others, some hundred at a time, as every
    import does: the same file again finishes what a dead run began.
    """
    stage = (suggesting_stage if choices.suggest else stage_for)(study, choices.stage)
    names = names_of(protocol_of(stage))
    check_categories(data, names)
    with study.held():
        keys = set(study.items.values_list("key", flat=True))
        matching = Matching(map(item_from, study.items.unplanted()), keys, protocol_of(stage))
        placed = matching.place(data, choices.annotator, may_add=choices.add_items or not keys)
        add_items(study, matching.added, now)
        if not choices.suggest:
            _refuse_erased(study, placed, data.file)
        people = named(study, [one.annotator for one in placed if one.annotator and not choices.suggest], now)
    items = {row.key: row for row in study.items.select_related("study")}
    rows = [Row(one.entry, items[one.item], people.get(one.annotator)) for one in placed]
    reader = EntryReader(names, validator_of(stage), choices.offsets)
    unannotated = sum(one.annotator == NOBODY for one in placed)
    told = remarks(data, choices.offsets)
    if choices.suggest:
        count = _suggest(stage, reader, rows, Path(data.file).name, now)
        audit.record("edits suggested", study, now, format="thresh", suggestions=count)
        return Imported(Saved.of([]), len(matching.added), unannotated, [], told, count)
    said, flags = _read(stage, reader, rows, data.file)
    saved = Saved.of(list(record_in_chunks(stage, said, now)))
    flags += _ineligible(stage, placed, people, data.file)
    _keep(stage, data, choices, rows, now)
    audit.record("judgements imported", study, now, format="thresh", **saved._asdict())
    return Imported(saved, len(matching.added), unannotated, flags, told)


def _suggest(stage: models.Stage, reader: EntryReader, rows: Sequence[Row], file: str, now: datetime) -> int:
    """Keep the edits of the first entry of each item as what is suggested for it; how many there are."""
    found: dict[int, tuple[models.Item, tuple[Edit, ...]]] = {}
    for entry, item, _ in rows:
        judgement = reader.read(entry.data, item_from(item)).judgement
        if judgement is not None and judgement.edits and item.pk not in found:
            found[item.pk] = item, judgement.edits
    return suggestions.bring(stage, list(found.values()), f"thresh:{file}"[:100], now)


def _refuse_erased(study: models.Study, placed: Sequence[PlacedEntry], file: str) -> None:
    """The one thing that refuses a Thresh file: what people said who were erased since does not come back."""
    names = dict.fromkeys(one.annotator for one in placed if one.annotator)
    known = {problem.value: problem for problem in erased_problems(study, identities_of(study, list(names)))}
    refuse(
        known[one.annotator].at(
            what=f"entry {one.entry.number}: {known[one.annotator].what}", file=file, line=one.entry.line
        )
        for one in placed
        if one.annotator in known
    )


def _ineligible(
    stage: models.Stage, placed: Sequence[PlacedEntry], people: dict[str, models.Annotator], file: str
) -> list[Problem]:
    """Annotators who may not take part in this stage: what they published is kept, and flagged."""
    who = {name: person.identity for name, person in people.items()}
    first = {one.annotator: one.entry.line for one in reversed(placed)}
    return [
        barred_problem(stage.key, one).at(
            file=file, line=first[one.name], fix="It is kept; look whether it should count."
        )
        for one in barred(stage, protocol_of(stage), who)
        if one.why != "excluded"
    ]


def _read(stage: models.Stage, reader: EntryReader, rows: Sequence[Row], file: str) -> tuple[list[Said], list[Problem]]:
    said, flags = [], []
    for entry, item, annotator in rows:
        read = reader.read(entry.data, item_from(item))
        flags += [flag.at(what=f"entry {entry.number}: {flag.what}", file=file, line=entry.line) for flag in read.flags]
        if annotator:
            lease = models.Assignment(stage=stage, item=item, annotator=annotator)
            said.append(Said(lease, "", read.judgement or Judgement()))
    return said, flags


def _keep(stage: models.Stage, data: ThreshData, choices: Choices, rows: Sequence[Row], now: datetime) -> None:
    """Keep the entries. One about the same item by the same annotator, from an earlier file, gives way."""
    study = stage.study
    last: int = study.imported_files.aggregate(last=Max("number"))["last"] or 0
    layout = {**attrs.asdict(data.layout), "offsets": choices.offsets}
    file = models.ImportedFile.objects.create(
        study=study, number=last + 1, name=Path(data.file).name[:200], layout=layout, at=now
    )
    earlier = models.ImportedEntry.objects.filter(stage=stage).values_list("item", "annotator", "pk")
    before: dict[tuple[int, int | None], list[int]] = defaultdict(list)
    for item_pk, annotator_pk, pk in earlier:
        before[item_pk, annotator_pk].append(pk)
    for start in range(0, len(rows), CHUNK):
        kept, gone = [], []
        for entry, item, annotator in rows[start : start + CHUNK]:
            gone += before.pop((item.pk, annotator.pk if annotator else None), [])
            place = {"stage": stage, "item": item, "annotator": annotator, "position": entry.number}
            kept.append(models.ImportedEntry(file=file, text=STORED.text(entry.data), **place))
        with transaction.atomic():
            models.ImportedEntry.objects.filter(pk__in=gone).delete()
            models.ImportedEntry.objects.bulk_create(kept)
    study.imported_files.filter(entries=None).delete()


ENTRIES = 200
Pair = tuple[int, int | None]
"""The row numbers of an item and of an annotator; none of an entry that nobody annotated."""
ORDER = "judgement__annotator__name"


def write(stage: models.Stage, wanted: Wanted, out: BinaryIO) -> Iterator[int]:
    """Write the file, giving after each entry how many there are so far.

    What is not said of its layout and offsets is as in the files that the entries came from, if they agree, and else as
    ``json.dumps(…, indent=4)`` does.
    """
    files = models.ImportedFile.objects.filter(entries__stage=stage).distinct()
    kept = [dict(layout) for layout in files.values_list("layout", flat=True)]
    units = {layout.pop("offsets", UTF16) for layout in kept}
    same = kept[0] if kept and all(layout == kept[0] for layout in kept) else {}
    layout, unit = Layout(**{**same, **wanted.layout}), wanted.offsets or (units.pop() if len(units) == 1 else UTF16)
    count = 0

    def counted() -> Iterator[dict[str, Any]]:
        nonlocal count
        for entry in entries(stage, unit, excluded=wanted.excluded):
            count += 1
            yield entry

    for piece in layout.pieces(counted()):
        out.write(piece.encode())
        yield count


def entries(stage: models.Stage, unit: str, *, excluded: bool = False) -> Iterator[dict[str, Any]]:
    """The entries of a stage's judgements, and those of items that nobody has judged yet but a file brought."""
    names = names_of(protocol_of(stage))
    writer = EntryWriter(names, unit, options_of(stage.study).about.told)
    rows = models.ImportedEntry.objects.filter(stage=stage)
    linked: set[Pair] = set(rows.order_by().values_list("item", "annotator"))
    readers: dict[str, EntryReader] = {}
    entries_of_files = rows.select_related("file").order_by("file__number", "position").iterator(chunk_size=ENTRIES)
    while chunk := list(islice(entries_of_files, ENTRIES)):
        about = _judgements(stage, excluded).filter(judgement__item__in={row.item_id for row in chunk})
        found: dict[Pair, models.Revision] = {(one.judgement.item_id, one.judgement.annotator_id): one for one in about}
        for row in chunk:
            entry = parse_one(row.text)
            if row.annotator_id is None:
                yield from _bare(entry, row.item_id, found, linked, writer)
            elif (row.item_id, row.annotator_id) in found:
                count = row.file.layout.get("offsets", UTF16)
                reader = readers.setdefault(count, EntryReader(names, validator_of(stage), count))
                yield writer.again(entry, _judged(found[row.item_id, row.annotator_id]), reader)
    in_order = _judgements(stage, excluded).order_by("judgement__item__position", ORDER)
    for revision in in_order.iterator(chunk_size=ENTRIES):
        head = revision.judgement
        if linked.isdisjoint(((head.item_id, head.annotator_id), (head.item_id, None))):
            yield writer.fresh(_judged(revision))


def _bare(
    entry: dict[str, Any], item: int, found: dict[Pair, models.Revision], linked: set[Pair], writer: EntryWriter
) -> Iterator[dict[str, Any]]:
    """An entry without annotation as long as there is no judgement of its item, then the judgements made here."""
    about = {pair: revision for pair, revision in found.items() if pair[0] == item}
    if not about:
        yield entry
    for pair, revision in about.items():
        if pair not in linked:
            yield writer.fresh(_judged(revision), entry)


def _judgements(stage: models.Stage, excluded: bool) -> QuerySet[models.Revision]:
    """The current revisions of a stage, with all that an entry says of them, in the order of annotators."""
    rows = revisions_of([stage], excluded=excluded).select_related("judgement__item", "judgement__annotator")
    return rows.prefetch_related("edits").order_by(ORDER)


def _judged(revision: models.Revision) -> Judged:
    head = revision.judgement
    return Judged(item_from(head.item), head.annotator.name, judgement_from(revision))
