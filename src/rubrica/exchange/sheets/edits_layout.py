"""The Edits sheet: one row for each edit.

An edit names its pair by number, its operation, the words it marks (quoted from the texts; ``…_nth`` says which,
where they occur more than once; several spans are joined by `` // ``), the composite edit it is part of, and its
answers.
"""

from __future__ import annotations

from rubrica.core.edits import Edit
from rubrica.core.given_edits import with_answers_of
from rubrica.exchange.sheets.layout import Column, SheetFile, SheetRow, answer_columns, apart, field_header

ITEM, EDIT, OPERATION, PARENT = "item", "edit", "operation", "parent"
SPAN, NTH = "{side}_span", "{side}_nth"
BETWEEN = " // "
SPARE_ROWS = 8
"""Empty rows that each pair gets; more can be added below."""
MORE_ROWS = 500
"""Rows below the table that have its lists and colours, for edits that do not fit into the spare ones."""


def edit_columns(sheet: SheetFile) -> list[Column]:
    """The columns of the Edits sheet, from left to right."""
    result = [Column(ITEM, "number", ITEM)]
    result += [
        Column(field_header(field, sheet.language), "field", field.id)
        for field in sheet.protocol.fields
        if field.role in ("source", "rewrite")
    ]
    result += [Column(EDIT, "edit", EDIT), Column(OPERATION, "operation", OPERATION)]
    for side in ("source", "rewrite"):
        result += [Column(SPAN.format(side=side), "span", side), Column(NTH.format(side=side), "nth", side)]
    result.append(Column(PARENT, "parent", PARENT))
    for question in sheet.edit_questions():
        result += answer_columns(question, sheet.protocol.scale_of(question), sheet.language)
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
