"""How far annotators agree on edits: Table 2 of SALSA, and whether they found and judged the same edits.

``edits`` counts, ``stats`` computes; this is where the two meet. The percentages are the paper's: of the tokens that
have a label at all, those with exactly so many marks, each part cut to a whole number before parts are added.

Whether annotators found the same edits (span-level F1), and whether they judged alike those that they share. Every two
annotators of a pair are compared; F1 is the same from either side: twice the matched edits by all edits of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import attrs
import numpy as np

from rubrica.edits.annotated import AnnotatedPair, Match, Matched, count, match, whole_edits
from rubrica.edits.selection import LABELS, Label, Selection, by_pair, select, usual_number
from rubrica.edits.typology import ERROR, Classified, Typology
from rubrica.stats.agreement.kappas import fleiss_kappa, fleiss_kappas
from rubrica.stats.agreement.krippendorff_alpha import nominal_alpha
from rubrica.stats.agreement.tally import Units, tally_of, units_of
from rubrica.stats.bootstrap import Interval, Resampled, intervals, no_interval, sums_of, too_little
from rubrica.stats.statistic import Statistic

PAIRS = "pairs with the label"


@attrs.frozen
class LabelAgreement:
    """A row of Table 2. ``low`` and ``high`` are the ends of kappa's interval; ``tokens`` have the label at least once.

    ``three_agree`` and ``two_agree`` are whole per cents as the paper prints them, the shares the same without cutting.
    """

    label: Label
    kappa: Statistic
    alpha: Statistic
    interval: Interval
    three_agree: Statistic
    two_agree: Statistic
    three_share: Statistic
    two_share: Statistic
    tokens: int


@attrs.frozen
class SelectionAgreement:
    """Table 2: its rows, how many annotators each counted pair has, pairs and tokens counted, and what was left out."""

    rows: tuple[LabelAgreement, ...]
    annotators: int | None
    pairs: int
    tokens: int
    left_out: int
    skipped: Mapping[str, int]


def selection_agreement(
    pairs: Iterable[AnnotatedPair], *, annotators: int | None = None, replicates: int = 1000, seed: int = 0
) -> SelectionAgreement:
    """Agreement per token and label, over pairs that exactly ``annotators`` people annotated; default: three if any."""
    gathered = by_pair(pairs)
    wanted = annotators or usual_number(gathered)
    counted = [select(list(people.values())) for people in gathered.values() if len(people) == wanted]
    found = _kappa_intervals(counted, wanted or 0, replicates, seed)
    skipped = Counter[str]()
    for selection in counted:
        skipped.update(selection.skipped)
    return SelectionAgreement(
        rows=tuple(_label_agreement(label, counted, wanted, found[index]) for index, label in enumerate(LABELS)),
        annotators=wanted,
        pairs=len(counted),
        tokens=sum(selection.tokens for selection in counted),
        left_out=len(gathered) - len(counted),
        skipped=dict(skipped),
    )


def _row(selection: Selection) -> list[int]:
    """The sufficient statistics of a pair: for each label, tokens by how many annotators gave it."""
    return [count for label in LABELS for count in selection.labels[label.name].annotators]


def _kappa_intervals(counted: Sequence[Selection], annotators: int, replicates: int, seed: int) -> list[Interval]:
    """The interval of each label's kappa, all from the same resamples of pairs; pairs with the label bear on it."""
    if not counted:
        return [no_interval(too_little(0, replicates, PAIRS)) for _ in LABELS]
    rows = np.array([_row(selection) for selection in counted], dtype=float)
    sums = sums_of(rows, replicates, seed)[:2] if replicates else (rows[:0], rows[:0])
    patterns = tally_of(_units([1] * (annotators + 1)))
    by_label = (np.split(part, len(LABELS), axis=1) for part in (rows, *sums))
    found = []
    for own, drawn, left in zip(*by_label, strict=True):
        value = float(fleiss_kappas(patterns, own.sum(axis=0, keepdims=True))[0])
        bearing = int(own[:, 1:].any(axis=1).sum())
        resampled, left_out = (fleiss_kappas(patterns, part) for part in (drawn, left))
        found.append(Resampled(value, resampled, left_out, bearing, PAIRS).interval())
    return found


def _units(by_annotators: Sequence[int]) -> Units:
    """Tokens as units of two categories: how many annotators gave the label, and how many did not."""
    most = len(by_annotators) - 1
    return {(given, most - given): tokens for given, tokens in enumerate(by_annotators)}


def _label_agreement(
    label: Label, counted: Sequence[Selection], annotators: int | None, interval: Interval
) -> LabelAgreement:
    if annotators is None or not counted:
        nothing = Statistic(None, "no pair has so many annotators" if annotators else "no pair has two annotators")
        empty = Interval(nothing, nothing, 0)
        return LabelAgreement(label, nothing, nothing, empty, nothing, nothing, nothing, nothing, 0)
    counts = [selection.labels[label.name] for selection in counted]
    units = _units([sum(column) for column in zip(*(one.annotators for one in counts), strict=True)])
    marks = Counter[int]()
    for one in counts:
        marks.update(one.marks)
    three, two = (_agreeing(marks, least, annotators) for least in (3, 2))
    return LabelAgreement(
        label,
        kappa=fleiss_kappa(units),
        alpha=nominal_alpha(units),
        interval=interval,
        three_agree=three[0],
        two_agree=two[0],
        three_share=three[1],
        two_share=two[1],
        tokens=marks.total(),
    )


def _agreeing(marks: Counter[int], least: int, annotators: int) -> tuple[Statistic, Statistic]:
    """Tokens with at least so many marks, in whole per cents and as a share; more marks than annotators are neither."""
    if least > annotators:
        return (nothing := Statistic(None, f"there are only {annotators} annotators")), nothing
    total = marks.total()
    if not total:
        return (nothing := Statistic(None, "no token has this label")), nothing
    numbers = range(least, annotators + 1)
    whole = sum(100 * marks[number] // total for number in numbers)
    return Statistic(whole), Statistic(sum(marks[number] for number in numbers) / total)


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
