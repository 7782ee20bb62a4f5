"""SALSA's sentence score as its authors' code computes it, for comparison with their figures; see ``score.py`` for
ours.

The weights were fitted by the authors and are not in the paper (Heineman et al., 2023). Three things here are odd and
kept on purpose: lexical and grammar errors have a positive weight, so that they raise the score; the size of an edit
looks at the last span of each side only, and is zero when both are equally long; the parts are computed by setting
other weights to zero, so that quality and error do not add up to the total where there are grammar errors.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from rubrica.edits.annotated import AnnotatedPair, WholeEdit, whole_edits
from rubrica.edits.score import Scores, unscored
from rubrica.edits.typology import ERROR, Classified, Typology, information

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
