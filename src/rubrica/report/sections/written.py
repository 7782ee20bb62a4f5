"""Results of protocols in which annotators write: how many texts, how long, in how many sentences."""

from __future__ import annotations

import numpy as np

from rubrica.core.ratings import TEXT, Criterion
from rubrica.core.scales import RewrittenText
from rubrica.core.sentences import count_sentences
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, decimal
from rubrica.report.sections.section import Heading, Paragraph, Part
from rubrica.report.tables import DECIMAL, WHOLE, Cell, Column, Table


def written(figures: Figures) -> list[Part]:
    """Rewrites that annotators wrote; remarks are no results and are not counted here."""
    subject = figures.subject
    protocol = subject.protocol
    assert protocol is not None
    rows: list[tuple[Cell, ...]] = []
    for criterion in subject.ratings.criteria:
        question = protocol.questions_by_id.get(criterion.id)
        if criterion.kind == TEXT and question and isinstance(protocol.scale_of(question), RewrittenText):
            rows += _row(figures, criterion)
    if not rows:
        return []
    columns = (
        Column("question", "Question"),
        Column("texts", "Texts", WHOLE),
        Column("different", "Different", WHOLE),
        Column("words", "Words, median", DECIMAL, 0),
        Column("sentences", "Sentences, mean", DECIMAL),
    )
    texts = sum(int(str(row[1])) for row in rows)
    said = f"Annotators wrote {counted(texts, 'text')}"
    said += f", {decimal(float(str(rows[0][4])))} sentences each on average." if len(rows) == 1 else "."
    note = "`rubrica export` has the texts themselves."
    signed = subject.ratings.sign(table="written")
    table = Table("written", "Texts that annotators wrote", columns, tuple(rows), note, signed)
    return [Heading("Texts that annotators wrote"), Paragraph(said, finding=not figures.questions), table]


def _row(figures: Figures, criterion: Criterion) -> list[tuple[Cell, ...]]:
    given = [rating.answers.get(criterion.id) for rating in figures.subject.ratings.counted]
    texts = [answer for answer in given if isinstance(answer, str)]
    if not texts:
        return []
    words = [len(text.split()) for text in texts]
    sentences = [count_sentences(text) for text in texts]
    return [(criterion.label, len(texts), len(set(texts)), float(np.median(words)), float(np.mean(sentences)))]
