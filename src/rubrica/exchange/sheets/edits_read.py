"""Reading the Edits sheet: quoted words become spans, rows become edits of their pair.

An edit whose row could not be understood is *broken*: it was reported once, and what the validator says about it, or
about edits that belong to it, is not reported again.
"""

from __future__ import annotations

from typing import Any

import attrs

from rubrica.core.edit_overlay import shape
from rubrica.core.edits import SIDES, Edit, NotFound, Span, find_quote
from rubrica.core.errors import MOST_LISTED, Problem
from rubrica.core.text_helpers import nearest
from rubrica.core.texts import shown
from rubrica.exchange.sheets.cells import CellReader, is_number, known_words, said_word
from rubrica.exchange.sheets.grid import Grid, Line
from rubrica.exchange.sheets.layout import BETWEEN, Column, SheetFile, SheetRow, quotes, starting_edits
from rubrica.exchange.sheets.row_read import AnswerReader, Words
from rubrica.exchange.sheets.structure_words import Told

_STRUCTURE = ("number", "edit", "operation", "span", "nth", "parent")


def read_edit_rows(grid: Grid, sheet: SheetFile, cells: CellReader) -> EditRows:
    """The edits of every pair on the sheet."""
    rows = EditRows(grid, sheet, cells)
    if rows.readable:
        for line in grid.rows():
            rows.read(line)
        if sheet.stage.edits == "fixed":
            rows.compare_with_fixed()
    return rows


