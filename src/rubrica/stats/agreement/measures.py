"""All measures of agreement by the name that scripts use, and their intervals.

All measures of agreement by the name that scripts use, with what each asks of the answers.

Intervals of measures of agreement, over units, raters or both. Units that look alike are drawn together, so that a
replicate costs nothing but a product of matrices. A rater who was drawn twice counts twice but is not compared with
themselves, which would look like perfect agreement. How an interval follows from resamples: ``stats/bootstrap.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from rubrica.core.ratings import INTERVAL, JACCARD, MASI, NOMINAL, ORDINAL, RATIO
from rubrica.stats.agreement import intraclass, kappas, krippendorff_alpha, percent_agreement, rater_pairs
from rubrica.stats.agreement.tally import Prepared
from rubrica.stats.bootstrap import Interval, Resampled, draws, no_interval, resample, too_little
from rubrica.stats.coded import Coded, Real, Whole

ANY, ORDER, NUMBERS = "any", "order", "numbers"
"""What a measure asks of the answers: that they can be told apart, that they have an order, that they are numbers."""
ORDERED = (ORDINAL, INTERVAL, RATIO)


class Prepare(Protocol):
    """Makes a measure ready for resampling; ``drawn`` says how often each rater was drawn."""

    def __call__(self, answers: Coded, level: str, drawn: Real | None = None) -> Prepared:
        """The measure of these answers."""


class Measure(NamedTuple):
    """A measure: its family is what ``--measure`` takes. ``at`` is the level it always has; empty: the question's.

    ``possible`` measures ask for all answers that could have been given; ``raters`` says whether raters can be drawn.
    ``varied`` measures hold answers against how much they vary, and need answers other than the usual one. An
    ``option`` counts in another way what a measure of its family counts, and is there only by its own name.
    """

    name: str
    title: str
    family: str
    prepare: Prepare
    needs: str = ANY
    at: str = ""
    possible: bool = False
    raters: bool = True
    varied: bool = True
    option: bool = False

    def level(self, asked: str) -> str:
        """The level at which it takes the answers."""
        return self.at or asked


def _prepared_cohen(power: int) -> Prepare:
    return partial(kappas.prepare_cohen, power)


EVERY = (
    Measure("alpha", "Krippendorff's alpha", "alpha", krippendorff_alpha.prepare_alpha),
    Measure("fleiss", "Fleiss' kappa", "fleiss", kappas.prepare_fleiss, at=NOMINAL),
    Measure("cohen", "Cohen's kappa", "cohen", _prepared_cohen(kappas.PLAIN), at=NOMINAL),
    *(
        Measure(f"cohen_{name}", f"Cohen's kappa, {name}", "cohen", _prepared_cohen(power), needs=ORDER, possible=True)
        for name, power in (("linear", kappas.LINEAR), ("quadratic", kappas.QUADRATIC))
    ),
    Measure("ac1", "Gwet's AC1", "ac1", kappas.prepare_gwet, at=NOMINAL, possible=True, varied=False),
    Measure("ac2", "Gwet's AC2", "ac2", kappas.prepare_gwet, ORDER, possible=True, varied=False),
    *(
        Measure(
            f"icc({model},{'k' if mean else 1})",
            f"ICC({model},{'k' if mean else 1})",
            "icc",
            partial(intraclass.prepare, model, mean),
            NUMBERS,
            INTERVAL,
            raters=False,
        )
        for model, mean in intraclass.FORMS
    ),
    Measure("percent", "Percent agreement", "percent", percent_agreement.prepare_percent, at=NOMINAL, varied=False),
    Measure(
        "percent_pooled",
        "Percent agreement, pairs pooled",
        "percent",
        percent_agreement.prepare_pooled,
        at=NOMINAL,
        varied=False,
        option=True,
    ),
    Measure(
        "pearson",
        "Pearson's r",
        "pearson",
        partial(rater_pairs.prepare_correlation, rater_pairs.PEARSON),
        NUMBERS,
        INTERVAL,
    ),
    Measure(
        "spearman",
        "Spearman's rho",
        "spearman",
        partial(rater_pairs.prepare_correlation, rater_pairs.SPEARMAN),
        ORDER,
        ORDINAL,
    ),
    Measure(
        "kendall",
        "Kendall's tau-b",
        "kendall",
        partial(rater_pairs.prepare_correlation, rater_pairs.KENDALL),
        ORDER,
        ORDINAL,
    ),
)
MEASURES = {measure.name: measure for measure in EVERY}
FAMILIES = tuple(dict.fromkeys(measure.family for measure in EVERY))
ALL = "all"


def unsuited(measure: Measure, answers: Coded, level: str) -> str:
    """Why a measure cannot be asked of such answers; empty if it can."""
    title = "an intraclass correlation" if measure.family == "icc" else measure.title
    numbers = not any(isinstance(value, str | tuple) for value in answers.values)
    if measure.needs == NUMBERS and (not numbers or level == NOMINAL):
        return f"{title} needs numbers, and the answers are {_kind(level)}"
    if measure.needs == ORDER and level not in ORDERED:
        return f"{title} needs answers in an order, and these are {_kind(level)}"
    if level in (INTERVAL, RATIO) and not numbers:
        return f"the level {level} needs numbers, and the answers are labels"
    if level == RATIO and numbers and any(value < 0 for value in answers.numbers):
        return "a ratio scale starts at 0, and there are negative answers; use the level interval"
    return ""


def _kind(level: str) -> str:
    return "sets" if level in (MASI, JACCARD) else "labels" if level == NOMINAL else f"{level} labels"


UNITS, RATERS = "units", "raters"
FEWEST_RATERS = 4
"""Of three, one resample in nine has only one of them, and nobody to compare them with."""
PrepareDrawn = Callable[[Coded, "Real | None"], Prepared]
"""Makes a measure ready, given the answers and how often each rater was drawn."""


def over_units(prepared: Prepared, replicates: int, seed: int) -> Interval:
    """The interval when units are drawn with replacement."""
    reason = too_little(prepared.units, replicates)
    if reason:
        return no_interval(reason)
    found = resample(prepared.values, prepared.times, replicates, np.random.default_rng(seed))
    return Resampled(prepared.value, found.drawn, found.left_out, prepared.units, times=found.times).interval()


def over_clusters(prepared: Prepared, cluster: Whole, replicates: int, seed: int) -> Interval:
    """The interval when units were made of others, and these are drawn: ``cluster`` says of which each was made."""
    different, place = np.unique(cluster, return_inverse=True)
    many = len(different)
    reason = too_little(many, replicates)
    if reason:
        return no_interval(reason)
    found = resample(prepared.values, np.ones(many), replicates, np.random.default_rng(seed), part_of=place)
    return Resampled(prepared.value, found.drawn, found.left_out, many).interval()


def over_raters(answers: Coded, prepare: PrepareDrawn, replicates: int, seed: int, *, units: bool = False) -> Interval:
    """The interval when raters are drawn with replacement, and ``units`` as well if wanted."""
    present = np.flatnonzero(np.bincount(answers.rater, minlength=len(answers.raters)))
    whole = prepare(answers, None)
    reason = too_little(len(present), replicates, RATERS, FEWEST_RATERS)
    reason = reason or (too_little(whole.units, replicates) if units else "")
    if reason:
        return no_interval(reason)
    generator = np.random.default_rng(seed)
    found = np.full(replicates, np.nan)
    for number in range(replicates):
        drawn = np.zeros(len(answers.raters))
        drawn[present] = generator.multinomial(len(present), np.full(len(present), 1 / len(present)))
        prepared = prepare(answers.keep(drawn[answers.rater] > 0), drawn)
        if prepared.units < 1:
            continue
        weights = next(draws(prepared.times, 1, generator)) if units else prepared.times[None, :]
        found[number] = prepared.values(weights)[0]
    left = np.array([prepare(answers.keep(answers.rater != rater), None).value for rater in present])
    return Resampled(whole.value, found, left, len(present), RATERS, least=FEWEST_RATERS).interval()
