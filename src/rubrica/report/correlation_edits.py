"""Scores from edits as what people said: the side that metrics are held against where edits were marked.

The score of a rewrite follows from the edits that an annotator marked (``edits/score.py``): in total, quality and error
apart, and by family. Each is a criterion, each annotator a rater, so that all else is as for ratings.
"""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.core.metric_values import MetricValues
from rubrica.core.ratings import INTERVAL, SCALE, Criterion, Rater, Rating, Ratings, Unit
from rubrica.edits.annotated import AnnotatedPair
from rubrica.edits.score import published_score, score
from rubrica.edits.typology import Typology

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
