"""Checks on annotators: what planted items and behaviour say of each, and how unusual that is.

Nothing is decided about anybody here. A finding names what was compared with what and shows its evidence. It rests on
one of three things: the annotator alone (``stats.checks.alone``), the others (``stats.checks.peers``), or how probable
it is that answers are given without a look (``stats.checks.attention``). What needs no others is told without them.

p-values among others, of all annotators and checks of a study, are corrected together after Benjamini and Hochberg: of
what is called unusual by them, the share that would be so by chance is expected to be below alpha. p-values of one
annotator alone are corrected for the questions of a check and made five times as strict, because they are asked of
everybody: so fewer than one in fifty careful people is called unusual, however many there are.

`rubrica check`, `rubrica sheets read`, the report and the studio's pages about people all ask here.

What changes when raters are left out: results with and without them, side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.ratings import CHOICES, TEXT, VERDICT, WORDS, Criterion, Ratings, given
from rubrica.report.agreement import Asked, agreement
from rubrica.report.checks_behaviour import SURE, Work, fast, long_run, none_simpler, one_label, texts, work_of
from rubrica.report.checks_findings import (
    ALONE,
    FAST,
    LONG_RUN,
    MODEL,
    ONE_LABEL,
    OTHERS,
    TOGETHER,
    WITH_OTHERS,
    Finding,
)
from rubrica.report.checks_planted import PlantedCheck, consistency_findings, gold_findings, planted_checks
from rubrica.report.checks_with_others import Place, with_others
from rubrica.stats.significance import benjamini_hochberg
from rubrica.stats.statistic import Statistic

BEHAVIOUR = (one_label, long_run, fast, none_simpler, texts)
"""Every check of behaviour but that of attention, in the order in which it is shown."""
STEPS = len(BEHAVIOUR) + 1
"""How many steps checking takes, for a progress bar."""
ALPHA = 0.05
"""Adjusted p-values below this are unusual."""
STRICTER = ALPHA / SURE
"""How many times as strict a test of one annotator alone is."""
MOST_NAMED = 5
"""Annotators who are named where something cannot be told; of more, their number is given."""


@attrs.frozen
class Untold:
    """What cannot be told of whom, and why: ``checks`` are ids."""

    checks: tuple[str, ...]
    raters: tuple[str, ...]
    reason: str

    def only(self, raters: Collection[str]) -> Untold:
        """The same of these raters only."""
        return attrs.evolve(self, raters=tuple(name for name in self.raters if name in raters))

    @property
    def text(self) -> str:
        """As a sentence."""
        more = len(self.raters) - MOST_NAMED
        names = ", ".join(self.raters[:MOST_NAMED]) + (f" and {more} others" if more > 0 else "")
        return f"cannot be told for {names} ({', '.join(self.checks)}), because {self.reason}"


@attrs.frozen
class Checked:
    """Every rater at every check, unusual ones first; everybody's place; what could not be told; the signature.

    ``planted`` are the judgements of planted units, one by one.
    """

    findings: tuple[Finding, ...]
    ranking: tuple[Place, ...]
    untold: tuple[Untold, ...]
    people: tuple[str, ...]
    tests: int
    alpha: float
    signature: str
    planted: tuple[PlantedCheck, ...] = ()

    @property
    def unusual(self) -> tuple[Finding, ...]:
        """What deserves a look."""
        return tuple(finding for finding in self.findings if finding.unusual)

    @property
    def clear(self) -> tuple[str, ...]:
        """People of whom it would have been found out if they answered one thing only, or without a look."""
        open_ = {rater for one in self.untold if FAST not in one.checks for rater in one.raters}
        return tuple(name for name in self.people if name not in open_)

    @property
    def nobody(self) -> str:
        """What is to be said where nothing is unusual: of whom that is known, and of whom it cannot be told."""
        told = self.clear
        among = "" if len(told) == len(self.people) else f" among {', '.join(told[:MOST_NAMED])}"
        among += f" and {len(told) - MOST_NAMED} others" if among and len(told) > MOST_NAMED else ""
        said = [f"nobody is unusual{among}: {len(self.people)} annotators, {self.tests} tests"] if told else []
        return "\n".join([*said, *(one.text for one in self.untold if FAST not in one.checks)])


def check(ratings: Ratings, *, alpha: float = ALPHA, tell: Callable[[int], None] | None = None) -> Checked:
    """Run every check that there are data for. ``tell`` hears how many of them are done; models are not checked."""
    people = tuple(name for name, rater in ratings.raters.items() if rater.kind == "person")
    excluded = frozenset(name for name, rater in ratings.raters.items() if rater.excluded)
    chosen = _chosen(ratings)
    work = work_of(chosen, people, excluded)
    planted = tuple(planted_checks(chosen))
    found = [*gold_findings(planted, people, excluded), *consistency_findings(chosen, planted, people, excluded)]
    for done, behaviour in enumerate(BEHAVIOUR):
        found += behaviour(work)
        if tell:
            tell(done + 1)
    ranking = with_others(work)
    found += ranking.findings
    if tell:
        tell(STEPS)
    findings = _decided(found, alpha)
    order = sorted(findings, key=lambda one: (not one.unusual, one.p_adjusted.value or 0.0 if one.unusual else 0.0))
    tests = sum(bool(one.basis) for one in findings)
    signed = ratings.sign_chosen(check="alone+others+attention", correction="benjamini_hochberg", alpha=alpha)
    untold = tuple(_untold(work, findings))
    return Checked(tuple(order), ranking.places, untold, people, tests, alpha, signed, planted)


def _chosen(ratings: Ratings) -> Ratings:
    """The same without answers that a rule fixed."""
    return ratings.of(
        attrs.evolve(one, answers={name: value for name, value in one.answers.items() if name not in one.fixed})
        if one.fixed
        else one
        for one in ratings.every
    )


def _decided(found: Sequence[Finding], alpha: float) -> list[Finding]:
    """Every finding with the test that counts, adjusted, and whether it is unusual."""
    adjusted = benjamini_hochberg([finding.others for finding in found])
    decided = []
    for finding, others in zip(found, adjusted, strict=True):
        alone = finding.alone.value
        strict = None if alone is None else min(1.0, alone * STRICTER)
        if finding.probability.value is not None:
            decided.append(attrs.evolve(finding, p=finding.others, p_adjusted=others, basis=MODEL))
        elif strict is not None and (others.value is None or strict < others.value):
            adjusted_alone, unusual = Statistic(strict), strict < alpha
            decided.append(
                attrs.evolve(finding, p=finding.alone, p_adjusted=adjusted_alone, basis=ALONE, unusual=unusual)
            )
        else:
            unusual = others.value is not None and others.value < alpha
            basis = OTHERS if others.value is not None else ""
            decided.append(attrs.evolve(finding, p=finding.others, p_adjusted=others, basis=basis, unusual=unusual))
    return decided


def _untold(work: Work, findings: Sequence[Finding]) -> list[Untold]:
    """What cannot be told of whom: a check is told of somebody if one of its questions is."""
    reasons: dict[tuple[str, str], str] = {}
    told: set[tuple[str, str]] = set()
    alone = {one.id for one in work.ratings.criteria if one.of_several_points} | {""}
    for finding in findings:
        key = (finding.rater, finding.check)
        if finding.check == LONG_RUN or finding.others.reason == TOGETHER:
            continue
        if finding.check == ONE_LABEL and finding.question not in alone:
            continue
        if finding.unusual or not finding.untold:
            told.add(key)
        reasons.setdefault(key, finding.untold)
    open_ = {key: reason for key, reason in reasons.items() if key not in told}
    if not any(check in (ONE_LABEL, WITH_OTHERS) for _, check in reasons) and not told:
        open_ |= {(rater, WITH_OTHERS): _nothing(work) for rater in work.people}
    people: dict[tuple[str, str], list[str]] = {}
    for (rater, check), reason in open_.items():
        people.setdefault((check, reason), []).append(rater)
    together: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (check, reason), raters in people.items():
        together.setdefault((tuple(raters), reason), []).append(check)
    return [Untold(tuple(checks), raters, reason) for (raters, reason), checks in together.items()]


def _nothing(work: Work) -> str:
    kinds = {criterion.kind for criterion in work.ratings.criteria}
    if work.ratings.protocol is not None and work.ratings.protocol.edits is not None:
        return "edits are not checked"
    if not any(work.by_rater.values()):
        return "nothing was answered"
    return "only texts were asked for" if kinds <= {TEXT, WORDS, CHOICES, VERDICT} else "nothing can be compared"


class Difference(NamedTuple):
    """One result with everybody and without some: of a system (empty: of all) and a question."""

    question: str
    system: str
    measure: str
    everybody: Statistic
    without: Statistic
    n_everybody: int
    n_without: int


def differences(everybody: Ratings, without: Ratings) -> list[Difference]:
    """Agreement on each question, then the mean of scales and the share of the good answer, system by system."""
    return [*_agreement(everybody, without), *_results(everybody, without)]


def _agreement(everybody: Ratings, without: Ratings) -> list[Difference]:
    asked = Asked(replicates=0)
    after = {(row.question, row.measure.name): row for row in agreement(without, asked)}
    found = []
    for row in agreement(everybody, asked):
        other = after[row.question, row.measure.name]
        found.append(
            Difference(row.question, "", row.measure.name, row.value, other.value, row.pairable, other.pairable)
        )
    return found


def _results(everybody: Ratings, without: Ratings) -> list[Difference]:
    found = []
    for criterion in everybody.criteria:
        measure = measure_of(criterion)
        for system in everybody.systems if measure else ():
            one, many = result(everybody, criterion, system)
            two, fewer = result(without, criterion, system)
            found.append(Difference(criterion.id, system, measure, one, two, many, fewer))
    return found


def measure_of(criterion: Criterion) -> str:
    """What a system's result on a question is: the mean of numbers, else the share of the good answer, if any."""
    if criterion.numeric:
        return "mean"
    return f"share of {criterion.good}" if criterion.good is not None and criterion.comparable else ""


def result(ratings: Ratings, criterion: Criterion, system: str) -> tuple[Statistic, int]:
    """The result of a system, and of how many answers."""
    answers = [
        answer
        for rating in ratings.counted_on(criterion.id)
        if system in ratings.units[rating.unit].credited and (answer := given(rating, criterion.id)) is not None
    ]
    if not answers:
        return Statistic(None, "no answers"), 0
    if measure_of(criterion) == "mean":
        numbers = [float(answer) for answer in answers if isinstance(answer, int | float)]
        return Statistic(sum(numbers) / len(numbers)), len(numbers)
    return Statistic(sum(answer == criterion.good for answer in answers) / len(answers)), len(answers)
