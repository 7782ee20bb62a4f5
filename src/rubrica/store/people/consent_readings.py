"""Who read our consent, in a language in which nobody has reviewed it, beside the original (``exchange/launch.py``)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from rubrica.exchange.launch import Unread, unreviewed_consents
from rubrica.exchange.study_options import Options
from rubrica.store import audit, models
from rubrica.store.options import options_of
from rubrica.store.people.consents import digest
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of


def unread(study: models.Study, options: Options | None = None, *, every: bool = False) -> list[Unread]:
    """What must be read before annotators are asked, by language; with ``every`` also in languages not offered yet."""
    protocols = map(protocol_of, current_stages(study))
    read = set(models.ConsentReading.objects.filter(study=study).values_list("language", "text_digest"))
    found = unreviewed_consents(protocols, options or options_of(study), every=every)
    return [one for one in found if (one.language, digest(one.text)) not in read]


def take_responsibility(study: models.Study, languages: Collection[str], now: datetime, actor: str) -> None:
    """Record that this person has read our consent in these languages beside the original; once is enough."""
    for one in unread(study, every=True):
        if one.language in languages:
            study.consent_readings.create(language=one.language, text_digest=digest(one.text), by=actor, at=now)
            audit.record("consent read", study, now, actor=actor, language=one.language, text=digest(one.text))
