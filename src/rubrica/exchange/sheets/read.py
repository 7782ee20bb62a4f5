"""Reading an annotator's Excel file back: every problem with sheet, cell, rule and fix, or clean judgements.

A row is found by its own hidden id, so sorting, filtering and moved columns do not matter. A row without any answer is
open, not wrong. Where a blank is itself an answer ("no simpler word"), a blank row counts as answered if a later row of
the sheet is; blank rows after the last answer are taken as not yet reached.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from rubrica.core.errors import InputError, Problem
from rubrica.core.scales import Choices, RewrittenText, ShortAnswers
from rubrica.core.study import ANSWERED, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.sheets.cells import CellReader, is_blank, is_marked
from rubrica.exchange.sheets.edits_read import EditRows, read_edit_rows
from rubrica.exchange.sheets.grid import Grid, Line, load_grid, open_book, read_meta
from rubrica.exchange.sheets.layout import FORMAT, Column, SheetFile, SheetRow, columns, way_out_labels
from rubrica.exchange.sheets.package import Package


class OpenedSheet:
    """A file that is known to be a sheet of Rubrica; whose it is can be asked before it is read."""

    def __init__(self, path: Path) -> None:
        self.package = Package(path)
        self.book = open_book(path)
        self.meta = read_meta(self.package, self.book)
        self.file = str(path)


class ReadBack(NamedTuple):
    """What a sheet said: judgements by row id, rows still open, blanks taken as an answer."""

    judgements: dict[str, Judgement]
    open: list[str]
    blanks: list[str]


def read_sheet(opened: OpenedSheet, sheet: SheetFile, *, blank_is_answer: bool = False) -> ReadBack:
    """Judgements of a file that was written as ``sheet``. Raises InputError with every problem found.

    ``blank_is_answer`` takes every blank row for an answer where the protocol allows a blank one.
    """
    reader = _SheetReader(opened, sheet, blank_is_answer)
    result = reader.read()
    if reader.problems:
        raise InputError(*reader.problems)
    return result


class _SheetReader:
    def __init__(self, opened: OpenedSheet, sheet: SheetFile, blank_is_answer: bool) -> None:
        self.opened = opened
        self.sheet = sheet
        self.blank_is_answer = blank_is_answer
        self.problems: list[Problem] = []
        self.cells = CellReader(sheet.protocol)
        self.validator = Validator(sheet.protocol, sheet.stage)
        self.columns = columns(sheet)
        self.answer_columns = [column for column in self.columns if column.kind == "answer"]
        self.fields = [column for column in self.columns if column.kind == "field"]
        self.by_question: dict[str, list[Column]] = {}
        for column in self.answer_columns:
            self.by_question.setdefault(column.name, []).append(column)
        self.by_kind = {column.kind: column for column in self.columns}
        self.ways_out = {label.casefold(): way for way, label in way_out_labels(sheet).items()}
        self.ways_out |= {way: way for way in self.ways_out.values()}
        self.keywords = {way.keyword.casefold(): way.id for way in sheet.protocol.ways_out if way.keyword}
        self.blank_allowed = bool(sheet.questions()) and all(
            not question.required or getattr(sheet.protocol.scale_of(question), "none", None)
            for question in sheet.questions()
        )

    def read(self) -> ReadBack:
        meta = self.sheet.meta()
        if self.opened.meta.get("format") != FORMAT:
            self._say_file(
                f"this sheet has the format {self.opened.meta.get('format')!r}, this Rubrica reads {FORMAT!r}",
                "format",
                "Write the sheet again with this version.",
            )
        if self.opened.meta.get("hash") != meta["hash"]:
            self._say_file(
                f"this sheet asks another version of {meta['protocol']}",
                "protocol",
                "Write the sheet again: its questions have changed.",
            )
        grid = self._grid(meta["judgements"], self.columns)
        edits = None
        if self.sheet.has_edits:
            edit_grid = self._grid(meta["edits"], None)
            if edit_grid is not None and grid is not None:
                edits = read_edit_rows(edit_grid, self.sheet, self.cells)
                self.problems += edits.problems
        return self._read_rows(grid, edits) if grid is not None else ReadBack({}, [], [])

    def _grid(self, name: str, wanted: list[Column] | None) -> Grid | None:
        from rubrica.exchange.sheets.edits_layout import edit_columns

        if name not in self.opened.package.sheets:
            there = ", ".join(repr(sheet) for sheet in self.opened.package.sheets if not sheet.startswith("_"))
            self._say_file(
                f"the sheet {name!r} is gone or was renamed; there are {there}",
                "sheet",
                f"Name it {name!r} again.",
                name,
            )
            return None
        grid = load_grid(self.opened.package, self.opened.book, name, wanted or edit_columns(self.sheet))
        self.problems += grid.header_problems()
        self._oddities(grid)
        return grid

    def _oddities(self, grid: Grid) -> None:
        oddities = self.opened.package.oddities(grid.sheet)
        for merged in oddities.merged:
            self.problems.append(
                Problem(
                    what="these cells are merged",
                    rule="merged",
                    fix="Unmerge them and fill in each cell.",
                    value=merged,
                    file=grid.file,
                    sheet=grid.sheet,
                    cell=merged,
                )
            )
        for cell in oddities.formulas:
            self.problems.append(
                Problem(
                    what="this cell holds a formula",
                    rule="formula",
                    fix="Type the answer itself.",
                    file=grid.file,
                    sheet=grid.sheet,
                    cell=cell,
                )
            )

    def _say_file(self, what: str, rule: str, fix: str, value: Any = None) -> None:
        self.problems.append(Problem(what=what, rule=rule, fix=fix, value=value, file=self.opened.file))

    def _read_rows(self, grid: Grid, edits: EditRows | None) -> ReadBack:
        known = {row.id: row for row in self.sheet.rows}
        seen: dict[str, int] = {}
        lines: list[tuple[Line, SheetRow]] = []
        id_column = self.by_kind["id"]
        for line in grid.rows():
            row_id = grid.text(line, id_column).strip()
            row = known.get(row_id)
            if row is None:
                self._stray(grid, line, row_id)
            elif row_id in seen:
                self.problems.append(
                    grid.problem(
                        line,
                        id_column,
                        f"this row is a copy of row {seen[row_id]}",
                        "duplicate_row",
                        "Remove one of the two.",
                        value=row_id,
                    )
                )
            else:
                seen[row_id] = line.number
                lines.append((line, row))
                self._texts(grid, line, row)
        missing = [row for row in self.sheet.rows if row.id not in seen]
        if missing and id_column.header in grid.places:
            items = ", ".join(row.item.key for row in missing[:5]) + (" …" if len(missing) > 5 else "")
            self.problems.append(
                grid.problem(
                    None,
                    None,
                    f"{len(missing)} of {len(known)} rows are gone (items {items})",
                    "missing_row",
                    "Put them back; a row without answers is fine.",
                    value=len(missing),
                )
            )
        return self._judge(grid, lines, edits)

    def _stray(self, grid: Grid, line: Line, row_id: str) -> None:
        if self.by_kind["id"].header not in grid.places:
            return
        what = f"this row belongs to another sheet ({row_id})" if row_id else "this row was added: it has no id"
        self.problems.append(
            grid.problem(line, self.by_kind["id"], what, "unknown_row", "Remove the row.", value=row_id)
        )

    def _texts(self, grid: Grid, line: Line, row: SheetRow) -> None:
        for column in self.fields:
            if column.header not in grid.places:
                continue
            text = row.item.fields.get(column.name, "")
            found = grid.text(line, column)
            if found != text and _squeezed(found) != _squeezed(text):
                self.problems.append(
                    grid.problem(
                        line,
                        column,
                        f"the text of {column.header!r} was changed",
                        "locked_cell",
                        f"Put back: {text if len(text) <= 80 else text[:77] + '…'}",
                        value=found[:200],
                    )
                )

    def _judge(self, grid: Grid, lines: list[tuple[Line, SheetRow]], edits: EditRows | None) -> ReadBack:
        said = [self._judgement(grid, line, row, edits) for line, row in lines]
        last = max((index for index, judgement in enumerate(said) if judgement is not None), default=-1)
        judgements, still_open, blanks = {}, [], []
        complete = not self.problems or all(problem.rule != "column" for problem in self.problems)
        for index, ((line, row), judgement) in enumerate(zip(lines, said, strict=True)):
            if judgement is None:
                if not (self.blank_allowed and (self.blank_is_answer or index < last)):
                    still_open.append(row.id)
                    continue
                blanks.append(row.id)
                judgement = Judgement(self._blank_answers())
            if complete:
                found = self.validator.problems(row.item, judgement)
                self.problems += [
                    edits.placed(row.id, problem) if edits and problem.edit else self._placed(grid, line, problem)
                    for problem in found
                ]
            judgements[row.id] = self.validator.settle(row.item, judgement) if not self.problems else judgement
        return ReadBack(judgements, still_open, blanks)

    def _blank_answers(self) -> dict[str, Any]:
        return {
            question.id: ()
            for question in self.sheet.questions()
            if isinstance(self.sheet.protocol.scale_of(question), ShortAnswers)
        }

    def _judgement(self, grid: Grid, line: Line, row: SheetRow, edits: EditRows | None) -> Judgement | None:
        """What a row says; None if it says nothing."""
        plan = self.validator.plan(row.item)
        answers: dict[str, Any] = {}
        for question, parts in self.by_question.items():
            value = self._answer(grid, line, parts)
            if value is not None:
                answers[question] = value
        touched = any(name not in plan.preset for name in answers)
        outcome = self._outcome(grid, line, answers)
        own_edits = tuple(edits.by_row.get(row.id, ())) if edits else ()
        if self.sheet.has_edits:
            done = grid.text(line, self.by_kind["done"])
            if is_marked(done) is None:
                self.problems.append(
                    grid.problem(line, self.by_kind["done"], f"done is {done!r}", "scale", "Use x.", value=done)
                )
            touched = touched or own_edits != row.edits or bool(is_marked(done))
        if outcome != ANSWERED:
            return Judgement(
                {name: value for name, value in answers.items() if name not in plan.preset}, own_edits, outcome
            )
        return Judgement(answers, own_edits) if touched else None

    def _answer(self, grid: Grid, line: Line, parts: list[Column]) -> Any:
        first = parts[0]
        assert first.question is not None
        if isinstance(first.scale, Choices):
            marks = [(column, grid.text(line, column)) for column in parts]
            for column, text in marks:
                if is_marked(text) is None:
                    self.problems.append(
                        grid.problem(
                            line,
                            column,
                            f"{column.header} is {text!r}",
                            "scale",
                            "Mark it with x or leave it blank.",
                            question=column.name,
                            value=text,
                        )
                    )
            chosen = tuple(column.part for column, text in marks if is_marked(text))
            return chosen or None
        if isinstance(first.scale, ShortAnswers):
            texts = [grid.text(line, column).strip() for column in parts]
            return tuple(dict.fromkeys(text for text in texts if text)) or None
        text = grid.text(line, first)
        return None if is_blank(text) else self.cells.value(first.question.scale, text)

    def _outcome(self, grid: Grid, line: Line, answers: dict[str, Any]) -> str:
        """The way out that was chosen, or typed as the answer; answered otherwise."""
        column = self.by_kind["way_out"]
        text = grid.text(line, column).strip()
        if text:
            way = self.ways_out.get(text.casefold())
            if way is None:
                known = ", ".join(way_out_labels(self.sheet).values())
                self.problems.append(
                    grid.problem(
                        line, column, f"there is no way out {text!r}", "way_out", f"Use one of: {known}.", value=text
                    )
                )
            return way or ANSWERED
        for name, parts in self.by_question.items():
            value = answers.get(name)
            if isinstance(parts[0].scale, RewrittenText) and isinstance(value, str):
                way = self.keywords.get(value.strip().strip(".").casefold())
                if way:
                    del answers[name]
                    return way
        return ANSWERED

    def _placed(self, grid: Grid, line: Line, problem: Problem) -> Problem:
        parts = self.by_question.get(problem.question)
        column = parts[0] if parts else self.by_kind["id"]
        placed = grid.problem(line, column, problem.what, problem.rule, problem.fix)
        return placed.at(value=problem.value, question=problem.question)


def _squeezed(text: str) -> str:
    """Text without what re-saving may change: line endings and white space at the ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
