"""Disputed items: those on which annotators differ most, with their texts and every answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.ratings import VERDICT, Criterion, Rating, Unit
from rubrica.core.text_helpers import shortened
from rubrica.core.texts import shown
from rubrica.report.agreement_parts import Disputed, disputed_table
from rubrica.report.anonymous import alias_order
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, decimal, listed, sentence
from rubrica.report.sections.section import Case, Line, Paragraph, Part, Section
from rubrica.report.tables import retitled

ID, TITLE = "disputed", "Disputed items"
LEAST = 0.005
LONGEST = 600
"""Characters of a text that are shown; the whole text is in the items."""


def disputed(figures: Figures) -> Section:
    """The most disputed items over all questions; or why there are none."""
    rows = [row for row in figures.disputed if row.criterion.kind != VERDICT and row.disagreement > LEAST]
    if not rows:
        return Section(ID, TITLE, (Paragraph(_why_nothing(figures), "empty"),))
    subject = figures.subject
    ranked = _ranked(rows)
    chosen = ranked[: subject.choices.disputed]
    total = len({row.unit.key for row in rows})
    text = (
        f"On {counted(total, 'item')} annotators gave different answers; {counted(len(chosen), 'item')} "
        f"{'is' if len(chosen) == 1 else 'are'} shown with every answer, the most disputed first. Disagreement is 0 "
        "where all agree and 1 where two answers are as far apart as two drawn from all; it is added over questions. "
        "Read these items before trusting a figure: they show what the guidelines leave open."
    )
    parts: list[Part] = [Paragraph(text)]
    by_unit: dict[str, list[Rating]] = {}
    for rating in subject.ratings.counted:
        by_unit.setdefault(rating.unit, []).append(rating)
    labels = {field.id: shown(field.label, "en") for field in subject.protocol.fields} if subject.protocol else {}
    asked = [one for one in figures.subject.ratings.criteria if one.comparable and one.kind != VERDICT]
    for said in by_unit.values():
        said.sort(key=lambda rating: alias_order(rating.rater))
    parts += [_case(unit, found, by_unit[unit.key], labels, asked) for unit, found in chosen]
    signed = subject.ratings.sign_chosen(table="disputed")
    by_alias = [attrs.evolve(row, answers=tuple(sorted(row.answers, key=_alias))) for row in rows]
    table = attrs.evolve(
        retitled(disputed_table(by_alias, signed)), id=ID, title="Most disputed items of each question"
    )
    return Section(ID, TITLE, tuple(parts), (table,))


def _alias(said: tuple[str, Answer]) -> tuple[int, str]:
    return alias_order(said[0])


def _why_nothing(figures: Figures) -> str:
    ratings = figures.subject.ratings
    if not any(one.comparable and one.kind != VERDICT for one in ratings.criteria):
        return "The protocol asks no question whose answers could be compared, so no item can be disputed."
    if not any(row.pairable for row in figures.agreement):
        return "No item has two judgements of the same question yet, so none can be disputed."
    return "Annotators gave the same answers to every item that two of them judged."


def _ranked(rows: Sequence[Disputed]) -> list[tuple[Unit, dict[str, float]]]:
    """Items by their disagreement over all questions, the largest first."""
    found: dict[str, tuple[Unit, dict[str, float]]] = {}
    for row in rows:
        found.setdefault(row.unit.key, (row.unit, {}))[1][row.criterion.label] = row.disagreement
    return sorted(found.values(), key=lambda one: -sum(one[1].values()))


def _case(
    unit: Unit,
    found: Mapping[str, float],
    said: Sequence[Rating],
    labels: Mapping[str, str],
    asked: Sequence[Criterion],
) -> Case:
    worst = [f"{label} {decimal(value)}" for label, value in sorted(found.items(), key=lambda one: -one[1])]
    title = f"Item {unit.key}" + (f", {unit.system}" if unit.system else "")
    return Case(
        title,
        f"Disagreement: {listed(worst)}.",
        tuple(
            Line(labels.get(name, sentence(name)), shortened(text, LONGEST))
            for name, text in unit.texts.items()
            if text
        ),
        tuple(
            Line(criterion.label, "; ".join(_answer(one, criterion) for one in said if criterion.id in one.answers))
            for criterion in asked
            if any(criterion.id in rating.answers for rating in said)
        ),
    )


def _answer(rating: Rating, criterion: Criterion) -> str:
    return f"{rating.rater}: {_shown(rating.answers[criterion.id], criterion)}"


def _shown(answer: Answer, criterion: Criterion) -> str:
    if answer is NOT_APPLICABLE:
        return "not applicable"
    if isinstance(answer, tuple):
        return ", ".join(answer) or ("none simpler" if criterion.blank else "none")
    return str(answer).replace("_", " ")
