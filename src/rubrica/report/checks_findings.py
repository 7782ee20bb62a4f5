"""One rater's figure at one check, beside those of the others, and how unusual it is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import attrs

from rubrica.stats.checks.measured import Measured
from rubrica.stats.checks.peers import HIGH, LOW, each_among_peers
from rubrica.stats.statistic import Statistic

EXAMPLES = 5
"""Units that a finding names."""
GOLD, CONSISTENCY, ONE_LABEL, LONG_RUN = "gold", "consistency", "one_label", "long_run"
WITH_OTHERS, FAST, NONE_SIMPLER, PASTED, UNCHANGED = "with_others", "fast", "none_simpler", "pasted", "unchanged"


class Check(NamedTuple):
    """What is looked at, which side of the others is suspicious, and how the figure is written."""

    title: str
    side: str
    figure: str


CHECKS: Mapping[str, Check] = {
    GOLD: Check("known answers", LOW, "share right"),
    CONSISTENCY: Check("the same unit again", LOW, "share the same (sets: similarity)"),
    ONE_LABEL: Check("one answer too often", HIGH, "share of the answer"),
    LONG_RUN: Check("the same judgement in a row", HIGH, "longest run"),
    WITH_OTHERS: Check(
        "agreement with the others",
        LOW,
        "correlation with their mean (labels: share the same; of several questions the mean, beyond chance)",
    ),
    FAST: Check("speed", LOW, "median seconds"),
    NONE_SIMPLER: Check("no simpler word", HIGH, "share of units"),
    PASTED: Check("the same text pasted", HIGH, "share of texts"),
    UNCHANGED: Check("text handed back as it was", HIGH, "share of texts"),
}


@attrs.frozen
class Figure:
    """What one rater did. ``measured`` is None where there is too little to compare, and ``reason`` says so.

    ``own_chance`` is a p-value that needs no peers; with it a finding must be unlikely by chance *and* among peers.
    """

    rater: str
    value: Statistic
    n: int
    measured: Measured | None
    evidence: Mapping[str, Any]
    reason: str = ""
    own_chance: Statistic | None = None


NOT_ADJUSTED = Statistic(None, "not adjusted yet")


@attrs.frozen
class Finding:
    """A rater at a check of a question (empty: whole judgements): figure, median of the peers, and p-values."""

    rater: str
    check: str
    question: str
    value: Statistic
    peers: Statistic
    n: int
    p: Statistic
    evidence: Mapping[str, Any]
    p_adjusted: Statistic = NOT_ADJUSTED
    unusual: bool = False


def too_few(number: int, needed: int, what: str = "answers") -> str:
    """Why a rater cannot be compared; empty if they can."""
    return f"{number} {what}, and it takes {needed}: it cannot be told" if number < needed else ""


def compare(check: str, question: str, figures: Iterable[Figure], excluded: Collection[str]) -> list[Finding]:
    """Each rater among the others; who is excluded is compared, but nobody's peer."""
    every = list(figures)
    places = {figure.rater: place for place, figure in enumerate(_standing(every, excluded))}
    standing = [figure.measured for figure in _standing(every, excluded) if figure.measured is not None]
    measured = {figure.rater: figure.measured for figure in every if figure.measured is not None}
    own = [places.get(rater) for rater in measured]
    among = each_among_peers(list(measured.values()), standing, own, CHECKS[check].side)
    p = dict(zip(measured, among, strict=True))
    return _findings(check, question, every, excluded, {one.rater: _p(one, p.get(one.rater)) for one in every})


TOGETHER = "tested together with the other questions"


def untested(check: str, question: str, figures: Iterable[Figure], excluded: Collection[str]) -> list[Finding]:
    """The figures of one question beside each other, where all questions are tested together: fewer tests see more."""
    every = list(figures)
    return _findings(check, question, every, excluded, dict.fromkeys((one.rater for one in every), NOT_TESTED))


NOT_TESTED = Statistic(None, TOGETHER)


def _standing(figures: Sequence[Figure], excluded: Collection[str]) -> list[Figure]:
    return [figure for figure in figures if figure.measured is not None and figure.rater not in excluded]


def _findings(
    check: str, question: str, figures: Sequence[Figure], excluded: Collection[str], p: Mapping[str, Statistic]
) -> list[Finding]:
    """Every figure beside the median of the others."""
    known = {one.rater: one.value.value for one in _standing(figures, excluded) if one.value.value is not None}
    ordered = sorted(known.values())
    found = []
    for one in figures:
        middle = _median_without(ordered, known.get(one.rater))
        found.append(Finding(one.rater, check, question, one.value, middle, one.n, p[one.rater], one.evidence))
    return found


def _median_without(ordered: Sequence[float], own: float | None) -> Statistic:
    """The median of numbers in order, without one of them."""
    number = len(ordered) - (own is not None)
    if not number:
        return Statistic(None, "nobody to compare with")
    taken = bisect_left(ordered, own) if own is not None else len(ordered)
    middle = [ordered[place + (place >= taken)] for place in ((number - 1) // 2, number // 2)]
    return Statistic(sum(middle) / 2)


def _p(own: Figure, among: Statistic | None) -> Statistic:
    if own.measured is None or among is None:
        return Statistic(None, own.reason)
    if own.own_chance is None or own.own_chance.value is None:
        return among
    return own.own_chance if among.value is None else Statistic(max(among.value, own.own_chance.value))
