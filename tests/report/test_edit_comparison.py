"""Systems side by side by their edits, as figures and charts.

Systems compared by their edits: figures per simplification and scores, with intervals, tests and ranks.

The two charts: their numbers by hand, their files, and what happens without the libraries.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import attrs
import pytest

from rubrica.core.errors import InputError
from rubrica.edits.score import score
from rubrica.edits.summary import summarise, summarise_by
from rubrica.edits.typology import ERROR, QUALITY
from rubrica.report.comparison import Choices, Comparison
from rubrica.report.edit_comparison import (
    PER_SIMPLIFICATION,
    SCORE,
    chart_rows,
    compare_edits,
    edit_chart,
    type_measure,
    write_charts,
)
from rubrica.report.figures import Figures
from rubrica.report.sections.comparison import held, ordered_systems
from rubrica.report.sections.edits import edit_results
from rubrica.report.sections.section import Chart, MarkedEdits, Subject
from rubrica.report.sections.section import Choices as ReportChoices
from rubrica.report.tables import Table
from rubrica.stats.statistic import Statistic
from tests.edits.pairs import typology
from tests.edits.test_summary import PAIRS
from tests.report.made_ratings import made_ratings

SOURCES = 12


MANY = tuple(
    attrs.evolve(pair, key=f"{pair.key}/{place}", source=f"{pair.source} {place}")
    for place in range(SOURCES)
    for pair in (PAIRS if place % 3 else PAIRS[1:])
)
"""The annotated pairs of the summary's test on twelve sources; a third of them lack the first annotation."""


@pytest.fixture(scope="module")
def compared() -> Comparison:
    """The two systems of these."""
    edits = MarkedEdits(stages={"classify": MANY}, typology=typology(), sign=lambda stage, **parts: f"stage:{stage}")
    return compare_edits(edits, "classify", Choices(replicates=100))


def test_figures_are_means_over_annotations(compared: Comparison) -> None:
    """Per simplification: the counts of the summary, divided by its annotations; scores are the mean of the scores."""
    for system in ("a", "b"):
        own = [pair for pair in MANY if pair.system == system]
        whole = summarise(own, typology())
        by_id = {figure.measure.id: figure for figure in compared.figures if figure.system == system}
        for side in (QUALITY, ERROR):
            found = by_id[f"edits.{PER_SIMPLIFICATION}.{side}"].estimate.value.value
            assert found == pytest.approx(whole.per_sentence(whole.sides[side]))
        mean = sum(score(pair, typology()).total for pair in own) / len(own)
        assert by_id[f"edits.{SCORE}"].estimate.value.value == pytest.approx(mean)
        assert by_id[f"edits.{SCORE}"].ratings == len(own)


def test_first_screen_has_systems_by_their_score(compared: Comparison) -> None:
    """The best first, whichever came first in the data."""
    measures = [one for one in compared.measures if one.main]
    scores = {one: compared.of("", one, measures[0]) for one in compared.systems("")}
    values = {name: found.estimate.value.value for name, found in scores.items() if found is not None}
    better = max(values, key=lambda name: values[name])
    worse = min(values, key=lambda name: values[name])
    assert ordered_systems(compared, "", measures) == [better, worse]
    turned = attrs.evolve(compared, figures=tuple(sorted(compared.figures, key=lambda one: one.system != worse)))
    assert turned.systems("") == [worse, better]
    assert ordered_systems(turned, "", measures) == [better, worse]


def test_a_trivial_insertion_that_does_not_help_is_on_the_side_of_errors(compared: Comparison) -> None:
    """In every figure, so that tables and charts agree."""
    trivial = next(kind for kind in typology().kinds if kind.id == "trivial_change")
    whole = summarise([pair for pair in MANY if pair.system == "a"], typology())
    for side in (QUALITY, ERROR):
        figure = compared.of("", "a", type_measure(trivial, side))
        assert figure is not None
        assert figure.estimate.value.value == whole.placed[trivial.name, side] / whole.annotations
    assert whole.placed[trivial.name, ERROR] == 8


def test_systems_are_tested_and_ranked_by_their_score(compared: Comparison) -> None:
    """Scores and successes have ranks, of which more is better; errors are only tested."""
    assert {test.measure.title for test in compared.tests} == {"Score", "Quality edits", "Error edits"}
    assert {measure.title for _, measure, _ in compared.ranks} == {"Score", "Quality edits"}
    assert all(test.sources == SOURCES for test in compared.tests)


