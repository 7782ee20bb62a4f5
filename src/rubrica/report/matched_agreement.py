"""Whether annotators found the same edits (span-level F1), and whether they judged alike those that they share.

Every two annotators of a pair are compared; F1 is the same from either side: twice the matched edits by all edits of
both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import attrs

from rubrica.edits.annotated import AnnotatedPair, Match, Matched, count, match, whole_edits
from rubrica.edits.selection import by_pair
from rubrica.edits.typology import ERROR, Classified, Typology
from rubrica.stats.agreement.kappas import fleiss_kappa
from rubrica.stats.agreement.krippendorff_alpha import nominal_alpha
from rubrica.stats.agreement.tally import Units, units_of
from rubrica.stats.bootstrap import Interval, intervals
from rubrica.stats.statistic import Statistic

_NO_NUMBER = Statistic(None, "only ratings differ by a number")


@attrs.frozen
class SpanAgreement:
    """F1 of edits that are the same to the character, and of edits that overlap enough; with their intervals."""

    exact: Statistic
    overlapping: Statistic
    exact_interval: Interval
    overlapping_interval: Interval
    pairs: int
    by_annotators: Mapping[tuple[str, str], Matched]


@attrs.frozen
class JudgedAlike:
    """How often two annotators said the same of a matched edit: of how many, the share, and nominal alpha.

    ``difference`` is the mean distance of two ratings.
    """

    matched: int
    share: Statistic
    alpha: Statistic
    difference: Statistic = _NO_NUMBER


@attrs.frozen
class ErrorAgreement:
    """Whether annotators agree that a rewrite has an error of this type at all."""

    name: str
    kappa: Statistic
    two_agree: Statistic
    frequency: Statistic


def span_agreement(
    pairs: Iterable[AnnotatedPair], *, least: float = 0.5, replicates: int = 1000, seed: int = 0
) -> SpanAgreement:
    """Span-level F1 between annotators, over all pairs that two or more annotated."""
    rows: list[Matched] = []
    by_annotators: dict[tuple[str, str], Matched] = {}
    for people in by_pair(pairs).values():
        here = Matched(0, 0, 0)
        for one, other in combinations(sorted(people), 2):
            edits, others = whole_edits(people[one].edits), whole_edits(people[other].edits)
            counted = count(edits, others, match(edits, others, least))
            by_annotators[one, other] = by_annotators.get((one, other), Matched(0, 0, 0)) + counted
            here += counted
        if len(people) > 1:
            rows.append(here)
    found = intervals(rows, [exact_f1, overlapping_f1], replicates=replicates, seed=seed, what="pairs with an edit")
    total = sum(rows, Matched(0, 0, 0))
    return SpanAgreement(exact_f1(total), overlapping_f1(total), found[0], found[1], len(rows), by_annotators)


def exact_f1(sums: Sequence[float]) -> Statistic:
    """F1 of edits that are the same to the character, from the counts of :class:`Matched`."""
    return _share(sums[1], sums[0], "nobody marked an edit")


def overlapping_f1(sums: Sequence[float]) -> Statistic:
    """F1 of edits that overlap enough."""
    return _share(sums[2], sums[0], "nobody marked an edit")


def matched_edits(pairs: Iterable[AnnotatedPair], least: float = 0.5) -> list[Match]:
    """The matched edits of every two annotators of every pair."""
    return [
        found
        for people in by_pair(pairs).values()
        for one, other in combinations(sorted(people), 2)
        for found in match(whole_edits(people[one].edits), whole_edits(people[other].edits), least)
    ]


def type_agreement(matches: Sequence[Match], typology: Typology) -> JudgedAlike:
    """Agreement on the type of matched edits, where both have one."""
    both = [pair for pair in _classified(matches, typology) if pair[0].kind and pair[1].kind]
    names = [tuple(what.kind.name if what.kind else "" for what in pair) for pair in both]
    return _alike(names)


def rating_agreement(matches: Sequence[Match], typology: Typology) -> JudgedAlike:
    """Agreement on the rating of matched edits that both put on the same side and rated."""
    both = [pair for pair in _classified(matches, typology) if pair[0].side == pair[1].side]
    ratings = [(one.rating, other.rating) for one, other in both if one.rating and other.rating]
    apart = sum(abs(one - other) for one, other in ratings)
    return attrs.evolve(_alike(ratings), difference=_share(apart, len(ratings), "no matched edit was rated by both"))


def error_agreement(pairs: Iterable[AnnotatedPair], typology: Typology, annotators: int) -> list[ErrorAgreement]:
    """For each error type, whether annotators agree that a rewrite has at least one such error.

    Kappa is over rewrites that exactly ``annotators`` people annotated; ``two_agree`` is the share of rewrites with the
    error by anybody's judgement that two or more see it in; ``frequency`` is the share of annotations that have it.
    """
    counted = [list(people.values()) for people in by_pair(pairs).values() if len(people) == annotators]
    seen = [[_names(annotation, typology) for annotation in people] for people in counted]
    found = []
    for kind in (kind for kind in typology.kinds if kind.side == ERROR):
        numbers = Counter(sum(kind.name in names for names in people) for people in seen)
        units: Units = {(number, annotators - number): times for number, times in numbers.items()}
        any_of, two_of = (sum(numbers[number] for number in range(least, annotators + 1)) for least in (1, 2))
        marks = sum(number * times for number, times in numbers.items())
        found.append(
            ErrorAgreement(
                kind.name,
                fleiss_kappa(units),
                _share(two_of, any_of, "nobody saw this error"),
                _share(marks, annotators * len(seen), "no pair has so many annotators"),
            )
        )
    return found


def _names(annotation: AnnotatedPair, typology: Typology) -> set[str]:
    return {kind.name for whole in whole_edits(annotation.edits) for kind in typology.classify(whole.edit).kinds}


def _classified(matches: Sequence[Match], typology: Typology) -> list[tuple[Classified, Classified]]:
    return [(typology.classify(pair.one.edit), typology.classify(pair.other.edit)) for pair in matches]


def _alike(given: Sequence[tuple[object, ...]]) -> JudgedAlike:
    categories = sorted({value for pair in given for value in pair}, key=str)
    alpha = nominal_alpha(units_of(given, categories))
    same = sum(one == other for one, other in given)
    return JudgedAlike(len(given), _share(same, len(given), "no edit of both was matched and judged"), alpha)


def _share(part: float, whole: float, otherwise: str) -> Statistic:
    return Statistic(part / whole) if whole else Statistic(None, otherwise)
