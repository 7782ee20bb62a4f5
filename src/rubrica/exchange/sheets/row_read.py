"""Reading one row of answers: what it says, and which of its questions could not be read.

A question whose column is gone, or whose cell is merged or a formula, was reported once; it is *lost*, and so is every
question that is only asked because of it. Lost questions are not reported again as missing or contradictory.

What is wrong with an answer on a sheet, in the words that its annotator saw: headers and labels, never ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rubrica.core.answers import different
from rubrica.core.conditions import questions_in
from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol, Question
from rubrica.core.scales import Choices, FreeText, RewrittenText, Scale, ShortAnswers
from rubrica.core.study import ANSWERED, Judgement
from rubrica.core.text_helpers import shortened
from rubrica.core.texts import shown
from rubrica.core.validation import SAME_TEXT, UNCHANGED, Validator
from rubrica.exchange.sheets.cells import CellReader, is_blank, is_marked, known_words, said_word
from rubrica.exchange.sheets.grid import Grid, Line
from rubrica.exchange.sheets.layout import Column, SheetFile, labels, way_out_labels, ways_out
from rubrica.language.catalogues import on_sheet, sheet_text


class RowSays(NamedTuple):
    """Answers, the outcome, lost questions, and whether the way out could be read."""

    answers: dict[str, Any]
    outcome: str
    lost: set[str]
    clear: bool


class _Columns(NamedTuple):
    """Where a question is answered; for a scale with few answers, what was read from cells like it."""

    name: str
    parts: list[Column]
    places: list[int]
    known: dict[str, Any] | None


class AnswerReader:
    """Reads the answer columns of one grid, on the page of judgements or of edits."""

    def __init__(self, grid: Grid, columns: Sequence[Column], cells: CellReader, problems: list[Problem]) -> None:
        self.grid = grid
        self.cells = cells
        self.problems = problems
        self.by_question: dict[str, list[Column]] = {}
        for column in columns:
            if column.kind == "answer":
                self.by_question.setdefault(column.name, []).append(column)
        self._questions: list[_Columns] = []
        self.gone = {name for name, parts in self.by_question.items() if not all(map(grid.has, parts))}
        for name, parts in self.by_question.items():
            if name not in self.gone:
                several = isinstance(parts[0].scale, Choices | ShortAnswers | FreeText | RewrittenText)
                places = [grid.places[column.header] for column in parts]
                self._questions.append(_Columns(name, parts, places, None if several else {}))
        self._dependents = dependents(parts[0].question for parts in self.by_question.values() if parts[0].question)

    def column_of(self, problem: Problem) -> Column | None:
        """The column that a problem is about: that of its question, of the first chosen option among several."""
        parts = self.by_question.get(problem.question, [])
        chosen = problem.value if isinstance(problem.value, tuple) else ()
        return next((column for column in parts if column.part in chosen), parts[0] if parts else None)

    def read(self, line: Line) -> tuple[dict[str, Any], set[str]]:
        """The answers of a row, and the questions that are lost."""
        answers: dict[str, Any] = {}
        lost = set(self.gone)
        spoilt = self.grid.spoilt_on(line)
        for name, parts, places, known in self._questions:
            if spoilt and any(self.grid.is_spoilt(line, column) for column in parts):
                lost.add(name)
            elif known is not None:
                text = line.cells[places[0]]
                if text:
                    value = known[text] if text in known else self._learn(parts[0], text, known)
                    if value is not None:
                        answers[name] = value
            elif any(line.cells[place] for place in places):
                value = self._answer(line, parts, lost)
                if value is not None:
                    answers[name] = value
        return answers, lost.union(*(self._dependents[name] for name in lost)) if lost else lost

    def _learn(self, column: Column, text: str, known: dict[str, Any]) -> Any:
        """What a cell of a scale with few answers says; remembered, because it will be said again."""
        assert column.question is not None
        known[text] = None if is_blank(text) else self.cells.value(column.question.scale, text)
        return known[text]

    def _answer(self, line: Line, parts: list[Column], lost: set[str]) -> Any:
        first = parts[0]
        if isinstance(first.scale, Choices):
            return self._choices(line, parts, lost)
        if isinstance(first.scale, ShortAnswers):
            texts = [self.grid.text(line, column) for column in parts]
            return different(text for text in texts if not is_blank(text)) or None
        text = self.grid.text(line, first)
        return None if is_blank(text) else text

    def _choices(self, line: Line, parts: list[Column], lost: set[str]) -> tuple[str, ...] | None:
        chosen = []
        for column in parts:
            text = self.grid.text(line, column)
            marked = is_marked(text) if text else False
            if marked:
                chosen.append(column.part)
            elif marked is None:
                lost.add(column.name)
                told = self.grid.words("tick", header=column.header, text=text)
                self.problems.append(self.grid.problem(line, column, "scale", told, question=column.name, value=text))
        return tuple(chosen) or None


class RowReader:
    """Reads the rows of the judgements page."""

    def __init__(
        self, grid: Grid, sheet: SheetFile, cells: CellReader, validator: Validator, problems: list[Problem]
    ) -> None:
        self.grid = grid
        self.problems = problems
        self.answers = AnswerReader(grid, grid.columns, cells, problems)
        self.by_kind = {column.kind: column for column in grid.columns}
        reasons = list(way_out_labels(sheet).values())
        self.labels = ", ".join(reasons)
        self.words = Words(sheet.protocol, sheet.language, self.by_kind["way_out"], reasons)
        self.ways_out = known_words(ways_out(sheet.protocol, sheet.language), sheet.language)
        self.validator = validator

    def read(self, line: Line) -> RowSays:
        """What a row says."""
        answers, lost = self.answers.read(line)
        column = self.by_kind["way_out"]
        text = self.grid.text(line, column).strip()
        if text and not self.grid.is_spoilt(line, column):
            way = said_word(self.ways_out, text)
            if way is None:
                told = self.grid.words("way out", header=column.header, text=text, labels=self.labels)
                self.problems.append(self.grid.problem(line, column, "way_out", told, value=text))
            return RowSays(answers, way or ANSWERED, lost, way is not None)
        if text:
            return RowSays(answers, ANSWERED, lost, False)
        typed = self.validator.by_keyword(Judgement(answers))
        return RowSays(dict(typed.answers), typed.outcome, lost, True)

    def is_done(self, line: Line) -> bool:
        """Whether the pair was marked as done; anything but a mark is a problem."""
        column = self.by_kind["done"]
        text = self.grid.text(line, column)
        marked = is_marked(text)
        if marked is None and not self.grid.is_spoilt(line, column):
            told = self.grid.words("done", header=column.header, text=text)
            self.problems.append(self.grid.problem(line, column, "scale", told, value=text))
        return bool(marked)


def dependents(questions: Iterable[Question]) -> dict[str, set[str]]:
    """For each question, those that are only asked because of it, directly or through others."""
    asked_after = {question.id: set(questions_in(question.when)) for question in questions}
    result = {name: {later for later, causes in asked_after.items() if name in causes} for name in asked_after}
    grown = True
    while grown:
        grown = False
        for found in result.values():
            more = found.union(*(result[name] for name in found))
            grown = grown or more != found
            found |= more
    return result


_WORDS = {
    "scale": sheet_text("{header} is {value}, which is not {expected}"),
    "required": sheet_text("{header} is not answered"),
    "not_shown": sheet_text("{header} is answered with {value} but is not asked in this row"),
    "rule": sheet_text("{header} is {value}, but in this row it is settled already"),
    UNCHANGED: sheet_text("{header} is the same as {field}: nothing was changed"),
    SAME_TEXT: sheet_text("{header} is word for word {field}"),
    "fix:scale": sheet_text("Use {expected}."),
    "fix:required": sheet_text("Answer it with {expected}."),
    "fix:not_shown": sheet_text("Remove the answer, or change the one that it depends on."),
    "fix:rule": sheet_text("Leave the grey cell as it was handed out."),
    "fix:unchanged": sheet_text("Change the text, or answer differently."),
    "fix:same_text": sheet_text("Leave it if that is what is meant; else change it."),
    "one of": sheet_text("one of {listed}"),
    "text": sheet_text("a text"),
    "sentences": sheet_text("a text of at least {count} sentences"),
    "answers": sheet_text("{low} to {high} different short answers"),
    "or": sheet_text("Write {expected}, or say in the column “{column}” why not: {listed}."),
}


class Words:
    """Messages about answers, in the language of a sheet; English where it is another than ours."""

    def __init__(self, protocol: Protocol, language: str, ways_out: Column, reasons: list[str]) -> None:
        self._protocol, self._language = protocol, language
        self._ways_out, self._reasons = ways_out.header, ", ".join(reasons)

    def told(self, problem: Problem, column: Column | None) -> Problem:
        """The problem as somebody who has the sheet before them understands it."""
        rule = "rule" if problem.rule.startswith("rule:") else problem.rule
        if column is None or column.scale is None or rule not in _WORDS:
            return problem
        scale, named = column.scale, self._fields()
        value = named.get(problem.value, "") if rule == SAME_TEXT else self._value(problem.value, scale)
        filled = {
            "header": _header(column),
            "value": value,
            "expected": self._expected(scale),
            "field": named.get(problem.value, "") if rule == SAME_TEXT else self._other(scale),
        }
        fix = self._say(f"fix:{rule}", **filled)
        if rule in ("scale", UNCHANGED) and isinstance(scale, RewrittenText) and scale.minimum_sentences > 1:
            fix = self._say("or", **filled, column=self._ways_out, listed=self._reasons)
        return problem.at(what=self._say(rule, **filled), fix=fix)

    def _say(self, name: str, /, **values: Any) -> str:
        return on_sheet(_WORDS[name], self._language).format(**values)

    def _fields(self) -> dict[Any, str]:
        return {field.id: shown(field.label, self._language) for field in self._protocol.fields}

    def _other(self, scale: Scale) -> str:
        """The label of the text from which an unchanged one does not differ."""
        return self._fields().get(next(iter(getattr(scale, "differs_from", ())), ""), "")

    def _value(self, value: Any, scale: Scale) -> str:
        known = labels(scale, self._language)
        if isinstance(value, tuple):
            options = {option.id: shown(option.label, self._language) for option in getattr(scale, "options", ())}
            return ", ".join(str(options.get(part, part)) for part in value)
        told = known.get(value, value) if isinstance(value, str | int | float) else value
        return shortened(repr(told) if isinstance(told, str) else str(told), 60)

    def _expected(self, scale: Scale) -> str:
        if isinstance(scale, ShortAnswers):
            return self._say("answers", low=scale.minimum, high=scale.maximum)
        if isinstance(scale, RewrittenText) and scale.minimum_sentences > 1:
            return self._say("sentences", count=scale.minimum_sentences)
        if isinstance(scale, FreeText | RewrittenText):
            return self._say("text")
        listed = [str(label) for label in labels(scale, self._language).values()]
        listed = listed or [shown(option.label, self._language) for option in getattr(scale, "options", ())]
        return self._say("one of", listed=", ".join(listed)) if listed else scale.expects()


def _header(column: Column) -> str:
    """The header of the question: of several columns for one question, without the part."""
    return column.whole or column.header
