"""Registered metrics beside people, question by question: how near each comes to the mean of the people.

A metric gives numbers on a scale of its own and answers no question, so none of the measures of agreement can take it
for a rater; a correlation with the mean of the people can. Each person's correlation with the mean of the others stands
beside it, so that a reader sees what there is to be reached. Nothing here goes into any other figure (design/011).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from rubrica.core.answers import Answer
from rubrica.core.metric_values import LOWER, METRIC, NEITHER
from rubrica.core.ratings import CHOICE, VERDICT, YES_NO, Criterion, Ratings, given
from rubrica.report.comparison_measures import NO_SYSTEM
from rubrica.report.tables import DECIMAL, WHOLE, Cell, Column, Estimate, Table
from rubrica.stats.correlation.beside_people import Answers, WithPeople, mean_of, of_metric, of_raters
from rubrica.stats.correlation.coefficients import Real
from rubrica.stats.statistic import Statistic

PERSON, PEOPLE = "person", "people"
FEW_RATERS = 12
"""Up to so many, each rater's correlation has an interval."""
MOST_ROWS = 24
"""Where a table would have more, people are shown by their mean alone."""
NO_INTERVAL = Statistic(None, "a mean of correlations has no interval here")
NOTE = (
    "Correlation of a metric with the mean of the people, and of each person with the mean of the others; in brackets: "
    "95 % intervals by BCa bootstrap over sources. The mean of a yes or no, or of a choice, is the share of the good "
    "one. A metric answers no question and is no part of any other figure."
)


@attrs.frozen(kw_only=True)
class Beside:
    """A metric or a rater beside the mean of the people. ``kind`` is metric, person or model."""

    name: str
    title: str
    kind: str
    found: WithPeople
    better: str = ""
    signature: str = ""
    either: bool = False

    @property
    def towards(self) -> float | None:
        """Spearman's rho turned so that more is nearer to the people.

        Where the figure only describes a rewrite, or the question has no good end, ``either`` way is near: it is said
        of neither which way is better.
        """
        value = self.found.spearman.value
        if value is None:
            return None
        return abs(value) if self.either else -value if self.better == LOWER else value

    def as_json(self) -> dict[str, Any]:
        """The figures of this row for scripts."""
        return {
            "pearson": self.found.pearson.as_json(),
            "spearman": self.found.spearman.as_json(),
            "kendall": self.found.kendall.as_json(),
            "low": self.found.interval.low.as_json(),
            "high": self.found.interval.high.as_json(),
            "units": self.found.units,
        }


@attrs.frozen(kw_only=True)
class BesidePeople:
    """One question: every metric, and every rater with the mean of the other people."""

    question: str
    label: str
    metrics: tuple[Beside, ...]
    raters: tuple[Beside, ...]
    human: tuple[str, ...] = ()
    """Systems that were left out as people's."""

    @property
    def defined(self) -> bool:
        """Whether there is a correlation at all: there is none where people always said the same."""
        return any(one.found.spearman.value is not None for one in (*self.metrics, *self.raters))

    @property
    def people(self) -> tuple[Beside, ...]:
        """The raters who are people."""
        return tuple(one for one in self.raters if one.kind == PERSON)

    def mean(self, coefficient: str) -> Statistic:
        """The mean over people of one of their correlations with the mean of the others."""
        return mean_of([getattr(one.found, coefficient) for one in self.people])

    def as_json(self) -> list[dict[str, Any]]:
        """A row for each metric, with the people beside it."""
        people = {
            **{name: self.mean(name).as_json() for name in ("pearson", "spearman", "kendall")},
            "raters": len(self.people),
            "each": [{"rater": one.name, "kind": one.kind, **one.as_json()} for one in self.raters],
        }
        return [
            {
                "question": self.question,
                "metric": one.name,
                "kind": METRIC,
                "better": one.better,
                **one.as_json(),
                "people": people,
                "human": list(self.human),
                "settings": one.signature,
            }
            for one in self.metrics
        ]


def beside_people(
    ratings: Ratings, *, human: Collection[str] = (), replicates: int = 1000, seed: int = 0
) -> list[BesidePeople]:
    """Every question whose answers have a mean; nothing without metrics or without judgements that count.

    ``human`` are systems that are left out as people's, as in `rubrica correlate --human`.
    """
    if not ratings.metrics or not ratings.counted:
        return []
    kept = ratings.of(one for one in ratings.every if ratings.units[one.unit].system not in human)
    found = [_beside(kept, criterion, replicates, seed) for criterion in ratings.criteria if _has_mean(criterion)]
    return [attrs.evolve(one, human=tuple(human)) for one in found]


