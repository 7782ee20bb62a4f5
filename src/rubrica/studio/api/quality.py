"""Whether a study can be trusted: agreement so far, checks passed and missed, patterns that deserve a look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ninja import Router, Schema

from rubrica.report.trust import Checks
from rubrica.store.counting.submitted import picture
from rubrica.store.counting.trust import trust
from rubrica.studio.api.access import VIEWER, ResearcherRequest, StudyId, study_of
from rubrica.studio.api.schemas import REFUSALS

if TYPE_CHECKING:
    from rubrica.report.agreement_percent import Percent
    from rubrica.report.checks_findings import Finding

router = Router(auth=VIEWER)


class AgreementOut(Schema):
    """Percent agreement: the mean over items of their share of pairs of annotators who said the same.

    ``share`` is that of `rubrica agree --measure percent`; ``same`` of ``pairs`` are counted over all items. The 95 %
    interval is Wilson's. Null where there is no pair; chance-corrected statistics are the report's.
    """

    same: int
    pairs: int
    items: int
    share: float | None
    low: float | None
    high: float | None


class QuestionAgreementOut(AgreementOut):
    """The agreement on one question of a stage."""

    stage: str
    question: str


class CheckCountsOut(Schema):
    """Known answers that were right, and hidden duplicates that were answered the same again."""

    right: int
    graded: int
    same: int
    compared: int


class PatternOut(Schema):
    """Something in an annotator's work that deserves a look, as `rubrica check` finds it: never a verdict.

    ``basis``: alone (tested without others), others (among them), model (the probability of answers without a look).
    """

    stage: str
    kind: str
    question: str
    basis: str
    detail: dict[str, float | int | str]


class PersonQualityOut(Schema):
    """One annotator's figures. ``untold``: why it cannot be told whether anything is unusual; empty if it can."""

    annotator: str
    name: str
    agreement: AgreementOut
    checks: CheckCountsOut
    patterns: list[PatternOut]
    untold: list[str]


class QualityOut(Schema):
    """The figures of a study. Agreement is of annotators who are not excluded, on items that are not planted.

    ``fixed_left_out``: answers that a rule of the protocol fixed, which agreement and checks leave out. ``sample``:
    stages with more than 10,000 judgements have figures from a sample of their items, with so many judgements; null if
    every figure is from all.
    """

    questions: list[QuestionAgreementOut]
    fixed_left_out: int
    sample: int | None
    checks: CheckCountsOut
    annotators: list[PersonQualityOut]


@router.get("/quality", response={200: QualityOut, **REFUSALS})
def get_quality(request: ResearcherRequest, study: StudyId) -> Any:
    """Agreement, checks and patterns so far."""
    known = picture(study_of(request))
    figures = trust(known)
    counted = [person.name for person in known.people.values() if person.excluded_at is None]
    return QualityOut(
        questions=[
            QuestionAgreementOut(stage=known.stages[stage].key, question=question, **_agreement(found))
            for (stage, question), found in figures.questions.items()
        ],
        fixed_left_out=figures.fixed,
        sample=figures.sample or None,
        checks=_checks(figures.checks_of(*counted)),
        annotators=[
            PersonQualityOut(
                annotator=person.pid,
                name=person.name,
                agreement=AgreementOut(**_agreement(figures.with_others.get(person.name))),
                checks=_checks(figures.checks_of(person.name)),
                patterns=[
                    PatternOut(
                        stage=known.stages[stage].key,
                        kind=finding.check,
                        question=finding.question,
                        basis=finding.basis,
                        detail=_detail(finding),
                    )
                    for stage, finding in figures.findings.get(person.name, ())
                ],
                untold=[reason for _, reason in figures.untold(person.name)],
            )
            for person in known.people.values()
        ],
    )


def _agreement(found: Percent | None) -> dict[str, Any]:
    interval = found.interval if found else None
    return {
        "same": found.same if found else 0,
        "pairs": found.pairs if found else 0,
        "items": found.units if found else 0,
        "share": found.share if found else None,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }


def _detail(finding: Finding) -> dict[str, float | int | str]:
    """The figure, what it is beside, and whatever of the evidence is one number or word."""
    numbers = {
        "value": finding.value.value,
        "others": finding.peers.value,
        "n": finding.n,
        "p_adjusted": finding.p_adjusted.value,
        "probability": finding.probability.value,
        **finding.evidence,
    }
    return {name: value for name, value in numbers.items() if isinstance(value, int | float | str)}


def _checks(found: Checks) -> CheckCountsOut:
    return CheckCountsOut(**found._asdict())
