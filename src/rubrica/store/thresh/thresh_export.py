"""A study's edits as a Thresh data file: imported entries in their place, with what was corrected since.

Judgements that were made here come after the entries of files, or in the place of the entry without annotation that
they were made about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from rubrica.exchange.export_choices import Wanted
from rubrica.exchange.thresh.entries import EntryReader
from rubrica.exchange.thresh.json_layout import Layout, parse_one
from rubrica.exchange.thresh.names import names_of
from rubrica.exchange.thresh.offsets import UTF16
from rubrica.exchange.thresh.writing import EntryWriter, Judged
from rubrica.store import models
from rubrica.store.recording.exports import revisions_of
from rubrica.store.translate import item_from, judgement_from, protocol_of, validator_of

CHUNK = 200
Pair = tuple[int, int]
"""The keys of an item and of an annotator."""


class _Linked(NamedTuple):
    """Which judgements have an entry, and which items have an entry that nobody annotated."""

    judged: set[Pair]
    bare: set[int]


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
    writer = EntryWriter(names, unit)
    linked = _linked(stage)
    readers: dict[str, EntryReader] = {}
    rows = models.ImportedEntry.objects.filter(stage=stage).select_related("file").order_by("file__number", "position")
    for chunk in _chunks(rows.iterator(chunk_size=CHUNK)):
        found = _revisions(stage, {row.item_id for row in chunk}, excluded)
        for row in chunk:
            entry = parse_one(row.text)
            if row.annotator_id is None:
                yield from _bare(entry, row.item_id, found, linked, writer)
            elif (row.item_id, row.annotator_id) in found:
                count = row.file.layout.get("offsets", UTF16)
                reader = readers.setdefault(count, EntryReader(names, validator_of(stage), count))
                yield writer.again(entry, _judged(found[row.item_id, row.annotator_id]), reader)
    yield from _made_here(stage, linked, writer, excluded)


def _bare(
    entry: dict[str, Any], item: int, found: dict[Pair, models.Revision], linked: _Linked, writer: EntryWriter
) -> Iterator[dict[str, Any]]:
    """An entry without annotation as long as there is no judgement of its item, then the judgements made here."""
    about = {pair: revision for pair, revision in found.items() if pair[0] == item}
    if not about:
        yield entry
    for pair, revision in about.items():
        if pair not in linked.judged:
            yield writer.fresh(_judged(revision), entry)


def _made_here(stage: models.Stage, linked: _Linked, writer: EntryWriter, excluded: bool) -> Iterator[dict[str, Any]]:
    rows = revisions_of([stage], excluded=excluded).order_by("judgement__item__position", "judgement__annotator__name")
    related = rows.select_related("judgement__item", "judgement__annotator").prefetch_related("edits")
    for revision in related.iterator(chunk_size=CHUNK):
        head = revision.judgement
        if (head.item_id, head.annotator_id) not in linked.judged and head.item_id not in linked.bare:
            yield writer.fresh(_judged(revision))


def _linked(stage: models.Stage) -> _Linked:
    pairs = models.ImportedEntry.objects.filter(stage=stage).order_by().values_list("item", "annotator")
    linked = _Linked(set(), set())
    for item, annotator in pairs.iterator():
        if annotator is None:
            linked.bare.add(item)
        else:
            linked.judged.add((item, annotator))
    return linked


def _revisions(stage: models.Stage, items: set[int], excluded: bool) -> dict[Pair, models.Revision]:
    rows = (
        revisions_of([stage], excluded=excluded)
        .filter(judgement__item__in=items)
        .select_related("judgement__item", "judgement__annotator")
        .prefetch_related("edits")
        .order_by("judgement__annotator__name")
    )
    return {(row.judgement.item_id, row.judgement.annotator_id): row for row in rows}


def _judged(revision: models.Revision) -> Judged:
    head = revision.judgement
    return Judged(item_from(head.item), head.annotator.name, judgement_from(revision))


def _chunks(rows: Iterable[models.ImportedEntry]) -> Iterator[list[models.ImportedEntry]]:
    going = iter(rows)
    while chunk := list(islice(going, CHUNK)):
        yield chunk
