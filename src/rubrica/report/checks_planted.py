"""Checks from planted items: known answers, and units that were seen twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rubrica.core.answers import Answer
from rubrica.core.grading import FREE, MISSING, RIGHT, WRONG, Graded, grade, verdict
from rubrica.core.protocol import UNCOMFORTABLE
from rubrica.core.ratings import (
    CHOICES,
    DUPLICATE,
    ORDINAL,
    SCALE,
    TEXT,
    VERDICT,
    WORDS,
    Criterion,
    Rating,
    Ratings,
    given,
    given_to_compare,
)
from rubrica.core.scales import Choice, Choices, FreeText, Ordinal, Point, Scale, ShortAnswers, Slider
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.texts import plain
from rubrica.report.checks_findings import (
    CONSISTENCY,
    ENOUGH_CHECKS,
    EXAMPLES,
    GOLD,
    Figure,
    Finding,
    compare,
    too_few,
    untested,
)
from rubrica.stats.checks.alone import LEAST_RIGHT, LEAST_STEADY, Consistency, again, consistency, fewer_than
from rubrica.stats.checks.peers import share
from rubrica.stats.statistic import Statistic


class PlantedCheck(NamedTuple):
    """One planted judgement: each answer beside the known one, or beside the rater's own of the first time.

    Question ``""`` is about how the unit was left.
    """

    rating: Rating
    every: tuple[Graded, ...]

    @property
    def missed(self) -> tuple[Graded, ...]:
        """Answers that are neither right nor near."""
        return tuple(filter(_missed, self.every))

    @property
    def right(self) -> int:
        """How many are right, or near."""
        return len(self.every) - len(self.missed)


def planted_checks(ratings: Ratings) -> list[PlantedCheck]:
    """Every planted judgement that something can be said of, in the order of the ratings."""
    first = {(rating.rater, rating.unit): rating for rating in ratings.every if not rating.planted}
    twice = any(rating.planted == DUPLICATE for rating in ratings.every)
    asked = {one: _asked_on(ratings, one) for one in ratings.criteria if twice and _repeatable(one)}
    found = []
    for rating in ratings.every:
        original = first.get((rating.rater, rating.original)) if rating.planted == DUPLICATE else None
        if rating.planted == GOLD:
            found.append(PlantedCheck(rating, tuple(_graded(ratings, rating))))
        elif original is not None:
            found.append(PlantedCheck(rating, tuple(_repeated(original, rating, asked))))
    return [check for check in found if check.every]


def _missed(one: Graded) -> bool:
    return one.verdict in (WRONG, MISSING)


def gold_findings(checks: Sequence[PlantedCheck], people: Iterable[str], excluded: frozenset[str]) -> list[Finding]:
    """The share of right answers to planted items, all questions together; near a known answer is right."""
    graded: dict[str, list[tuple[str, Graded]]] = {}
    for rating, every in checks:
        if rating.planted == GOLD:
            graded.setdefault(rating.rater, []).extend((rating.unit, one) for one in every)
    if not graded:
        return []
    figures = [_accuracy(rater, graded.get(rater, [])) for rater in people]
    return compare(GOLD, "", figures, excluded)


def _accuracy(rater: str, graded: list[tuple[str, Graded]]) -> Figure:
    missed = [(unit, one) for unit, one in graded if _missed(one)]
    right, total = len(graded) - len(missed), len(graded)
    by_question = Counter(one.question for _, one in graded)
    wrong = Counter(one.question for _, one in missed)
    evidence = {
        "right": right,
        "questions": {
            name: {"right": by_question[name] - wrong[name], "of": by_question[name]} for name in by_question
        },
        "examples": [
            {"unit": unit, "question": one.question, "given": _shown(one.given), "known": _shown(one.expected)}
            for unit, one in missed[:EXAMPLES]
        ],
    }
    reason = too_few(total, ENOUGH_CHECKS, "known answers")
    value = Statistic(right / total) if total else Statistic(None, "no known answers")
    alone = Statistic(fewer_than(right, total, LEAST_RIGHT)) if total else None
    figure = None if reason else share(right, total)
    return Figure(rater, value, total, figure, evidence, reason, alone, always=True)


def _graded(ratings: Ratings, rating: Rating) -> list[Graded]:
    """Each answer beside the known one: by the protocol's rules where it is there, else by the kind of question."""
    unit = ratings.units[rating.unit]
    if ratings.protocol is not None and unit.texts:
        judgement, known = Judgement(rating.answers, (), rating.outcome), Judgement(rating.known)
        item = Item(unit.key, unit.texts, unit.system)
        found = grade(ratings.protocol, ratings.step, item, judgement, known)
        return [one for one in found if one.verdict != FREE]
    found = []
    for criterion in ratings.criteria:
        expected, answer = rating.known.get(criterion.id), given(rating, criterion.id)
        if expected is not None and answer is not None:
            worth = verdict(scale_of(criterion, ratings), answer, expected, unit.target)
            found.append(Graded(criterion.id, answer, expected, worth))
    return [one for one in found if one.verdict != FREE]


