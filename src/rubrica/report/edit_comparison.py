"""Systems side by side by their edits: scores, and how many edits of each type a simplification has.

What the two charts of SALSA (Heineman et al., EMNLP 2023, Figures 2 and 3) show, with intervals, and the scores of
systems with paired tests: the same engine as for answers, which resamples sources and pairs systems by them. A figure
is a sum over annotations divided by how many annotations there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs
import numpy as np

from rubrica.edits.annotated import AnnotatedPair
from rubrica.edits.score import Scores, score
from rubrica.edits.summary import Summary, summarise
from rubrica.edits.typology import ERROR, QUALITY, Kind, Typology, name_on, placed
from rubrica.report.comparison import Choices, Comparison, Sums, compare_sums
from rubrica.report.comparison_measures import NO_SYSTEM, Measure
from rubrica.report.sections.section import MarkedEdits

EDITS = "edits"
SCORE, PER_SIMPLIFICATION = "score", "per_simplification"
"""Figures of edits: what a rewrite is worth, and how many edits it has."""
SIDES = {QUALITY: "Quality edits", ERROR: "Error edits"}

Counting = Callable[[Summary, Scores], float]


@attrs.frozen
class EditMeasure(Measure):
    """A figure of edits. It is counted of one annotation, by ``of``."""

    of: Counting = attrs.field(default=lambda summary, scores: 0.0, eq=False, repr=False, kw_only=True)


def _measure(figure: str, answer: str, title: str, of: Counting, *, main: bool = False, sign: int = 0) -> EditMeasure:
    return EditMeasure(
        EDITS, figure, title, lambda _: (0, 0), answer, percent=False, per="annotations", main=main, sign=sign, of=of
    )


def edit_measures(typology: Typology) -> list[EditMeasure]:
    """The score and its parts, the edits of each side, then those of each type. The score and the sides are tested."""
    found = [
        _measure(SCORE, "", "Score", lambda _, scores: scores.total, main=True, sign=1),
        _measure(SCORE, QUALITY, "Score, quality", lambda _, scores: scores.quality),
        _measure(SCORE, ERROR, "Score, error", lambda _, scores: scores.error),
    ]
    found += [_measure(SCORE, family, f"Score, {family}", _worth_of(family)) for family in typology.families]
    for side, title in SIDES.items():
        better = int(side == QUALITY)
        found.append(_measure(PER_SIMPLIFICATION, side, title, _edits_on(side), main=True, sign=better))
    for side in SIDES:
        for family in typology.families:
            found.append(family_measure(family, side))
    for kind, side in placed(typology.kinds):
        found.append(type_measure(kind, side))
    return found


def _worth_of(family: str) -> Counting:
    return lambda _, scores: scores.families[family]


def _edits_on(side: str) -> Counting:
    return lambda summary, _: summary.sides[side]


def family_measure(family: str, side: str) -> EditMeasure:
    """How many edits of a family a simplification has on this side."""
    title = f"{SIDES[side]}, {family}"
    return _measure(PER_SIMPLIFICATION, f"{side}.{family}", title, lambda summary, _: summary.families[family, side])


def type_measure(kind: Kind, side: str) -> EditMeasure:
    """How many edits of a type a simplification has on this side."""
    return _measure(
        PER_SIMPLIFICATION,
        f"{side}.{kind.id}",
        name_on(kind, side),
        lambda summary, _: summary.placed[kind.name, side],
    )


def compare_edits(edits: MarkedEdits, stage: str, chosen: Choices) -> Comparison:
    """The systems of a stage, compared by the edits that annotators marked in their rewrites."""
    measures = edit_measures(edits.typology)
    sums = _sums(edits.stages[stage], edits.typology, measures)
    return compare_sums([sums], measures, chosen, edits.sign(stage, **chosen.signed(), edits="compare"))


def _sums(pairs: Sequence[AnnotatedPair], typology: Typology, measures: Sequence[EditMeasure]) -> Sums:
    systems = list(dict.fromkeys(pair.system for pair in pairs))
    sources = {source: place for place, source in enumerate(sorted({pair.source for pair in pairs}))}
    above = np.zeros((len(sources), len(systems), len(measures)))
    below = np.zeros_like(above)
    for pair in pairs:
        place = sources[pair.source], systems.index(pair.system)
        counted, worth = summarise([pair], typology), score(pair, typology)
        above[place] += [measure.of(counted, worth) for measure in measures]
        below[place] += 1
    annotations = [sum(pair.system == system for pair in pairs) for system in systems]
    rewrites = [len({pair.key for pair in pairs if pair.system == system}) for system in systems]
    names = tuple(system or NO_SYSTEM for system in systems)
    return Sums("", names, tuple(sources), above, below, tuple(annotations), tuple(rewrites))
