"""Results of an edit protocol: agreement as in SALSA's Table 2, edits by type and system, scores of rewrites.

Everything is computed by the modules behind `rubrica edits agree`, `summary` and `score`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.edits.score import score
from rubrica.edits.summary import Summary, summarise, summarise_by
from rubrica.edits.typology import ERROR, QUALITY, name_on, placed
from rubrica.report.comparison import Comparison
from rubrica.report.comparison_measures import NO_SYSTEM, Measure
from rubrica.report.edit_agreement import (
    SelectionAgreement,
    matched_edits,
    rating_agreement,
    selection_agreement,
    span_agreement,
    type_agreement,
)
from rubrica.report.edit_comparison import FILES, PER_SIMPLIFICATION, SCORE, TITLES, edit_chart, type_measure
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, decimal, listed, percent, sentence
from rubrica.report.sections.comparison import ordered_systems
from rubrica.report.sections.section import Chart, Heading, MarkedEdits, Paragraph, Part
from rubrica.report.tables import DECIMAL, PERCENT, TEXT, WHOLE, Cell, Column, Estimate, Table
from rubrica.stats.bootstrap import Interval
from rubrica.stats.statistic import Statistic

OVERLAP = 0.5
"""Edits that share this much of their characters are the same, as `rubrica edits agree` has it by default."""


def edit_results(figures: Figures) -> list[Part]:
    """Agreement on selection, then what the edits are, then scores; or why there is nothing."""
    edits, compared = figures.subject.edits, figures.comparison
    if edits is None or not edits.stages or compared is None:
        return [Paragraph("Nobody has marked any edit yet.", "empty")]
    stages = list(edits.stages)
    first, last = stages[0], stages[-1]
    parts: list[Part] = [Heading("Agreement on edits"), *_agreement(figures, edits, first), *_judged_alike(edits, last)]
    parts += [Heading("Edits by type"), *_types(edits, last, compared)]
    parts += [Heading("Scores"), *_scores(edits, last, compared)]
    return parts


def _agreement(figures: Figures, edits: MarkedEdits, stage: str) -> list[Part]:
    chosen = figures.subject.choices
    pairs = edits.stages[stage]
    table = selection_agreement(pairs, replicates=chosen.replicates, seed=chosen.seed)
    spans = span_agreement(pairs, least=OVERLAP, replicates=chosen.replicates, seed=chosen.seed)
    if table.annotators is None:
        why = f"At the stage {stage} no pair was marked by two annotators, so agreement is undefined."
        return [Paragraph(why, "empty")]
    signed = edits.sign(
        stage,
        edits="agree",
        annotators=table.annotators,
        bootstrap=chosen.replicates,
        overlap=OVERLAP,
        seed=chosen.seed,
    )
    text = (
        f"At the stage {stage}, {counted(table.pairs, 'pair')} with {counted(table.annotators, 'annotator')} each "
        f"({table.tokens:,} tokens) count; {counted(table.left_out, 'other pair')} had another number. Two annotators "
        f"mark the same edit to the character with F1 {_interval(spans.exact, spans.exact_interval)}, and one that "
        f"overlaps by half with F1 {_interval(spans.overlapping, spans.overlapping_interval)}."
    )
    return [Paragraph(text, finding=True), _selection(table, signed)]


def _interval(value: Statistic, interval: Interval) -> str:
    low, high = interval.low, interval.high
    ends = f" [{decimal(low)}, {decimal(high)}]" if low.value is not None and high.value is not None else ""
    return f"{decimal(value)}{ends}"


def _selection(found: SelectionAgreement, signed: str) -> Table:
    rows = tuple(
        (
            row.label.edit,
            row.label.subtype,
            Estimate(row.kappa, row.interval.low, row.interval.high),
            row.alpha,
            row.three_share,
            row.two_share,
            row.tokens,
        )
        for row in found.rows
    )
    columns = (
        Column("edit", "Edit"),
        Column("subtype", "Sub-type"),
        Column("kappa", "Fleiss’ kappa [95 %]", DECIMAL),
        Column("alpha", "Krippendorff’s alpha", DECIMAL),
        Column("three_agree", "3 agree %", PERCENT, 0),
        Column("two_agree", "2 agree %", PERCENT, 0),
        Column("tokens", "Tokens", WHOLE),
    )
    note = "In the form of SALSA's Table 2: per token, over source and rewrite; per cents are of tokens with the label."
    return Table("edit_agreement", "Agreement on the selection of edits", columns, rows, note, signed)


def _judged_alike(edits: MarkedEdits, stage: str) -> list[Part]:
    """Whether annotators say the same of an edit that they share: its type, and how it is rated."""
    matches = matched_edits(edits.stages[stage], OVERLAP)
    rows = [
        (what, alike.matched, alike.share, alike.alpha, alike.difference)
        for what, alike in (
            ("type", type_agreement(matches, edits.typology)),
            ("rating, 1 to 3", rating_agreement(matches, edits.typology)),
        )
    ]
    if not matches:
        return []
    columns = (
        Column("what", "What"),
        Column("matched", "Shared edits", WHOLE),
        Column("share", "The same %", PERCENT, 0),
        Column("alpha", "Krippendorff’s alpha", DECIMAL),
        Column("difference", "Mean difference", DECIMAL),
    )
    note = (
        f"At the stage {stage}: edits of two annotators that overlap by half or more, each pair of annotators "
        "counted; ratings only where both put the edit on the same side."
    )
    signed = edits.sign(stage, edits="agree", overlap=OVERLAP)
    return [Table("edit_judged_alike", "Agreement on types and ratings", columns, tuple(rows), note, signed)]


def _types(edits: MarkedEdits, stage: str, compared: Comparison) -> list[Part]:
    pairs = edits.stages[stage]
    whole = summarise(pairs, edits.typology)
    named = summarise_by(pairs, edits.typology, lambda pair: pair.system or NO_SYSTEM)
    groups = {name: named[name] for name in _by_score(compared)}
    if not whole.edits:
        return [Paragraph(f"At the stage {stage} there is no edit.", "empty")]
    text = (
        f"At the stage {stage}, {counted(whole.annotations, 'annotation')} of {counted(whole.pairs, 'pair')} "
        f"hold {counted(whole.edits, 'edit')}, {decimal(whole.per_sentence(whole.edits))} per annotation: "
        f"{counted(whole.sides[QUALITY], 'success', 'successes')} and {counted(whole.sides[ERROR], 'error')}"
    )
    text += " (a grammar error counts on top of what an edit is otherwise)." if whole.types["Grammar"] else "."
    if whole.typed:
        most = [name for name, _ in whole.types.most_common(3)]
        text += f" Most frequent: {listed(f'{name} ({percent(whole.share(name) or 0.0)})' for name in most)}."
    parts: list[Part] = [Paragraph(text, finding=True)]
    if whole.untyped:
        parts.append(Paragraph(f"{counted(whole.untyped, 'edit')} without a type: their questions are open."))
    table = _type_table(whole, compared)
    parts += [table, _side_table(groups, compared)]
    return [*parts, *(_chart(groups, side, compared, table) for side in (QUALITY, ERROR) if whole.sides[side])]


def _chart(groups: dict[str, Summary], side: str, compared: Comparison, table: Table) -> Chart:
    """Figure 2 or 3 of the paper."""
    title = f"{TITLES[side]} per simplification, by type and system"
    shown = edit_chart(groups, side, "bars: mean over annotations; lines: 95 %, bootstrap over sources", compared)
    said = [
        f"{name} {decimal(group.per_sentence(group.sides[side]))} per simplification" for name, group in groups.items()
    ]
    alt = f"Bars by family, a row for each system, their parts are types: in all, {listed(said)}."
    return Chart(FILES[side].replace("-", "_"), title, alt, shown, table.id, table.signature)


def _type_table(whole: Summary, compared: Comparison) -> Table:
    """A row for each type and side on which its edits count, a column for each system."""
    systems = _by_score(compared)
    seen = placed(whole.kinds)
    rows: list[tuple[Cell, ...]] = []
    for kind, side in seen:
        number = whole.placed[kind.name, side]
        if not number:
            continue
        mean = whole.placed_ratings[kind.name, side].mean
        rows.append(
            (
                name_on(kind, side),
                kind.family,
                side,
                *(_estimate(compared, name, type_measure(kind, side)) for name in systems),
                number,
                number / whole.typed if whole.typed else None,
                mean if mean is not None else Statistic(None, "edits of this type are not rated"),
            )
        )
    columns = [
        Column("type", "Type"),
        Column("family", "Family"),
        Column("side", "Side"),
        *(Column(f"system.{name}", _heading(name), DECIMAL) for name in systems),
        Column("edits", "Edits", WHOLE),
        Column("share", "Share %", PERCENT, 1),
        Column("rating", "Mean rating", DECIMAL),
    ]
    missing = len(seen) - len(rows)
    note = (
        "Edits per simplification [95 %, bootstrap over sources]; ratings from 1 (minor) to 3 (a lot). A change "
        "without impact, splits and reorders included, is trivial and stands among the successes; a trivial insertion "
        f"that does not help stands among the errors. {sentence(counted(missing, 'type'))} without any edit left out."
    )
    return Table("edit_types", "Edits by type and system", tuple(columns), tuple(rows), note, compared.signature)


def _heading(system: str) -> str:
    return "Per simplification" if system == NO_SYSTEM else system


def _estimate(compared: Comparison, system: str, measure: Measure) -> Cell:
    figure = compared.of("", system, measure)
    return figure.estimate if figure else None


def _side_table(groups: dict[str, Summary], compared: Comparison) -> Table:
    none = Statistic(None, "nothing was rated")
    sides = [measure for measure in compared.measures if measure.answer in (QUALITY, ERROR)]
    each = {measure.answer: measure for measure in sides if measure.figure == PER_SIMPLIFICATION}
    rows = [
        (
            name,
            group.annotations,
            group.edits,
            *(_estimate(compared, name, each[side]) for side in (QUALITY, ERROR)),
            *(rated if (rated := group.side_ratings[side].mean) is not None else none for side in (QUALITY, ERROR)),
        )
        for name, group in groups.items()
    ]
    columns = (
        Column("system", "System", TEXT),
        Column("annotations", "Annotations", WHOLE),
        Column("edits", "Edits", WHOLE),
        Column("quality", "Successes per simplification [95 %]", DECIMAL),
        Column("error", "Errors per simplification [95 %]", DECIMAL),
        Column("efficacy", "Efficacy", DECIMAL),
        Column("severity", "Severity", DECIMAL),
    )
    note = "Efficacy and severity: mean ratings of successes and errors, from 1 to 3."
    return Table("edit_sides", "Successes and errors by system", columns, tuple(rows), note, compared.signature)


def _scores(edits: MarkedEdits, stage: str, compared: Comparison) -> list[Part]:
    """Scores of systems with intervals, the highest first, and which of them cannot be told apart."""
    pairs = edits.stages[stage]
    measures = [measure for measure in compared.measures if measure.figure == SCORE]
    rows: list[tuple[Cell, ...]] = []
    clusters = {rank.system: rank.cluster for _, measure, rank in compared.ranks if measure == measures[0]}
    for name in _by_score(compared):
        annotations = sum((pair.system or NO_SYSTEM) == name for pair in pairs)
        cluster = clusters.get(name, Statistic(None, "there is one system")) if len(clusters) != 1 else 1
        rows.append((name, annotations, cluster, *(_estimate(compared, name, measure) for measure in measures)))
    if not rows:
        return [Paragraph("There is no annotated pair to score.", "empty")]
    columns = (
        Column("system", "System"),
        Column("annotations", "Annotations", WHOLE),
        Column("cluster", "Cluster", WHOLE),
        *(Column(measure.answer.lower() or "total", _part(measure), DECIMAL, 1) for measure in measures),
    )
    note = (
        "A score adds weight x rating x size over the edits of a rewrite; errors weigh twice, and each grammar error "
        "takes away as much as a minor error of that size, on top of what the edit is otherwise. Means over "
        "annotations [95 %, bootstrap over sources]. Systems of one cluster cannot be told apart (paired permutation "
        f"test, Holm, {compared.choices.alpha:g})."
    )
    left = sum(score(pair, edits.typology).unscored for pair in pairs)
    if left:
        note += f" {sentence(counted(left, 'edit'))} without a type or rating count nothing."
    table = Table("edit_scores", "Scores by system", columns, tuple(rows), note, compared.signature)
    return [Paragraph(_score_words(compared, rows, measures[0])), table]


def _by_score(compared: Comparison) -> list[str]:
    """The systems, the highest score first: every table and chart of edits has them in this order."""
    return ordered_systems(compared, "", [measure for measure in compared.measures if measure.figure == SCORE])


def _number(compared: Comparison, system: str, measure: Measure) -> float:
    figure = compared.of("", system, measure)
    return (figure.estimate.value.value or 0.0) if figure else 0.0


def _part(measure: Measure) -> str:
    return sentence(measure.answer) or measure.title


def _score_words(compared: Comparison, rows: Sequence[tuple[Cell, ...]], measure: Measure) -> str:
    said = [f"{row[0]} {decimal(_number(compared, str(row[0]), measure), 1)}" for row in rows]
    if len(rows) > 1:
        return f"Mean scores of rewrites by system, the highest first: {listed(said)}."
    mean = decimal(_number(compared, str(rows[0][0]), measure), 1)
    return f"The mean score of a rewrite is {mean}; it splits without rest into quality, error and families."
