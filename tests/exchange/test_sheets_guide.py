"""The guidelines sheet: Markdown as readable rows, no cell merged, no text cut off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rubrica.core.texts import shown
from rubrica.exchange.sheets.guide import Line, bold_parts, guide_lines, markdown_lines
from rubrica.exchange.sheets.layout import SheetFile
from rubrica.exchange.sheets.page import MOST_POINTS, POINTS_PER_LINE, escape, lines_of
from tests.exchange.sheet_making import LANGUAGES, STAGES, Desk, make_sheet

Write = Callable[[SheetFile], Path]

MARKDOWN = """# Title {#top}

A paragraph that goes
on, with **bold**, *slanted*, `code`, ~~gone~~ and [a link](https://localhost/x).

## Heading {#h}

- one point
  that goes on
- **two**

1. first
2. second

> Source: a.\\
> Rewrite: b.\\
> **3.** Fine.

> One.
>
> Two.

### Smaller

| Rating | Meaning |
| --- | --- |
| 1 | low |

| rating | label | meaning |
| :-- | --- | --: |
| 2 | Partly | half \\* done |
After the table.
"""


def test_markdown_becomes_rows() -> None:
    """Headings, paragraphs, lists, quotes and tables are told apart; marks are gone, bold stretches are kept."""
    assert list(markdown_lines(MARKDOWN)) == [
        Line("title", "Title"),
        Line("text", "", "A paragraph that goes on, with **bold**, slanted, code, gone and a link."),
        Line("heading", "Heading"),
        Line("bullet", "", "• one point that goes on"),
        Line("bullet", "", "• **two**"),
        Line("bullet", "", "1. first"),
        Line("bullet", "", "2. second"),
        Line("quote", "", "Source: a.\nRewrite: b.\n**3.** Fine."),
        Line("quote", "", "One.\nTwo."),
        Line("subheading", "Smaller"),
        Line("head", "Rating", "Meaning"),
        Line("row", "1", "low"),
        Line("head", "rating, label", "meaning"),
        Line("row", "2, Partly", "half * done"),
        Line("text", "", "After the table."),
    ]


def test_bold_stretches_are_cut_out() -> None:
    """Text between two stars on each side is bold."""
    assert bold_parts("**1.** so **it** is") == [(True, "1."), (False, " so "), (True, "it"), (False, " is")]


@pytest.mark.parametrize(("protocol_id", "stage_id"), STAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_guidelines_say_every_point_and_leave_no_marks(
    protocol_id: str, stage_id: str, language: str, write: Write
) -> None:
    """The page has the guide, each question with each of its points in full, the ways out, and no Markdown."""
    sheet = make_sheet(protocol_id, stage_id, language)
    page = Desk(write(sheet)).book[sheet.names[2]]
    told = [str(cell.value) for row in page.iter_rows() for cell in row if cell.value]
    everything = "\n".join(told)
    for question in (*sheet.questions(), *sheet.edit_questions()):
        assert shown(question.prompt, language).replace("**", "") in everything
        scale = sheet.protocol.scale_of(question)
        for point in (*getattr(scale, "points", ()), *getattr(scale, "options", ())):
            assert shown(point.meaning, language) in everything
            assert shown(point.label, language) in everything
    if sheet.has_edits and sheet.protocol.edits:
        assert all(shown(operation.meaning, language) in everything for operation in sheet.protocol.edits.operations)
    for mark in ("**", "{#", "`", "| --- |", "](", "~~"):
        assert mark not in everything
    assert not any(line.endswith("\\") for line in everything.splitlines())
    assert len(list(guide_lines(sheet))) > 20


@pytest.mark.parametrize(("protocol_id", "stage_id"), STAGES)
def test_paragraphs_are_fully_visible(protocol_id: str, stage_id: str, write: Write) -> None:
    """No cells are merged, text is wrapped, and each row is as high as its longest cell needs."""
    sheet = make_sheet(protocol_id, stage_id, "es")
    page = Desk(write(sheet)).book[sheet.names[2]]
    assert not page.merged_cells.ranges
    assert page.protection.sheet
    for row in page.iter_rows():
        cell = row[1]
        if cell.value:
            width = page.column_dimensions["B"].width
            assert cell.alignment.wrap_text
            assert (page.row_dimensions[cell.row].height or 15) >= POINTS_PER_LINE * lines_of(str(cell.value), width)


def test_a_point_without_a_meaning_is_its_label(write: Write) -> None:
    """Sliders show their two ends, short answers what a blank means."""
    rate = list(guide_lines(make_sheet("split_rate")))
    assert [line.name for line in rate if line.style == "row"][:2] == ["0", "5"]
    lexical = list(guide_lines(make_sheet("lexical_simplification")))
    assert any(line.name == "Substitutes 1, Substitutes 2, Substitutes 3" for line in lexical)


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 20, 1),
        ("short", 20, 1),
        ("a\nb\n\nc", 20, 4),
        ("x" * 44, 20, 2),
        ("x" * 45, 20, 3),
        ("漢" * 22, 20, 2),
        ("é" * 22, 20, 1),
    ],
)
def test_lines_of_a_wrapped_text(text: str, width: float, lines: int) -> None:
    """About 1.1 letters fit into a column of width 1, wide characters are two, line breaks count."""
    assert lines_of(text, width) == lines


def test_a_row_is_never_higher_than_excel_allows(write: Write) -> None:
    """Excel's rows end at 409 points, however long the text is."""
    from rubrica.core.study import Item

    fields = {"reference": "word " * 6000, "hypothesis": "x"}
    page = Desk(write(make_sheet("adequacy_fluency", items=[Item("1", fields)]))).page
    assert page.row_dimensions[2].height == MOST_POINTS


@pytest.mark.parametrize(
    ("text", "xml"),
    [
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("bell \x07", "bell _x0007_"),
        ("line\r\nbreak\t", "line_x000D_\nbreak\t"),
        ("_x000D_", "_x005F_x000D_"),
        ("_x00", "_x00"),
        ("\ufffe", "_xFFFE_"),
    ],
)
def test_text_is_escaped_as_the_standard_has_it(text: str, xml: str) -> None:
    """Marks of XML, control characters, and text that reads like an escape (ECMA-376, ST_Xstring)."""
    assert escape(text) == xml
