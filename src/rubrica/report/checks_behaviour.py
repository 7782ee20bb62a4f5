"""Checks from behaviour: labels, runs, speed; whether answers are given without a look is in ``checks_with_others``.

Runs, speed and texts are of everything a rater did; labels are of units that are not planted. Judgements left because
they were uncomfortable are never looked at: leaving them is promised to be at no loss.

Checks from what people write: "no simpler word", pasted texts, texts handed back as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import groupby
from statistics import median
from typing import Any, NamedTuple

import attrs

from rubrica.core.answers import NO_SIMPLER_WORD, Answer, compared
from rubrica.core.protocol import UNCOMFORTABLE
from rubrica.core.ratings import CHOICE, SCALE, TEXT, VERDICT, WORDS, YES_NO, Criterion, Rating, Ratings, given
from rubrica.core.study import ANSWERED
from rubrica.core.text_helpers import shortened
from rubrica.report.checks_findings import (
    ENOUGH_CHECKS,
    EXAMPLES,
    FAST,
    LONG_RUN,
    NONE_SIMPLER,
    ONE_LABEL,
    PASTED,
    UNCHANGED,
    Figure,
    Finding,
    compare,
    too_few,
)
from rubrica.stats.checks import peers
from rubrica.stats.checks.alone import (
    MOST_LIKE_THIS,
    MOST_WITHOUT,
    ONE_QUESTION,
    WHOLE_JUDGEMENT,
    Given,
    least_seconds,
    more_than,
    one_answer,
    run_by_chance,
)
from rubrica.stats.checks.peers import FEWEST_PEERS
from rubrica.stats.statistic import Statistic

ENOUGH = 10
"""Fewest answers from which a share or a median says something."""
MOST_LABELS = 21
"""On scales with more points (sliders) no single point is looked at, but each rater's most frequent one."""
OFTEN, FASTER = 0.7, 0.4
"""Among others, an answer is given too often if it is most of somebody's answers; this share of their time is fast."""
SURE = 0.01
"""A p-value of one rater alone below this, corrected for the questions of a check, is unusual."""

EARLIEST = datetime.min.replace(tzinfo=UTC)


@attrs.frozen
class Work:
    """What the people of a study did, in the order in which they did it, without answers that a rule fixed."""

    ratings: Ratings
    people: tuple[str, ...]
    excluded: frozenset[str]
    by_rater: Mapping[str, Sequence[Rating]]

    def answered(self, rater: str, planted: bool = False) -> Sequence[Rating]:
        """Judgements with answers; of planted units only if asked."""
        return (self._with_planted if planted else self._plain)[rater]

    @cached_property
    def _with_planted(self) -> dict[str, list[Rating]]:
        return {rater: [one for one in ones if one.outcome == ANSWERED] for rater, ones in self.by_rater.items()}

    @cached_property
    def _plain(self) -> dict[str, list[Rating]]:
        return {rater: [one for one in ones if not one.planted] for rater, ones in self._with_planted.items()}

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
    """The answer that a rater gives most unusually often, to each question and (several scales) to all at once."""
    scales = [criterion for criterion in work.ratings.criteria if criterion.of_several_points]
    tests = len(scales) + (len(scales) > 1)
    for criterion in work.ratings.criteria:
        if not criterion.comparable or criterion.kind not in (SCALE, YES_NO, CHOICE, VERDICT):
            continue
        said = {rater: _said(work.answered(rater), criterion) for rater in work.people}
        alone = tests if criterion in scales else 0
        labels = sorted({label for answers in said.values() for label in answers}, key=str)
        if len(labels) > MOST_LABELS:
            yield from work.compare(ONE_LABEL, criterion.id, _labels(work, said, None, alone))
            continue
        tested = [work.compare(ONE_LABEL, criterion.id, _labels(work, said, label, alone)) for label in labels]
        for of_rater in zip(*tested, strict=True):
            yield _worst(of_rater)
    if len(scales) > 1:
        whole = {rater: _said_together(work.answered(rater), scales) for rater in work.people}
        yield from work.compare(ONE_LABEL, "", _labels(work, whole, None, tests, WHOLE_JUDGEMENT))


def _said(ratings: Iterable[Rating], criterion: Criterion) -> Said:
    found: dict[Hashable, list[str]] = {}
    for one in ratings:
        answer = given(one, criterion.id)
        if answer is not None:
            found.setdefault(answer, []).append(one.unit)
    return found


def _said_together(ratings: Iterable[Rating], criteria: Sequence[Criterion]) -> Said:
    """The same of several questions at once: answers to all of them."""
    found: dict[Hashable, list[str]] = {}
    for one in ratings:
        answers = tuple(given(one, criterion.id) for criterion in criteria)
        if None not in answers:
            found.setdefault(answers, []).append(one.unit)
    return found


