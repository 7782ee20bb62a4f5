"""The comparison by metrics: its findings, its tables, and a page that needs nothing else and obeys no text."""

from __future__ import annotations

import csv
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import pytest

from rubrica.core.errors import InputError
from rubrica.metrics.metric import Block, Figure
from rubrica.metrics.results import Scores
from rubrica.report.folder import MANIFEST
from rubrica.report.sections.section import Paragraph
from rubrica.report.system_comparison import Choices, comparison_report, write_comparison
from rubrica.report.system_comparison_choice import SentenceChoice, choose
from rubrica.report.system_comparison_page import SCRIPTS, inlined
from rubrica.report.tables import as_csv
from rubrica.stats.statistic import Statistic
from tests.report.made_scores import ARABIC, FIGURES, SYSTEMS, blocks, scores

NOW = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
PLAIN = Choices(charts=False, language="ca")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison without charts."""
    made = tmp_path_factory.mktemp("comparison") / "c"
    write_comparison(made, scores(), blocks(120), NOW, PLAIN)
    return made


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    """The page of it."""
    return (folder / "report.html").read_text(encoding="utf-8")


def data_of(page: str) -> dict[str, Any]:
    """What the script reads."""
    found = re.search(r'<script type="application/json" id="sentence-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    loaded: dict[str, Any] = json.loads(found[1])
    return loaded


def findings(given: Scores, total: int = 60) -> list[str]:
    """What the first section says in words."""
    report = comparison_report(given, choose(blocks(total), SentenceChoice()), NOW, "T")
    return [part.text for part in report.section("systems").parts if hasattr(part, "text")]


def test_the_folder_has_the_page_and_its_tables(folder: Path) -> None:
    """Each table in four forms, and the signatures."""
    tables = {f"tables/{name}.{end}" for name in ("systems", "differences", "sentence_figures")
              for end in ("csv", "md", "tex", "xlsx")}  # fmt: skip
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert found == {"report.html", MANIFEST, *tables}
    assert json.loads((folder / MANIFEST).read_text())["signature"] == "metrics:made|seed:0"


def test_tables_have_every_figure_with_its_interval(folder: Path) -> None:
    """A row for each system; the best is bold where people read."""
    with (folder / "tables/systems.csv").open(newline="") as stream:
        rows = {row["system"]: row for row in csv.DictReader(stream)}
    assert rows["cut"]["sari"] == "41.5"
    assert (rows["cut"]["fkgl_low"], rows["cut"]["fkgl_high"]) == ("3.75", "4.75")
    markdown = (folder / "tables/systems.md").read_text()
    assert "**41.50 [41.00, 42.00]**" in markdown
    assert "**4.25 [3.75, 4.75]**" in markdown
    assert "**1.050" not in markdown
    with (folder / "tables/differences.csv").open(newline="") as stream:
        tests = list(csv.DictReader(stream))
    assert len(tests) == len(FIGURES) * 3
    assert tests[0]["p_holm"] == "0.004"


def test_findings_say_who_is_ahead_and_whether_it_holds() -> None:
    """Lower is better for FKGL; a figure that only describes has no winner."""
    found = findings(scores())
    assert found[:2] == [
        "SARI: cut is ahead with 41.50, not significantly before split.",
        "FKGL: cut is ahead with 4.25, not significantly before split.",
    ]
    assert found[3] == "Significant is p < 0.05 in a paired permutation test, after Holm's correction."
    assert found[2].startswith(
        "Rewrites that are copies of their source, capitals and spacing aside: 60 of 60 by copy "
    )
    clear = attrs.evolve(
        scores(), differences=tuple(attrs.evolve(one, p_holm=Statistic(0.01)) for one in scores().differences)
    )
    assert findings(clear)[0].endswith("ahead with 41.50, significantly before every other system.")


def test_findings_say_if_figures_disagree() -> None:
    """One metric has one system ahead, another one another."""
    given = scores()
    plain = given.systems[0]
    simple = attrs.evolve(plain.scores["fkgl"], value=Statistic(1.0))
    systems = (attrs.evolve(plain, scores={**plain.scores, "fkgl": simple}), *given.systems[1:])
    assert "The figures do not agree on which system is the best." in findings(attrs.evolve(given, systems=systems))


def test_parts_of_a_figure_are_called_after_it(page: str) -> None:
    """Apart from its metric, the word add says nothing."""
    assert "SARI, add ↑" in page
    assert '<option value="sari_add">SARI, add</option>' in page


def test_undefined_figures_are_told_with_their_reason() -> None:
    """A system without a value is not the best, and the table says why."""
    reason = Statistic(None, "there is no reference")
    given = scores()
    first = given.systems[1]
    gap = attrs.evolve(first.scores["sari"], value=reason, low=reason, high=reason)
    systems = (given.systems[0], attrs.evolve(first, scores={**first.scores, "sari": gap}), given.systems[2])
    report = comparison_report(attrs.evolve(given, systems=systems), choose(blocks(9), SentenceChoice()), NOW, "T")
    table = report.section("systems").tables[0]
    assert table.reasons() == ["there is no reference"]
    assert (2, 2) in table.best
    assert "\ncut,120,,,," in as_csv(table)


def test_one_system_is_not_compared() -> None:
    """No winner, no test, nothing in bold."""
    given = scores()
    alone = attrs.evolve(given, systems=given.systems[:1], differences=())
    assert [text for text in findings(alone) if "ahead" in text] == []
    report = comparison_report(alone, choose(blocks(9), SentenceChoice()), NOW, "T")
    assert [section.id for section in report.sections] == ["systems", "spread"]
    assert report.tables[0].best == frozenset()


def test_many_figures_become_rows() -> None:
    """A table of ten columns with intervals is too wide for a page, and findings are told by system."""
    given = scores()
    more = tuple(Figure(f"m{number}", f"M {number}") for number in range(8))
    systems = tuple(
        attrs.evolve(one, scores={**one.scores, **{figure.key: one.scores["sari"] for figure in more}})
        for one in given.systems
    )
    wide = attrs.evolve(given, figures=(*given.figures, *more), systems=systems)
    report = comparison_report(wide, choose(blocks(0), SentenceChoice()), NOW, "T")
    told = [part.text for part in report.section("systems").parts if isinstance(part, Paragraph)]
    assert told[0].startswith("cut is ahead on SARI (41.50), FKGL (4.25), M 0 (41.50), M 1 ")
    shown, behind = report.section("systems").tables
    assert [column.title for column in shown.columns] == ["Figure", *SYSTEMS]
    assert shown.rows[0][2] == "41.50 [41.00, 42.00]"
    assert behind.id == "systems"


def test_nothing_is_asked_from_outside(page: str) -> None:
    """Neither by an address nor by what the page allows itself: only the one script with this digest."""
    assert not re.findall(r'(?:src|href)="(?!#)', page)
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page
    assert page.count("<script") == 2


def test_texts_are_escaped_in_the_page_and_in_its_data(page: str) -> None:
    """What looks like the end of a script stays a text."""
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    second = data_of(page)["sentences"][1]
    assert second["s"] == "</script><script>alert('x')</script> & \"quotes\" <!-- \u2028 done."


def test_texts_have_direction_and_language(page: str) -> None:
    """Each decides its own direction; the language is that which was given."""
    assert f'<p class="text" dir="auto" lang="ca">{ARABIC}</p>' in page


def test_both_ends_of_each_figure_are_readable_without_a_script(page: str) -> None:
    """Best first where the figure judges, highest first where it does not; parts of a figure have no list."""
    lists = page[page.index('<section id="ends"') :]
    assert re.findall(r"<summary><h3>(.*?)</h3>", lists) == ["SARI ↑", "FKGL ↓", "Compression"]
    assert re.findall(r"<h5>(\w+)</h5>", lists)[-2:] == ["Highest", "Lowest"]
    assert "All 119 sentences have the same value, 50.00." in lists
    best = lists[lists.index("<h4>cut</h4>") :]
    assert re.findall(r"<strong>(.*?)</strong>", best)[:3] == ["96.00", "95.00", "94.00"]
    assert "<del>and it</del><ins>. It</ins> sleeps" in lists
    assert "rubrica correlate" in page
    assert "rubrica study new" in page


def test_data_of_a_sentence(page: str) -> None:
    """Words, references, and of each rewrite pieces, sentences, whether it is a copy, figures; no NaN."""
    data = data_of(page)
    assert [len(data["sentences"]), data["systems"]] == [120, list(SYSTEMS)]
    sixth = data["sentences"][5]
    assert (sixth["n"], sixth["id"], sixth["w"]) == (6, "6", 32)
    copy, cut, split = sixth["o"]
    assert (copy["c"], cut["c"]) == (1, 0)
    assert split["s"] == 4
    assert cut["v"] == [None, None, 3.0, 0.1875]
    assert data["sentences"][4]["o"][2] is None


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    """Of a large corpus the page shows a part, and says which."""
    choices = attrs.evolve(PLAIN, most=40, ends=3)
    write_comparison(tmp_path / "c", scores(300), blocks(300), NOW, choices)
    page = (tmp_path / "c/report.html").read_text()
    shown = len(data_of(page)["sentences"])
    assert f"Of 300 sentences this page shows {shown}:" in page
    assert "sentences share the value" in page
    assert "these are the first." in page


def test_what_was_chosen_before_can_be_given(tmp_path: Path) -> None:
    """Blocks that passed by while scores were computed need not come again."""
    chosen = choose(blocks(20), PLAIN.choice())
    write_comparison(tmp_path / "a", scores(), chosen, NOW, PLAIN)
    write_comparison(tmp_path / "b", scores(), blocks(20), NOW, PLAIN)
    assert (tmp_path / "a/report.html").read_text() == (tmp_path / "b/report.html").read_text()


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    """Before a sentence is read; by force it is replaced."""
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(InputError, match="other things"):
        write_comparison(tmp_path, scores(), blocks(5), NOW, PLAIN)
    assert (tmp_path / "mine.txt").exists()
    write_comparison(tmp_path, scores(), blocks(5), NOW, attrs.evolve(PLAIN, force=True))
    assert not (tmp_path / "mine.txt").exists()


def test_without_sources_nothing_is_compared_with_them(tmp_path: Path) -> None:
    """Rewrites are shown as they are; nobody can say what is a copy."""
    made = next(iter(blocks(5)))
    bare = Block(0, [""] * 5, [[]] * 5, made.block.outputs)
    write_comparison(tmp_path / "c", scores(), [attrs.evolve(made, block=bare)], NOW, PLAIN)
    page = (tmp_path / "c/report.html").read_text()
    assert "<ins>" not in page
    assert 'name="copies"' not in page
    assert "of its source" not in page


def test_charts_show_the_tables_of_the_page() -> None:
    """A panel for each figure that is no part of another."""
    report = comparison_report(scores(), choose(blocks(30), SentenceChoice()), NOW, "T")
    assert [(chart.id, chart.table) for chart in report.charts] == [
        ("systems", "systems"),
        ("sentence_figures", "sentence_figures"),
    ]
    assert [len(chart.spec["vconcat"]) for chart in report.charts] == [3, 3]


def test_modules_become_one_script() -> None:
    """Nothing of how they find one another is left."""
    script = inlined(SCRIPTS)
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)
    assert script.index("function matches") < script.index("customElements.define")
