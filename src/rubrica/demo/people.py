"""The simulated people of a demo study before and after the work: they join, agree, tell about themselves, are paid."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from rubrica.demo.teams import Team
from rubrica.store import models, options
from rubrica.store.money import payments
from rubrica.store.people import consents, invitations, participation, profiles

ACTOR = "demo"
OTHER_LANGUAGES = ("Portuguese", "Norwegian", "Hindi", "French")


def arrive(study: models.Study, names: Sequence[str], team: Team, at: datetime) -> list[models.Annotator]:
    """Invite the people and take each to where the work begins."""
    people = [link.annotator for link in invitations.invite(study, list(names), at) if link.annotator]
    for place, person in enumerate(people):
        lead_to_work(person, at)
        asked = profiles.questions(options.options_of(study))
        profiles.save(person, profiles.checked(asked, _told(study.name, place, team)), at)
    return people


def lead_to_work(person: models.Annotator, now: datetime) -> None:
    """Note every step before the work as done."""
    way = participation.way(person)
    for step in way.steps:
        if step == "consent" and step not in way.done:
            text = consents.wording(way.options)
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
    return {
        "education_years": str(rng.choice((10, 12, 13, 15, 16, 16, 17, 18, 21))),
        "native_speaker": "yes" if native else "no",
        "age": profiles.UNSAID if place == 6 else str(rng.randint(19, 67)),
        "reading_hours": str(rng.choice((1, 2, 3, 5, 7, 10, 14, 20))),
        "first_language": team.language if native else rng.choice(OTHER_LANGUAGES),
        "languages": str(rng.choice((1, 1, 2, 2, 3, 4)) if native else rng.choice((2, 3, 4))),
        "country": team.countries[place % len(team.countries)],
    }
