"""A score of a rewrite from its edits: ours, and SALSA's as its authors' code computes it.

Good edits add to it, errors take from it, each by its rating and its size. An edit is worth *weight x rating x size*.
Weights are positive for quality and negative for errors; the rating is 1 to 3; the size is the percentage of both
texts' characters that the edit covers, all spans counted. The score is the plain sum, so it splits without rest into
^quality and error and into families. `design/006-edit-scores.md` has the reasons.

The authors' own formula is :func:`published_score`, for comparison with their figures. Its weights were fitted by the
authors and are not in the paper (Heineman et al., 2023). Three things there are odd and kept on purpose: lexical and
grammar errors have a positive weight, so that they raise the score; the size of an edit looks at the last span of each
side only, and is zero when both are equally long; the parts are computed by setting other weights to zero, so that
quality and error do not add up to the total where there are grammar errors.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

import attrs

from rubrica.core.edits import SIDES
from rubrica.edits.annotated import AnnotatedPair, WholeEdit, covered, whole_edits
from rubrica.edits.typology import ERROR, QUALITY, Classified, Typology, information

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


WEIGHTS = {
    "good_deletion": 5.1956,
    "good_insertion": 5.1956,
    "good_trivial_insertion": 0.0,
    "good_paraphrase": 10.7592,
    "good_syntax": 5.4917,
    "content_error": -5.7967,
    "syntax_error": -5.0520,
    "lexical_error": 6.1286,
    "grammar_error": 6.1286,
}
ERRORS = {"Conceptual": "content_error", "Syntax": "syntax_error", "Lexical": "lexical_error"}
"""The weight of an error by the family of its type."""
QUALITY_PARTS = ("good_deletion", "good_insertion", "good_trivial_insertion", "good_paraphrase", "good_syntax")
ERROR_PARTS = ("content_error", "syntax_error", "lexical_error")
FAMILY_PARTS = {
    "Conceptual": ("good_deletion", "good_insertion", "content_error"),
    "Syntax": ("good_syntax", "syntax_error"),
    "Lexical": ("good_paraphrase", "good_trivial_insertion", "lexical_error", "grammar_error"),
}


def published_score(pair: AnnotatedPair, typology: Typology) -> Scores:
    """The score and its parts; an edit without a rating is worth nothing."""
    edits = [(whole, typology.classify(whole.edit)) for whole in whole_edits(pair.edits)]

    def total(kept: Collection[str]) -> float:
        return math.fsum(edit_score(pair, whole, what, kept) for whole, what in edits)

    return Scores(
        total=total(WEIGHTS),
        quality=total(QUALITY_PARTS),
        error=total(ERROR_PARTS),
        families={family: total(FAMILY_PARTS.get(family, ())) for family in typology.families},
        edits=len(edits),
        unscored=unscored(what for _, what in edits),
    )


def edit_score(pair: AnnotatedPair, whole: WholeEdit, what: Classified, kept: Collection[str]) -> float:
    """What one edit is worth when only the ``kept`` weights are not zero."""

    def weight(name: str) -> float:
        return WEIGHTS[name] if name in kept else 0.0

    value = float(what.rating or 0)
    wrong = what.side == ERROR and not what.trivial
    if what.kind is not None and not wrong:
        value *= weight(_bonus(whole, what))
    if what.added:
        value = abs(value) * weight("grammar_error")
    elif what.kind is not None and wrong:
        value = abs(value) * weight(ERRORS[what.kind.family])
    return value * (math.exp(published_size(pair, whole)) - 1)


def published_size(pair: AnnotatedPair, whole: WholeEdit) -> float:
    """How much longer or shorter the last span became, as a share of the source's characters."""
    last = [spans[-1] if (spans := whole.spans(side)) else None for side in ("source", "rewrite")]
    before, after = (span.end - span.start if span else 0 for span in last)
    return abs(after - before) / len(pair.source) if pair.source else 0.0


def _bonus(whole: WholeEdit, what: Classified) -> str:
    """The weight of a quality edit or a trivial one, by what it does to the information.

    A trivial insertion that helps is rated, and the authors' code takes it as information added like any other.
    """
    match information(whole.edit):
        case "less":
            return "good_deletion"
        case "more":
            return "good_insertion" if what.rating is not None else "good_trivial_insertion"
    return "good_paraphrase" if whole.edit.operation == "substitution" else "good_syntax"
