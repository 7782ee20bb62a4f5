"""The demonstration of collecting a benchmark: simulated people write, others rate what they wrote; and an expert.

The expert judges a sample of the demo study of systems, so that its report has the figure of how far the crowd can be
trusted.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from rubrica.core.study import Judgement
from rubrica.demo.items import items_of, opinions_of
from rubrica.demo.simulated_people import CAREFUL, Opinion, OpinionatedPerson, temperament_of
from rubrica.demo.simulated_work import Judge, Pace, arrive, do_share, pay
from rubrica.demo.teams import TEAMS, Team, terms
from rubrica.exchange.study_plan import Plan
from rubrica.protocols.catalog import load_shipped
from rubrica.protocols.criteria import criteria_of
from rubrica.report.crowd_reliability import USUAL, find_verdict, group_outputs, neutral_keys, sample_outputs
from rubrica.store import models, options, studies
from rubrica.store.people import invitations
from rubrica.store.ratings import ratings_of
from rubrica.store.setup.expert_sample import make_sample, originals
from rubrica.store.translate import item_from, protocol_of, rules_of

COLLECTING, EXPERT, SYSTEMS = "demo-collecting", "demo-expert", "demo-split_rate"
WRITERS = Team((1.0, 1.0, 1.0), 90)
RATERS = Team((0.8, 0.6, 0.4), 50)
SEED = 5
GOOD = {"sensible": 5, "grammatical": 5}
PROBLEMS = ("missing_facts", "new_facts", "wrong_split", "further_split")
FINE = Opinion({**GOOD, **dict.fromkeys(PROBLEMS, "no")})
POOR = Opinion({"sensible": 2, "grammatical": 1, **dict.fromkeys(PROBLEMS, "no"), "wrong_split": "yes"})


@transaction.atomic
def make(now: datetime) -> models.Study:
    """A study with both stages: sentences are written about, flagged and handed on; most rewrites are rated."""
    loaded, then = load_shipped("split_rewrite"), load_shipped("split_rate")
    start = now - timedelta(days=2)
    plan = Plan(
        name=COLLECTING,
        title="Demo: collecting a benchmark",
        loaded=loaded,
        then=then,
        items=items_of(loaded),
        seed=SEED,
    )
    study = studies.create(plan, start - timedelta(hours=3))
    settings = terms(loaded.protocol, WRITERS)
    settings["payment"]["per_task"]["rate"] = RATERS.price
    settings["payment"]["median_seconds"]["rate"] = RATERS.seconds
    settings["payment"]["bonus"] = {"rewrite": "1.00"}
    options.change(study, **settings)
    invitations.open_door(study, "open", now, cap=1000, step="rate")
    names = [f"simulated_{number}" for number in range(1, 7)]
    said = opinions_of(loaded.protocol)
    for key, team, people, moment in (
        ("rewrite", WRITERS, names[:3], start),
        ("rate", RATERS, names[3:], start + timedelta(days=1)),
    ):
        stage = study.stages.select_related("protocol_version", "study").get(key=key)
        there = arrive(study, people, team, moment - timedelta(hours=1), step=key)
        known = {row.pk: said[row.key] for row in study.items.given()} if key == "rewrite" else _of_texts(study)
        for place, (person, share) in enumerate(zip(there, team.shares, strict=True)):
            judge = _judging(stage, place, known)
            do_share(stage, person, share, moment, now, judge, Pace(team.seconds))
        pay(study, there[:1], now)
    return study


def _of_texts(study: models.Study) -> dict[int, Opinion]:
    """What a careful rater says of each rewrite: as of the same text among the demo outputs, fine, or poor."""
    outputs, rated = load_shipped("split_rate"), opinions_of(load_shipped("split_rate").protocol)
    known = {(item.fields["source"], item.fields["rewrite"]): rated[item.key] for item in items_of(outputs)}
    good = {
        str(answers["rewrite"])
        for opinion in opinions_of(load_shipped("split_rewrite").protocol).values()
        for answers in (opinion.answers, *opinion.as_good)
        if "rewrite" in answers
    }
    texts = study.items.exclude(written=None)
    return {
        text.pk: known.get(
            (text.fields["source"], text.fields["rewrite"]), FINE if text.fields["rewrite"] in good else POOR
        )
        for text in texts
    }


def _judging(stage: models.Stage, place: int, known: dict[int, Opinion]) -> Judge:
    protocol = protocol_of(stage)
    good = {criterion.id: criterion.good for criterion in criteria_of(protocol)}
    seed = f"{SEED}:{stage.study.name}:{stage.key}:{place}"
    temperament = temperament_of(place, seed) if place else CAREFUL
    person = OpinionatedPerson(protocol, rules_of(stage, protocol), temperament, good, seed)

    def judge(lease: models.Assignment) -> Judgement:
        return person.judge(item_from(lease.item), known[lease.item_id])

    return judge


@transaction.atomic
def make_expert(systems: models.Study, now: datetime) -> models.Study:
    """A sample of the outputs of the demo study of systems, judged by one careful person."""
    ratings = ratings_of(systems)
    raters = TEAMS["split_rate"].places
    grouped = group_outputs(ratings, find_verdict(ratings, USUAL), raters)
    keys = neutral_keys(sample_outputs(ratings, grouped, 2, SEED))
    study = make_sample(systems, str(ratings.origin["stage"]), EXPERT, keys, now - timedelta(hours=20), SEED)
    options.change(study, items_reviewed=True)
    stage = study.stages.select_related("protocol_version", "study").get()
    (expert,) = arrive(study, ["simulated_expert"], Team((1.0,)), now - timedelta(hours=20))
    said, copies = opinions_of(protocol_of(stage)), originals(study)
    known = {row.pk: said[copies[row.key]] for row in study.items.all()}
    do_share(stage, expert, 1.0, now - timedelta(hours=19), now, _judging(stage, 0, known), Pace(60))
    return study