def _labels(
    work: Work, said: Mapping[str, Said], label: Hashable | None, tests: int, usual: float = ONE_QUESTION
) -> list[Figure]:
    """Each rater's share of an answer (None: of their own most frequent). ``tests`` of theirs alone; 0 for none."""
    found = []
    standing = [rater for rater in said if rater not in work.excluded]
    few = len(standing) <= FEWEST_PEERS
    for rater, own in said.items():
        mine = _mode(own) if label is None else label
        figure = _label(rater, own, mine)
        total = figure.n
        if tests and few and total and mine == _mode(own):
            others = [Given(len(said[one].get(mine, ())), sum(map(len, said[one].values()))) for one in standing]
            theirs = [one for name, one in zip(standing, others, strict=True) if name != rater and one.of]
            p = min(1.0, tests * one_answer(Given(len(own[mine]), total), theirs, usual))
            most = len(own[mine]) >= OFTEN * total
            noticed = not most or tests * one_answer(Given(total, total), theirs, usual) < SURE
            reason = "" if noticed else f"of {total} answers, even all could be the same by chance"
            figure = attrs.evolve(figure, alone=Statistic(p), noticed=noticed, reason=figure.reason or reason)
        found.append(figure)
    return found


def _label(rater: str, said: Said, label: Hashable) -> Figure:
    total, units = sum(map(len, said.values())), said.get(label, ())
    evidence = {"answer": _shown(label), "times": len(units), "examples": list(units[:EXAMPLES])}
    figure = share_of(rater, len(units), total, ENOUGH, evidence)
    return attrs.evolve(figure, worth=lambda _: len(units) >= OFTEN * total)


def _mode(said: Said) -> Hashable:
    return max(said, key=lambda label: len(said[label])) if said else None


def _worst(tested: Sequence[Finding]) -> Finding:
    """Of a rater's answers to a question the most unusual; among others p is multiplied by the number of answers."""
    defined = [finding for finding in tested if finding.others.value is not None]
    if not defined:
        return min(tested, key=lambda finding: (_or_one(finding.alone), -(finding.value.value or 0.0)))
    worst = min(defined, key=lambda finding: (_or_one(finding.others), -(finding.value.value or 0.0)))
    return attrs.evolve(worst, others=Statistic(min(1.0, _or_one(worst.others) * len(defined))))


def _or_one(p: Statistic) -> float:
    return 1.0 if p.value is None else p.value


def long_run(work: Work) -> list[Finding]:
    """The same whole judgement again and again, in the order of the work; not one that a rule gave whole."""
    own = {rater: [one for one in work.by_rater[rater] if one.answers or not one.fixed] for rater in work.people}
    return work.compare(LONG_RUN, "", [_run(rater, own[rater]) for rater in work.people])


class Run(NamedTuple):
    """The same again and again: from which place on (from 0), how often."""

    first: int
    length: int


def longest_run(entries: Iterable[object]) -> Run:
    """The first of the longest runs of equal entries; of length 0 if there are no entries."""
    longest, start = Run(0, 0), 0
    for _, run in groupby(entries):
        length = sum(1 for _ in run)
        if length > longest.length:
            longest = Run(start, length)
        start += length
    return longest


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
            "first": found.first + 1,
            "from": first.unit,
            "to": ratings[found.first + found.length - 1].unit,
            "answers": {name: _shown(value) for name, value in first.answers.items()},
            "by_chance": chance.as_json(),
        }
    value = Statistic(float(found.length)) if keys else Statistic(None, "no judgements")
    figure = None if reason else peers.longest_run(found.length, likeliest)
    return Figure(rater, value, len(keys), figure, evidence, reason, chance, both=True)


def fast(work: Work) -> list[Finding]:
    """The median time of a judgement, and how many took less than it takes to read the texts and to answer."""
    timed = {rater: _times(work, rater) for rater in work.people}
    if not any(timed.values()):
        return []
    return work.compare(FAST, "", [_speed(rater, times) for rater, times in timed.items()])


class _Time(NamedTuple):
    """How long a judgement took, of which unit, and the least that it takes."""

    seconds: float
    unit: str
    least: float


def _times(work: Work, rater: str) -> list[_Time]:
    """A text that the rater has had before, such as the same source again, takes no time to read."""
    asked = [criterion.id for criterion in work.ratings.criteria if criterion.kind != VERDICT]
    known: set[str] = set()
    found = []
    for one in work.answered(rater, planted=True):
        texts = [text for text in work.ratings.units[one.unit].texts.values() if text not in known]
        new = list(dict.fromkeys(texts))
        known.update(new)
        if one.seconds:
            questions = sum(given(one, name) is not None for name in asked)
            found.append(_Time(one.seconds, one.unit, least_seconds(new, questions)))
    return found


