"""One rater's figure at one check, beside those of the others, and how unusual it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

import attrs

from rubrica.stats.checks.measured import Measured
from rubrica.stats.checks.peers import HIGH, LOW, among_peers
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
    WITH_OTHERS: Check("agreement with the others", LOW, "correlation with their mean (labels: share the same)"),
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
    standing = [figure for figure in every if figure.measured is not None and figure.rater not in excluded]
    return [_finding(check, question, figure, standing) for figure in every]


TOGETHER = "tested together with the other questions"


def untested(check: str, question: str, figures: Iterable[Figure], excluded: Collection[str]) -> list[Finding]:
    """The figures of one question beside each other, where all questions are tested together: fewer tests see more."""
    every = list(figures)
    standing = [figure for figure in every if figure.measured is not None and figure.rater not in excluded]
    without = (attrs.evolve(figure, measured=None, reason=TOGETHER) for figure in every)
    return [_finding(check, question, figure, standing) for figure in without]


def _finding(check: str, question: str, own: Figure, standing: Sequence[Figure]) -> Finding:
    peers = [figure for figure in standing if figure.rater != own.rater]
    values = [figure.value.value for figure in peers if figure.value.value is not None]
    middle = Statistic(median(values)) if values else Statistic(None, "nobody to compare with")
    p = _p(own, peers, CHECKS[check].side)
    return Finding(own.rater, check, question, own.value, middle, own.n, p, own.evidence)


def _p(own: Figure, peers: Sequence[Figure], side: str) -> Statistic:
    if own.measured is None:
        return Statistic(None, own.reason)
    p = among_peers(own.measured, [peer.measured for peer in peers if peer.measured is not None], side)
    if own.own_chance is None or own.own_chance.value is None:
        return p
    return own.own_chance if p.value is None else Statistic(max(p.value, own.own_chance.value))
