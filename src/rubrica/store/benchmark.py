"""A study as a benchmark: its rated rewrites, sentences that were discarded, and how all of it was made."""

from __future__ import annotations

from typing import BinaryIO

from rubrica.core.errors import wrong
from rubrica.core.verdicts import decides_perfect
from rubrica.report.benchmark import AskedAt, Benchmark, Origin, Pair, make, steps_made, write
from rubrica.store import models
from rubrica.store.counting.collected import collected
from rubrica.store.options import options_of
from rubrica.store.people.erasure import OUTCOME as ERASED
from rubrica.store.ratings import ratings_of
from rubrica.store.recording.exports import export_filters, study_signature
from rubrica.store.report_facts import SIMULATED
from rubrica.store.translate import protocol_of


def rating_stage(study: models.Study, key: str = "") -> models.Stage:
    """The stage whose ratings say which rewrites are perfect. Raises InputError if there is none."""
    stages = study.stages.select_related("protocol_version", "study")
    found = [one for one in stages if key in ("", one.key) and decides_perfect(protocol_of(one))]
    if not found:
        fix = "Export a study of split_rate, or one in which people write and others rate."
        raise wrong(f"{study.name!r} has no ratings that say what is perfect", "format", fix, value=key or "benchmark")
    return found[-1]


def benchmark_of(study: models.Study, key: str = "") -> Benchmark:
    """The gold standard of the study, what was dropped, and the card."""
    stage = rating_stage(study, key)
    protocol = protocol_of(stage)
    names = {field.role: field.id for field in protocol.fields}
    texts = [
        Pair(
            item.key,
            item.fields.get(names["source"], ""),
            item.fields.get(names["rewrite"], ""),
            f"left out: {item.closed_reason}" if item.closed_at else "",
        )
        for item in models.Item.objects.of_stage(stage).unplanted().order_by("position")
        if item.closed_reason != ERASED
    ]
    return make(ratings_of(study, stage.key), texts, _origin(study, stage))


def write_benchmark(study: models.Study, key: str, out: BinaryIO) -> int:
    """Write the archive; how many rewrites are gold."""
    found = benchmark_of(study, key)
    write(found, study.name, out)
    return len(found.gold)


def _origin(study: models.Study, stage: models.Stage) -> Origin:
    options = options_of(study)
    people = models.Annotator.objects.filter(judgements__stage=stage).included().distinct()
    authors = set(models.Item.objects.of_stage(stage).exclude(author="").values_list("author", flat=True))
    protocol = protocol_of(stage)
    stages = list(study.stages.select_related("protocol_version")) if stage.takes else [stage]
    return Origin(
        name=study.name,
        title=study.title or study.name,
        licence=options.ethics.licence.strip(),
        sources=options.ethics.sources.strip(),
        languages=options.languages or [protocol.fallback],
        steps=steps_made([_asked(one) for one in stages], collected(study)),
        writers=len(authors),
        raters=people.count(),
        simulated=people.exists() and not people.exclude(name__startswith=SIMULATED).exists(),
        signature=study_signature(study, [stage], protocol, **export_filters(study)),
        left_out=_left_out(study, stage),
    )


def _asked(stage: models.Stage) -> AskedAt:
    asked = stage.protocol_version
    return AskedAt(stage.key, f"{asked.protocol_id} {asked.version} ({asked.hash[:12]})", stage.overlap)


def _left_out(study: models.Study, stage: models.Stage) -> list[Pair]:
    """Sentences without a rewrite that was rated, with the reason."""
    if not stage.takes:
        return []
    source = next(field.id for field in protocol_of(stage).fields if field.role == "source")
    given = study.items.given().unplanted().order_by("position")
    there = study.items.exclude(written=None).order_by().values("written__item")
    without = [(item, f"sentence left out: {item.closed_reason}") for item in given.closed()]
    without += [(item, "no rewrite was handed on") for item in given.open().exclude(pk__in=there)]
    return [Pair(item.key, item.fields.get(source, ""), "", why) for item, why in without]
