"""Verdicts: what follows from the answers by the protocol's rules, and how far that can be trusted.

The chart is Figure 1 of Zhang et al. (2020): how often an expert says *correct* of outputs of which so many raters do.
"""

from __future__ import annotations

from collections import Counter

import attrs

from rubrica.core.ratings import VERDICT
from rubrica.core.texts import shown
from rubrica.report.crowd_reliability import (
    USUAL,
    CrowdReliability,
    chart_rows,
    group_table,
    raters_table,
    reliability_chart,
)
from rubrica.report.figures import Figures
from rubrica.report.gold_verdicts import of_items
from rubrica.report.prose import counted, listed, percent, sentence
from rubrica.report.sections.agreement import of_verdicts
from rubrica.report.sections.materials import system_name
from rubrica.report.sections.section import Chart, Heading, Paragraph, Part
from rubrica.report.tables import PERCENT, WHOLE, Cell, Column, Table, retitled

Votes = dict[str, Counter[str]]
"""By system, how often a verdict is yes and no."""
COLUMNS = (
    Column("verdict", "Verdict"),
    Column("of", "Of"),
    Column("system", "System"),
    Column("yes", "Yes", WHOLE),
    Column("decided", "Decided", WHOLE),
    Column("share", "Share %", PERCENT, 0),
)
TRUST = "How far the crowd can be trusted"
NOTE = "A verdict follows from the answers by the protocol's rule; what it leaves open does not count."


def verdicts(figures: Figures, *, told: bool) -> list[Part]:
    """Shares of every verdict by system, and agreement on them; ``told`` makes them a finding of the summary."""
    subject = figures.subject
    assert subject.protocol is not None
    labels = {verdict.id: shown(verdict.label, "en") for verdict in subject.protocol.verdicts}
    decided, undecided = _of_items(figures)
    said: list[str] = []
    rows: list[tuple[Cell, ...]] = []
    for noun, found in (("judgement", _of_judgements(figures)), ("item", decided)):
        for name, votes in found.items():
            total: Counter[str] = sum(votes.values(), Counter())
            if total.total():
                said.append(
                    f"{labels[name]}: {percent(total['yes'] / total.total())} of {counted(total.total(), noun)}"
                )
                rows += _rows(labels[name], f"{noun}s", votes)
    parts: list[Part] = [Heading("Verdicts")]
    parts.append(Paragraph(f"{sentence('; '.join(said))}." if said else "No verdict could be decided.", finding=told))
    left = [f"{labels[name]} for {counted(number, 'item')}" for name, number in undecided.items()]
    if left:
        parts.append(Paragraph(f"Too few judgements decide {listed(left)}."))
    if rows:
        signed = subject.ratings.sign(table="verdicts")
        parts.append(Table("verdicts", "Verdicts by system", COLUMNS, tuple(rows), NOTE, signed))
    agreed = of_verdicts(figures)
    return [*parts, agreed] if agreed else parts


def crowd_trust(figures: Figures) -> list[Part]:
    """When so many of the crowd give the verdict, how often does an expert: in words, as a table and as a chart.

    Where the protocol has the verdict *correct* and no expert judged a sample, what to do; nothing for others.
    """
    found, subject = figures.reliability, figures.subject
    if found is None:
        if not any(one.id == USUAL and one.kind == VERDICT for one in subject.ratings.criteria):
            return []
        name = subject.facts.name if subject.facts else "FILE"
        draw = f"`rubrica reliability sample {name}` draws one."
        return [Heading(TRUST), Paragraph(f"No expert has judged a sample of the outputs: {draw}", "empty")]
    table = attrs.evolve(retitled(group_table(found)), id="reliability")
    said = found.sentences()
    parts: list[Part] = [Heading(TRUST), *(Paragraph(text.replace("*", ""), finding=True) for text in said), table]
    rows = chart_rows(found)
    title = f"How often an expert says {found.verdict.name}"
    alt = f"Densities from 0 to 100 %, a line for each group: {'; '.join(_shares(found))}."
    below = "density of the expert's share, Beta(k + 1, n − k + 1); a line for each number of raters"
    chart = Chart("crowd_reliability", title, alt, reliability_chart(found, rows, below), table.id, found.signature)
    return [*parts, *([chart] if rows else []), _by_raters(found)]


def _by_raters(found: CrowdReliability) -> Table:
    """What each number of raters is worth, with its cost where the price of a rating is known."""
    table = attrs.evolve(retitled(raters_table(found)), id="reliability_raters")
    if found.price is not None:
        return table
    return attrs.evolve(table, columns=table.columns[:-1], rows=tuple(row[:-1] for row in table.rows))


def _shares(found: CrowdReliability) -> list[str]:
    return [
        f"{group.said} of {group.of}: mean {percent(group.share.mean.value)}"
        for group in found.groups
        if group.share.mean.value is not None
    ]


def _of_judgements(figures: Figures) -> dict[str, Votes]:
    """By verdict, over all judgements that decide it."""
    ratings = figures.subject.ratings
    names = [one.id for one in ratings.criteria if one.kind == VERDICT]
    found: dict[str, Votes] = {name: {} for name in names}
    for rating in figures.subject.ratings.standing:
        for name in names:
            for system in ratings.units[rating.unit].credited if name in rating.answers else ():
                found[name].setdefault(system, Counter())[str(rating.answers[name])] += 1
    return found


def _of_items(figures: Figures) -> tuple[dict[str, Votes], Counter[str]]:
    """By verdict, over items; and how many items too few judgements decide."""
    found: dict[str, Votes] = {}
    undecided: Counter[str] = Counter()
    for unit, name, gold in of_items(figures.subject.ratings):
        if gold.value is None:
            undecided[name] += 1
        for system in unit.credited if gold.value is not None else ():
            found.setdefault(name, {}).setdefault(system, Counter())[str(gold.value)] += 1
    return found, undecided


def _rows(label: str, of: str, votes: Votes) -> list[tuple[Cell, ...]]:
    """A row for each system, and one for all if there are several."""
    named = {system_name(system, votes): counts for system, counts in votes.items()}
    if len(named) > 1:
        named["all systems"] = sum(votes.values(), Counter())
    return [
        (label, of, name, counts["yes"], counts.total(), counts["yes"] / counts.total())
        for name, counts in named.items()
    ]
