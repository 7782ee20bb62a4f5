"""Reading an annotator's Excel file back: every problem with sheet, cell, rule and fix, or clean judgements.

A row is found by its own hidden id, so sorting, filtering and moved columns do not matter. A row without any answer is
open, not wrong. Where a blank is itself an answer ("no simpler word"), a blank row counts as answered if a later row of
the sheet is, or if it was handed out as answered; blank rows after the last answer are taken as not yet reached.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, Protocol

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.study import ANSWERED, Judgement
from rubrica.core.text_helpers import first_of
from rubrica.core.validation import Validator
from rubrica.exchange.sheets.cells import CellReader
from rubrica.exchange.sheets.edits_read import EditRows, read_edit_rows
from rubrica.exchange.sheets.grid import Grid, Line, load_grid, read_meta
from rubrica.exchange.sheets.layout import (
    FORMAT,
    META_SHEET,
    Column,
    SheetFile,
    SheetRow,
    as_written,
    blank_questions,
    blank_row_answers,
    columns,
    edit_columns,
    field_text,
    way_out_labels,
)
from rubrica.exchange.sheets.package import Package
from rubrica.exchange.sheets.row_read import RowReader, RowSays
from rubrica.exchange.sheets.structure_words import StructureWords, Told


class ReadBack(NamedTuple):
    """What a sheet said: judgements by row id, rows still open, blanks taken as an answer, answers to ask about."""

    judgements: dict[str, Judgement]
    open: list[str]
    blanks: list[str]
    questions: list[Problem]


class Returned(Protocol):
    """A file that came back: whose it is can be asked before it is read."""

    file: str
    meta: dict[str, str]

    def read(self, sheet: SheetFile, *, blank_is_answer: bool = False) -> ReadBack:
        """What it says, if it was written as ``sheet``."""


class OpenedSheet:
    """A file that is known to be a sheet of Rubrica."""

    def __init__(self, path: Path) -> None:
        self.package = Package(path)
        self.meta = read_meta(self.package)
        self.file = str(path)

    def read(self, sheet: SheetFile, *, blank_is_answer: bool = False) -> ReadBack:
        """What it says, if it was written as ``sheet``."""
        return read_sheet(self, sheet, blank_is_answer=blank_is_answer)


def unknown_sheet(opened: Returned) -> InputError:
    """What is said of a file of this study that is none of its sheets."""
    told = StructureWords(opened.meta.get("language", ""))("unknown sheet")
    return wrong(told.what, "identity", told.fix, value=opened.meta.get("sheet"), file=opened.file)


def other_study(opened: Returned, study: str, there: str, *, trashed: bool) -> InputError:
    """What is said of a file of another study than this: ``there`` is the one of this home that it is of, if any."""
    name = opened.meta.get("study_name", "unknown")
    send = f"Send it there: on the Sheets page of that study, or with `rubrica sheets read {there} …`."
    fix = send if there else "Read it in the home where that study is."
    if trashed:
        fix = f"That study is in the trash: `rubrica study restore {there} --as NEW`, then read it there."
    what = StructureWords(opened.meta.get("language", ""))("other study", name=name, study=study).what
    return wrong(what, "identity", fix, value=name, file=opened.file)


def meta_of(path: Path) -> dict[str, str]:
    """What a file says of itself; see ``read_at``."""
    return OpenedSheet(path).meta


def read_at(path: Path, sheet: SheetFile, blank_is_answer: bool) -> ReadBack:
    """What a file says: everything in one call, for a process of its own."""
    return OpenedSheet(path).read(sheet, blank_is_answer=blank_is_answer)


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
        self.words = StructureWords(sheet.language)
        self.cells = CellReader(sheet.protocol, sheet.language)
        self.validator = Validator(sheet.protocol, sheet.stage)
        self.numbers = {row.id: number for number, row in enumerate(sheet.rows, start=1)}
        self.presettable = {name for rule in sheet.protocol.rules for name in rule.preset}
        self.may_be_blank = blank_questions(sheet.protocol, sheet.stage)
        self.blank_allowed = blank_row_answers(sheet.protocol, sheet.stage)

    def read(self) -> ReadBack:
        nothing = ReadBack({}, [], [], [])
        if self._is_another():
            return nothing
        meta = self.opened.meta
        judgements, its_edits, _ = self.sheet.names
        judgements, its_edits = meta.get("judgements") or judgements, meta.get("edits") or its_edits
        grid = self._grid(judgements, as_written(columns(self.sheet), meta))
        edits = None
        if self.sheet.has_edits:
            edit_grid = self._grid(its_edits, as_written(edit_columns(self.sheet), meta, f"{its_edits}:"))
            if edit_grid is not None:
                edits = read_edit_rows(edit_grid, self.sheet, self.cells)
                self.problems += edits.problems
        if grid is None:
            return nothing
        return self._judge(grid, self._rows(grid), edits)

    def _is_another(self) -> bool:
        """Whether the file is another sheet, of another format or with other questions: then nothing is comparable."""
        meta, expected = self.opened.meta, self.sheet.meta()
        if meta.get("format") != FORMAT:
            told = self.words("format", found=meta.get("format"), wanted=FORMAT)
            self._say_file("format", told, meta.get("format"))
        elif meta.get("sheet") != expected["sheet"] or meta.get("study") != expected["study"]:
            whose = {"whose": meta.get("annotator"), "where": meta.get("study_name")}
            told = self.words("another sheet", **whose, annotator=self.sheet.annotator, study=self.sheet.study)
            self._say_file("identity", told, meta.get("sheet"))
        elif meta.get("hash") != expected["hash"]:
            told = self.words("another version", protocol=expected["protocol"])
            self._say_file("protocol", told, meta.get("hash"))
        return bool(self.problems)

    def _grid(self, name: str, wanted: list[Column]) -> Grid | None:
        if name not in self.opened.package.sheets:
            there = ", ".join(repr(sheet) for sheet in self.opened.package.sheets if not sheet.startswith("_"))
            told = self.words("sheet gone", name=name, there=there)
            self.problems.append(Problem(**told._asdict(), rule="sheet", value=name, file=self.opened.file, sheet=name))
            name = self._renamed(wanted)
            if not name:
                return None
        grid = load_grid(self.opened.package, name, wanted, self.words)
        self.problems += grid.header_problems()
        if not grid.places:
            return None
        self.problems += grid.spoil(self.opened.package.oddities(name))
        return grid

    def _renamed(self, wanted: list[Column]) -> str:
        """The sheet that has most of the wanted columns, so that its other problems can be told as well."""
        others = [
            sheet for sheet in self.opened.package.sheets if sheet != META_SHEET and sheet not in self.sheet.names
        ]
        found = {sheet: load_grid(self.opened.package, sheet, wanted).places for sheet in others}
        best = max(found, key=lambda sheet: len(found[sheet]), default="")
        return best if best and len(found[best]) * 2 > len(wanted) else ""

    def _say_file(self, rule: str, told: Told, value: Any) -> None:
        self.problems.append(Problem(**told._asdict(), rule=rule, value=value, file=self.opened.file))

    def _rows(self, grid: Grid) -> list[tuple[Line, SheetRow]]:
        """The rows that are known by their id; others, copies and gaps are problems."""
        known = {row.id: row for row in self.sheet.rows}
        by_kind = {column.kind: column for column in grid.columns}
        if not grid.has(by_kind["id"]):
            return []
        seen: dict[str, int] = {}
        lines: list[tuple[Line, SheetRow]] = []
        merged_ids = 0
        for line in grid.rows():
            row_id = grid.text(line, by_kind["id"]).strip()
            if grid.is_spoilt(line, by_kind["id"]) and row_id not in known:
                merged_ids += 1
            elif row_id not in known:
                told = self.words("other row" if row_id else "added row", id=row_id)
                self.problems.append(grid.problem(line, None, "unknown_row", told, value=row_id))
            elif row_id in seen:
                told = self.words("copied row", above=seen[row_id])
                self.problems.append(grid.problem(line, None, "duplicate_row", told, value=row_id))
            else:
                seen[row_id] = line.number
                lines.append((line, known[row_id]))
                self._texts(grid, line, known[row_id])
        missing = [row for row in self.sheet.rows if row.id not in seen]
        if len(missing) > merged_ids:
            items = first_of([row.item.key for row in missing], 5)
            name = "rows gone" if len(missing) > 1 else "row gone"
            told = self.words(name, missing=len(missing), rows=len(known), items=items)
            self.problems.append(grid.problem(None, None, "missing_row", told, value=len(missing)))
        return lines

    def _texts(self, grid: Grid, line: Line, row: SheetRow) -> None:
        """Check that what was handed out is still what stands in the row."""
        for column in grid.columns:
            if column.kind == "field":
                given = row.item.fields.get(column.name, "")
                if grid.changed(line, column, given):  # older sheets have a substitute alone
                    text = field_text(self.sheet.protocol, row.item, column.name).text
                    self.problems += grid.changed(line, column, text)
            elif column.kind == "number":
                self.problems += grid.changed(line, column, str(self.numbers[row.id]))
            else:
                break

    def _judge(self, grid: Grid, lines: list[tuple[Line, SheetRow]], edits: EditRows | None) -> ReadBack:
        reader = RowReader(grid, self.sheet, self.cells, self.validator, self.problems)
        said = [self._said(reader, line, row, edits) for line, row in lines]
        last = max((index for index, (judgement, _) in enumerate(said) if judgement is not None), default=-1)
        back = ReadBack({}, [], [], [])
        for index, ((line, row), (judgement, says)) in enumerate(zip(lines, said, strict=True)):
            if judgement is None:
                if not (self.blank_allowed and (self.blank_is_answer or index < last or _was_blank(row))):
                    back.open.append(row.id)
                    continue
                back.blanks.append(row.id)
                judgement = Judgement(self._with_blanks(row, {}, says))
            if says.clear:
                self._validate(reader, line, row, judgement, says, edits)
            back.judgements[row.id] = judgement if self.problems else self.validator.settle(row.item, judgement)
            back.questions.extend(self._at(reader, line, one) for one in self.validator.questions(row.item, judgement))
        return back

    def _said(
        self, reader: RowReader, line: Line, row: SheetRow, edits: EditRows | None
    ) -> tuple[Judgement | None, RowSays]:
        """What a row says; no judgement if it says nothing."""
        says = reader.read(line)
        answers = says.answers
        certain = any(name not in self.presettable for name in answers)
        preset = {} if certain and says.outcome == ANSWERED else self.validator.plan(row.item).preset
        touched = certain or any(name not in preset for name in answers)
        own_edits = edits.of(row) if edits else ()
        if self.sheet.has_edits:
            done = reader.is_done(line)
            touched = touched or done or bool(edits and edits.changed(row))
        if says.outcome != ANSWERED:
            given = {name: value for name, value in answers.items() if name not in preset}
            return Judgement(given, own_edits if edits and edits.changed(row) else (), says.outcome), says
        if not touched:
            return None, says
        return Judgement(self._with_blanks(row, answers, says), own_edits), says

    def _with_blanks(self, row: SheetRow, answers: dict[str, Any], says: RowSays) -> dict[str, Any]:
        """The answers of a row that was looked at, blank ones included."""
        if not self.may_be_blank:
            return answers
        seen = {question.id for question in self.validator.shown(row.item, answers)}
        blanks = [name for name in self.may_be_blank if name in seen and name not in says.lost]
        return dict.fromkeys(blanks, ()) | answers

    def _validate(
        self, reader: RowReader, line: Line, row: SheetRow, judgement: Judgement, says: RowSays, edits: EditRows | None
    ) -> None:
        """Report what the validator finds, except what follows from a problem that was reported already."""
        found = self.validator.problems(row.item, judgement)
        if judgement.outcome != ANSWERED and found:
            columns_of = [reader.answers.column_of(problem) for problem in found]
            named = ", ".join(
                column.whole or column.header if column else self.words.word("edits") for column in columns_of
            )
            way = way_out_labels(self.sheet).get(judgement.outcome, judgement.outcome)
            column = reader.by_kind["way_out"]
            told = self.words("way out and answers", header=column.header, way=way, named=named)
            self.problems.append(reader.grid.problem(line, column, "way_out", told, value=judgement.outcome))
            return
        for problem in found:
            if problem.edit:
                self.problems += edits.placed(row, problem, reader.words) if edits else []
            elif problem.question not in says.lost:
                self.problems.append(self._at(reader, line, problem))

    def _at(self, reader: RowReader, line: Line, problem: Problem) -> Problem:
        """What the validator says of an answer, at the answer's cell."""
        column = reader.answers.column_of(problem)
        told = reader.words.told(problem, column)
        placed = reader.grid.problem(line, column, problem.rule, Told(told.what, told.fix))
        return placed.at(value=problem.value, question=problem.question)


def _was_blank(row: SheetRow) -> bool:
    """Whether the row was handed out with a blank answer, which it still has."""
    given = row.judgement
    return given is not None and given.outcome == ANSWERED and not any(given.answers.values())
