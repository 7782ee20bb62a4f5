"""Reports of a study: what they need to know, without anybody's name, and those that are asked for in the studio.

The facts are its set-up, its people, what was paid, its edits. A job makes a report as one archive, and keeps what the
Results page shows of it.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import attrs
from django.db.models import Count, QuerySet

from rubrica.core.earnings import totals
from rubrica.core.ratings import VERDICT, Rater, Ratings
from rubrica.core.simulation import simulated_among
from rubrica.edits.typology import Typology
from rubrica.exchange.annotated_pairs import has_types, judged_pairs
from rubrica.exchange.judged_ratings import unit_of
from rubrica.exchange.scores import SystemScore
from rubrica.home.made_files import REPORT, making
from rubrica.protocols.catalog import load_shipped
from rubrica.report.anonymous import aliases, anonymous, anonymous_options, hide
from rubrica.report.archive import pack
from rubrica.report.correlation import Scored
from rubrica.report.crowd_reliability import USUAL, Experts, anonymous_experts
from rubrica.report.facts import Care, MoneyFacts, PersonFacts, StageFacts, StudyFacts
from rubrica.report.sections.section import Choices, MarkedEdits, Subject
from rubrica.store import audit, models
from rubrica.store.counting.progress import StageCount, collected, of_stages
from rubrica.store.counting.submitted import Picture, picture, version_of
from rubrica.store.jobs import jobs
from rubrica.store.jobs.jobs import file_of
from rubrica.store.metric_annotators import scores_of_systems
from rubrica.store.money import payments
from rubrica.store.money.costs import rating_price
from rubrica.store.options import options_of
from rubrica.store.public_ids import new_public_id
from rubrica.store.ratings import ratings_of
from rubrica.store.recording.exports import iterate, study_signature
from rubrica.store.setup.expert_sample import said_of_originals, samples_of
from rubrica.store.setup.study_items import unreviewed
from rubrica.store.translate import item_from, protocol_of, rules_of


def subject_of(
    study: models.Study,
    *,
    ratings: Ratings | None = None,
    stage: str = "",
    dataset: str = "",
    choices: Choices | None = None,
    scores: Sequence[SystemScore] = (),
    beside: Scored | None = None,
    experts: Experts | None = None,
) -> Subject:
    """What a report of the study is about. ``ratings`` are those to be reported, else those of :func:`ratings_of`.

    ``scores`` stand beside those of registered metrics; ``beside`` and ``experts`` come instead of these metrics and of
    the studies that were made for an expert.
    """
    found = ratings or ratings_of(study, stage, dataset)
    known = aliases_of(study)
    home = str(found.origin["dataset"])
    facts = facts_of(study, str(found.origin["stage"]), known, home)
    return Subject(
        ratings=anonymous(found, known),
        facts=facts,
        protocol=facts.main.protocol,
        edits=_edits(study, known) if facts.main.protocol.edits else None,
        choices=choices or Choices(),
        scores=(*scores, *scores_of_systems(study, home)),
        beside=beside,
        experts=_experts(study, found, known, experts),
        price=rating_price(study, str(found.origin["stage"])),
    )


def _experts(study: models.Study, ratings: Ratings, known: Mapping[str, str], given: Experts | None) -> Experts | None:
    """What experts said, without their names; nothing where outputs have no verdict *correct*."""
    if given is None:
        if not any((criterion.id, criterion.kind) == (USUAL, VERDICT) for criterion in ratings.criteria):
            return None
        samples = samples_of(study)
        said = tuple(rating for sample in samples for rating in said_of_originals(sample))
        given = Experts(said, (), "+".join(f"study:{sample.name}" for sample in samples))
    return anonymous_experts(given, known)


def aliases_of(study: models.Study) -> dict[str, str]:
    """A1, A2, … in the order in which people joined the study, whether they judged or not: they never change."""
    people = study.annotators.order_by("pk").values_list("name", "kind")
    return aliases(Rater(name, kind, {}) for name, kind in people)


def facts_of(study: models.Study, stage: str, known: Mapping[str, str], dataset: str = "") -> StudyFacts:
    """The facts; ``stage`` is the key of the stage that is reported, ``known`` are the aliases.

    ``dataset`` is the metadata that names the data set of an item, as for :func:`ratings_of`.
    """
    seen = picture(study)
    options, accounts = options_of(study), payments.accounts(study)
    times = [entry.at for entry in seen.every]
    main = next(row for row in seen.stages.values() if row.key == stage)
    protocol = seen.protocols[main.pk]
    submitted = models.Judgement.objects.filter(stage__study=study).submitted().order_by()
    plain = models.Item.objects.of_stage(main).unplanted().order_by("position")
    return StudyFacts(
        name=study.name,
        title=hide(study.title or study.name, known),
        created=study.created_at,
        seed=study.seed,
        stage=stage,
        stages=tuple(_stage(seen, count, known) for count in of_stages(seen.stages.values())),
        people=_people(seen, study, accounts, known),
        items=tuple(unit_of(protocol, item_from(row), dataset) for row in plain.iterator(chunk_size=2000)),
        options=anonymous_options(options, known),
        money=MoneyFacts(options.payment, totals(accounts, options.payment.platform_fee)),
        care=_care(study),
        origins=dict(submitted.values_list("current__origin").annotate(Count("pk"))),
        first=min(times, default=None),
        last=max(times, default=None),
        collected=collected(study),
    )


def _stage(seen: Picture, count: StageCount, known: Mapping[str, str]) -> StageFacts:
    row, protocol = count.stage, seen.protocols[count.stage.pk]
    entries = [entry for entry in seen.counted if entry.stage == row.pk]
    plain = [entry for entry in entries if not seen.is_planted(entry.item)]
    return StageFacts(
        key=row.key,
        protocol=protocol,
        step=rules_of(row, protocol),
        settings=dict(row.settings),
        overlap=row.overlap,
        wanted=count.wanted,
        done=count.done,
        extra=count.extra,
        remaining=count.remaining,
        planted=len(entries) - len(plain),
        outcomes=dict(Counter(entry.outcome for entry in plain)),
        people=tuple(dict.fromkeys(known[seen.people[entry.annotator].name] for entry in entries)),
        state=row.state,
    )


def _people(
    seen: Picture, study: models.Study, paid: Sequence[payments.Account], known: Mapping[str, str]
) -> tuple[PersonFacts, ...]:
    """Everybody who judged something, by alias; erased people are among the counts only."""
    profiles = dict(models.Profile.objects.filter(annotator__study=study).values_list("annotator", "answers"))
    invited = models.Invitation.objects.filter(study=study).exclude(annotator=None)
    links = dict(invited.values_list("annotator", "came_by__kind"))
    consents = models.Consent.objects.filter(annotator__study=study, decision=models.Consent.Decision.AGREED)
    agreed = set(consents.values_list("annotator", flat=True))
    accounts = {account.annotator.pk: account for account in paid}
    found = []
    for pk, person in sorted(seen.people.items()):
        if not seen.by_person[pk]:
            continue
        account = accounts.get(pk)
        found.append(
            PersonFacts(
                alias=known[person.name],
                kind=person.kind,
                profile=profiles.get(pk),
                came_by=(links[pk] or "personal") if pk in links else "",
                judgements=len(seen.by_person[pk]),
                hours=account.hours if account else 0.0,
                hourly=account.by_the_hour if account else None,
                minimum=account.minimum if account else None,
                excluded=person.excluded_at is not None,
                reason=hide(person.reason, known) if person.excluded_at is not None else "",
                consented=pk in agreed,
                simulated=bool(simulated_among([person.name])),
            )
        )
    return tuple(found)


def _care(study: models.Study) -> Care:
    reviews = models.Review.objects.filter(revision__judgement__stage__study=study).order_by()
    dealt = models.Planted.objects.filter(item__in=models.Assignment.objects.filter(stage__study=study).values("item"))
    planted = dict(dealt.order_by().values_list("kind").annotate(Count("pk")))
    return Care(
        gold=planted.get(models.Planted.Kind.GOLD, 0),
        duplicates=planted.get(models.Planted.Kind.DUPLICATE, 0),
        reviews=dict(reviews.values_list("decision").annotate(Count("pk"))),
        feedback=models.Feedback.objects.filter(revision__judgement__stage__study=study).count(),
        flags=models.Flag.objects.filter(stage__study=study).count(),
        closed=study.items.closed().count(),
        unreviewed=unreviewed(study),
    )


def _edits(study: models.Study, known: Mapping[str, str]) -> MarkedEdits:
    """The edits that annotators marked, by stage."""
    stages = list(study.stages.select_related("protocol_version"))
    protocol = protocol_of(stages[-1])
    judged = judged_pairs(iterate(study, stages), protocol)
    pairs = [attrs.evolve(pair, annotator=known[pair.annotator]) for pair in judged.pairs]
    return MarkedEdits(
        stages={key: tuple(group) for key, group in groupby(pairs, lambda pair: pair.stage)},
        typology=Typology(protocol if has_types(protocol) else load_shipped("salsa").protocol),
        sign=lambda stage, **parts: study_signature(
            study, [one for one in stages if one.key == stage] or stages, protocol, **parts
        ),
    )


State = models.Job.State
ABOUT = 36
"""About how many steps a report takes, charts included, for the progress that is shown."""
LINKS = "./"
"""The page links to the files of a report by addresses below its own."""


def ask(study: models.Study, stage: str, actor: str, now: datetime) -> models.Job:
    """Put a report into the queue; while one like it waits or is made, that one."""
    with study.held():
        known = reports_of(study, stage).filter(state__in=models.Job.GOING).first()
        if known is not None:
            return known
        job = jobs.enqueue(REPORT, study, {"stage": stage}, actor, now, ABOUT)
        audit.record("report asked for", study, now, actor=actor, stage=stage)
    return job


def reports_of(study: models.Study, stage: str) -> QuerySet[models.Job]:
    """Every report of the study like this one, the newest first."""
    rows = models.Job.objects.filter(study=study, kind=REPORT, arguments={"stage": stage})
    return rows.select_related("study").order_by("-created_at", "-pk")


def newest(study: models.Study, stage: str, home: Path) -> models.Job | None:
    """The newest finished report like this one whose file is still there."""
    done = reports_of(study, stage).filter(state=State.DONE, result__has_key="file")[:5]
    return next((job for job in done if file_of(job, home)), None)


def run(held: jobs.Held, home: Path) -> dict[str, Any]:
    """Make the report of a job that was claimed; returns what the job's result is.

    What computes is loaded here and not with the studio, which would start slower and need more memory.
    """
    from rubrica.report import folder, report
    from rubrica.report.charts import can_draw
    from rubrica.report.html import as_page
    from rubrica.store.reporting import subject_of

    job = held.job
    study, stage = job.study, job.arguments["stage"]
    assert study is not None
    version, every = version_of(study), len(picture(study).counted)
    subject = subject_of(study, stage=stage)
    made = report.build(subject, held.clock(), held.tell)
    with tempfile.TemporaryDirectory() as scratch, making(home, REPORT, new_public_id()) as archive:
        place = Path(scratch) / study.name
        charts = can_draw()
        folder.write(made, place, charts=charts, tell=lambda done: held.tell(report.STEPS + done))
        pack(place, archive.stream)
        archive.page = as_page(made, LINKS, charts=charts)
    return {
        **archive.about,
        "name": f"{study.name}-report-{held.clock():%Y-%m-%d}.zip",
        "judgements": len(subject.ratings.counted),
        "every": every,
        "version": version,
        "signature": made.origin,
    }
