"""Profiles: what a study asks of a person, and what they told, kept apart from what they judge."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from rubrica.core.errors import wrong
from rubrica.core.profile import Value
from rubrica.exchange.study_options import CONSENT_TO_ANSWERS
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.people.consents import holds, last_decisions


def save(annotator: models.Annotator, answers: Mapping[str, Value], now: datetime) -> models.Profile:
    """Keep the profile; saving it again replaces what was told before."""
    stored = {"answers": dict(answers), "recorded_at": now}
    return models.Profile.objects.update_or_create(annotator=annotator, defaults=stored)[0]


def covered(study: models.Study) -> dict[int, dict[str, Any]]:
    """What those told who agreed to the consent text of now, by row number, where it covers demographic data.

    Raises InputError where it does not. Questions of the study's own are left out: nobody knows what they may tell.
    """
    options = options_of(study)
    if not options.steps.consent or not options.profiles_covered:
        fix = "Use a consent text that says so, and say that it does in the set-up (consent_covers_profiles)."
        raise wrong("no consent in force covers that demographic data are distributed", "consent", fix)
    people = list(study.annotators.living().included().order_by("pk"))
    last = last_decisions(people).items()
    agreed = {pk for pk, one in last if holds(one, options) and one.text and one.text.text != CONSENT_TO_ANSWERS}
    rows = models.Profile.objects.filter(annotator__in=agreed).order_by("annotator")
    kept = set(options.profile.usual)
    return {row.annotator_id: {name: told for name, told in row.answers.items() if name in kept} for row in rows}


def told(annotator: models.Annotator) -> dict[str, Any]:
    """What the person has told; nothing if they never did."""
    profile = models.Profile.objects.filter(annotator=annotator).first()
    return dict(profile.answers) if profile else {}