class EditRows:
    """The edits of each pair, and what was wrong with them. ``readable`` is false when a column they need is gone."""

    def __init__(self, grid: Grid, sheet: SheetFile, cells: CellReader) -> None:
        assert sheet.protocol.edits is not None
        self.grid = grid
        self.sheet = sheet
        self.columns = grid.columns
        self.problems: list[Problem] = []
        self._words = grid.words
        self.readable = all(grid.has(column) for column in self.columns if column.kind in _STRUCTURE)
        self._answers = AnswerReader(grid, self.columns, cells, self.problems)
        self._operations = known_words(
            [(operation.id, operation.label) for operation in sheet.protocol.edits.operations], sheet.language
        )
        self._labels = ", ".join(shown(one.label, sheet.language) for one in sheet.protocol.edits.operations)
        self._asked = {question.id for question in sheet.edit_questions()}
        self._by_row: dict[str, list[Edit]] = {}
        self._lines: dict[tuple[str, str], Line] = {}
        self._lost: dict[tuple[str, str], set[str]] = {}
        self._broken: set[tuple[str, str]] = set()
        self._broken_rows: set[str] = set()
        self._free: dict[str, int] = {}
        self._unplaced = False

    def _break(self, row: SheetRow, edit: str) -> None:
        self._broken.add((row.id, edit))
        self._broken_rows.add(row.id)

    def of(self, row: SheetRow) -> tuple[Edit, ...]:
        """The edits of a pair: those it was handed out with first, in their order, whatever the rows were sorted by."""
        order = {edit.id: index for index, edit in enumerate(self._start(row))}
        return tuple(sorted(self._by_row.get(row.id, ()), key=lambda edit: order.get(edit.id, len(order))))

    def changed(self, row: SheetRow) -> bool:
        """Whether a pair has other edits, or other answers about them, than the ones to start from."""
        given = [attrs.evolve(edit, answers=self._kept(edit)) for edit in row.edits]
        now = [attrs.evolve(edit, answers=self._kept(edit)) for edit in self._by_row.get(row.id, ())]
        return self.readable and sorted(given, key=_name) != sorted(now, key=_name)

    def _kept(self, edit: Edit) -> dict[str, Any]:
        return {name: value for name, value in edit.answers.items() if name in self._asked}

    def _start(self, row: SheetRow) -> tuple[Edit, ...]:
        return starting_edits(row, self.sheet.stage.edits == "fixed")

    def placed(self, row: SheetRow, problem: Problem, words: Words) -> list[Problem]:
        """A problem of an edit at its cell; nothing if it follows from something reported already."""
        key = (row.id, problem.edit)
        if not self.readable or key in self._broken or problem.question in self._lost.get(key, ()):
            return []
        if problem.rule in ("parent", "constituents") and not problem.question and self._any_broken(row):
            return []
        named = [column for column in self.columns if column.kind == "answer" and column.name == problem.question]
        kind = {"span": "span", "parent": "parent", "operation": "operation"}.get(problem.rule, "edit")
        side = "rewrite" if "the rewrite" in problem.what else "source"
        column = named[0] if named else self._column(kind, side if kind == "span" else "")
        told = words.told(problem, column) if named and self._words.translated else problem
        own = None if told is not problem else self._words.of_edit(problem.rule, problem.edit)
        at = self.grid.problem(self._lines.get(key), column, problem.rule, own or Told(told.what, told.fix))
        return [at.at(value=problem.value, question=problem.question, edit=problem.edit)]

    def _any_broken(self, row: SheetRow) -> bool:
        return self._unplaced or row.id in self._broken_rows

    def _column(self, kind: str, name: str = "") -> Column:
        return next(column for column in self.columns if column.kind == kind and name in ("", column.name))

    def _say(self, line: Line, column: Column, rule: str, told: Told, value: Any = None) -> None:
        self.problems.append(self.grid.problem(line, column, rule, told, value=value))

    def read(self, line: Line) -> None:
        """Take one row of the sheet."""
        text = {
            kind: self.grid.text(line, self._column(kind)).strip() for kind in ("number", "edit", "operation", "parent")
        }
        spans = {side: self.grid.text(line, self._column("span", side)) for side in SIDES}
        before = len(self.problems)
        row = self._pair(text["number"])
        if row is not None:
            self._check_texts(line, row)
        answers, lost = self._answers.read(line)
        spoilt = any(self.grid.is_spoilt(line, column) for column in self.columns if column.kind in _STRUCTURE)
        if not (text["operation"] or any(map(str.strip, spans.values())) or answers or spoilt):
            return
        if row is None:
            self._unplaced = True
            if not spoilt:
                self._no_pair(line, text["number"])
            return
        name = text["edit"] or self._free_id(row)
        if (row.id, name) in self._lines:
            above = self._lines[row.id, name].number
            told = self._words("edit twice", edit=name, above=above)
            self._say(line, self._column("edit"), "duplicate_edit", told, name)
            self._break(row, name)
            return
        operation = self._operation(line, text["operation"], spoilt)
        given = next((edit for edit in self._start(row) if edit.id == name), None)
        found = {side: self._spans(line, side, spans[side], row, given) if not spoilt else () for side in SIDES}
        self._lines[row.id, name] = line
        self._lost[row.id, name] = lost
        if spoilt or any(problem.rule != "locked_cell" for problem in self.problems[before:]):
            self._break(row, name)
        edit = Edit(name, operation, found["source"], found["rewrite"], answers, text["parent"])
        self._by_row.setdefault(row.id, []).append(edit)

    def _check_texts(self, line: Line, row: SheetRow) -> None:
        """The pair's texts stand once, beside its first edit; if they stand there, they are as they were."""
        for column in self.columns:
            if column.kind == "field" and self.grid.text(line, column).strip():
                self.problems += self.grid.changed(line, column, row.item.fields.get(column.name, ""))

    def _pair(self, number: str) -> SheetRow | None:
        known = is_number(number) and 0 < int(number) <= len(self.sheet.rows)
        return self.sheet.rows[int(number) - 1] if known else None

    def _no_pair(self, line: Line, number: str) -> None:
        last = {"last": len(self.sheet.rows), "sheet": self.sheet.names[0]}
        told = self._words("no such pair" if number else "no pair", number=number, **last)
        self._say(line, self._column("number"), "unknown_item", told, number)

    def _operation(self, line: Line, said: str, spoilt: bool) -> str:
        operation: str | None = said_word(self._operations, said)
        if operation is None and not spoilt:
            told = self._words("no such operation" if said else "no operation", said=said, labels=self._labels)
            self._say(line, self._column("operation"), "operation", told, said)
        return operation or ""

    def _free_id(self, row: SheetRow) -> str:
        number = self._free.get(row.id, 1)
        while (row.id, str(number)) in self._lines:
            number += 1
        self._free[row.id] = number
        return str(number)

    def _spans(self, line: Line, side: str, quoted: str, row: SheetRow, given: Edit | None) -> tuple[Span, ...]:
        """Spans of the quoted words: the whole cell as one stretch, else cut at ``//``.

        White space around typed words is not meant. In a cell that nobody touched it is: the span has it.
        """
        if not quoted.strip():
            return ()
        text = row.item.fields.get(side, "")
        column, nth = self._column("span", side), self._column("nth", side)
        cut = BETWEEN.strip()
        untouched = given is not None and quoted == quotes(given, side, text)
        if untouched:
            pieces = [quoted] if quoted in text else quoted.split(BETWEEN)
        else:
            whole = quoted.strip()
            pieces = [whole] if whole in text else [piece.strip() for piece in quoted.split(cut) if piece.strip()]
        said = self.grid.text(line, nth)
        ranks = [rank.strip() for rank in said.split(cut)] if said.strip() else []
        if any(rank and not is_number(rank) for rank in ranks) or len(ranks) > len(pieces):
            self._say(line, nth, "nth", self._words("nth", header=nth.header, said=said), said)
            return ()
        spans = []
        for index, piece in enumerate(pieces):
            rank = int(ranks[index]) if index < len(ranks) and ranks[index] else None
            span = find_quote(text, piece, rank)
            if isinstance(span, NotFound):
                self._not_found(line, column, side, span, rank, text)
            else:
                spans.append(span)
        return tuple(spans)

    def _not_found(self, line: Line, column: Column, side: str, lost: NotFound, rank: int | None, text: str) -> None:
        nth = self._column("nth", side)
        there = {"quote": lost.quote, "times": lost.times, "side": self._words.word(side), "header": nth.header}
        if lost.times and rank is not None:
            told = self._words("nth beyond" if lost.times > 1 else "nth beyond one", rank=rank, **there)
            self._say(line, nth, "nth", told, rank)
        elif lost.times:
            self._say(line, column, "ambiguous_span", self._words("which", **there), lost.quote)
        else:
            first = (lost.quote.split() or [""])[0]
            # What will not be listed needs no help.
            near = nearest(first, text.split()) if len(self.problems) < MOST_LISTED else []
            told = self._words("not there, near" if near else "not there", near=near[0] if near else "", **there)
            self._say(line, column, "span_not_found", told, lost.quote)

    def compare_with_fixed(self) -> None:
        """At a stage with fixed edits, only answers may differ from what was handed out."""
        for row in self.sheet.rows:
            given = {edit.id: edit for edit in self._start(row)}
            found = {edit.id: edit for edit in self._by_row.get(row.id, ())}
            gone = [name for name in given if name not in found]
            if gone and not self._unplaced:
                self.problems.append(self._gone(row, gone))
            for name, edit in found.items():
                line = self._lines[row.id, name]
                if name not in given:
                    self._say(line, self._column("edit"), "fixed_edit", self._words("edit added", edit=name), name)
                    self._break(row, name)
                elif shape(edit) != shape(given[name]) and (row.id, name) not in self._broken:
                    told = self._words("edit changed", edit=name)
                    self._say(line, self._column("operation"), "fixed_edit", told, name)
                    self._break(row, name)

    def _gone(self, row: SheetRow, gone: list[str]) -> Problem:
        for name in gone:
            self._break(row, name)
        name = "edit gone" if len(gone) == 1 else "edits gone"
        told = self._words(name, edits=", ".join(gone), item=row.item.key)
        return self.grid.problem(None, None, "fixed_edit", told, value=gone)


def _name(edit: Edit) -> str:
    return edit.id
