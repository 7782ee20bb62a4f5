"""Demo studies: one for each protocol, mostly done by simulated annotators, ready to be looked at and joined.

Simulated annotators work as people do in the studio: they lease items, save drafts and submit, over the last days, at
a pace of their own. What they say is what a careful annotator says of the item, seen through their temperament. Where
edits are marked, see ``marked_edits``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from rubrica.core.assignment import DUPLICATE
from rubrica.core.errors import wrong
from rubrica.core.human_rewrites import human_systems
from rubrica.core.protocol import Protocol
from rubrica.core.simulation import Simulator
from rubrica.core.study import Judgement
from rubrica.core.target_words import context_field
from rubrica.demo import marked_edits
from rubrica.demo.items import gold_of, items_of, known_answers, opinions_of
from rubrica.demo.simulated_people import Opinion, OpinionatedPerson, temperament_of
from rubrica.demo.simulated_work import ACTOR, Judge, Pace, arrive, do_share, pay
from rubrica.demo.teams import Team, team_of, terms
from rubrica.exchange.corpus_rows import CorpusRow, held_against, without_marks
from rubrica.exchange.study_plan import Plan
from rubrica.language.lemmas import told_by
from rubrica.language.names import language_name, told_language
from rubrica.prepare.word_review import SUBSTITUTES, band_of
from rubrica.protocols.criteria import criteria_of
from rubrica.protocols.loader import Loaded
from rubrica.report.lexical_release import LCP, LS, task_of
from rubrica.store import models, options, studies
from rubrica.store.metric_annotators import register_all
from rubrica.store.people import annotators, invitations
from rubrica.store.ratings import study_corpus
from rubrica.store.translate import item_from, protocol_of, rules_of

if TYPE_CHECKING:
    from rubrica.metrics.catalog import Measured

__all__ = ["items_of", "make", "measure"]

SEED = 5
"""One of fifteen that were tried: with it, no question of a demo study is agreed on unusually little or much."""
DUPLICATES = 0.15
"""Share of the items that come a second time."""
METRICS = ("levenshtein_similarity", "compression_ratio")
"""Two that need no reference, beside the simulated annotators."""
WITH_REFERENCES = ("bleu",)
"""Where systems split sentences: against what people made of them, as the paper has it."""
SYSTEM = "demo"
"""The one system of a block in which every rewrite is a sentence of its own."""


@transaction.atomic
def make(name: str, loaded: Loaded, now: datetime) -> models.Study:
    """A demo study with judgements of simulated annotators and an open link for visitors, or nothing at all."""
    protocol = loaded.protocol
    team = team_of(protocol)
    study = studies.create(_plan(name, loaded, team), now - timedelta(days=2, hours=3))
    study.title = f"Demo: {protocol.title.get('en')}"  # type: ignore[union-attr]
    study.save(update_fields=["title"])
    options.change(study, **terms(protocol, team))
    invitations.open_door(study, "open", now, cap=1000)
    if protocol.edits:
        marked_edits.work(study, team, now)
    else:
        _work(study, protocol, team, now)
    measure(study, protocol, now)
    return study


def _plan(name: str, loaded: Loaded, team: Team) -> Plan:
    protocol = loaded.protocol
    if protocol.edits:
        return Plan(name=name, loaded=loaded, items=items_of(loaded), seed=SEED)
    return Plan(
        name=name,
        loaded=loaded,
        items=items_of(loaded),
        seed=SEED,
        overlap={stage.id: team.places for stage in protocol.stages},
        duplicates=DUPLICATES,
        gold=[(gold.item, known_answers(protocol, gold.opinion)) for gold in gold_of(protocol)],
    )


def _work(study: models.Study, protocol: Protocol, team: Team, now: datetime) -> None:
    """Everybody at work, from two days ago until their share is done; then one may be excluded, and some are paid."""
    start = now - timedelta(days=2)
    people = arrive(study, team.names, team, start - timedelta(hours=1))
    opinions = _opinions(study, protocol)
    for stage in study.stages.select_related("protocol_version", "study"):
        for place, (person, share) in enumerate(zip(people, team.shares, strict=True)):
            judge, pace = _judging(stage, place, opinions, team)
            do_share(stage, person, share, start, now, judge, pace)
    if team.excluded is not None:
        annotators.exclude(people[team.excluded], team.reason, now, actor=ACTOR)
    pay(study, [person for person, share in zip(people, team.shares, strict=True) if share == 1], now)


def _opinions(study: models.Study, protocol: Protocol) -> Mapping[int, Opinion]:
    """What a careful annotator says, by the row number of the item; a duplicate has that of its original."""
    known = opinions_of(protocol) | {f"gold-{gold.item.key}": gold.opinion for gold in gold_of(protocol)}
    rows = study.items.values_list("pk", "key")
    by_key = {pk: known.get(key.removesuffix(DUPLICATE)) for pk, key in rows}
    return {pk: opinion for pk, opinion in by_key.items() if opinion is not None}


def _judging(stage: models.Stage, place: int, opinions: Mapping[int, Opinion], team: Team) -> tuple[Judge, Pace]:
    """How the person at this place of the team judges, and how fast."""
    protocol = protocol_of(stage)
    rules, seed = rules_of(stage, protocol), f"{SEED}:{stage.study.name}:{place}"
    temperament = temperament_of(place, seed)
    good = {criterion.id: criterion.good for criterion in criteria_of(protocol)}
    person, at_random = OpinionatedPerson(protocol, rules, temperament, good, seed), Simulator(protocol, rules, seed)

    def judge(lease: models.Assignment) -> Judgement:
        item, opinion = item_from(lease.item), opinions.get(lease.item_id)
        return at_random.judge(item) if opinion is None else person.judge(item, opinion)

    return judge, Pace(team.seconds * temperament.pace)


@transaction.atomic
def simulate(study: models.Study, people: int, now: datetime) -> int:
    """Let simulated annotators do all the work of a launched study that nobody has judged; how many judgements.

    Picked words are as hard to them as they are rare, and their substitutes are those that a thesaurus suggested; all
    else is at random. Their names say what they are, and so does every report and release. Raises InputError.
    """
    stages = list(study.stages.select_related("protocol_version", "study"))
    protocol = protocol_of(stages[0])
    if protocol.edits or len(stages) > 1:
        fix = "Look at `rubrica demo`, which has such studies."
        raise wrong("studies of several stages are not simulated", "simulated", fix, value=study.name)
    if models.Judgement.objects.filter(stage__study=study).exists():
        fix = "Make another study of the same items."
        raise wrong("this study has judgements, and simulated ones are not mixed with others", "simulated", fix)
    if stages[0].state != models.Stage.State.OPEN:
        fix = f"Launch it first: `rubrica study launch {study.name}`."
        raise wrong("the study is not running", "simulated", fix, value=stages[0].state)
    start, items = now - timedelta(days=1), list(study.items.all())
    texts = (item.fields.get(context_field(protocol), "") for item in items)
    language = next((told for item in items if (told := told_language(item.metadata))), "") or told_by(texts)
    team = Team(shares=(1.0,) * people, language=language_name(language or "en"))
    opinions = {row.pk: found for row in items if (found := _of_picked(protocol, row.metadata))}
    arrived = list(arrive(study, team.names, team, start))
    # Where there are more people than an item is judged by, each does a share; what that leaves, whoever may.
    share = stages[0].overlap / people
    for one in [share, 1.0] if share < 1 else [1.0]:
        for place, person in enumerate(arrived):
            judge, pace = _judging(stages[0], place, opinions, team)
            do_share(stages[0], person, one, start, now, judge, pace)
    return models.Judgement.objects.filter(stage__study=study).submitted().count()


def _of_picked(protocol: Protocol, metadata: Mapping[str, str]) -> Opinion | None:
    """What a careful annotator may say of a picked word, by its band or by what a thesaurus has for it."""
    band, task = band_of(metadata), task_of(protocol)
    question = next((one.id for one in protocol.questions if one.required), "")
    if task == LCP and band:
        return Opinion(answers={question: band})
    words = str(metadata.get(SUBSTITUTES, "")).partition(": ")[2].removesuffix(", …").split(", ")
    if task == LS and any(words):
        return Opinion(words={question: {word: 1 / place for place, word in enumerate(words, start=1)}})
    return None


def measure(study: models.Study, protocol: Protocol, now: datetime) -> None:
    """Register the metrics, where whole sentences are rewritten. What computes is loaded here, not with the studio."""
    roles = {field.role for field in protocol.fields}
    if "rewrite" not in roles or "target" in roles:
        return
    # As `rubrica score` reads them, so that registering the same metrics again finds the same values.
    rows = [row._replace(rewrite=without_marks(row.rewrite)) for row in study_corpus(study)]
    measured = _measured(METRICS, rows)
    if protocol.family == "split":
        human = human_systems({row.system: bool(row.author) for row in rows}).systems
        held = held_against(rows, human, lambda row: (row.dataset, row.source))
        known = [row._replace(references=kept.references) for row, kept in zip(rows, held, strict=True)]
        measured += _measured(WITH_REFERENCES, [row for row in known if row.references])
    register_all(study, measured, now, actor=ACTOR)


def _measured(names: Sequence[str], rows: Sequence[CorpusRow]) -> list[Measured]:
    from rubrica.metrics.catalog import Counts, Measured, metrics_of
    from rubrica.metrics.metric import Block, Options
    from rubrica.metrics.scoring import settings_of

    if not rows:
        return []
    rewrites = {SYSTEM: [row.rewrite for row in rows]}
    block = Block(0, [row.source for row in rows], [row.references for row in rows], rewrites)
    found = []
    for metric in metrics_of(names, Options()):
        statistics = metric.statistics(block, SYSTEM)
        scores = metric.sentence_scores(statistics)
        counts = Counts(metric.name, {}, {row.id: own.tolist() for row, own in zip(rows, statistics, strict=True)}, {})
        for place, figure in enumerate(metric.figures):
            values = {row.id: float(value) for row, value in zip(rows, scores[:, place], strict=True)}
            found.append(Measured(figure, settings_of(metric), values, counts))
    return found
