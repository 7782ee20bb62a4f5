"""A study's edits as a Thresh data file: imported entries in their place, with what was corrected since.

Judgements that were made here come after the entries of files, or in the place of the entry without annotation that
they were made about.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, BinaryIO

from django.db.models import QuerySet

from rubrica.exchange.export_choices import Wanted
from rubrica.exchange.thresh.entries import EntryReader
from rubrica.exchange.thresh.json_layout import Layout, parse_one
from rubrica.exchange.thresh.names import names_of
from rubrica.exchange.thresh.offsets import UTF16
from rubrica.exchange.thresh.writing import EntryWriter, Judged
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.recording.exports import revisions_of
from rubrica.store.translate import item_from, judgement_from, protocol_of, validator_of

CHUNK = 200
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
    entries_of_files = rows.select_related("file").order_by("file__number", "position").iterator(chunk_size=CHUNK)
    while chunk := list(islice(entries_of_files, CHUNK)):
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
    for revision in in_order.iterator(chunk_size=CHUNK):
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
