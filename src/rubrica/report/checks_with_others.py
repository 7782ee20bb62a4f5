"""Whether a rater's answers have to do with those of the others, on units that are not planted: a check of behaviour.

Figures of single questions are shown; the test is of all of them together, so that somebody who answers at random is
found by what all their answers say. Two tests stand behind its p-value, which is twice the smaller: whether the rater
stands out among peers as different as these are (``stats.checks.peers``), and whether their answers are not told from
chance and far below what is usual (``stats.checks.beyond_chance``). The first finds who is somewhat worse where the
others are alike, the second who answers at random where they are not. With too few peers for the first, it is the
second's alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from rubrica.core.patterns import ENOUGH
from rubrica.core.ratings import CHOICES, ORDINAL, VERDICT, WORDS, Criterion, Rating
from rubrica.report.checks_behaviour import Work
from rubrica.report.checks_findings import WITH_OTHERS, Figure, Finding, too_few, untested
from rubrica.stats.checks import measured
from rubrica.stats.checks.beyond_chance import Relation, Together, each_far_below, together, usual_weights
from rubrica.stats.checks.with_others import WithOthers, correlations, same_answers
from rubrica.stats.coded import coded
from rubrica.stats.statistic import Statistic

NOTHING = WithOthers(Statistic(None, "no answers"), 0, Statistic(None, "no answers"))
Related = dict[str, WithOthers]
"""By rater, how their answers to one question go with those of the others."""


def with_others(work: Work) -> Iterator[Finding]:
    """Every rater's agreement with the others: all questions tested together, then each question for itself."""
    asked = [one for one in work.ratings.criteria if one.comparable and one.kind not in (WORDS, CHOICES, VERDICT)]
    every = {criterion: _with_others(work, criterion) for criterion in asked}
    found = {criterion: one for criterion, one in every.items() if not all(map(_reason, one.values()))}
    if not found:
        return
    figures = {one.id: [_figure(rater, one, found[one]) for rater in work.people] for one in found}
    relations = {rater: _relations(rater, found) for rater in work.people}
    standing = {rater: known for rater, known in relations.items() if known and rater not in work.excluded}
    weights = usual_weights({criterion.id: _values(criterion.id, standing) for criterion in found})
    whole = {rater: together(known, weights) for rater, known in relations.items() if known}
    alone = next(iter(figures.values())) if len(figures) == 1 else None
    tested = alone or [_together(rater, whole.get(rater), found) for rater in work.people]
    findings = work.compare(WITH_OTHERS, next(iter(figures)) if alone else "", tested)
    low = each_far_below(whole, [rater for rater in whole if rater in standing])
    yield from (_both_tests(finding, low.get(finding.rater)) for finding in findings)
    for question, shown in figures.items() if alone is None else ():
        yield from untested(WITH_OTHERS, question, shown, work.excluded)


def _with_others(work: Work, criterion: Criterion) -> Related:
    """Who is excluded is compared with the others, and the others without them."""
    standing = [one for rater in work.people if rater not in work.excluded for one in work.answered(rater)]
    places = {unit: place for place, unit in enumerate(work.ratings.units)}
    found = _related(standing, criterion, places)
    for rater in work.excluded.intersection(work.people):
        mine = _related([*standing, *work.answered(rater)], criterion, places)
        found[rater] = mine.get(rater, NOTHING)
    return {rater: found.get(rater, NOTHING) for rater in work.people}


def _related(ratings: Sequence[Rating], criterion: Criterion, places: Mapping[str, int]) -> Related:
    answers = coded(ratings, criterion)
    found = correlations(answers, criterion.level == ORDINAL) if criterion.numeric else same_answers(answers)
    place = np.array([places[str(unit)] for unit in answers.units], dtype=np.int64)
    return {
        str(rater): one._replace(relation=one.relation._replace(unit=place[one.relation.unit])) if one.relation else one
        for rater, one in zip(answers.raters, found, strict=True)
    }


def _reason(one: WithOthers) -> str:
    """Why a rater's answers to a question cannot be compared; empty if they can."""
    few = too_few(one.units, ENOUGH, "units that others rated, too")
    return few or one.value.reason or ("" if one.relation else "no variation in the answers")


def _relations(rater: str, found: Mapping[Criterion, Related]) -> dict[str, Relation]:
    """The questions of a rater that can be compared."""
    return {
        criterion.id: one.relation
        for criterion, related in found.items()
        if (one := related[rater]).relation is not None and not _reason(one)
    }


def _values(question: str, relations: Mapping[str, Mapping[str, Relation]]) -> list[float]:
    return [known[question].value for known in relations.values() if question in known]


def _figure(rater: str, criterion: Criterion, related: Related) -> Figure:
    """A rater and the others in one question: the correlation, or the share who say the same."""
    one = related[rater]
    if (reason := _reason(one)) or one.relation is None:
        return Figure(rater, one.value, one.units, None, {}, reason)
    evidence: dict[str, Any] = {"beyond_chance": one.relation.value}
    if one.by_chance.value is not None:
        ranks = criterion.level == ORDINAL
        evidence = {"measure": "spearman" if ranks else "pearson", "by_chance": one.by_chance.value}
    return Figure(rater, one.value, one.units, measured.agreement(*together({"": one.relation}, {"": 1.0})), evidence)


def _together(rater: str, whole: Together | None, found: Mapping[Criterion, Related]) -> Figure:
    """One rater's figures of several questions as one: their weighted mean, beyond chance."""
    if whole is None:
        one = next(iter(found.values()))[rater]
        return Figure(rater, Statistic(None, _reason(one)), one.units, None, {}, _reason(one))
    known = {criterion.id: related[rater] for criterion, related in found.items() if not _reason(related[rater])}
    evidence = {"questions": {question: one.value.value for question, one in known.items()}}
    units = max(one.units for one in known.values())
    return Figure(rater, Statistic(whole.value), units, measured.agreement(*whole), evidence)


def _both_tests(finding: Finding, low: Statistic | None) -> Finding:
    """The finding with twice the smaller of the two p-values, and with both as evidence."""
    if low is None:
        return finding
    evidence = {**finding.evidence, "among_peers": finding.p.as_json(), "far_below": low.as_json()}
    defined = [p.value for p in (finding.p, low) if p.value is not None]
    p = Statistic(min(1.0, len(defined) * min(defined))) if defined else low
    return attrs.evolve(finding, p=p, evidence=evidence)
