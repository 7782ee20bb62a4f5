"""Checks from behaviour: labels, runs, speed; agreement with the others is in ``checks_with_others``.

Runs, speed and texts are of everything a rater did; labels are of units that are not planted. Judgements left
because they were uncomfortable are never looked at: leaving them is promised to be at no loss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from statistics import median
from typing import Any

import attrs

from rubrica.core.patterns import ENOUGH, longest_run
from rubrica.core.protocol import UNCOMFORTABLE
from rubrica.core.ratings import CHOICES, WORDS, Criterion, Rating, Ratings, given
from rubrica.core.study import ANSWERED
from rubrica.report.checks_findings import (
    EXAMPLES,
    FAST,
    LONG_RUN,
    ONE_LABEL,
    Figure,
    Finding,
    compare,
    too_few,
)
from rubrica.stats.checks import measured
from rubrica.stats.checks.runs import run_by_chance
from rubrica.stats.statistic import Statistic

MOST_LABELS = 21
"""On scales with more points (sliders) no single point is looked at, but each rater's most frequent one."""

EARLIEST = datetime.min.replace(tzinfo=UTC)


@attrs.frozen
class Work:
    """What the people of a study did, in the order in which they did it."""

    ratings: Ratings
    people: tuple[str, ...]
    excluded: frozenset[str]
    by_rater: Mapping[str, Sequence[Rating]]

    def answered(self, rater: str, planted: bool = False) -> list[Rating]:
        """Judgements with answers; of planted units only if asked."""
        return [one for one in self.by_rater[rater] if one.outcome == ANSWERED and (planted or not one.planted)]

    def compare(self, check: str, question: str, figures: Iterable[Figure]) -> list[Finding]:
        """Each rater's figure among those of the others."""
        return compare(check, question, figures, self.excluded)


def work_of(ratings: Ratings, people: Sequence[str], excluded: frozenset[str]) -> Work:
    """The work of these people, in the order of time where it is known, else as it comes."""
    found: dict[str, list[Rating]] = {name: [] for name in people}
    for rating in ratings.every:
        if rating.rater in found and rating.outcome != UNCOMFORTABLE:
            found[rating.rater].append(rating)
    timed = {name: sorted(ones, key=lambda one: one.at or EARLIEST) for name, ones in found.items()}
    return Work(ratings, tuple(people), excluded, timed)


Said = Mapping[Hashable, Sequence[str]]
"""By answer, the units to which a rater gave it."""


def one_label(work: Work) -> Iterator[Finding]:
    """The answer that a rater gives most unusually often; p is multiplied by the number of answers looked at."""
    for criterion in work.ratings.criteria:
        if not criterion.comparable or criterion.kind in (WORDS, CHOICES):
            continue
        said = {rater: _said(work.answered(rater), criterion) for rater in work.people}
        labels = sorted({label for answers in said.values() for label in answers}, key=str)
        if len(labels) > MOST_LABELS:
            yield from work.compare(ONE_LABEL, criterion.id, [_label(*one, _mode(one[1])) for one in said.items()])
            continue
        tested = [
            work.compare(ONE_LABEL, criterion.id, [_label(*one, label) for one in said.items()]) for label in labels
        ]
        for of_rater in zip(*tested, strict=True):
            yield _worst(of_rater)


def _said(ratings: Iterable[Rating], criterion: Criterion) -> Said:
    found: dict[Hashable, list[str]] = {}
    for one in ratings:
        answer = given(one, criterion.id)
        if answer is not None:
            found.setdefault(answer, []).append(one.unit)
    return found


def _label(rater: str, said: Said, label: Hashable) -> Figure:
    total, units = sum(map(len, said.values())), said.get(label, ())
    evidence = {"answer": label, "times": len(units), "examples": list(units[:EXAMPLES])}
    return share_of(rater, len(units), total, ENOUGH, evidence)


def _mode(said: Said) -> Hashable:
    return max(said, key=lambda label: len(said[label])) if said else None


def _worst(tested: Sequence[Finding]) -> Finding:
    defined = [finding for finding in tested if finding.p.value is not None]
    if not defined:
        return max(tested, key=lambda finding: finding.value.value or 0.0)
    worst = min(defined, key=lambda finding: (finding.p.value or 0.0, -(finding.value.value or 0.0)))
    return attrs.evolve(worst, p=Statistic(min(1.0, (worst.p.value or 0.0) * len(defined))))


def long_run(work: Work) -> list[Finding]:
    """The same whole judgement again and again, in the order of the work."""
    return work.compare(LONG_RUN, "", [_run(rater, work.by_rater[rater]) for rater in work.people])


def _run(rater: str, ratings: Sequence[Rating]) -> Figure:
    keys = [(one.outcome, tuple(sorted((name, str(value)) for name, value in one.answers.items()))) for one in ratings]
    found = longest_run(keys)
    reason = too_few(len(keys), ENOUGH, "judgements")
    likeliest = max(Counter(keys).values()) / len(keys) if keys else 1.0
    chance = run_by_chance(keys, found.length)
    if not reason and chance.value is None:
        reason = f"{chance.reason}: see the check of labels"
    evidence: dict[str, Any] = {"length": found.length}
    if found.length > 1:
        first = ratings[found.first]
        evidence |= {
            "from": first.unit,
            "to": ratings[found.first + found.length - 1].unit,
            "answers": {name: _shown(value) for name, value in first.answers.items()},
            "by_chance": chance.as_json(),
        }
    value = Statistic(float(found.length)) if keys else Statistic(None, "no judgements")
    figure = None if reason else measured.longest_run(found.length, likeliest)
    return Figure(rater, value, len(keys), figure, evidence, reason, chance)


def fast(work: Work) -> list[Finding]:
    """The median time of a judgement."""
    seconds = {
        rater: [(one.seconds, one.unit) for one in work.answered(rater, planted=True) if one.seconds]
        for rater in work.people
    }
    if not any(seconds.values()):
        return []
    return work.compare(FAST, "", [_speed(rater, times) for rater, times in seconds.items()])


def _speed(rater: str, times: Sequence[tuple[float, str]]) -> Figure:
    reason = too_few(len(times), ENOUGH, "judgements with a time")
    fastest = [{"unit": unit, "seconds": seconds} for seconds, unit in sorted(times)[:EXAMPLES]]
    values = [seconds for seconds, _ in times]
    value = Statistic(median(values)) if values else Statistic(None, "no times")
    return Figure(
        rater, value, len(times), None if reason else measured.median_log(values), {"examples": fastest}, reason
    )


def share_of(
    rater: str, times: int, of: int, fewest: int, evidence: Mapping[str, Any], what: str = "answers"
) -> Figure:
    """A share as a rater's figure; with fewer than ``fewest`` it is shown, but not compared."""
    reason = too_few(of, fewest, what)
    value = Statistic(times / of) if of else Statistic(None, f"no {what}")
    return Figure(rater, value, of, None if reason else measured.share(times, of), evidence, reason)


def _shown(answer: Any) -> Any:
    return list(answer) if isinstance(answer, tuple) else answer if isinstance(answer, int | float | str) else None
