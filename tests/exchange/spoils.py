"""Ways to spoil a sheet of BrevE judgements, each with the rule that it breaks and the cell where it does."""

from __future__ import annotations

from collections.abc import Callable

from tests.exchange.sheet_making import Desk

Spoil = Callable[[Desk], list[tuple[str, str]]]
"""Does something to a sheet and says which rules it breaks, in which cells."""

SPOILS: dict[str, Spoil] = {}


def spoil(action: Spoil) -> Spoil:
    """Keep an action under its name."""
    SPOILS[action.__name__.lstrip("_")] = action
    return action


@spoil
def _delete_a_column(desk: Desk) -> list[tuple[str, str]]:
    desk.page.delete_cols(desk.column("fluency"))
    return [("column", "1:1")]


@spoil
def _delete_the_column_others_depend_on(desk: Desk) -> list[tuple[str, str]]:
    desk.type(1, "acceptance", "reject")
    desk.type(1, "severity", 2)
    desk.type(1, "corrected", "El gato duerme.")
    desk.page.delete_cols(desk.column("acceptance"))
    return [("column", "1:1")]


@spoil
def _delete_a_text_column(desk: Desk) -> list[tuple[str, str]]:
    desk.page.delete_cols(desk.column("Source"))
    return [("column", "1:1")]


@spoil
def _delete_the_way_out(desk: Desk) -> list[tuple[str, str]]:
    desk.page.delete_cols(desk.column("way_out"))
    return [("column", "1:1")]


@spoil
def _delete_the_row_ids(desk: Desk) -> list[tuple[str, str]]:
    desk.page.delete_cols(desk.column("row"))
    return [("column", "1:1")]


@spoil
def _delete_one_option(desk: Desk) -> list[tuple[str, str]]:
    desk.page.delete_cols(desk.column("concern_kinds: hate"))
    return [("column", "1:1")]


@spoil
def _rename_a_header(desk: Desk) -> list[tuple[str, str]]:
    desk.page.cell(1, desk.column("meaning")).value = "Sense"
    return [("column", "1:1")]


@spoil
def _double_a_column(desk: Desk) -> list[tuple[str, str]]:
    place = desk.page.max_column + 1
    for row in range(1, 8):
        desk.page.cell(row, place).value = desk.page.cell(row, desk.column("fluency")).value
    return [("column", f"{desk.page.cell(1, place).column_letter}1")]


@spoil
def _rename_the_sheet(desk: Desk) -> list[tuple[str, str]]:
    desk.page.title = "My answers"
    return [("sheet", "")]


@spoil
def _put_rows_above_the_header(desk: Desk) -> list[tuple[str, str]]:
    desk.page.insert_rows(1, 2)
    desk.page["A1"] = "My answers"
    return [("header", "1:1")]


@spoil
def _answer_beyond_the_scale(desk: Desk) -> list[tuple[str, str]]:
    return [("scale", desk.type(1, "simplification", 7))]


@spoil
def _answer_with_words(desk: Desk) -> list[tuple[str, str]]:
    return [("scale", desk.type(2, "simplification", "quite good"))]


@spoil
def _answer_off_the_list(desk: Desk) -> list[tuple[str, str]]:
    return [("scale", desk.type(2, "acceptance", "perhaps"))]


@spoil
def _mark_an_option_with_words(desk: Desk) -> list[tuple[str, str]]:
    desk.type(1, "concern", "yes")
    return [("scale", desk.type(1, "concern_kinds: hate", "a little"))]


@spoil
def _change_a_text(desk: Desk) -> list[tuple[str, str]]:
    return [("locked_cell", desk.type(3, "Rewrite", "Otra frase."))]


@spoil
def _paste_a_row_of_another_sheet(desk: Desk) -> list[tuple[str, str]]:
    for name, value in {"Source": "x", "Rewrite": "y", "simplification": 9, "row": "foreign-lease"}.items():
        desk.type(7, name, value)
    return [("unknown_row", "A8")]


