"""From ratings and scores of metrics to correlations: what `rubrica correlate` and the report both do.

The scores are those of a file that was joined with the units, or of metrics that are registered in a study.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rubrica.core.errors import wrong
from rubrica.core.human_rewrites import joined
from rubrica.core.metric_values import LOWER
from rubrica.core.ratings import Ratings, Unit
from rubrica.exchange.score_units import JoinedScores
from rubrica.report.correlation import UNITS, Choices, Correlations, correlate, steps
from rubrica.report.correlation_data import Data, data_of
from rubrica.report.correlation_people import People

REGISTERED = "registered"
PERSON = "person"


class Scored(NamedTuple):
    """Metrics by name, their scores of units, those of which less is better, and what a signature says of them."""

    metrics: tuple[str, ...]
    joined: JoinedScores
    lower: frozenset[str]
    origin: str


def by_people(ratings: Ratings) -> Ratings:
    """What people said: what models and metrics did is no human side."""
    return ratings.of(one for one in ratings.every if ratings.raters[one.rater].kind == PERSON)


def rated_units(ratings: Ratings, people: People) -> list[Unit]:
    """The units that people said something of that is a number, in order."""
    return [ratings.units[name] for name in dict.fromkeys(unit for one in people.criteria for unit in one.scores)]


def registered_scores(ratings: Ratings, rated: Sequence[Unit], wanted: Sequence[str] = ()) -> Scored:
    """The scores of metrics that are annotators of the study: of those that are wanted, or of all."""
    chosen = [one for one in ratings.metrics if not wanted or one.name in wanted]
    scores: dict[str, dict[str, float]] = {}
    for unit in rated:
        own = {one.name: one.values[unit.key] for one in chosen if unit.key in one.values}
        if own:
            scores[unit.key] = own
    digest = hashlib.sha256("\n".join(one.signature for one in chosen).encode()).hexdigest()[:12]
    joined = JoinedScores(scores, (), len(rated) - len(scores), 0)
    lower = frozenset(one.name for one in chosen if one.better == LOWER)
    return Scored(tuple(one.name for one in chosen), joined, lower, f"{REGISTERED}@{digest}")


class Prepared(NamedTuple):
    """People's scores and metrics' scores side by side, how they are correlated, and what signs it."""

    data: Data
    choices: Choices
    signature: str

    @property
    def steps(self) -> int:
        """How much work there is, for a progress bar."""
        return steps(self.data, self.choices)

    def correlate(self, done: Callable[[int], None] | None = None) -> Correlations:
        """Correlate them; ``done`` is told how many of the steps are behind."""
        return correlate(self.data, self.choices, self.signature, done)


def prepared(
    sign: Callable[..., str], people: People, rated: Sequence[Unit], beside: Scored, choices: Choices
) -> Prepared:
    """Put both sides together. Raises InputError if nothing is left without people's rewrites."""
    data = data_of(
        rated, people.criteria, beside.joined.scores, beside.metrics, choices.human, choices.resample == UNITS
    )
    if not data.units:
        fix = "Leave out fewer with --human."
        raise wrong("no units are left", "human", fix, value=", ".join(choices.human))
    signature = sign(
        alpha=choices.alpha,
        bootstrap=choices.replicates,
        combine=choices.combine,
        correlate=choices.statistic,
        human=joined(choices.human),
        lower="+".join(sorted(choices.lower)),
        metrics="+".join(beside.metrics),
        permutations=choices.permutations,
        resample=choices.resample,
        score_unit="+".join(beside.joined.columns),
        scores=beside.origin,
        seed=choices.seed,
    )
    return Prepared(data, choices, signature)
