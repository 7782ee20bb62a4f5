"""Agreement of parts, and the units on which raters differ most.

Agreement of parts: each rater against the rest, each pair of raters, each system, each data set, between groups.

The most disputed units of each question, with the answers that raters gave.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

import attrs
import numpy as np

from rubrica.core.answers import NO_SIMPLER_WORD, Answer
from rubrica.core.errors import wrong
from rubrica.core.ratings import Criterion, Rater, Rating, Ratings, Unit, given
from rubrica.report.agreement import Agreement, Asked, agreement_of, agreement_on, measured
from rubrica.report.tables import DECIMAL, WHOLE, Cell, Column, Table
from rubrica.stats.agreement.krippendorff_alpha import disputes, krippendorff_alpha
from rubrica.stats.agreement.measures import MEASURES, Measure, over_clusters, unsuited
from rubrica.stats.agreement.rater_pairs import compared
from rubrica.stats.agreement.tally import NOTHING, Prepared, not_pairable
from rubrica.stats.bootstrap import Interval, no_interval
from rubrica.stats.coded import Coded, coded
from rubrica.stats.statistic import Statistic

RATER, PAIR, SYSTEM, DATASET, GROUP, KIND = "rater", "pair", "system", "dataset", "group", "kind"
PARTS = (RATER, PAIR, SYSTEM, DATASET, GROUP, KIND)
"""What agreement can be taken apart by."""
NO_GROUP = "not said"
COMPARED = "comparisons of one unit hang together, which an intraclass correlation's formula does not know"
WITHIN, ACROSS = "within {}", "{} and {}"
PER_RATER = (
    "With the rest: each answer of the rater beside each other answer to the same unit. Without them: the measure of "
    "all answers but theirs. In brackets: 95 % intervals, BCa bootstrap over units."
)


@attrs.frozen(kw_only=True)
class RaterAgreement:
    """One rater against the rest, and what agreement is without them."""

    rater: str
    rest: Agreement
    without: Statistic

    def as_json(self) -> dict[str, Any]:
        """The row with the rater's name; ``without`` is the measure of the others."""
        return {"rater": self.rater, **self.rest.as_json(), "without": self.without.as_json()}


def per_rater(ratings: Ratings, asked: Asked) -> list[RaterAgreement]:
    """Each rater against the rest, question by question, lowest agreement first; undefined ones last."""
    found = []
    for criterion in _comparable(ratings):
        answers = coded(ratings.chosen_on(criterion.id), criterion)
        rows = [
            RaterAgreement(rater=str(name), rest=rest, without=without.value)
            for index, name in enumerate(answers.raters)
            for rest, without in zip(
                _against(answers, criterion, asked, _only(answers, [index]), str(name)),
                agreement_of(answers.keep(answers.rater != index), criterion, attrs.evolve(asked, replicates=0)),
                strict=False,
            )
        ]
        order = [measure.name for measure in asked.of(answers, criterion.level)]
        found += sorted(rows, key=lambda row: (order.index(row.rest.measure.name), *_least_first(row.rest.value)))
    return found


def _least_first(value: Statistic) -> tuple[bool, float]:
    return value.value is None, value.value or 0


def per_pair(ratings: Ratings, asked: Asked) -> list[Agreement]:
    """Every two raters who share a unit."""
    found = []
    for criterion in _comparable(ratings):
        answers = coded(ratings.chosen_on(criterion.id), criterion)
        for one, other in combinations(range(len(answers.raters)), 2):
            both = answers.keep(np.isin(answers.rater, (one, other)))
            if (both.per_unit > 1).any():
                name = ACROSS.format(answers.raters[one], answers.raters[other])
                found += agreement_of(both, criterion, asked, name)
    return found


def per_system(ratings: Ratings, asked: Asked) -> list[Agreement]:
    """Agreement on the units of each system."""
    apart = ratings.credited
    return _by_unit(apart, asked, lambda unit: apart.units[unit].system)


def per_dataset(ratings: Ratings, asked: Asked) -> list[Agreement]:
    """Agreement on the units of each data set."""
    return _by_unit(ratings, asked, lambda unit: ratings.units[unit].dataset)


def _by_unit(ratings: Ratings, asked: Asked, part_of: Callable[[str], str]) -> list[Agreement]:
    found = []
    for criterion in _comparable(ratings):
        parts: dict[str, list[Rating]] = {}
        for rating in ratings.chosen_on(criterion.id):
            parts.setdefault(part_of(rating.unit), []).append(rating)
        for part, chosen in parts.items():
            found += agreement_on(chosen, criterion, asked, part or NO_GROUP)
    return found


def per_group(ratings: Ratings, asked: Asked, trait: str = "") -> list[Agreement]:
    """Agreement within each group of raters and across every two groups: by a trait, or by kind of rater.

    Raises InputError if no rater has the trait.
    """
    group = _groups(ratings, trait)
    found = []
    for criterion in _comparable(ratings):
        answers = coded(ratings.chosen_on(criterion.id), criterion)
        of = np.array([group[str(name)] for name in answers.raters], dtype=object)
        names = list(dict.fromkeys(of.tolist()))
        for name in names:
            found += agreement_of(answers.keep((of == name)[answers.rater]), criterion, asked, WITHIN.format(name))
        for one, other in combinations(names, 2):
            found += _against(answers, criterion, asked, of == one, ACROSS.format(one, other), of == other)
    return found


