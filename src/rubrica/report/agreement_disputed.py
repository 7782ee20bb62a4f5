"""The most disputed units of each question, with the answers that raters gave."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import attrs
import numpy as np

from rubrica.core.answers import NO_SIMPLER_WORD, Answer
from rubrica.core.ratings import Criterion, Ratings, Unit, given
from rubrica.report.tables import DECIMAL, Cell, Column, Table
from rubrica.stats.agreement.krippendorff_alpha import disputes, krippendorff_alpha
from rubrica.stats.agreement.measures import MEASURES, unsuited
from rubrica.stats.coded import Coded, coded

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
