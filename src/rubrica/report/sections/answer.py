"""At a glance: the answer of a study on the first screen of its report.

One compact table that can go into a paper, one chart, three sentences on what can be trusted and what cannot. Where
systems are compared, the table has a row for each of them and a column for each criterion; elsewhere a row for each
question, with how far annotators agree on it. Everything else follows in sections of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rubrica.core.answers import NOT_APPLICABLE, Answer, word_set
from rubrica.core.ratings import VERDICT, WORDS, Criterion
from rubrica.core.study import LEFT_OUT
from rubrica.report.agreement import Agreement
from rubrica.report.comparison import Comparison
from rubrica.report.comparison_measures import Measure
from rubrica.report.comparison_tables import NOTHING, NUMBER, measured
from rubrica.report.distributions import Distribution
from rubrica.report.figures import MEASURES, Figures
from rubrica.report.prose import counted, decimal, listed, percent, sentence
from rubrica.report.sections.agreement import NOT_MEASURED, in_short
from rubrica.report.sections.comparison import held, of_edits, ordered_systems, shown_measures, why_nothing
from rubrica.report.sections.section import Chart, Paragraph, Part, Section
from rubrica.report.sections.summary import notices, what_was_judged
from rubrica.report.tables import DECIMAL, FIGURES, WHOLE, Cell, Column, Measured, Table, with_intervals
from rubrica.stats.statistic import Statistic

ID, TITLE = "answer", "At a glance"
CHARTS = ("systems", "complexity", "agreement", "ratings_1")
"""What is drawn on the first screen: the first of these that the report has."""
FEW_SOURCES = 30
MOST_HELD = 3
"""How many differences are named; the section on systems has all."""


def answer(figures: Figures, made: Sequence[Section]) -> tuple[Section, list[Section]]:
    """The section, and the others without the chart that it shows."""
    parts: list[Part] = [*notices(figures)]
    if not figures.subject.ratings.counted:
        return Section(ID, TITLE, tuple(parts)), list(made)
    parts.append(Paragraph(what_was_judged(figures)))
    found = figures.comparison
    compared = found is not None and not why_nothing(figures, found)
    table = systems_table(figures, found) if compared and found is not None else questions_table(figures)
    parts += [table] if table.rows else []
    chart, others = _take_chart(made)
    parts += [chart] if chart else []
    parts += [Paragraph(text, "list") for text in _trust(figures, found if compared else None, made) if text]
    return Section(ID, TITLE, tuple(parts)), others


def _take_chart(made: Sequence[Section]) -> tuple[Chart | None, list[Section]]:
    """The chart for the first screen; it is not shown again below."""
    charts = {chart.id: chart for section in made for chart in section.charts}
    chart = next((charts[name] for name in CHARTS if name in charts), None)
    if chart is None:
        return None, list(made)
    others = [
        attrs.evolve(section, parts=tuple(part for part in section.parts if part is not chart)) for section in made
    ]
    return chart, others


def systems_table(figures: Figures, found: Comparison) -> Table:
    """A row for each data set and system, a column for each criterion; bold is what cannot be told from the best.

    Nothing is bold where nothing could be tested: a cluster of all would look like a finding.
    """
    measures = shown_measures(found)
    tested = {(test.dataset, test.measure.id) for test in found.tests if test.permutation.value is not None}
    first = {
        (dataset, measure.id, rank.system)
        for dataset, measure, rank in found.ranks
        if rank.cluster == 1 and (dataset, measure.id) in tested
    }
    several = any(found.datasets)
    rows: list[tuple[Cell, ...]] = []
    best: set[tuple[int, int]] = set()
    for dataset in found.datasets:
        for system in ordered_systems(found, dataset, measures):
            cells = [found.of(dataset, system, measure) for measure in measures]
            named = (dataset, system) if several else (system,)
            best |= {
                (len(rows), len(named) + 1 + place)
                for place, measure in enumerate(measures)
                if (dataset, measure.id, system) in first
            }
            judged = next((cell.ratings for cell in cells if cell), None)
            shown_cells = (measured(cell.estimate, cell.measure) if cell else None for cell in cells)
            nothing = [found.left_out.get((dataset, system), 0)] if found.left_out else []
            rows.append((*named, judged, *shown_cells, *nothing))
    noun = "Annotations" if figures.subject.edits is not None else "Judgements"
    columns = (
        *((Column("dataset", "Data set"),) if several else ()),
        Column("system", "System"),
        Column("judgements", noun, WHOLE),
        *(Column(measure.id, _heading(measure, figures), DECIMAL) for measure in measures),
        *((Column(LEFT_OUT, "Left out", WHOLE),) if found.left_out else ()),
    )
    shown = [cell.estimate for cell in found.figures if cell.measure in measures]
    note = with_intervals(_what_figures_are(measures), "[95 %, bootstrap over sources]", shown)
    if best:
        note += (
            " Bold: the best, and what cannot be told from it (paired permutation test, Holm, "
            f"{found.choices.alpha:g})."
        )
    if len(measures) > 1 and any(one.sign for one in measures) and not of_edits(measures):
        note += " Order: by the mean of the places in the criteria."
    note += f" {NOTHING}" if found.left_out else ""
    title = "Systems by criterion and data set" if several else "Systems by criterion"
    return Table(ID, title, columns, tuple(rows), note, found.signature, frozenset(best))


def _heading(measure: Measure, figures: Figures) -> str:
    title = sentence(measure.title.removesuffix(", mean"))
    if measure.percent:
        return f"{title} %"
    ends = next((one.ends for one in figures.subject.ratings.criteria if one.id == measure.criterion), None)
    return f"{title} ({ends[0]:g} to {ends[1]:g})" if ends else title


def _what_figures_are(measures: Sequence[Measure]) -> str:
    if of_edits(measures):
        return "Score: means over annotations; edits: how many a simplification has"
    kinds = [name for name, has in (("means", False), ("shares of judgements", True)) if _any(measures, has)]
    return sentence(listed(kinds))


def _any(measures: Sequence[Measure], in_percent: bool) -> bool:
    return any(measure.percent == in_percent for measure in measures)


def questions_table(figures: Figures) -> Table:
    """A row for each question: what came out over all items, and how far annotators agree on it."""
    subject = figures.subject
    agreed: dict[str, dict[str, Agreement]] = {}
    for row in (*figures.agreement, *figures.verdict_agreement):
        agreed.setdefault(row.question, {})[row.measure.name] = row
    rows: list[tuple[Cell, ...]] = []
    for criterion in subject.ratings.criteria:
        by_measure = agreed.get(criterion.id, {})
        of_all = figures.distributions[criterion.id][-1] if criterion.id in figures.distributions else None
        if by_measure or of_all:
            counted = subject.ratings.counted_on(criterion.id)
            answers = [rating.answers[criterion.id] for rating in counted if criterion.id in rating.answers]
            values = [by_measure[name].estimate if name in by_measure else NOT_MEASURED for name in MEASURES]
            rows.append((criterion.label, _came_out(criterion, of_all, answers), *values, len(answers)))
    columns = (
        Column("question", "Question"),
        Column("result", "Over all items", FIGURES),
        Column("alpha", "Krippendorff’s alpha", DECIMAL),
        Column("percent", "Percent agreement", DECIMAL),
        Column("answers", "Answers", WHOLE),
    )
    note = "Intervals: 95 %, bootstrap over items. Alpha: 1 is full agreement, 0 is chance."
    signed = subject.ratings.sign_chosen(**figures.agreement_asked.parts(), table=ID)
    return Table(ID, "What came out, and how far annotators agree", columns, tuple(rows), note, signed)


def _came_out(criterion: Criterion, of_all: Distribution | None, answers: Sequence[Answer]) -> Cell:
    """The mean of numbers, the share of the good answer, else the answer given most; of words how many were given."""
    given = [answer for answer in answers if answer is not NOT_APPLICABLE]
    if criterion.kind == WORDS and given:
        sizes = [len(word_set(answer)) for answer in given]
        none = f", none {percent(sizes.count(0) / len(sizes))}" if criterion.blank else ""
        return f"{decimal(sum(sizes) / len(sizes))} words{none}"
    if criterion.kind == VERDICT and given:
        good = criterion.good or "yes"
        return f"{good} {percent(given.count(good) / len(given))}"
    if of_all is None or not of_all.total:
        return Statistic(None, "nobody has answered it")
    if of_all.mean is not None:
        return Measured(of_all.mean, NUMBER)
    good = criterion.good if criterion.good is not None else max(of_all.counts, key=lambda one: of_all.counts[one])
    return f"{str(good).replace('_', ' ')} {percent(of_all.share(good) or 0.0)}"


def _trust(figures: Figures, found: Comparison | None, made: Sequence[Section]) -> tuple[str, str, str]:
    """Three sentences: what holds, how far annotators agree, and where to be careful."""
    return (
        held(found, MOST_HELD) if found is not None else _finding(made),
        in_short(figures) or _finding(made, 1),
        _care(figures),
    )


def _finding(made: Sequence[Section], place: int = 0) -> str:
    """What the protocol's own results say first."""
    said = [part.text for section in made for part in section.parts if isinstance(part, Paragraph) and part.finding]
    return said[place] if place < len(said) else ""