def scale_of(criterion: Criterion, ratings: Ratings) -> Scale:
    """A scale that grades as a protocol's would, for questions of a file: near answers need points or a range."""
    numbers = [value for value in criterion.values if isinstance(value, int | float)]
    match criterion.kind:
        case "scale" if criterion.level == ORDINAL and numbers and all(isinstance(value, int) for value in numbers):
            return Ordinal(tuple(Point(int(value), plain(str(value))) for value in numbers))
        case "scale" if criterion.numeric:
            seen = [answer for one in ratings.every if isinstance(answer := given(one, criterion.id), int | float)]
            low, high = (min(seen), max(seen)) if seen else (0.0, 1.0)
            return Slider(float(low), float(high), (high - low) / 100 or 1.0)
        case "choices":
            return Choices((), 0, len(criterion.values))
        case "words":
            return ShortAnswers(0, 3)
        case "text":
            return FreeText()
    return Choice(())


def _repeatable(criterion: Criterion) -> bool:
    return criterion.comparable and criterion.kind not in (TEXT, VERDICT)


def _repeated(first: Rating, second: Rating, asked: Mapping[Criterion, Scale]) -> Iterator[Graded]:
    """Each answer beside the one of the first time; how the unit was left, where that was not by answering.

    Who left it because it was uncomfortable is not looked at: that is promised to be at no loss.
    """
    ends = first.outcome, second.outcome
    if ends != (ANSWERED, ANSWERED):
        if UNCOMFORTABLE not in ends:
            yield Graded("", second.outcome, first.outcome, RIGHT if ends[0] == ends[1] else WRONG)
        return
    for criterion, scale in asked.items():
        one, two = given_to_compare(first, criterion), given_to_compare(second, criterion)
        if one is not None and two is not None:
            yield Graded(criterion.id, two, one, again(one, two, criterion, scale))


def consistency_findings(
    ratings: Ratings, checks: Sequence[PlantedCheck], people: Iterable[str], excluded: frozenset[str]
) -> Iterator[Finding]:
    """How far raters agree with themselves, tested for all questions together and shown for each."""
    given_twice: dict[str, dict[str, list[_Twice]]] = {}
    for rating, every in checks:
        for one in every if rating.planted == DUPLICATE else ():
            given_twice.setdefault(one.question, {}).setdefault(rating.rater, []).append(_Twice(rating.original, one))
    names = list(people)
    found: dict[str, list[Figure]] = {}
    for criterion in ratings.criteria:
        if twice := given_twice.get(criterion.id):
            scale = _asked_on(ratings, criterion)
            found[criterion.id] = [_consistency(rater, criterion, scale, twice.get(rater, [])) for rater in names]
    if left := given_twice.get(""):
        found[""] = [_ways_out(rater, left.get(rater, [])) for rater in names]
    if len(found) == 1:
        [(question, figures)] = found.items()
        yield from compare(CONSISTENCY, question, figures, excluded)
    elif found:
        together = [_together(of_rater, found) for of_rater in zip(*found.values(), strict=True)]
        yield from compare(CONSISTENCY, "", together, excluded)
        for question, figures in found.items():
            yield from untested(CONSISTENCY, question, figures, excluded) if question else ()


