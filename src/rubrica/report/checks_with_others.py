"""Whether somebody answers without a look: by what the others say of the same units, and by how often they say what.

Figures of single questions are shown; the probability is of all questions together (``stats.checks.attention``), on
units that are not planted. Everybody has one, and everybody is ranked by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import attrs
import numpy as np

from rubrica.core.ratings import CHOICES, ORDINAL, VERDICT, WORDS, YES_NO, Criterion
from rubrica.report.checks_behaviour import ENOUGH, Work
from rubrica.report.checks_findings import WITH_OTHERS, Figure, Finding, too_few, untested
from rubrica.stats.checks.attention import Attention, Question, attention
from rubrica.stats.checks.peers import WithOthers, correlations, same_answers
from rubrica.stats.coded import Coded, Real, Whole, coded
from rubrica.stats.statistic import Statistic

NOTHING = WithOthers(Statistic(None, "no answers"), Statistic(None, "no answers"), 0)
MOST_POINTS = 12
"""Numbers of a scale with more points are put into so many groups of about the same size."""
NOBODY = Statistic(None, "nobody else rated the same units")
MODEL_TELLS = Statistic(None, "the probability tells")
LITTLE = "the answers of others to the same units agree too little with each other, or are too few"
Related = dict[str, WithOthers]
"""By rater, how their answers to one question go with those of the others."""


class Place(NamedTuple):
    """A rater's place among all: the probability of answers without a look, and how they seem to answer.

    ``bias`` is in standard deviations of all answers, ``noise`` 1 where it is usual, ``attention`` a share of answers.
    """

    rater: str
    probability: float
    attention: float
    bias: Statistic
    noise: Statistic
    units: int
    unusual: bool


class Ranking(NamedTuple):
    """Findings, and everybody in order, the most probable first."""

    findings: tuple[Finding, ...]
    places: tuple[Place, ...]


def with_others(work: Work) -> Ranking:
    """Every rater's probability of answering without a look, and their agreement with the others, by question."""
    asked = [one for one in work.ratings.criteria if one.comparable and one.kind not in (WORDS, CHOICES, VERDICT)]
    said = _Said(work)
    related = {criterion: _with_others(work, said, criterion) for criterion in asked}
    found = {one: known for one, known in related.items() if any(theirs.units for theirs in known.values())}
    if not found:
        nothing = [Figure(rater, NOBODY, 0, None, {}) for rater in work.people if asked and work.answered(rater)]
        unknown = untested(WITH_OTHERS, "", nothing, work.excluded)
        return Ranking(tuple(attrs.evolve(one, others=NOBODY, untold=NOBODY.reason) for one in unknown), ())
    figures = {one.id: [_figure(rater, one, found[one]) for rater in work.people] for one in found}
    model = _model(work, said, list(found))
    places = [
        Place(
            rater,
            float(model.probability[index]),
            float(model.attention[index]),
            _known(model.bias[index]),
            _known(model.noise[index]),
            max(known[rater].units for known in found.values()),
            bool(model.unusual[index]),
        )
        for index, rater in enumerate(work.people)
    ]
    told = dict(zip(work.people, model.told.tolist(), strict=True))
    question = next(iter(figures)) if len(figures) == 1 else ""
    shown = figures[question] if question else [_together(rater, found) for rater in work.people]
    whole = [
        attrs.evolve(
            finding,
            others=MODEL_TELLS,
            probability=Statistic(place.probability) if place.units else NOBODY,
            unusual=place.unusual and place.units > 0,
            untold=_untold(place, told[place.rater]),
            evidence={**finding.evidence, **_as_evidence(place)},
        )
        for finding, place in zip(untested(WITH_OTHERS, question, shown, work.excluded), places, strict=True)
    ]
    rest = [
        attrs.evolve(finding, evidence={**finding.evidence, "probability": chance})
        for place, (name, ones) in enumerate(figures.items())
        for finding, chance in zip(
            untested(WITH_OTHERS, name, ones, work.excluded), model.questions[place].tolist(), strict=True
        )
        if not question
    ]
    order = sorted(places, key=lambda place: (-place.probability, place.rater))
    return Ranking((*whole, *rest), tuple(order))


def _as_evidence(place: Place) -> dict[str, Any]:
    return {"attention": place.attention, "bias": place.bias.as_json(), "noise": place.noise.as_json()}


def _known(value: float) -> Statistic:
    return Statistic(None, "no question with an order") if np.isnan(value) else Statistic(float(value))


