"""What the simulated people of a demo study do: join, agree, tell about themselves, work as people do, are paid."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from rubrica.core.profile import UNSAID, checked
from rubrica.core.study import Judgement
from rubrica.demo.teams import Team
from rubrica.store import models, options
from rubrica.store.allocation import leases, overlap
from rubrica.store.money import payments
from rubrica.store.people import consents, invitations, participation, profiles
from rubrica.store.recording import judgements

PEOPLE = ("simulated_1", "simulated_2", "simulated_3")
Judge = Callable[[models.Assignment], Judgement]


class Pace(NamedTuple):
    """How long things take, in seconds: the median judgement, and the mean pause after a page."""

    median: float
    pause: float = 600


def do_share(
    stage: models.Stage,
    person: models.Annotator,
    share: float,
    at: datetime,
    now: datetime,
    judge: Judge,
    pace: Pace,
) -> None:
    """Judge that share of the items, from ``at`` on, and give back what is held beyond it.

    Planted items come on top, as they fall due; whoever does everything gets all of theirs.
    """
    rng = random.Random(f"demo:{stage.study.name}:{stage.key}:{person.name}")
    plain = set(models.Item.objects.of_stage(stage).unplanted().values_list("pk", flat=True))
    wanted, done = round(share * len(plain)), 0
    while done < wanted or share == 1:
        found = leases.take(person, stage, at).leases
        if not found:
            break
        for page in _pages(found):
            if done >= wanted and share < 1:
                break
            said = []
            for lease in page:
                lease.stage, lease.annotator = stage, person
                seconds = round(rng.lognormvariate(math.log(pace.median), 0.4), 1)
                said.append(judgements.Said(lease, f"demo-{lease.pid}", judge(lease), f"visit-{lease.pid}", seconds))
            at += timedelta(seconds=sum(one.visit_seconds for one in said) + rng.expovariate(1 / pace.pause))
            judgements.submit(said, min(at, now))
            done += sum(lease.item_id in plain for lease in page)
    overlap.give_back(models.Assignment.objects.filter(annotator=person))


def _pages(held: Iterable[models.Assignment]) -> list[list[models.Assignment]]:
    """The leases in their order, those of one group together, as pages show them."""
    pages: dict[str, list[models.Assignment]] = {}
    for lease in held:
        pages.setdefault(lease.item.group or f"\0{lease.pk}", []).append(lease)
    return list(pages.values())


ACTOR = "demo"
OTHER_LANGUAGES = ("Portuguese", "Norwegian", "Hindi", "French")


def arrive(
    study: models.Study, names: Sequence[str], team: Team, at: datetime, step: str = ""
) -> list[models.Annotator]:
    """Invite the people, for one step of the study or for all, and take each to where the work begins."""
    people = [link.annotator for link in invitations.invite(study, list(names), at, step=step) if link.annotator]
    for place, person in enumerate(people):
        lead_to_work(person, at)
        asked = options.options_of(study).profile.questions
        profiles.save(person, checked(asked, _told(study.name, place, team)), at)
    return people


def lead_to_work(person: models.Annotator, now: datetime) -> None:
    """Note every step before the work as done."""
    way = participation.way(person)
    for step in way.steps:
        if step == "consent" and step not in way.done:
            text = way.options.consent_wording()
            consents.decide(person, consents.digest(text), agrees=True, now=now)
        elif step not in way.done:
            participation.finish(person, step, now)


def pay(study: models.Study, finished: Sequence[models.Annotator], now: datetime) -> None:
    """Pay those who have finished what they earned, and the first of them a bonus; what the others earned is due."""
    for number, account in enumerate(one for one in payments.accounts(study) if one.annotator in finished):
        if account.due > 0:
            payments.record(account.annotator, "task", str(account.due), "", now, actor=ACTOR)
        if not number:
            reason = "Wrote helpful comments."
            payments.record(account.annotator, "bonus", str(Decimal("2.00")), reason, now, actor=ACTOR)


def _told(study: str, place: int, team: Team) -> dict[str, str]:
    """An invented profile, as a page would send it. One in four learnt the language later in life."""
    rng = random.Random(f"profile:{study}:{place}")
    native = place % 4 != 3
    others = [one for one in OTHER_LANGUAGES if one != team.language]
    return {
        "education_years": str(rng.choice((10, 12, 13, 15, 16, 16, 17, 18, 21))),
        "native_speaker": "yes" if native else "no",
        "age": UNSAID if place == 6 else str(rng.randint(19, 67)),
        "reading_hours": str(rng.choice((1, 2, 3, 5, 7, 10, 14, 20))),
        "first_language": team.language if native else rng.choice(others),
        "languages": str(rng.choice((1, 1, 2, 2, 3, 4)) if native else rng.choice((2, 3, 4))),
        "country": team.countries[place % len(team.countries)],
    }
