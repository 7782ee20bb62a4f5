"""Profiles: what a study asks of a person, and what they told, kept apart from what they judge."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from rubrica.core.profile import USUAL, Asked, Value
from rubrica.exchange.study_options import Options
from rubrica.store import models


def questions(options: Options) -> list[Asked]:
    """What this study asks of a person, in order: the usual questions, then its own."""
    usual = [USUAL[name] for name in options.profile.usual]
    own = [
        Asked(one.id, one.kind, options=tuple(one.options), required=one.required, own=True, label=one.label)
        for one in options.profile.own
    ]
    return usual + own


def save(annotator: models.Annotator, answers: Mapping[str, Value], now: datetime) -> models.Profile:
    """Keep the profile; saving it again replaces what was told before."""
    stored = {"answers": dict(answers), "recorded_at": now}
    return models.Profile.objects.update_or_create(annotator=annotator, defaults=stored)[0]


def told(annotator: models.Annotator) -> dict[str, Any]:
    """What the person has told; nothing if they never did."""
    profile = models.Profile.objects.filter(annotator=annotator).first()
    return dict(profile.answers) if profile else {}