def _untold(place: Place, told: bool) -> str:
    """Why it cannot be told of somebody; empty if it can."""
    few = too_few(place.units, ENOUGH, "units that others rated, too")
    return few or ("" if told else LITTLE)


class _Said:
    """Answers of all who stand, and of one more who is excluded, coded once for all that is computed from them."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._standing = [one for name in work.people if name not in work.excluded for one in work.answered(name)]
        self._coded: dict[tuple[str, str], Coded] = {}

    def on(self, criterion: Criterion, excluded: str = "") -> Coded:
        """The answers to a question."""
        key = criterion.id, excluded
        if key not in self._coded:
            more = self._work.answered(excluded) if excluded else ()
            self._coded[key] = coded([*self._standing, *more], criterion)
        return self._coded[key]


def _with_others(work: Work, said: _Said, criterion: Criterion) -> Related:
    """Who is excluded is compared with the others, and the others without them."""
    found = _related(said.on(criterion), criterion)
    for rater in work.excluded.intersection(work.people):
        mine = _related(said.on(criterion, rater), criterion)
        found[rater] = mine.get(rater, NOTHING)
    return {rater: found.get(rater, NOTHING) for rater in work.people}


def _related(answers: Coded, criterion: Criterion) -> Related:
    found = correlations(answers, criterion.level == ORDINAL) if criterion.numeric else same_answers(answers)
    return dict(zip(map(str, answers.raters), found, strict=True))


def _figure(rater: str, criterion: Criterion, related: Related) -> Figure:
    """A rater and the others in one question: the correlation, or the share who say the same."""
    one = related[rater]
    measure = ("spearman" if criterion.level == ORDINAL else "pearson") if criterion.numeric else "same"
    evidence: dict[str, Any] = {"measure": measure, "beyond_chance": one.beyond_chance.as_json()}
    return Figure(rater, one.value, one.units, None, evidence)


def _together(rater: str, found: Mapping[Criterion, Related]) -> Figure:
    """One rater's figures of several questions as one: their mean, beyond chance."""
    known = {criterion.id: related[rater] for criterion, related in found.items()}
    defined = [one.beyond_chance.value for one in known.values() if one.beyond_chance.value is not None]
    evidence = {"questions": {name: one.value.value for name, one in known.items() if one.value.value is not None}}
    units = max(one.units for one in known.values())
    reason = next(one.value.reason or one.beyond_chance.reason for one in known.values()) if not defined else ""
    value = Statistic(float(np.mean(defined))) if defined else Statistic(None, reason)
    return Figure(rater, value, units, None, evidence)


def _model(work: Work, said: _Said, asked: Sequence[Criterion]) -> Attention:
    """The model of all who stand; who is excluded is fitted with them, but the others without."""
    whole = _fit(work, said, asked)
    for rater in work.excluded.intersection(work.people):
        one = _fit(work, said, asked, rater)
        place = work.people.index(rater)
        for mine, theirs in zip(whole, one, strict=True):
            mine[..., place] = theirs[..., place]
    return whole


def _fit(work: Work, said: _Said, asked: Sequence[Criterion], excluded: str = "") -> Attention:
    places = {rater: place for place, rater in enumerate(work.people)}
    units = {unit: place for place, unit in enumerate(work.ratings.units)}
    questions = [_question(criterion, said.on(criterion, excluded), units, places) for criterion in asked]
    return attention(questions, len(places), len(units))


def _question(criterion: Criterion, answers: Coded, units: Mapping[str, int], places: Mapping[str, int]) -> Question:
    """Answers as the model sees them: with every possible label, long scales in groups, yes and no as two points."""
    ordered = criterion.ordered or criterion.kind == YES_NO
    unit = np.array([units[str(name)] for name in answers.units], dtype=np.int64)[answers.unit]
    rater = np.array([places[str(name)] for name in answers.raters], dtype=np.int64)[answers.rater]
    wide = answers.widened(criterion.values) if len(criterion.values) <= MOST_POINTS else answers
    if ordered and criterion.numeric and len(wide.values) > MOST_POINTS:
        code = grouped(answers.numbers[answers.code])
        return Question(unit, rater, code, int(code.max()) + 1, ordered=True)
    return Question(unit, rater, wide.code, max(2, len(wide.values)), ordered)


def grouped(numbers: Real) -> Whole:
    """Numbers of a long scale as groups of about the same size, in order, from 0."""
    limits = np.unique(np.quantile(numbers, np.linspace(0, 1, MOST_POINTS + 1)[1:-1]))
    found: Whole = np.unique(np.searchsorted(limits, numbers, side="right"), return_inverse=True)[1]
    return found.astype(np.int64)