class _Twice(NamedTuple):
    """An answer to a unit that was seen before, beside the one of the first time."""

    unit: str
    graded: Graded


def _together(figures: Sequence[Figure], questions: Iterable[str]) -> Figure:
    """One rater's answers to all questions: the share that is the same again, or near."""
    total = sum(figure.n for figure in figures)
    times = sum((figure.value.value or 0.0) * figure.n for figure in figures)
    shares = {question: figure.value.as_json() for question, figure in zip(questions, figures, strict=True)}
    evidence = {
        "same": sum(figure.evidence["same"] for figure in figures),
        "consistent": sum(figure.evidence["consistent"] for figure in figures),
        "questions": shares,
        "examples": [example for figure in figures for example in figure.evidence["examples"]][:EXAMPLES],
    }
    value = Statistic(times / total) if total else Statistic(None, "no unit was seen twice")
    return _steadiness(figures[0].rater, value, total, evidence, "answers given twice")


def _steadiness(rater: str, value: Statistic, total: int, evidence: dict[str, Any], what: str) -> Figure:
    reason = too_few(total, ENOUGH_CHECKS, what)
    times = (value.value or 0.0) * total
    alone = Statistic(fewer_than(times, total, LEAST_STEADY)) if total else None
    return Figure(rater, value, total, None if reason else share(times, total), evidence, reason, alone)


def _asked_on(ratings: Ratings, criterion: Criterion) -> Scale:
    """The scale of a question: the protocol's where it is known."""
    asked = ratings.protocol.questions_by_id.get(criterion.id) if ratings.protocol else None
    return ratings.protocol.scale_of(asked) if ratings.protocol and asked else scale_of(criterion, ratings)


def _consistency(rater: str, criterion: Criterion, scale: Scale, twice: Sequence[_Twice]) -> Figure:
    pairs = [
        (one.graded.expected, one.graded.given)
        for one in twice
        if one.graded.expected is not None and one.graded.given is not None
    ]
    found = consistency(pairs, criterion, scale)
    evidence: dict[str, Any] = {
        "same": found.same,
        "consistent": found.consistent,
        **_near(found, criterion),
        "examples": _examples(twice),
    }
    return _steadiness(rater, found.value, found.pairs, evidence, "units seen twice")


def _ways_out(rater: str, twice: Sequence[_Twice]) -> Figure:
    """How often units were left the same way again."""
    same = sum(one.graded.verdict == RIGHT for one in twice)
    value = Statistic(same / len(twice)) if twice else Statistic(None, "no unit was seen twice")
    evidence = {"same": same, "consistent": same, "examples": _examples(twice)}
    return _steadiness(rater, value, len(twice), evidence, "units seen twice")


def _examples(twice: Sequence[_Twice]) -> list[dict[str, Any]]:
    """Units that were answered differently again."""
    changed = [one for one in twice if one.graded.given != one.graded.expected]
    return [
        {"unit": unit, "first": _shown(graded.expected), "again": _shown(graded.given)}
        for unit, graded in changed[:EXAMPLES]
    ]


def _near(found: Consistency, criterion: Criterion) -> dict[str, Any]:
    if criterion.kind in (CHOICES, WORDS):
        return {"similarity": found.similarity.as_json(), "measure": criterion.level}
    if criterion.kind == SCALE:
        return {"mean_difference": found.difference.as_json()}
    return {}


def _shown(answer: Answer | None) -> Any:
    return list(answer) if isinstance(answer, tuple) else answer if isinstance(answer, int | float | str) else None