@spoil
def _paste_over_a_row(desk: Desk) -> list[tuple[str, str]]:
    for name, value in {"Source": "x", "Rewrite": "y", "row": "foreign-lease"}.items():
        desk.type(2, name, value)
    return [("missing_row", ""), ("unknown_row", "A3")]


@spoil
def _copy_a_row(desk: Desk) -> list[tuple[str, str]]:
    for column in range(1, desk.page.max_column + 1):
        desk.page.cell(8, column).value = desk.page.cell(3, column).value
    return [("duplicate_row", "A8")]


@spoil
def _delete_rows(desk: Desk) -> list[tuple[str, str]]:
    desk.page.delete_rows(3, 2)
    return [("missing_row", "")]


@spoil
def _add_a_row(desk: Desk) -> list[tuple[str, str]]:
    desk.type(9, "Source", "Another sentence.")
    desk.type(9, "simplification", 2)
    return [("unknown_row", "A10")]


@spoil
def _merge_answers(desk: Desk) -> list[tuple[str, str]]:
    place = desk.letter("acceptance")
    desk.page.merge_cells(f"{place}2:{place}4")
    return [("merged", f"{place}2:{place}4")]


@spoil
def _merge_texts_and_ids(desk: Desk) -> list[tuple[str, str]]:
    desk.page.merge_cells("A2:B2")
    place = desk.letter("row")
    desk.page.merge_cells(f"{place}4:{place}5")
    return [("merged", "A2:B2"), ("merged", f"{place}4:{place}5")]


@spoil
def _calculate_an_answer(desk: Desk) -> list[tuple[str, str]]:
    return [("formula", desk.type(2, "fluency", "=C3"))]


@spoil
def _calculate_what_others_depend_on(desk: Desk) -> list[tuple[str, str]]:
    desk.type(2, "severity", 1)
    return [("formula", desk.type(2, "acceptance", '=IF(1,"reject","accept")'))]


@spoil
def _calculate_a_text(desk: Desk) -> list[tuple[str, str]]:
    return [("formula", desk.type(2, "Source", "=A2"))]


@spoil
def _answer_what_is_not_asked(desk: Desk) -> list[tuple[str, str]]:
    return [("not_shown", desk.type(1, "concern_kinds: sensitive", "x"))]


@spoil
def _leave_an_answer_out(desk: Desk) -> list[tuple[str, str]]:
    return [("required", desk.type(4, "needed", None))]


@spoil
def _rate_severity_without_rejecting(desk: Desk) -> list[tuple[str, str]]:
    return [("not_shown", desk.type(1, "severity", 2))]


@spoil
def _reject_without_reasons(desk: Desk) -> list[tuple[str, str]]:
    desk.type(1, "acceptance", "reject")
    return [("required", f"{desk.letter('severity')}2"), ("required", f"{desk.letter('corrected')}2")]


@spoil
def _accept_with_an_edit_but_without_the_edit(desk: Desk) -> list[tuple[str, str]]:
    desk.type(1, "acceptance", "Accept, but edit afterwards")
    return [("required", f"{desk.letter('edit')}2")]


@spoil
def _change_a_preset_answer(desk: Desk) -> list[tuple[str, str]]:
    return [("rule:identical", desk.type(6, "meaning", 1))]


@spoil
def _answer_a_dropped_question(desk: Desk) -> list[tuple[str, str]]:
    return [("rule:identical", desk.type(6, "acceptance", "accept"))]


@spoil
def _leave_and_answer(desk: Desk) -> list[tuple[str, str]]:
    return [("way_out", desk.type(1, "way_out", "I would rather not judge this"))]


@spoil
def _leave_by_an_unknown_way(desk: Desk) -> list[tuple[str, str]]:
    desk.type(1, "needed", None)
    return [("way_out", desk.type(1, "way_out", "too boring"))]
