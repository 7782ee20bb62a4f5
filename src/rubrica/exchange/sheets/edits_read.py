"""Reading the Edits sheet: quoted words become spans, rows become edits of their pair."""

from __future__ import annotations

import difflib
from typing import Any, NamedTuple

from rubrica.core.edits import SIDES, Edit, NotFound, Span, find_quote
from rubrica.core.errors import Problem
from rubrica.core.scales import Choices
from rubrica.core.texts import Text
from rubrica.exchange.sheets.cells import CellReader, is_blank, is_marked
from rubrica.exchange.sheets.edits_layout import BETWEEN, edit_columns
from rubrica.exchange.sheets.grid import Grid, Line
from rubrica.exchange.sheets.layout import Column, SheetFile, SheetRow


class EditRows(NamedTuple):
    """Edits by the id of their pair's row, and what was wrong."""

    by_row: dict[str, list[Edit]]
    problems: list[Problem]
    reader: _EditReader

    def placed(self, row: str, problem: Problem) -> Problem:
        """A problem of an edit at its cell."""
        reader = self.reader
        line = reader.lines.get((row, problem.edit))
        named = [column for column in reader.columns if column.kind == "answer" and column.name == problem.question]
        column = named[0] if named else reader.column("span" if problem.rule == "span" else "edit")
        placed = reader.grid.problem(line, column, problem.what, problem.rule, problem.fix)
        return placed.at(value=problem.value, question=problem.question, edit=problem.edit)


def read_edit_rows(grid: Grid, sheet: SheetFile, cells: CellReader) -> EditRows:
    """The edits of every pair on the sheet."""
    reader = _EditReader(grid, sheet, cells)
    for line in grid.rows():
        reader.read(line)
    if sheet.stage.edits == "fixed":
        reader.compare_with_fixed()
    return EditRows(reader.by_row, reader.problems, reader)


