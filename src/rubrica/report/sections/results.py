"""Results of the protocol: what a protocol asks for beyond ratings, agreement and comparison.

Results of protocols in which annotators write: how many texts, how long, in how many sentences.
"""

from __future__ import annotations

import numpy as np

from rubrica.core.ratings import TEXT, VERDICT, WORDS, Criterion
from rubrica.core.scales import RewrittenText
from rubrica.core.sentences import count_sentences
from rubrica.report.comparison_tables import review_by_figure
from rubrica.report.figures import Figures
from rubrica.report.gold_verdicts import needs_rewriting
from rubrica.report.prose import counted, decimal, listed, of, percent
from rubrica.report.sections.edits import edit_results
from rubrica.report.sections.section import Heading, Paragraph, Part, Section
from rubrica.report.sections.verdicts import crowd_trust, verdicts
from rubrica.report.sections.words import substitutes, word_complexity
from rubrica.report.tables import DECIMAL, WHOLE, Cell, Column, Table, retitled

ID, TITLE = "results", "Results of the protocol"
REVIEWS = ("breve", "claro")
SOURCE = "source"
"""The text of a review that was to be rewritten."""
COMPLEXITY = "lexical_complexity"


def results(figures: Figures) -> Section:
    """What this protocol's document asks for; or that it asks for nothing more."""
    subject = figures.subject
    protocol = subject.protocol
    parts: list[Part] = []
    if not subject.ratings.every:
        return Section(ID, TITLE, (Paragraph("There is no judgement yet.", "empty"),))
    if subject.edits is not None:
        parts += edit_results(figures)
    kinds = {one.kind for one in subject.ratings.criteria}
    if protocol and protocol.id in REVIEWS:
        parts += _review(figures)
    if protocol and any(one.kind == VERDICT for one in subject.ratings.criteria):
        parts += verdicts(figures, told=protocol.id not in REVIEWS)
    if subject.edits is None:
        parts += crowd_trust(figures)
    if protocol and protocol.id == COMPLEXITY:
        parts += word_complexity(figures)
    if WORDS in kinds:
        parts += substitutes(figures)
    if protocol and TEXT in kinds:
        parts += written(figures)
    if not parts:
        parts = [Paragraph("The protocol has no results of its own beyond ratings, agreement and comparison.", "empty")]
    return Section(ID, TITLE, tuple(parts))


def _review(figures: Figures) -> list[Part]:
    """Acceptance in its classes, severity, concerns, identical pairs, misses and unneeded rewrites."""
    found = figures.comparison
    if found is None:
        return []
    table = retitled(review_by_figure(found))
    parts: list[Part] = [Heading("Acceptance and need"), Paragraph(_accepted(figures), finding=True)]
    parts += [table] if table.rows else []
    return [*parts, Paragraph(_needing(figures))]


def _needing(figures: Figures) -> str:
    """How many source sentences needed rewriting; a file of ratings alone does not say which sentences there are."""
    ratings = figures.subject.ratings
    if any(not ratings.units[rating.unit].texts.get(SOURCE) for rating in ratings.standing):
        return f"How many source sentences needed rewriting cannot be said: items have no text {SOURCE!r}."
    decided = needs_rewriting(ratings)
    yes = sum(one.needed for one in decided.decided)
    undecided = f"; {counted(decided.undecided, 'sentence')} could not be decided" if decided.undecided else ""
    needing = of(yes, len(decided.decided), "source sentence")
    text = f"By the majority of their annotators, {needing} needed rewriting{undecided}."
    return f"{text} `rubrica aggregate` writes them as a corpus."


def _accepted(figures: Figures) -> str:
    whole = figures.distributions["acceptance"][-1]
    if not whole.total:
        return "No rewrite was accepted or rejected: acceptance was not applicable to any."
    shares = [f"{str(value).replace('_', ' ')} {percent(whole.share(value) or 0.0)}" for value in whole.counts]
    concern = figures.distributions["concern"][-1]
    seen = percent(concern.share("yes") or 0.0)
    worrying = f" Concerning content was seen in {seen} of judgements." if concern.total else ""
    away = counted(whole.not_applicable, "judgement")
    same = f" Acceptance was not applicable to {away} of identical pairs." if whole.not_applicable else ""
    return f"Of {counted(whole.total, 'decision')}: {listed(shares)}.{same}{worrying}"


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
