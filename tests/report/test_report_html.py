"""The page: one file that needs nothing else, with everything escaped and every picture described."""

from __future__ import annotations

import re

import pytest

from rubrica.report.html import as_html, as_page, prose_html, table_html, unbroken
from rubrica.report.tables import DECIMAL, Column, Estimate, Table
from rubrica.stats.statistic import Statistic
from tests.report.made_ratings import made_ratings
from tests.report.test_report import report_of

SVG = '<svg class="marks" width="300" height="100" viewBox="0 0 300 100"><g></g></svg>'


@pytest.fixture(scope="module")
def page() -> str:
    """The page with an empty picture for each chart."""
    report = report_of(made_ratings())
    return as_html(report, {chart.id: SVG for chart in report.charts})


def test_nothing_is_asked_from_outside(page: str) -> None:
    """No script, no style sheet, no picture, no font from anywhere."""
    assert "<script" not in page
    assert "<link" not in page
    assert "<img" not in page
    assert "url(" not in page
    assert "@import" not in page
    assert not re.findall(r'(?:src|href)="(?!#)', page)


def test_texts_are_escaped(page: str) -> None:
    """Markup of a source text is shown, not obeyed."""
    assert "Text &lt;i&gt;s2&lt;/i&gt; &amp; more" in page
    assert "<i>" not in page


def test_pictures_are_named_and_described(page: str) -> None:
    """Each has a role, a title and a description, and fits its place."""
    pictures = re.findall(r"<svg[^>]*>", page)
    assert pictures
    for tag in pictures:
        assert 'role="img"' in tag
        assert "aria-labelledby" in tag
        assert "max-width:300px" in tag
        assert " width=" not in tag
    assert page.count("<desc id=") == len(pictures)


def test_sections_are_listed_and_linked(page: str) -> None:
    """Every link of the contents leads to a section that is there."""
    targets = set(re.findall(r'href="#([^"]+)"', page))
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert targets <= set(ids)
    assert len(set(ids)) == len(ids)


def test_a_page_without_pictures_has_no_empty_places() -> None:
    """Charts that were not drawn leave no figure behind."""
    assert '<figure class="chart"' not in as_html(report_of(made_ratings()), {})


def test_a_table_has_intervals_reasons_and_the_best_in_bold() -> None:
    """Numbers stand to the right; a dash says why."""
    none = Statistic(None, "nobody answered")
    table = Table(
        "t",
        "A < B",
        (Column("name", "Name"), Column("mean", "Mean", DECIMAL)),
        (
            ("x & y", Estimate(Statistic(1.234), Statistic(1.0), Statistic(1.5))),
            ("z", Estimate(none, none, none)),
        ),
        best=frozenset({(0, 1)}),
    )
    found = table_html(table)
    assert "A &lt; B" in found
    assert '<td class="number"><strong>1.23 <small>[1.00, 1.50]</small></strong></td>' in found
    assert "x &amp; y" in found
    assert "–: nobody answered." in found


def test_tables_of_the_studio_sort_and_filter() -> None:
    """By every digit, what is missing without any; a report of its own has no scripts, so nothing to press."""
    report = report_of(made_ratings())
    page = as_page(report, "./", charts=False)
    table = page[page.index('id="table-comparison_intervals"') :]
    table = table[: table.index("</figure>")]
    assert "<rubrica-table" in table
    assert 'data-sort="1.8"' in table
    assert 'data-sort=""' in page
    assert "rubrica-table" not in as_html(report, {})


def test_code_in_prose_is_code() -> None:
    """What stands between backquotes; everything else is escaped."""
    assert prose_html("`rubrica <x>` & more") == "<code>rubrica &lt;x&gt;</code> &amp; more"


def test_the_scale_of_a_column_stands_on_one_line() -> None:
    """Neither the points of a scale nor a percent sign stands alone at the beginning of a line."""
    assert unbroken("Sensible (0 to 5)") == "Sensible (0\u00a0to\u00a05)"
    assert unbroken("No missing facts %") == "No missing facts\u00a0%"
    assert unbroken("Judgements") == "Judgements"
