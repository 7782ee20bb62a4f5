"""All measures of agreement by the name that scripts use, with what each asks of the answers."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, Protocol

from rubrica.core.ratings import INTERVAL, JACCARD, MASI, NOMINAL, ORDINAL, RATIO
from rubrica.stats.agreement import (
    cohen_kappa,
    correlations,
    fleiss_kappa,
    gwet_ac,
    intraclass,
    krippendorff_alpha,
    percent_agreement,
)
from rubrica.stats.agreement.prepared import Prepared
from rubrica.stats.coded import Coded, Real

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
    return partial(cohen_kappa.prepare, power)


EVERY = (
    Measure("alpha", "Krippendorff's alpha", "alpha", krippendorff_alpha.prepare),
    Measure("fleiss", "Fleiss' kappa", "fleiss", fleiss_kappa.prepare, at=NOMINAL),
    Measure("cohen", "Cohen's kappa", "cohen", _prepared_cohen(cohen_kappa.PLAIN), at=NOMINAL),
    *(
        Measure(f"cohen_{name}", f"Cohen's kappa, {name}", "cohen", _prepared_cohen(power), needs=ORDER, possible=True)
        for name, power in (("linear", cohen_kappa.LINEAR), ("quadratic", cohen_kappa.QUADRATIC))
    ),
    Measure("ac1", "Gwet's AC1", "ac1", gwet_ac.prepare, at=NOMINAL, possible=True, varied=False),
    Measure("ac2", "Gwet's AC2", "ac2", gwet_ac.prepare, ORDER, possible=True, varied=False),
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
    Measure("percent", "Percent agreement", "percent", percent_agreement.prepare, at=NOMINAL, varied=False),
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
        "pearson", "Pearson's r", "pearson", partial(correlations.prepare, correlations.PEARSON), NUMBERS, INTERVAL
    ),
    Measure(
        "spearman", "Spearman's rho", "spearman", partial(correlations.prepare, correlations.SPEARMAN), ORDER, ORDINAL
    ),
    Measure(
        "kendall", "Kendall's tau-b", "kendall", partial(correlations.prepare, correlations.KENDALL), ORDER, ORDINAL
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
