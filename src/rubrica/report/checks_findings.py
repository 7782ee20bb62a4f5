"""One rater's figure at one check: how unusual it is by itself, and beside those of the others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import attrs

from rubrica.stats.checks.peers import HIGH, LOW, Measured, each_among_peers
from rubrica.stats.statistic import Statistic

EXAMPLES = 5
"""Units that a finding names."""
ENOUGH_CHECKS = 4
"""Fewest answers to planted items from which a share says something."""
GOLD, CONSISTENCY, ONE_LABEL, LONG_RUN = "gold", "consistency", "one_label", "long_run"
WITH_OTHERS, FAST, NONE_SIMPLER, PASTED, UNCHANGED = "with_others", "fast", "none_simpler", "pasted", "unchanged"
OTHERS, ALONE, MODEL = "others", "alone", "model"
"""What a finding rests on: a test among the others, a test of the rater alone, the model of attention."""


class Check(NamedTuple):
    """What is looked at, which side of the others is suspicious, and how the figure is written."""

    title: str
    side: str
    figure: str


CHECKS: Mapping[str, Check] = {
    GOLD: Check("known answers", LOW, "share right"),
    CONSISTENCY: Check("the same unit again", LOW, "share the same or near (sets: similarity)"),
    ONE_LABEL: Check("one answer too often", HIGH, "share of the answer"),
    LONG_RUN: Check("the same judgement in a row", HIGH, "longest run"),
    WITH_OTHERS: Check(
        "answers without a look",
        LOW,
        "correlation with the others' mean (labels: share the same; of several questions the mean, beyond chance)",
    ),
    FAST: Check("speed", LOW, "median seconds"),
    NONE_SIMPLER: Check("no simpler word", HIGH, "share of units"),
    PASTED: Check("the same text pasted", HIGH, "share of texts"),
    UNCHANGED: Check("text handed back as it was", HIGH, "share of texts"),
}


@attrs.frozen
class Figure:
    """What one rater did. ``measured`` is None where there is too little to compare, and ``reason`` says so.

    ``alone`` is a p-value that needs no others. Where there are enough of them it is not asked, but with ``always``; a
    run must be unlikely by chance *and* among the others (``both``). ``noticed``: had it been bad, it would have been
    noticed without the others. ``worth`` says, by the median of the others, whether a difference is worth a look.
    """

    rater: str
    value: Statistic
    n: int
    measured: Measured | None
    evidence: Mapping[str, Any]
    reason: str = ""
    alone: Statistic | None = None
    always: bool = False
    both: bool = False
    noticed: bool | None = None
    worth: Callable[[float], bool] = lambda _: True


NOT_ADJUSTED = Statistic(None, "not adjusted yet")
NO_TEST = Statistic(None, "there is no such test")


@attrs.frozen
class Finding:
    """A rater at a check of a question (empty: whole judgements): figure, median of the others, how unusual it is.

    ``others`` and ``alone`` are p-values of the two kinds of tests; ``p`` is the one that counts, by ``basis``.
    ``probability`` is that of answers without a look. ``untold`` says why it cannot be told; empty if it can.
    """

    rater: str
    check: str
    question: str
    value: Statistic
    peers: Statistic
    n: int
    evidence: Mapping[str, Any]
    others: Statistic = NO_TEST
    alone: Statistic = NO_TEST
    probability: Statistic = NO_TEST
    untold: str = ""
    p: Statistic = NOT_ADJUSTED
    p_adjusted: Statistic = NOT_ADJUSTED
    basis: str = ""
    unusual: bool = False

    @property
    def title(self) -> str:
        """What was looked at, in words."""
        return CHECKS[self.check].title


def too_few(number: int, needed: int, what: str = "answers") -> str:
    """Why a rater cannot be compared; empty if they can."""
    return f"{number} {what}, and it takes {needed}" if number < needed else ""


def compare(check: str, question: str, figures: Iterable[Figure], excluded: Collection[str]) -> list[Finding]:
    """Each rater among the others; who is excluded is compared, but nobody's peer."""
    every = list(figures)
    places = {figure.rater: place for place, figure in enumerate(_standing(every, excluded))}
    standing = [figure.measured for figure in _standing(every, excluded) if figure.measured is not None]
    measured = {figure.rater: figure.measured for figure in every if figure.measured is not None}
    own = [places.get(rater) for rater in measured]
    among = each_among_peers(list(measured.values()), standing, own, CHECKS[check].side)
    p = dict(zip(measured, among, strict=True))
    return [
        attrs.evolve(finding, **_tests(figure, _worth_it(figure, finding, p.get(figure.rater))))
        for finding, figure in zip(_findings(check, question, every, excluded), every, strict=True)
    ]


def _worth_it(figure: Figure, finding: Finding, p: Statistic | None) -> Statistic | None:
    """The p-value among the others; 1 where the difference is not worth a look, however sure it is."""
    if p is None or p.value is None or finding.peers.value is None or figure.worth(finding.peers.value):
        return p
    return Statistic(1.0)


TOGETHER = "tested together with the other questions"


def untested(check: str, question: str, figures: Iterable[Figure], excluded: Collection[str]) -> list[Finding]:
    """The figures of one question beside each other, where all questions are tested together: fewer tests see more."""
    together = Statistic(None, TOGETHER)
    return [attrs.evolve(one, others=together) for one in _findings(check, question, list(figures), excluded)]


def _standing(figures: Sequence[Figure], excluded: Collection[str]) -> list[Figure]:
    return [figure for figure in figures if figure.measured is not None and figure.rater not in excluded]


def _findings(check: str, question: str, figures: Sequence[Figure], excluded: Collection[str]) -> list[Finding]:
    """Every figure beside the median of the others, not tested yet."""
    told = [one for one in figures if one.rater not in excluded and (one.measured is not None or not one.reason)]
    known = {one.rater: one.value.value for one in told if one.value.value is not None}
    ordered = sorted(known.values())
    found = []
    for one in figures:
        middle = _median_without(ordered, known.get(one.rater))
        found.append(Finding(one.rater, check, question, one.value, middle, one.n, one.evidence))
    return found


def _median_without(ordered: Sequence[float], own: float | None) -> Statistic:
    """The median of numbers in order, without one of them."""
    number = len(ordered) - (own is not None)
    if not number:
        return Statistic(None, "nobody to compare with")
    taken = bisect_left(ordered, own) if own is not None else len(ordered)
    middle = [ordered[place + (place >= taken)] for place in ((number - 1) // 2, number // 2)]
    return Statistic(sum(middle) / 2)


def _tests(own: Figure, among: Statistic | None) -> dict[str, Any]:
    """The tests that there are, and why it cannot be told if there is none that could have noticed something."""
    if own.measured is None or among is None:
        none = Statistic(None, own.reason)
        return {"others": none, "untold": own.reason}
    alone = own.alone or NO_TEST
    if own.both and among.value is not None:
        return {"others": Statistic(max(among.value, alone.value)) if alone.value is not None else among}
    asked = alone if among.value is None or own.always else NO_TEST
    told = among.value is not None or (own.noticed if own.noticed is not None else asked.value is not None)
    return {"others": among, "alone": asked, "untold": "" if told else own.reason or alone.reason or among.reason}