def _speed(rater: str, times: Sequence[_Time]) -> Figure:
    reason = too_few(len(times), ENOUGH, "judgements with a time")
    fastest = [{"unit": one.unit, "seconds": one.seconds} for one in sorted(times)[:EXAMPLES]]
    too_fast = sum(one.seconds < one.least for one in times)
    value = Statistic(median(one.seconds for one in times)) if times else Statistic(None, "no times")
    evidence: dict[str, Any] = {"too_fast": too_fast, "examples": fastest}
    if times:
        evidence["least_seconds"] = median(one.least for one in times)
    figure = None if reason else peers.median_log([one.seconds for one in times])
    alone = Statistic(more_than(too_fast, len(times), MOST_LIKE_THIS)) if times else None
    worth = partial(_much_faster, value.value or 0.0)
    return Figure(rater, value, len(times), figure, evidence, reason, alone, always=True, worth=worth)


def _much_faster(own: float, others: float) -> bool:
    return own < FASTER * others


def share_of(
    rater: str,
    times: int,
    of: int,
    fewest: int,
    evidence: Mapping[str, Any],
    what: str = "answers",
    most: float | None = None,
) -> Figure:
    """A share as a rater's figure; with fewer than ``fewest`` it is shown, but not compared.

    ``most`` is the highest share of a careful rater, for a test without others.
    """
    reason = too_few(of, fewest, what)
    value = Statistic(times / of) if of else Statistic(None, f"no {what}")
    alone = Statistic(more_than(times, of, most)) if most is not None and of else None
    return Figure(rater, value, of, None if reason else peers.share(times, of), evidence, reason, alone)


def _shown(answer: Any) -> Any:
    return list(answer) if isinstance(answer, tuple) else answer if isinstance(answer, int | float | str) else None


EXCERPT = 80
"""Longest quotation of a pasted text, in characters."""
PASTED_LENGTH, PASTED_TIMES = 20, 3
"""A text of so many characters that stands in so many judgements is pasted."""


def none_simpler(work: Work) -> Iterator[Finding]:
    """How often a rater found no simpler word: blank, or the word itself."""
    for criterion in work.ratings.criteria:
        if not criterion.blank:
            continue
        yield from work.compare(NONE_SIMPLER, criterion.id, [_none(work, criterion, rater) for rater in work.people])


def _none(work: Work, criterion: Criterion, rater: str) -> Figure:
    said = [(one.unit, given(one, criterion.id)) for one in work.answered(rater)]
    asked = [(unit, words) for unit, words in said if words is not None]
    none = [unit for unit, words in asked if words == NO_SIMPLER_WORD]
    evidence = {"times": len(none), "examples": none[:EXAMPLES]}
    return share_of(rater, len(none), len(asked), ENOUGH, evidence, most=MOST_WITHOUT)


def texts(work: Work) -> Iterator[Finding]:
    """Texts that a rater pasted into several judgements, and texts handed back as they were."""
    for criterion in work.ratings.criteria:
        if criterion.kind not in (TEXT, WORDS):
            continue
        given_texts = {rater: _texts(work.answered(rater, planted=True), criterion) for rater in work.people}
        if any(given_texts.values()):
            yield from work.compare(PASTED, criterion.id, [_pasted(*one) for one in given_texts.items()])
            if criterion.kind == TEXT:
                unchanged = [_unchanged(work, *one) for one in given_texts.items()]
                yield from work.compare(UNCHANGED, criterion.id, unchanged)


def _texts(ratings: Iterable[Rating], criterion: Criterion) -> list[tuple[str, str]]:
    """Texts long enough to be pasted, with their units."""
    return [
        (text, one.unit)
        for one in ratings
        if (answer := given(one, criterion.id)) is not None
        for text in sorted(long_texts(answer))
    ]


def _pasted(rater: str, found: Sequence[tuple[str, str]]) -> Figure:
    times = Counter(text for text, _ in found)
    pasted = [(text, number) for text, number in times.most_common() if number >= PASTED_TIMES]
    evidence: dict[str, Any] = {
        "texts": [{"text": shortened(text, EXCERPT), "times": number} for text, number in pasted]
    }
    if pasted:
        evidence["examples"] = [unit for text, unit in found if text == pasted[0][0]][:EXAMPLES]
    again = sum(number for _, number in pasted)
    return share_of(rater, again, len(found), ENOUGH_CHECKS, evidence, "texts", MOST_LIKE_THIS)


def _unchanged(work: Work, rater: str, found: Sequence[tuple[str, str]]) -> Figure:
    same = [unit for text, unit in found if compared(text) in map(compared, work.ratings.units[unit].texts.values())]
    evidence = {"times": len(same), "examples": same[:EXAMPLES]}
    return share_of(rater, len(same), len(found), ENOUGH_CHECKS, evidence, "texts", MOST_LIKE_THIS)


def long_texts(answer: Answer) -> set[str]:
    """The texts of an answer that are long enough to be pasted, blanks made equal."""
    parts = answer if isinstance(answer, tuple) else (answer,) if isinstance(answer, str) else ()
    plain_parts = (" ".join(part.split()) for part in parts)
    return {part for part in plain_parts if len(part) >= PASTED_LENGTH}