def test_the_chart_has_a_line_for_the_interval_of_a_bar(compared: Comparison) -> None:
    """Figures 2 and 3 of the paper, with intervals."""
    systems = {name: summarise([pair for pair in MANY if pair.system == name], typology()) for name in ("a", "b")}
    spec = edit_chart(systems, ERROR, "", compared)
    lines = [layer for panel in spec["hconcat"] for layer in panel.get("layer", ()) if layer["mark"] != "bar"]
    ends = [row for line in lines for row in line["data"]["values"]]
    assert {(row["family"], row["system"]) for row in ends} == {("Syntax", "a"), ("Lexical", "a")}
    assert all(row["low"] < row["high"] for row in ends)
    assert [panel["title"] for panel in spec["hconcat"]] == ["Conceptual", "Syntax", "Lexical"]


def test_every_table_and_chart_of_edits_has_the_best_system_first() -> None:
    """By the score, whichever came first in the data: columns, rows and bars."""
    turned = tuple(attrs.evolve(pair, system={"a": "b", "b": "a"}[pair.system]) for pair in MANY)
    for pairs in (turned, turned[::-1]):
        edits = MarkedEdits(stages={"classify": pairs}, typology=typology(), sign=lambda stage, **parts: stage)
        subject = Subject(ratings=made_ratings(), edits=edits, choices=ReportChoices(replicates=0))
        parts = {part.id: part for part in edit_results(Figures(subject)) if isinstance(part, Table | Chart)}
        tables = {one: part for one, part in parts.items() if isinstance(part, Table)}
        first = [str(row[0]) for row in tables["edit_scores"].rows]
        assert [str(row[0]) for row in tables["edit_sides"].rows] == first
        assert [one.id for one in tables["edit_types"].columns if one.id.startswith("system.")] == [
            f"system.{name}" for name in first
        ]
        assert first == ["b", "a"]
        bars = json.dumps(next(part for one, part in parts.items() if one == "failed_edits").spec)
        assert '"sort": ["b", "a"]' in bars


def test_no_system_is_over_another_for_its_errors(compared: Comparison) -> None:
    """A sentence names scores and edits as they are, not as shares, and more errors are higher, not better."""
    said = held(_sure(compared))
    assert "share of" not in said
    for phrase in said.split(": ", 1)[1].split("; "):
        assert (" over " in phrase) != ("error edits" in phrase)
    assert "error edits (by " in said


def _sure(compared: Comparison) -> Comparison:
    """The same, were every difference as certain as can be."""
    sure = Statistic(0.0)
    tests = [attrs.evolve(test, permutation=sure, permutation_holm=sure) for test in compared.tests]
    return attrs.evolve(compared, tests=tuple(tests))


def test_rows_count_edits_where_they_belong() -> None:
    """Per sentence and system; an insertion that does not help stands among the failures."""
    systems = summarise_by(PAIRS, typology(), lambda pair: pair.system)
    good = {(row["system"], row["type"]): row for row in chart_rows(systems, "quality")}
    # System a has two annotations, with three paraphrases and one helpful trivial insertion.
    assert (good["a", "Paraphrase"]["edits"], good["a", "Paraphrase"]["edits_per_sentence"]) == (3, 1.5)
    assert good["a", "Trivial Change"]["edits"] == 1
    assert good["b", "Paraphrase"]["edits_per_sentence"] == 0
    bad = {(row["system"], row["type"]): row["edits"] for row in chart_rows(systems, "error")}
    assert bad["a", "Trivial Change (not helpful)"] == 1
    assert (bad["a", "Bad Split"], bad["a", "Grammar"]) == (1, 1)
    assert (len(good), len(bad)) == (2 * 8, 2 * 14)


def test_charts_are_written_with_their_signature(tmp_path: Path) -> None:
    """Two pictures and what they were drawn from, each with title, systems and signature."""
    systems = summarise_by(PAIRS, typology(), lambda pair: f"system {pair.system}")
    files = write_charts(systems, tmp_path / "charts", "edits:summary|file:x")
    assert [file.name for file in files] == [
        "successful-edits.svg",
        "successful-edits.vl.json",
        "failed-edits.svg",
        "failed-edits.vl.json",
    ]
    picture = files[0].read_text(encoding="utf-8")
    for text in ("Successful edits", "edits:summary|file:x", "system a", "Conceptual", "Paraphrase"):
        assert text in picture
    assert json.loads(files[3].read_text())["title"]["text"] == "Failed edits"


def test_without_the_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(InputError, match=r"rubrica\[charts\]"):
        write_charts(summarise_by(PAIRS, typology(), lambda pair: pair.system), tmp_path, "")
