"""Studies of words as a data set: what one or two of them say of the same instances, and of those who annotated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import BinaryIO

from rubrica.core.errors import wrong
from rubrica.exchange.export_choices import Wanted
from rubrica.report.lexical_release import About, Source, check_choices, prepare, task_of, write_wanted
from rubrica.report.people import traits
from rubrica.report.release_people import Person
from rubrica.store import models, studies
from rubrica.store.options import options_of
from rubrica.store.people.erasure import OUTCOME as ERASED
from rubrica.store.people.profiles import covered
from rubrica.store.ratings import ratings_of
from rubrica.store.recording.exports import export_filters, study_signature
from rubrica.store.report_facts import aliases_of, facts_of
from rubrica.store.translate import item_from, protocol_of


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
    return Source(
        study=study.name,
        task=task_of(protocol),
        items=tuple(item_from(row) for row in rows if not row.closed_at and row.closed_reason != ERASED),
        ratings=ratings,
        persons=_persons(study, ratings.raters, profiles=profiles),
        people=len(people),
        traits=tuple(traits(people, asked)),
        simulated=facts.simulated,
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
    rows = {row.name: row for row in study.annotators.filter(kind=models.Annotator.Kind.PERSON, excluded_at=None)}
    told = covered(study) if profiles else {}
    return tuple(Person(name, rows[name].identity, told.get(rows[name].pk)) for name in sorted(names) if name in rows)
