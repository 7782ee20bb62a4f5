"""Results of the protocol: what a protocol asks for beyond ratings, agreement and comparison."""

from __future__ import annotations

import attrs

from rubrica.core.ratings import TEXT, VERDICT, WORDS
from rubrica.report.comparison_tables import review_table
from rubrica.report.figures import Figures
from rubrica.report.gold_needs_rewriting import needs_rewriting
from rubrica.report.prose import counted, listed, of, percent
from rubrica.report.sections.edits import edit_results
from rubrica.report.sections.materials import NO_SYSTEM
from rubrica.report.sections.section import Heading, Paragraph, Part, Section
from rubrica.report.sections.verdicts import verdicts
from rubrica.report.sections.words import substitutes, word_complexity
from rubrica.report.sections.written import written
from rubrica.report.tables import PERCENT, Cell, Column, Table, retitled
from rubrica.report.tables import shown as shown_cell

ID, TITLE = "results", "Results of the protocol"
REVIEWS = ("breve", "claro")
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
    table = retitled(review_table(found))
    several = any(found.datasets)
    if not several and table.columns:
        table = _without_first(table)
    table = attrs.evolve(table, title="Acceptance, severity, concerns and need, by system")
    parts: list[Part] = [Heading("Acceptance and need"), Paragraph(_accepted(figures), finding=True)]
    parts += [_turned(table)] if table.rows else []
    decided = needs_rewriting(figures.subject.ratings)
    yes = sum(one.needed for one in decided.decided)
    undecided = f"; {counted(decided.undecided, 'sentence')} could not be decided" if decided.undecided else ""
    needing = of(yes, len(decided.decided), "source sentence")
    text = f"By the majority of their annotators, {needing} needed rewriting{undecided}."
    parts.append(Paragraph(f"{text} `rubrica aggregate` writes them as a corpus."))
    return parts


def _without_first(table: Table) -> Table:
    """Without the column of data sets, where there is none."""
    return attrs.evolve(table, columns=table.columns[1:], rows=tuple(row[1:] for row in table.rows))


def _turned(table: Table) -> Table:
    """The table with figures as rows and systems as columns, which fits a page."""
    with_data = table.columns[0].id == "dataset"
    names = [" ".join(str(part) for part in row[: 1 + with_data] if part) or NO_SYSTEM for row in table.rows]
    columns = [Column("figure", "Figure"), Column("unit", "Unit"), *(Column(f"system.{name}", name) for name in names)]
    rows: list[tuple[Cell, ...]] = []
    for index, column in enumerate(table.columns[1 + with_data :], start=1 + with_data):
        unit = "%" if column.kind == PERCENT else "mean"
        rows.append((column.title, unit, *(shown_cell(row[index], column) for row in table.rows)))
    return attrs.evolve(table, columns=tuple(columns), rows=tuple(rows))


def _accepted(figures: Figures) -> str:
    whole = figures.distributions["acceptance"][-1]
    if not whole.total:
        return "No rewrite was accepted or rejected: acceptance was not applicable to any."
    shares = [f"{str(value).replace('_', ' ')} {percent(whole.share(value) or 0.0)}" for value in whole.counts]
    concern = figures.distributions["concern"][-1]
    seen = percent(concern.share("yes") or 0.0)
    worrying = f" Concerning content was seen in {seen} of judgements." if concern.total else ""
    away = counted(whole.not_applicable, "judgement")
    same = f" It was not applicable to {away} of identical pairs." if whole.not_applicable else ""
    return f"Of {counted(whole.total, 'decision')}: {listed(shares)}.{same}{worrying}"
