"""The Edits sheet: one row for each edit.

An edit names its pair by number, its operation, the words it marks (quoted from the texts; ``…_nth`` says which,
where they occur more than once; several spans are joined by `` // ``), the composite edit it is part of, and its
answers.
"""

from __future__ import annotations

from rubrica.core.texts import shown
from rubrica.exchange.sheets.layout import Column, SheetFile, answer_columns

ITEM, EDIT, OPERATION, PARENT = "item", "edit", "operation", "parent"
SPAN, NTH = "{side}_span", "{side}_nth"
BETWEEN = " // "
SPARE_ROWS = 8
"""Empty rows that each pair gets; more can be added below."""


def edit_columns(sheet: SheetFile) -> list[Column]:
    """The columns of the Edits sheet, from left to right."""
    result = [Column(ITEM, "number", ITEM)]
    result += [
        Column(shown(field.label, sheet.language), "field", field.id)
        for field in sheet.protocol.fields
        if field.role in ("source", "rewrite")
    ]
    result += [Column(EDIT, "edit", EDIT), Column(OPERATION, "operation", OPERATION)]
    for side in ("source", "rewrite"):
        result += [Column(SPAN.format(side=side), "span", side), Column(NTH.format(side=side), "nth", side)]
    result.append(Column(PARENT, "parent", PARENT))
    for question in sheet.edit_questions():
        result += answer_columns(question, sheet.protocol.scale_of(question), sheet.language)
    return result
