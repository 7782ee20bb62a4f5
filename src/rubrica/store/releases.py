"""Releases of data sets: a study as a benchmark of rewrites, and studies of words.

A benchmark has the rated rewrites, sentences that were discarded, and how all of it was made. A release of words has
what one or two studies say of the same instances, and of those who annotated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import BinaryIO

from rubrica.core.errors import wrong
from rubrica.core.simulation import simulated_among
from rubrica.core.verdicts import decides_perfect
from rubrica.exchange.exports import Wanted
from rubrica.report.benchmark import AskedAt, Benchmark, Origin, Pair, make, steps_made, write
from rubrica.report.lexical_release import About, Source, check_choices, prepare, task_of, write_wanted
from rubrica.report.people import traits
from rubrica.report.release_people import Person
from rubrica.store import models, studies
from rubrica.store.counting.progress import collected
from rubrica.store.options import options_of
from rubrica.store.people.erasure import OUTCOME as ERASED
from rubrica.store.people.profiles import covered
from rubrica.store.ratings import ratings_of
from rubrica.store.recording.exports import export_filters, study_signature
from rubrica.store.reporting import aliases_of, facts_of
from rubrica.store.translate import item_from, protocol_of


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
        languages=options.languages if len(options.languages) == 1 else [protocol.fallback],
        steps=steps_made([_asked(one) for one in stages], collected(study)),
        writers=len(authors),
        raters=people.count(),
        simulated=simulated_among(people.values_list("name", flat=True)),
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


def word_task(study: models.Study) -> str:
    """Which of the two tasks a study is for: ``lcp``, ``ls``, or none."""
    stages = list(study.stages.select_related("protocol_version", "study"))
    return next((task for one in reversed(stages) if (task := task_of(protocol_of(one)))), "")


def word_stage(study: models.Study, key: str = "") -> models.Stage:
    """The stage at which words are judged or substituted. Raises InputError if there is none."""
    stages = study.stages.select_related("protocol_version", "study")
    found = [one for one in stages if key in ("", one.key) and task_of(protocol_of(one))]
    if not found:
        fix = "Export a study of lexical_complexity or lexical_simplification."
        raise wrong(f"{study.name!r} has no words to release", "format", fix, value=key or study.name)
    return found[-1]


def source_of(study: models.Study, key: str = "", *, profiles: bool = False) -> Source:
    """What a study has for a release. Items that were left out by a researcher or erased are not in it.

    ``profiles``: with what each annotator told. Raises InputError where no consent covers that.
    """
    stage = word_stage(study, key)
    protocol = protocol_of(stage)
    known = aliases_of(study)
    facts = facts_of(study, stage.key, known)
    here = next(one for one in facts.stages if one.key == stage.key)
    people = [one for one in facts.people if one.alias in here.people and not one.excluded]
    asked = list(dict.fromkeys(name for one in people for name in one.profile or {}))
    rows = models.Item.objects.of_stage(stage).unplanted().order_by("position")
    ratings = ratings_of(study, stage.key)
    persons = _persons(study, ratings.raters, profiles=profiles)
    return Source(
        study=study.name,
        task=task_of(protocol),
        items=tuple(item_from(row) for row in rows if not row.closed_at and row.closed_reason != ERASED),
        ratings=ratings,
        persons=persons,
        people=len(people),
        traits=tuple(traits(people, asked)),
        simulated=simulated_among(one.name for one in persons),
        signature=study_signature(study, [stage], protocol, **export_filters(study)),
    )


def write_release(study: models.Study, wanted: Wanted, out: BinaryIO, say: Callable[[str], None]) -> int:
    """Write what is wanted of a release; how many instances it has. Raises InputError as :func:`write_wanted` does."""
    return write_wanted(_sources(study, wanted), wanted, _about(study), study.seed, out, say)


def check_release(study: models.Study, wanted: Wanted) -> None:
    """Raise InputError for whatever would refuse the release, before it is put into a queue."""
    prepare(_sources(study, wanted), wanted, _about(study), study.seed)


def _sources(study: models.Study, wanted: Wanted) -> list[Source]:
    check_choices(wanted)
    named = [(study, wanted.stage), *([(studies.find(wanted.joined), "")] if wanted.joined else [])]
    return [source_of(one, stage, profiles=wanted.annotators) for one, stage in named]


def _about(study: models.Study) -> About:
    return About.of(study.title or study.name, options_of(study))


def _persons(study: models.Study, names: Iterable[str], *, profiles: bool) -> tuple[Person, ...]:
    """The people who annotated, by name; with what they told where their consent covers it."""
    rows = {row.name: row for row in study.annotators.people().included()}
    told = covered(study) if profiles else {}
    return tuple(Person(name, rows[name].identity, told.get(rows[name].pk)) for name in sorted(names) if name in rows)
