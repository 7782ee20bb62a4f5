"""What metrics are held against and which scores they gave: from ratings, edits and files to correlations.

From ratings and scores of metrics to correlations: what `rubrica correlate` and the report both do. The scores are
those of a file that was joined with the units, or of metrics that are registered in a study.

Scores from edits as what people said: the side that metrics are held against where edits were marked. The score of a
rewrite follows from the edits that an annotator marked (``edits/score.py``): in total, quality and error apart, and by
family. Each is a criterion, each annotator a rater, so that all else is as for ratings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rubrica.core.errors import wrong
from rubrica.core.human_rewrites import joined
from rubrica.core.metric_values import LOWER, MetricValues
from rubrica.core.ratings import INTERVAL, SCALE, Criterion, Rater, Rating, Ratings, Unit
from rubrica.edits.annotated import AnnotatedPair
from rubrica.edits.score import published_score, score
from rubrica.edits.typology import Typology
from rubrica.exchange.score_units import JoinedScores
from rubrica.report.correlation import UNITS, Choices, Correlations, correlate, steps
from rubrica.report.correlation_data import Data, People, data_of

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


PREFIX = "edits_"
WEIGHTS = ("rubrica", "published")


def edit_ratings(
    pairs: Sequence[AnnotatedPair], typology: Typology, weights: str, metrics: Sequence[MetricValues] = ()
) -> Ratings:
    """Ratings whose criteria are ``edits_total``, ``edits_quality``, ``edits_error`` and ``edits_`` with each family.

    ``metrics`` are those that are registered in the study. A unit is called by the number or id of its entry where that
    tells pairs apart, else by what identifies its texts. Where no edit has a type and rating yet, as when edits are
    only selected, the annotator gave no score; edits without them beside others count as 0. Remarks say both.
    """
    scoring = score if weights == "rubrica" else published_score
    clear = (
        len({pair.name for pair in pairs})
        == len({(pair.name, pair.key) for pair in pairs})
        == len({pair.key for pair in pairs})
    )
    units: dict[str, Unit] = {}
    every: list[Rating] = []
    names: dict[str, None] = {}
    bare, counted = 0, 0
    for pair in pairs:
        unit = pair.name if clear else pair.key
        texts = {"source": pair.source, "rewrite": pair.rewrite}
        units.setdefault(unit, Unit(unit, pair.system, pair.source, texts=texts))
        found = scoring(pair, typology)
        if found.edits and found.edits == found.unscored:
            bare += 1
            continue
        counted += found.unscored
        parts = {"total": found.total, "quality": found.quality, "error": found.error, **found.families}
        answers = {PREFIX + name.lower(): value for name, value in parts.items()}
        names |= dict.fromkeys(answers)
        every.append(Rating(unit, pair.annotator, dict(answers)))
    return Ratings(
        "edits",
        tuple(Criterion(name, name.replace("_", " "), SCALE, INTERVAL) for name in names),
        tuple(every),
        units,
        {name: Rater(name) for name in dict.fromkeys(pair.annotator for pair in pairs)},
        {"weights": weights},
        metrics=tuple(metrics),
        remarks=_remarks(bare, len(pairs), counted),
    )


def _remarks(bare: int, pairs: int, counted: int) -> tuple[str, ...]:
    found = []
    if bare:
        found.append(f"{bare:,} of {pairs:,} annotations give no score: none of their edits has type and rating")
    if counted:
        found.append(f"edits without type or rating, beside others that have them, count as 0: {counted:,}")
    return tuple(found)