class _EditReader:
    def __init__(self, grid: Grid, sheet: SheetFile, cells: CellReader) -> None:
        assert sheet.protocol.edits is not None
        self.grid = grid
        self.sheet = sheet
        self.cells = cells
        self.columns = edit_columns(sheet)
        self.problems: list[Problem] = []
        self.by_row: dict[str, list[Edit]] = {}
        self.lines: dict[tuple[str, str], Line] = {}
        self.operations: dict[str, str] = {}
        for operation in sheet.protocol.edits.operations:
            spoken = operation.label.languages.values() if isinstance(operation.label, Text) else ()
            self.operations |= {word.casefold(): operation.id for word in (*spoken, operation.id)}

    def column(self, kind: str, name: str = "") -> Column:
        return next(column for column in self.columns if column.kind == kind and name in ("", column.name))

    def say(self, line: Line, column: Column, what: str, rule: str, fix: str, value: Any = None) -> None:
        self.problems.append(self.grid.problem(line, column, what, rule, fix, value=value))

    def read(self, line: Line) -> None:
        text = {
            kind: self.grid.text(line, self.column(kind)).strip() for kind in ("number", "edit", "operation", "parent")
        }
        spans = {side: self.grid.text(line, self.column("span", side)) for side in SIDES}
        answers = self._answers(line)
        if not (text["operation"] or any(spans.values()) or answers):
            return
        row = self._row(line, text["number"])
        operation = self.operations.get(text["operation"].casefold())
        if operation is None:
            known = ", ".join(dict.fromkeys(self.operations.values()))
            what = f"there is no operation {text['operation']!r}" if text["operation"] else "this edit has no operation"
            self.say(line, self.column("operation"), what, "operation", f"Use one of {known}.", text["operation"])
        if row is None or operation is None:
            return
        found = {side: self._spans(line, side, spans[side], row) for side in SIDES}
        edit = Edit(
            id=text["edit"] or self._free_id(row),
            operation=operation,
            source=found["source"],
            rewrite=found["rewrite"],
            answers=answers,
            parent=text["parent"],
        )
        if (row.id, edit.id) in self.lines:
            self.say(
                line,
                self.column("edit"),
                f"edit {edit.id} of this pair stands on row {self.lines[row.id, edit.id].number} too",
                "duplicate_edit",
                "Give it another number.",
                edit.id,
            )
            return
        self.lines[row.id, edit.id] = line
        self.by_row.setdefault(row.id, []).append(edit)

    def _row(self, line: Line, number: str) -> SheetRow | None:
        if number.isdigit() and 0 < int(number) <= len(self.sheet.rows):
            return self.sheet.rows[int(number) - 1]
        self.say(
            line,
            self.column("number"),
            f"there is no pair number {number!r}",
            "unknown_item",
            f"Use a number from 1 to {len(self.sheet.rows)}, as on the sheet {self.sheet.names[0]!r}.",
            number,
        )
        return None

    def _free_id(self, row: SheetRow) -> str:
        taken = {edit_id for row_id, edit_id in self.lines if row_id == row.id}
        return next(str(number) for number in range(1, len(taken) + 2) if str(number) not in taken)

    def _spans(self, line: Line, side: str, quoted: str, row: SheetRow) -> tuple[Span, ...]:
        """Spans of the quoted words: the whole cell as one stretch, else cut at ``//``."""
        if not quoted.strip():
            return ()
        column = self.column("span", side)
        text = row.item.fields.get(side, "")
        ranks = self.grid.text(line, self.column("nth", side)).split(BETWEEN.strip())
        numbers = [int(rank.strip()) if rank.strip().isdigit() else None for rank in ranks]
        pieces = [quoted] if quoted in text else [piece.strip() for piece in quoted.split(BETWEEN.strip())]
        if len(pieces) == 1 and pieces[0] not in text:
            pieces = [pieces[0].strip()]
        spans = []
        for index, piece in enumerate(pieces):
            span = find_quote(text, piece, numbers[index] if index < len(numbers) else None)
            if isinstance(span, NotFound):
                self._not_found(line, column, side, span, text)
            else:
                spans.append(span)
        return tuple(spans)

    def _not_found(self, line: Line, column: Column, side: str, lost: NotFound, text: str) -> None:
        if lost.times:
            self.say(
                line,
                column,
                f"{lost.quote!r} occurs {lost.times} times in the {side}",
                "ambiguous_span",
                f"Say which in {side}_nth: a number from 1 to {lost.times}.",
                lost.quote,
            )
            return
        words = text.split()
        near = difflib.get_close_matches(lost.quote.split()[0] if lost.quote.split() else "", words, n=1)
        hint = f" Near it: {near[0]!r}." if near else ""
        self.say(
            line,
            column,
            f"{lost.quote!r} does not stand in the {side}",
            "span_not_found",
            f"Copy the words from the text, exactly.{hint}",
            lost.quote,
        )

    def _answers(self, line: Line) -> dict[str, Any]:
        answers: dict[str, Any] = {}
        for column in self.columns:
            if column.kind != "answer":
                continue
            assert column.question is not None
            text = self.grid.text(line, column)
            if isinstance(column.scale, Choices):
                if is_marked(text):
                    answers[column.name] = (*answers.get(column.name, ()), column.part)
            elif not is_blank(text):
                answers[column.name] = self.cells.value(column.question.scale, text)
        return answers

    def compare_with_fixed(self) -> None:
        """At a stage with fixed edits, only answers may differ from what was handed out."""
        for row in self.sheet.rows:
            found = {edit.id: edit for edit in self.by_row.get(row.id, ())}
            if not found:
                continue
            for edit in row.edits:
                same = found.get(edit.id)
                if same is None:
                    self.problems.append(
                        self.grid.problem(
                            None,
                            None,
                            f"edit {edit.id} of item {row.item.key} is gone",
                            "fixed_edit",
                            "Put its row back: the edits are fixed at this stage.",
                            value=edit.id,
                        )
                    )
                elif _shape(same) != _shape(edit):
                    self.say(
                        self.lines[row.id, edit.id],
                        self.column("operation"),
                        f"edit {edit.id} was changed",
                        "fixed_edit",
                        "Operation, spans and parent are fixed at this stage: put them back.",
                        edit.id,
                    )
            for name in found.keys() - {edit.id for edit in row.edits}:
                self.say(
                    self.lines[row.id, name],
                    self.column("edit"),
                    f"edit {name} was added",
                    "fixed_edit",
                    "Remove it: the edits are fixed at this stage.",
                    name,
                )


def _shape(edit: Edit) -> tuple[Any, ...]:
    return (edit.operation, edit.source, edit.rewrite, edit.parent)