def _care(figures: Figures) -> str:
    """What these figures cannot bear, or that nothing is known against them."""
    subject, facts = figures.subject, figures.subject.facts
    out = {name for name, rater in subject.ratings.raters.items() if rater.excluded}
    odd = {finding.rater for finding in figures.checked.unusual} - out
    judged = [subject.ratings.units[key] for key in {rating.unit for rating in subject.ratings.counted}]
    sources = len({unit.source or unit.key for unit in judged})
    said = []
    if facts is not None and facts.main.remaining:
        share = percent(facts.main.done / facts.main.wanted)
        said.append(f"{share} of the judgements wanted are in, so figures will move")
    if odd:
        verb = "counts" if len(odd) == 1 else "count"
        said.append(f"{counted(len(odd), 'annotator')} whom checks find unusual still {verb}")
    if out:
        said.append(f"{counted(len(out), 'annotator')} {'is' if len(out) == 1 else 'are'} excluded by decision")
    if sources < FEW_SOURCES:
        so_few = "tell only large differences from none" if sources > 1 else "says nothing about others"
        said.append(f"{counted(sources, 'source')} {so_few}")
    if not said:
        every = "All judgements wanted are in, nobody" if facts is not None else "Nobody"
        return f"{every} is excluded, and no check finds an annotator unusual."
    return f"Be careful: {'; '.join(said)}."
