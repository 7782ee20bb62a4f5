"""A score of a rewrite from its edits: good edits add to it, errors take from it, each by its rating and its size.

An edit is worth *weight x rating x size*. Weights are positive for quality and negative for errors; the rating is 1 to
3; the size is the percentage of both texts' characters that the edit covers, all spans counted. The score is the plain
sum, so it splits without rest into quality and error and into families. `design/006-edit-scores.md` has the reasons;
the authors' own formula is in ``published_score.py``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import attrs

from rubrica.core.edits import SIDES
from rubrica.edits.annotated import AnnotatedPair, WholeEdit, covered, whole_edits
from rubrica.edits.typology import ERROR, QUALITY, Classified, Typology

QUALITY_WEIGHT = 1.0
ERROR_WEIGHT = -2.0
"""An error weighs twice as much as a success of the same rating and size."""
GRAMMAR_RATING = 1
"""Nobody is asked how bad a grammar error is, so it counts as a minor one, on top of what the edit is otherwise."""


@attrs.frozen
class Scores:
    """The score of one rewrite and its parts. ``unscored`` edits have no type yet, or no rating although one is due."""

    total: float
    quality: float
    error: float
    families: dict[str, float]
    edits: int
    unscored: int


@attrs.frozen
class Worth:
    """What one edit adds to a side and a family."""

    side: str
    family: str
    value: float


def score(pair: AnnotatedPair, typology: Typology) -> Scores:
    """The score of a rewrite; 0 without edits."""
    edits = whole_edits(pair.edits)
    found = [(whole, typology.classify(whole.edit)) for whole in edits]
    worths = [worth for whole, what in found for worth in worths_of(pair, whole, what)]
    sides = {side: math.fsum(worth.value for worth in worths if worth.side == side) for side in (QUALITY, ERROR)}
    families = {
        family: math.fsum(worth.value for worth in worths if worth.family == family) for family in typology.families
    }
    total = math.fsum(sides.values())
    return Scores(total, sides[QUALITY], sides[ERROR], families, len(edits), unscored(what for _, what in found))


def worths_of(pair: AnnotatedPair, whole: WholeEdit, what: Classified) -> list[Worth]:
    """What an edit is worth, for each type that it has; trivial changes without a rating are worth nothing."""
    length = size(pair, whole)
    found = [Worth(kind.side, kind.family, ERROR_WEIGHT * GRAMMAR_RATING * length) for kind in what.added]
    if what.kind is not None and what.rating is not None:
        weight = QUALITY_WEIGHT if what.side == QUALITY else ERROR_WEIGHT
        found.append(Worth(what.side, what.kind.family, weight * what.rating * length))
    return found


def size(pair: AnnotatedPair, whole: WholeEdit) -> float:
    """The percentage of characters, of source and rewrite together, that the edit covers; 0 without text."""
    lengths = {side: len(pair.text(side)) for side in SIDES}
    together = sum(lengths.values())
    reached = sum(covered(whole.spans(side), lengths[side]) for side in SIDES)
    return 100 * reached / together if together else 0.0


def unscored(found: Iterable[Classified]) -> int:
    """How many edits say too little to be scored."""
    return sum(what.kind is None or (what.rating is None and not what.trivial) for what in found)


def mean_scores(scores: Sequence[Scores]) -> Scores | None:
    """The means over rewrites, and the sums of edits; None without any."""
    if not scores:
        return None
    many = len(scores)
    return Scores(
        total=math.fsum(one.total for one in scores) / many,
        quality=math.fsum(one.quality for one in scores) / many,
        error=math.fsum(one.error for one in scores) / many,
        families={family: math.fsum(one.families[family] for one in scores) / many for family in scores[0].families},
        edits=sum(one.edits for one in scores),
        unscored=sum(one.unscored for one in scores),
    )
