"""Consent: versioned wordings, and each decision about them kept for good.

A wording becomes a version when somebody first decides about it. Changing the study's text asks everybody again. In a
language in which nobody has reviewed our consent, somebody reads it beside the original (``exchange/launch.py``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from datetime import datetime

from rubrica.core.errors import wrong
from rubrica.exchange.launch import Unread, unreviewed_consents
from rubrica.exchange.study_options import Options
from rubrica.store import audit, models
from rubrica.store.allocation.overlap import give_back
from rubrica.store.options import options_of
from rubrica.store.stages import current_stages
from rubrica.store.translate import joined, protocol_of

Decision = models.Consent.Decision


def digest(text: str) -> str:
    """What a page sends back to say which wording it showed."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def decide(annotator: models.Annotator, shown: str, *, agrees: bool, now: datetime) -> models.Consent:
    """Record a decision about the wording whose digest the page showed. Raises InputError if it changed meanwhile.

    The same decision about the same wording again is the same record: a double click is one.
    """
    with annotator.study.held() as study:
        text = next((one for one in options_of(study).consent_wordings if digest(one) == shown), None)
        if text is None:
            raise wrong("the text was changed while you read it", "consent_changed", "Please read it again.")
        version = _version(study, text, now)
        decision = Decision.AGREED if agrees else Decision.DECLINED
        last = latest(annotator)
        if last is not None and last.decision == decision and last.text_id == version.pk:
            return last
        return models.Consent.objects.create(annotator=annotator, text=version, decision=decision, at=now)


def _version(study: models.Study, text: str, now: datetime) -> models.ConsentText:
    """The stored wording: the newest that says the same, else a new one. Inside a transaction that holds the study."""
    texts = study.consent_texts
    known = texts.filter(text=text).order_by("number").last()
    return known or texts.create(text=text, number=texts.count() + 1, created_at=now)


def latest(annotator: models.Annotator) -> models.Consent | None:
    """The last decision of this person."""
    return models.Consent.objects.filter(annotator=annotator).select_related("text").order_by("-pk").first()


_DECISIONS = """
FROM store_consent consent LEFT JOIN store_consenttext wording ON wording.id = consent.text_id
WHERE consent.annotator_id IN %s ORDER BY consent.id
"""


def last_decisions(people: Sequence[models.Annotator]) -> dict[int, models.Consent]:
    """The last decision of each of these people who made any, by row number."""
    found = {}
    tables = {"consent": models.Consent, "wording": models.ConsentText}
    for decision, decision.text in joined(_DECISIONS, [person.pk for person in people], **tables) if people else ():
        found[decision.annotator_id] = decision
    return found


def holds(decision: models.Consent | None, options: Options) -> bool:
    """Whether the person has agreed to the wording of now, or to ours that says more."""
    if decision is None or decision.text is None:
        return False
    return decision.decision == Decision.AGREED and options.asks_no_more_than(decision.text.text)


def agreed_before(annotator: models.Annotator) -> bool:
    """Whether the person ever agreed to some wording: then a new one needs a word of explanation."""
    return models.Consent.objects.filter(annotator=annotator, decision=Decision.AGREED).exclude(text=None).exists()


def stop(annotator: models.Annotator, now: datetime) -> None:
    """Withdraw: what is being worked on returns to the pool, what was submitted stays. Can be undone."""
    with annotator.held():
        last = latest(annotator)
        if last is None or last.decision != Decision.WITHDRAWN:
            withdraw(annotator, now)
        give_back(annotator.assignments.all())


def withdraw(annotator: models.Annotator, now: datetime, *, erasure: bool = False) -> None:
    """Record that consent is withdrawn, of the wording that was decided about last."""
    last = latest(annotator)
    annotator.consents.create(text=last.text if last else None, decision=Decision.WITHDRAWN, erasure=erasure, at=now)


def come_back(annotator: models.Annotator, now: datetime) -> None:
    """Take part again after stopping. Where the study asks for consent, agreeing again is the way back instead."""
    with annotator.held():
        last = latest(annotator)
        if last is not None and last.decision == Decision.WITHDRAWN and not last.erasure:
            models.Consent.objects.create(annotator=annotator, text=last.text, decision=Decision.AGREED, at=now)


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
