"""Every submitted judgement of a study at once, light enough to compute with: the ground of the dashboard.

Read in one query and kept in memory until a judgement, an exclusion, an erasure or a metric changes it: the dashboard
asks for the same study every few seconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property, lru_cache
from typing import NamedTuple

import attrs
from django.db.models import Count, F, Max, Min

from rubrica.core.answers import Answer, from_json
from rubrica.core.protocol import Protocol
from rubrica.core.study import ANSWERED
from rubrica.store import models
from rubrica.store.translate import protocol_of


class Entry(NamedTuple):
    """The current revision of one judgement. Stage, item and annotator are row numbers; seconds are active time."""

    judgement: int
    pid: str
    revision_pid: str
    stage: int
    item: int
    annotator: int
    outcome: str
    answers: Mapping[str, Answer]
    seconds: float | None
    at: datetime
    first_at: datetime | None = None


COLUMNS = (
    *("pk", "pid", "current__pid", "stage", "item", "annotator"),
    *(f"current__{name}" for name in ("outcome", "answers", "seconds", "created_at")),
)
"""Where an entry is read from."""
Version = tuple[object, ...]


@attrs.frozen(eq=False)
class Picture:
    """What was said in a study so far. Drafts and erased judgements are not in it."""

    study: models.Study
    stages: Mapping[int, models.Stage]
    people: Mapping[int, models.Annotator]
    every: tuple[Entry, ...]
    gold: Mapping[int, Mapping[str, Answer]]
    duplicates: Mapping[int, int]

    @cached_property
    def protocols(self) -> dict[int, Protocol]:
        """The protocol of each stage."""
        return {pk: protocol_of(stage) for pk, stage in self.stages.items()}

    @cached_property
    def counted(self) -> list[Entry]:
        """Judgements that count: those of excluded annotators do not."""
        return [entry for entry in self.every if self.people[entry.annotator].excluded_at is None]

    @cached_property
    def by_person(self) -> dict[int, list[Entry]]:
        """Every judgement by annotator, in the order in which they were made."""
        found: dict[int, list[Entry]] = {pk: [] for pk in self.people}
        for entry in self.every:
            found[entry.annotator].append(entry)
        return found

    def is_planted(self, item: int) -> bool:
        """Whether the item measures the annotator."""
        return item in self.gold or item in self.duplicates


def picture(study: models.Study) -> Picture:
    """The study as it stands. Do not change the rows in it: they are shared."""
    return _picture(study.pk, _version(study))


def version_of(study: models.Study) -> str:
    """A digest that is another one whenever the picture is."""
    return hashlib.sha256(repr(_version(study)).encode()).hexdigest()[:16]


def _version(study: models.Study) -> Version:
    """What changes whenever the picture does. The random public id tells apart databases that one process opens."""
    heads = models.Judgement.objects.filter(stage__study=study).submitted()
    said = heads.aggregate(count=Count("pk"), newest=Max("current"))
    people = models.Annotator.objects.filter(study=study)
    out = tuple(people.excluded().values_list("pk", flat=True))
    names = people.aggregate(count=Count("pk"), newest=Max("pk"), erased=Count("erased_at"))
    stages = tuple(study.stages.values_list("pk", "state", "overlap"))
    planted = models.Planted.objects.filter(item__study=study).count()
    scores = models.MetricScore.objects.filter(annotator__study=study).aggregate(count=Count("pk"), newest=Max("pk"))
    return (study.pid, *said.values(), *names.values(), out, stages, planted, *scores.values())


@lru_cache(maxsize=4)
def _picture(study: int, version: Version) -> Picture:
    row = models.Study.objects.get(pk=study)
    heads = models.Judgement.objects.filter(stage__study=study).submitted().order_by("current__created_at", "pk")
    planted = models.Planted.objects.filter(item__study=study).values_list("item", "kind", "original", "answers")
    rows, first = list(planted), _first_answers(study)
    said = (Entry(*row) for row in heads.values_list(*COLUMNS))
    return Picture(
        row,
        {stage.pk: stage for stage in row.stages.select_related("protocol_version", "study")},
        {person.pk: person for person in row.annotators.all()},
        tuple(one._replace(answers=from_json(one.answers), first_at=first.get(one.judgement)) for one in said),
        {item: from_json(answers) for item, kind, _, answers in rows if kind == models.Planted.Kind.GOLD},
        {item: original for item, kind, original, _ in rows if kind == models.Planted.Kind.DUPLICATE and original},
    )


def _first_answers(study: int) -> dict[int, datetime]:
    """When corrected judgements (row numbers) were first answered."""
    before = models.Revision.objects.submitted().filter(judgement__stage__study=study, outcome=ANSWERED)
    replaced = before.exclude(pk=F("judgement__current")).order_by()
    return dict(replaced.values_list("judgement").annotate(Min("created_at")))
