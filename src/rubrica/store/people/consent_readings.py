"""Consent in languages in which nobody has reviewed our wording: somebody must read it beside the original first.

Whoever launches a study, or offers a further language in a running one, takes responsibility for what annotators agree
to. Who read which text, and when, is kept (``models.ConsentReading``). A wording of the study's own is its author's.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from rubrica.core.errors import Problem
from rubrica.exchange.study_options import CONSENT, Options
from rubrica.language.catalogues import offered, translated, working
from rubrica.language.names import language_name
from rubrica.store import audit, models
from rubrica.store.options import options_of
from rubrica.store.people.consents import digest
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of


class Unread(NamedTuple):
    """Our consent in a language that nobody has reviewed and for which nobody has taken responsibility."""

    language: str
    original: str
    text: str

    @property
    def problem(self) -> Problem:
        """What keeps a study from asking for it."""
        name = language_name(self.language)
        what = f"nobody has reviewed the consent in {name}, and nobody says that they read it beside the original"
        fix = (
            f"Read both on the page of the launch and take responsibility ({self.language}), write a consent text of "
            "your own in this language, or do not offer it."
        )
        return Problem(what=what, rule="consent", fix=fix, value=self.language)


def unread(study: models.Study, options: Options | None = None, *, every: bool = False) -> list[Unread]:
    """What must be read before annotators are asked, by language; with ``every`` also in languages not offered yet."""
    options = options or options_of(study)
    if not options.steps.consent:
        return []
    found = []
    protocols = [protocol_of(stage) for stage in current_stages(study)]
    languages = [working(one) if every else offered(one, options.languages) for one in protocols]
    read = set(models.ConsentReading.objects.filter(study=study).values_list("language", "text_digest"))
    for code in dict.fromkeys(code for some in languages for code in some):
        if code == "en" or options.consent_wording(code) != CONSENT:
            continue
        text, reviewed = translated(code, tuple(CONSENT.split("\n\n")))
        if not reviewed and (code, digest(text)) not in read:
            found.append(Unread(code, CONSENT, text))
    return found


def take_responsibility(study: models.Study, languages: Collection[str], now: datetime, actor: str) -> None:
    """Record that this person has read our consent in these languages beside the original; once is enough."""
    for one in unread(study, every=True):
        if one.language in languages:
            study.consent_readings.create(language=one.language, text_digest=digest(one.text), by=actor, at=now)
            audit.record("consent read", study, now, actor=actor, language=one.language, text=digest(one.text))