def _groups(ratings: Ratings, trait: str) -> Mapping[str, str]:
    if not trait:
        return {name: rater.kind for name, rater in ratings.raters.items()}
    if not any(trait in rater.traits for rater in ratings.raters.values()):
        known = dict.fromkeys(name for rater in ratings.raters.values() for name in rater.traits)
        fix = f"Known: {', '.join(known)}." if known else "Give --group COLUMN."
        raise wrong(f"no rater has said {trait!r}", "group", fix, value=trait)
    return {name: _said(rater, trait) for name, rater in ratings.raters.items()}


def _said(rater: Rater, trait: str) -> str:
    return rater.traits.get(trait, "") or NO_GROUP


def _comparable(ratings: Ratings) -> Iterator[Criterion]:
    return (criterion for criterion in ratings.criteria if criterion.comparable)


def _only(answers: Coded, raters: list[int]) -> Any:
    return np.isin(np.arange(len(answers.raters)), raters)


def _against(
    answers: Coded, criterion: Criterion, asked: Asked, one: Any, part: str, other: Any = None
) -> list[Agreement]:
    """Raters of one side against those of the other (default: all others)."""
    pairs = compared(answers, one, ~one if other is None else other)

    def resample(measure: Measure, prepared: Prepared, level: str) -> Interval:
        if prepared.formula is not None:
            return no_interval(COMPARED)
        return over_clusters(prepared, pairs.unit, asked.replicates, asked.seed)

    involved = one | (~one if other is None else other)
    nothing = "" if len(pairs.unit) else not_pairable(answers.keep(involved[answers.rater])) or NOTHING
    rows = (
        measured(pairs.answers, criterion, measure, resample, part) for measure in asked.of(answers, criterion.level)
    )
    return [
        attrs.evolve(
            row,
            value=Statistic(None, nothing) if nothing else row.value,
            units=len(np.unique(pairs.unit)),
            pairable=pairs.different,
            raters=len(np.unique(answers.rater[involved[answers.rater]])),
        )
        for row in rows
    ]


def per_rater_table(rows: list[RaterAgreement], signature: str = "") -> Table:
    """Raters, those who agree least first."""
    columns = (
        Column("question", "question"),
        Column("measure", "measure"),
        Column("rater", "rater"),
        Column("value", "with the rest", DECIMAL, 3),
        Column("without", "without them", DECIMAL, 3),
        Column("units", "shared units", WHOLE),
    )
    cells: list[tuple[Cell, ...]] = [
        (row.rest.label, row.rest.measure.title, row.rater, row.rest.estimate, row.without, row.rest.units)
        for row in rows
    ]
    return Table("agreement-rater", "Each rater against the rest", columns, tuple(cells), PER_RATER, signature)


NOBODY = "There is none: nobody disagrees, or nothing was rated by two."
NOTE = "Disagreement: 0 where all agree, 1 where answers are as far apart as two answers drawn from all."


@attrs.frozen(kw_only=True)
class Disputed:
    """A unit on which raters differ: how much, and what they said."""

    criterion: Criterion
    unit: Unit
    disagreement: float
    answers: tuple[tuple[str, Answer], ...]

    def as_json(self) -> dict[str, Any]:
        """The row as scripts read it; ``answers`` by rater."""
        return {
            "question": self.criterion.id,
            "unit": self.unit.key,
            "system": self.unit.system,
            "disagreement": self.disagreement,
            "answers": {rater: list(answer) if isinstance(answer, tuple) else answer for rater, answer in self.answers},
        }


def disputed(ratings: Ratings, most: int) -> list[Disputed]:
    """Of each question the units with the largest disagreement, at most so many; none on which all agree."""
    found = []
    for criterion in ratings.criteria:
        if criterion.comparable:
            answers = coded(ratings.chosen_on(criterion.id), criterion)
            suits = not unsuited(MEASURES["alpha"], answers, criterion.level)
            if suits and krippendorff_alpha(answers, criterion.level).value is not None:
                found += _of(ratings, criterion, answers, most)
    return found


def _of(ratings: Ratings, criterion: Criterion, answers: Coded, most: int) -> list[Disputed]:
    score = np.nan_to_num(disputes(answers, criterion.level))
    largest = [index for index in np.argsort(-score, kind="stable")[:most].tolist() if score[index] > 0]
    said: dict[str, list[tuple[str, Answer]]] = defaultdict(list)
    for rating in ratings.counted_on(criterion.id):
        answer = given(rating, criterion.id)
        if answer is not None:
            said[rating.unit].append((rating.rater, answer))
    return [
        Disputed(
            criterion=criterion,
            unit=ratings.units[str(answers.units[index])],
            disagreement=float(score[index]),
            answers=tuple(said[str(answers.units[index])]),
        )
        for index in largest
    ]


def disputed_table(rows: list[Disputed], signature: str = "") -> Table:
    """The units with their answers, the most disputed first."""
    systems = any(row.unit.system for row in rows)
    columns = (
        Column("question", "question"),
        Column("unit", "unit"),
        *([Column("system", "system")] if systems else []),
        Column("disagreement", "disagreement", DECIMAL, 2),
        Column("answers", "answers"),
    )
    cells: list[tuple[Cell, ...]] = [
        (
            row.criterion.label,
            row.unit.key,
            *([row.unit.system] if systems else []),
            row.disagreement,
            ", ".join(f"{rater}: {_shown(answer, row.criterion)}" for rater, answer in row.answers),
        )
        for row in rows
    ]
    note = NOTE if cells else NOBODY
    return Table("agreement-disputed", "Most disputed units", columns, tuple(cells), note, signature)


def _shown(answer: Answer, criterion: Criterion) -> str:
    if criterion.blank and answer == NO_SIMPLER_WORD:
        return "none simpler"
    return "{" + "; ".join(answer) + "}" if isinstance(answer, tuple) else str(answer)
