"""The Edits sheet: one row for each edit.

An edit names its pair by number, its operation, the words it marks (quoted from the texts; ``…_nth`` says which,
where they occur more than once; several spans are joined by `` // ``), the composite edit it is part of, and its
answers.
"""

from __future__ import annotations

from rubrica.core.edit_overlay import with_answers_of
from rubrica.core.edits import Edit
from rubrica.exchange.sheets.layout import (
    Column,
    SheetFile,
    SheetRow,
    answer_columns,
    apart,
    field_header,
)
from rubrica.language.catalogues import on_sheet, sheet_text

ITEM, EDIT, OPERATION, PARENT = "item", "edit", "operation", "parent"
_HEADERS = {
    ITEM: sheet_text("Pair no."),
    EDIT: sheet_text("Edit no."),
    OPERATION: sheet_text("Operation"),
    PARENT: sheet_text("Part of edit"),
    "source_span": sheet_text("Words in the source"),
    "source_nth": sheet_text("Which ones in the source"),
    "rewrite_span": sheet_text("Words in the rewrite"),
    "rewrite_nth": sheet_text("Which ones in the rewrite"),
}
SPAN, NTH = "{side}_span", "{side}_nth"
BETWEEN = " // "
SPARE_ROWS = 8
"""Empty rows that each pair gets; more can be added below."""
MORE_ROWS = 500
"""Rows below the table that have its lists and colours, for edits that do not fit into the spare ones."""


def edit_columns(sheet: SheetFile) -> list[Column]:
    """The columns of the Edits sheet, from left to right."""
    words = {name: on_sheet(text, sheet.language) for name, text in _HEADERS.items()}
    result = [Column(words[ITEM], "number", ITEM, old=ITEM)]
    result += [
        Column(field_header(field, sheet.language), "field", field.id)
        for field in sheet.protocol.fields
        if field.role in ("source", "rewrite")
    ]
    result += [Column(words[name], name, name, old=name) for name in (EDIT, OPERATION)]
    for side in ("source", "rewrite"):
        span, nth = SPAN.format(side=side), NTH.format(side=side)
        result += [Column(words[span], "span", side, old=span), Column(words[nth], "nth", side, old=nth)]
    result.append(Column(words[PARENT], "parent", PARENT, old=PARENT))
    for question in sheet.edit_questions():
        result += answer_columns(question, sheet.protocol, sheet.language)
    return apart(result)


def starting_edits(row: SheetRow, fixed: bool) -> tuple[Edit, ...]:
    """The edits that stand on the sheet: the annotator's own, else those handed out.

    Where edits are fixed it is always those handed out, with the annotator's answers to the same ones.
    """
    if row.judgement is None:
        return row.edits
    if not fixed or not row.edits:
        return row.judgement.edits
    return with_answers_of(row.edits, row.judgement.edits)


def quotes(edit: Edit, side: str, text: str) -> str:
    """The words that an edit marks on one side, as its cell has them."""
    return BETWEEN.join(span.of(text) for span in edit.spans(side))