def _has_mean(criterion: Criterion) -> bool:
    return (
        criterion.numeric
        or criterion.kind in (YES_NO, VERDICT)
        or (criterion.kind, criterion.good is None) == (CHOICE, False)
    )


def _number(criterion: Criterion, answer: Answer) -> float:
    """An answer as a number: itself, or whether it is the good one (yes where none is)."""
    if criterion.numeric and isinstance(answer, int | float):
        return float(answer)
    return float(answer == (criterion.good if criterion.good is not None else "yes"))


def _beside(ratings: Ratings, criterion: Criterion, replicates: int, seed: int) -> BesidePeople:
    said = [
        (one.unit, one.rater, answer)
        for one in ratings.counted
        if criterion.id not in one.fixed and (answer := given(one, criterion.id)) is not None
    ]
    units = {name: place for place, name in enumerate(dict.fromkeys(unit for unit, _, _ in said))}
    answering = {rater for _, rater, _ in said}
    names = {name: place for place, name in enumerate(name for name in ratings.raters if name in answering)}
    kinds = [ratings.raters[name].kind for name in names]
    answers = Answers(
        np.array([units[unit] for unit, _, _ in said], dtype=np.int64),
        np.array([names[rater] for _, rater, _ in said], dtype=np.int64),
        np.array([_number(criterion, answer) for _, _, answer in said]),
        np.array([kind == PERSON for kind in kinds], dtype=bool),
        len(units),
    )
    sources = np.unique([ratings.units[name].source or name for name in units], return_inverse=True)[1].astype(np.int64)
    few = len(names) <= FEW_RATERS
    raters = zip(names, kinds, of_raters(answers, sources, replicates if few else 0, seed), strict=True)
    return BesidePeople(
        question=criterion.id,
        label=criterion.label,
        metrics=tuple(
            Beside(
                name=metric.name,
                title=metric.title,
                kind=METRIC,
                found=of_metric(_scores(metric.values, units), answers, sources, replicates, seed),
                better=metric.better,
                signature=metric.signature,
                either=criterion.good is None or metric.better == NEITHER,
            )
            for metric in ratings.metrics
        ),
        raters=tuple(Beside(name=name, title=name, kind=kind, found=found) for name, kind, found in raters),
    )


def _scores(values: Mapping[str, float], units: Iterable[str]) -> Real:
    return np.array([values.get(name, np.nan) for name in units], dtype=float)


def beside_table(rows: Sequence[BesidePeople], signature: str = "", *, each: bool = False) -> Table:
    """People, their mean first, then metrics, each marked as what it is.

    Raters have a row each where the table stays short, or with ``each``; a question without any value has one row.
    """
    columns = (
        Column("question", "question"),
        Column("who", "who"),
        Column("kind", "kind"),
        Column("spearman", "Spearman", DECIMAL, 3),
        Column("pearson", "Pearson", DECIMAL, 3),
        Column("kendall", "Kendall", DECIMAL, 3),
        Column("units", "units", WHOLE),
    )
    defined = [row for row in rows if row.defined]
    each = each or sum(1 + len(row.raters) + len(row.metrics) for row in defined) <= MOST_ROWS
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        cells.append(_mean_row(row))
        if row.defined:
            cells += [_row(row.label, one) for one in (*(row.raters if each else ()), *row.metrics)]
    return Table("metrics_beside_people", "Metrics beside people", columns, tuple(cells), _note(rows), signature)


def _note(rows: Sequence[BesidePeople]) -> str:
    lower = list(dict.fromkeys(one.title for row in rows for one in row.metrics if one.better == LOWER))
    said = f" Lower is better, so that a negative correlation agrees with people: {', '.join(lower)}." if lower else ""
    human = ", ".join(name or NO_SYSTEM for name in rows[0].human) if rows else ""
    return NOTE + said + (f" Left out, being rewrites by people: {human}." if human else "")


def _mean_row(row: BesidePeople) -> tuple[Cell, ...]:
    many = len(row.people)
    who = f"mean of {many} people" if many != 1 else "one person alone"
    units = max((one.found.units for one in row.people), default=0)
    spearman = Estimate(row.mean("spearman"), NO_INTERVAL, NO_INTERVAL)
    return row.label, who, PEOPLE, spearman, row.mean("pearson"), row.mean("kendall"), units


def _row(label: str, one: Beside) -> tuple[Cell, ...]:
    found = one.found
    spearman = Estimate(found.spearman, found.interval.low, found.interval.high)
    return label, titled(one), one.kind, spearman, found.pearson, found.kendall, found.units


def titled(one: Beside) -> str:
    """What a row is called: a metric by its title, with the name where it was registered under several settings."""
    return f"{one.title} ({one.name})" if one.kind == METRIC and "-" in one.name else one.title
