"""Results of an edit protocol: agreement as in SALSA's Table 2, edits by type and system, scores of rewrites.

Everything is computed by the modules behind `rubrica edits agree`, `summary` and `score`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.edits.annotated import AnnotatedPair
from rubrica.edits.score import mean_scores, score
from rubrica.edits.summary import Summary, summarise, summarise_by
from rubrica.edits.typology import ERROR, QUALITY
from rubrica.report.charts import bars_chart
from rubrica.report.edit_agreement import SelectionAgreement, selection_agreement
from rubrica.report.figures import Figures
from rubrica.report.matched_agreement import span_agreement
from rubrica.report.prose import counted, decimal, listed, percent, sentence
from rubrica.report.sections.materials import WHOLE_STUDY, system_name
from rubrica.report.sections.section import Chart, Heading, MarkedEdits, Paragraph, Part
from rubrica.report.tables import DECIMAL, PERCENT, TEXT, WHOLE, Cell, Column, Estimate, Table
from rubrica.stats.bootstrap import Interval
from rubrica.stats.statistic import Statistic

OVERLAP = 0.5
"""Edits that share this much of their characters are the same, as `rubrica edits agree` has it by default."""


def edit_results(figures: Figures) -> list[Part]:
    """Agreement on selection, then what the edits are, then scores; or why there is nothing."""
    edits = figures.subject.edits
    if edits is None or not edits.stages:
        return [Paragraph("Nobody has marked any edit yet.", "empty")]
    stages = list(edits.stages)
    first, last = stages[0], stages[-1]
    parts: list[Part] = [Heading("Agreement on edits"), *_agreement(figures, edits, first)]
    parts += [Heading("Edits by type"), *_types(edits, last)]
    parts += [Heading("Scores"), *_scores(edits, last)]
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
            row.three_agree,
            row.two_agree,
            row.tokens,
        )
        for row in found.rows
    )
    columns = (
        Column("edit", "Edit"),
        Column("subtype", "Sub-type"),
        Column("kappa", "Fleiss’ kappa [95 %]", DECIMAL),
        Column("alpha", "Krippendorff’s alpha", DECIMAL),
        Column("three_agree", "3 agree %", WHOLE),
        Column("two_agree", "2 agree %", WHOLE),
        Column("tokens", "Tokens", WHOLE),
    )
    note = "In the form of SALSA's Table 2: per token, over source and rewrite; per cents are of tokens with the label."
    return Table("edit_agreement", "Agreement on the selection of edits", columns, rows, note, signed)


def _types(edits: MarkedEdits, stage: str) -> list[Part]:
    pairs = edits.stages[stage]
    whole = summarise(pairs, edits.typology)
    systems = {pair.system for pair in pairs}
    groups = summarise_by(pairs, edits.typology, lambda pair: system_name(pair.system, systems))
    signed = edits.sign(stage, edits="summary", by="system")
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
    table = _type_table(groups, whole, signed)
    parts += [table, _side_table(groups, signed)]
    if whole.typed:
        data = [
            {"name": name, "value": decimal_of(whole, name)} for name, number in whole.types.most_common() if number
        ]
        title = "Edits per annotated pair, by type"
        names = [str(row["name"]) for row in data]
        below = f"{whole.annotations:,} annotations"
        spec = bars_chart(data, names=names, what=title, subtitle=below, axis="edits per annotation")
        said = "; ".join(f"{row['name']} {row['value']:.2f}" for row in data)
        parts.append(Chart("edit_types", title, f"Bars, one for each type: {said}.", spec, table.id, signed))
    return parts


def decimal_of(whole: Summary, name: str) -> float:
    """Edits of a type per annotation."""
    return whole.per_sentence(whole.types[name]) or 0.0


def _type_table(groups: dict[str, Summary], whole: Summary, signed: str) -> Table:
    seen = [kind for kind in whole.kinds if whole.types[kind.name]]
    columns = [
        Column("type", "Type"),
        Column("family", "Family"),
        Column("side", "Side"),
        *(Column(f"system.{name}", name if name != WHOLE_STUDY else "Edits", WHOLE) for name in groups),
        Column("share", "Share %", PERCENT, 1),
        Column("rating", "Mean rating", DECIMAL),
    ]
    rows: list[tuple[Cell, ...]] = []
    for kind in seen:
        rated = whole.ratings.get(kind.name)
        mean = rated.mean if rated else None
        rows.append(
            (
                kind.name,
                kind.family,
                kind.side,
                *(group.types[kind.name] for group in groups.values()),
                whole.share(kind.name),
                mean if mean is not None else Statistic(None, "edits of this type are not rated"),
            )
        )
    missing = len(whole.kinds) - len(seen)
    note = f"Ratings from 1 (minor) to 3 (a lot). {sentence(counted(missing, 'type'))} without any edit left out."
    return Table("edit_types", "Edits by type and system", tuple(columns), tuple(rows), note, signed)


def _side_table(groups: dict[str, Summary], signed: str) -> Table:
    none = Statistic(None, "nothing was rated")
    rows = [
        (
            name,
            group.annotations,
            group.edits,
            group.per_sentence(group.edits),
            group.sides[QUALITY],
            group.sides[ERROR],
            group.side_ratings[QUALITY].mean if group.side_ratings[QUALITY].mean is not None else none,
            group.side_ratings[ERROR].mean if group.side_ratings[ERROR].mean is not None else none,
        )
        for name, group in groups.items()
    ]
    columns = (
        Column("system", "System", TEXT),
        Column("annotations", "Annotations", WHOLE),
        Column("edits", "Edits", WHOLE),
        Column("each", "Per annotation", DECIMAL),
        Column("quality", "Successes", WHOLE),
        Column("error", "Errors", WHOLE),
        Column("efficacy", "Efficacy", DECIMAL),
        Column("severity", "Severity", DECIMAL),
    )
    note = "Efficacy and severity: mean ratings of successes and errors, from 1 to 3."
    return Table("edit_sides", "Successes and errors by system", columns, tuple(rows), note, signed)


def _scores(edits: MarkedEdits, stage: str) -> list[Part]:
    pairs = edits.stages[stage]
    systems = {pair.system for pair in pairs}
    groups: dict[str, list[AnnotatedPair]] = {}
    for pair in pairs:
        groups.setdefault(system_name(pair.system, systems), []).append(pair)
    rows: list[tuple[Cell, ...]] = []
    unscored = 0
    for name, members in groups.items():
        mean = mean_scores([score(pair, edits.typology) for pair in members])
        if mean is not None:
            unscored += mean.unscored
            rows.append((name, len(members), mean.total, mean.quality, mean.error, *mean.families.values()))
    if not rows:
        return [Paragraph("There is no annotated pair to score.", "empty")]
    columns = (
        Column("system", "System"),
        Column("annotations", "Annotations", WHOLE),
        Column("total", "Score", DECIMAL, 1),
        Column("quality", "Quality", DECIMAL, 1),
        Column("error", "Error", DECIMAL, 1),
        *(Column(family.lower(), family, DECIMAL, 1) for family in edits.typology.families),
    )
    note = (
        "A score adds weight x rating x size over the edits of a rewrite; errors weigh twice. Means over annotations."
    )
    if unscored:
        note += f" {sentence(counted(unscored, 'edit'))} without a type or rating count nothing."
    signed = edits.sign(stage, edits="score")
    return [Paragraph(_score_words(rows)), Table("edit_scores", "Scores by system", columns, tuple(rows), note, signed)]


def _score_words(rows: Sequence[tuple[Cell, ...]]) -> str:
    said = [f"{row[0]} {decimal(float(str(row[2])), 1)}" for row in rows]
    if len(rows) > 1:
        return f"Mean scores of rewrites by system: {listed(said)}."
    mean = decimal(float(str(rows[0][2])), 1)
    return f"The mean score of a rewrite is {mean}; it splits without rest into quality, error and families."
