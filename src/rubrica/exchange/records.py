"""Judgements as records: the one shape that every export writes and every import reads.

As JSON a record nests answers and edits. As a row of a table it has a column for each field and question; lists are
JSON, *not applicable* is the word ``not_applicable`` (in Parquet, where columns have types, a list of the questions).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import attrs

from rubrica.core import answers as answer_values
from rubrica.core import edits as edit_values
from rubrica.core.answers import NOT_APPLICABLE, NOT_APPLICABLE_WORD, Answer, Answers
from rubrica.core.errors import Problem
from rubrica.core.json_text import parse_json
from rubrica.core.protocol import Protocol, Question
from rubrica.core.scales import Choices, Ordinal, ShortAnswers, Slider
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.typed import Fault, number

BEFORE = ("study", "stage", "item", "group", "system", "author", "planted", "duplicate_of", "known")
AFTER = ("annotator", "revision", "outcome")
OPTIONAL = (*BEFORE[3:], "metadata", "about_texts", "edits", "verdicts", "compared", "seconds", "submitted_at")
"""Keys of a JSON record that are left out when they would be empty."""
LAST = ("submitted_at", "seconds", "metadata", "about_texts", "protocol", "signature")


@attrs.frozen(kw_only=True)
class Record:
    """One revision of one judgement, with everything needed to understand it.

    A planted item says what it measures by: the item that it duplicates, or the answers that are known. ``compared``
    are answers in words as results compare them, beside what was written; no word is that none is simpler.
    ``about_texts`` is what the study says of all its texts: audience, genre, education.
    """

    study: str
    stage: str
    item: Item
    annotator: str
    judgement: Judgement
    revision: int = 1
    planted: str = ""
    duplicate_of: str = ""
    known: Answers = attrs.field(factory=dict)
    verdicts: Mapping[str, bool] = attrs.field(factory=dict)
    compared: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    about_texts: Mapping[str, str] = attrs.field(factory=dict)
    submitted_at: datetime | None = None
    seconds: float | None = None
    protocol: str = ""
    signature: str = ""


def to_json(record: Record) -> dict[str, Any]:
    """A record as JSON lines have it."""
    item, judgement = record.item, record.judgement
    result: dict[str, Any] = {
        "study": record.study,
        "stage": record.stage,
        "item": item.key,
        "group": item.group,
        "system": item.system,
        "author": item.author,
        "planted": record.planted,
        "duplicate_of": record.duplicate_of,
        "known": answer_values.to_json(record.known),
        "fields": dict(item.fields),
        "metadata": dict(item.metadata),
        "about_texts": dict(record.about_texts),
        "annotator": record.annotator,
        "revision": record.revision,
        "outcome": judgement.outcome,
        "answers": answer_values.to_json(judgement.answers),
        "edits": [edit_values.to_json(edit) for edit in judgement.edits],
        "verdicts": dict(record.verdicts),
        "compared": {name: list(words) for name, words in record.compared.items()},
        "submitted_at": _iso(record.submitted_at),
        "seconds": record.seconds,
        "protocol": record.protocol,
        "signature": record.signature,
    }
    return {key: value for key, value in result.items() if value not in ("", None, {}, []) or key not in OPTIONAL}


def _iso(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None


def table_columns(protocol: Protocol) -> list[str]:
    """The columns of a table of judgements."""
    columns = [*BEFORE, *(field.id for field in protocol.fields), *AFTER, *(q.id for q in protocol.questions)]
    columns += ["edits"] if protocol.edits else []
    columns += [verdict.id for verdict in protocol.verdicts if not verdict.of_item]
    columns += [compared_column(q.id) for q in protocol.questions if isinstance(protocol.scale_of(q), ShortAnswers)]
    return [*columns, *LAST]


def compared_column(question: str) -> str:
    """The column that has answers in words as results compare them."""
    return f"{question}_compared"


def to_row(record: Record, protocol: Protocol) -> dict[str, Any]:
    """A record as a row of text and numbers."""
    nested = to_json(record)
    row: dict[str, Any] = {column: nested.get(column) for column in (*BEFORE, *AFTER, *LAST)}
    row |= {field.id: record.item.fields.get(field.id) for field in protocol.fields}
    row |= {question.id: cell(record.judgement.answers.get(question.id)) for question in protocol.questions}
    row["metadata"] = _json(record.item.metadata)
    row["about_texts"] = about_cell(record)
    row["known"] = _json(nested.get("known"))
    if protocol.edits:
        row["edits"] = _json([edit_values.to_json(edit) for edit in record.judgement.edits])
    row |= {compared_column(name): cell(words) for name, words in record.compared.items()}
    return row | {name: "yes" if holds else "no" for name, holds in record.verdicts.items()}


def about_cell(record: Record) -> str | None:
    """What the study says of its texts, as a table has it."""
    return _json(dict(record.about_texts))


def cell(value: Answer | None) -> Any:
    """An answer as a table has it: lists are JSON, *not applicable* is a word."""
    if value is NOT_APPLICABLE:
        return NOT_APPLICABLE_WORD
    return _json(list(value)) if isinstance(value, tuple) else value


def _json(value: Any) -> str | None:
    return json.dumps(value, ensure_ascii=False) if value else ("[]" if value == [] else None)


_KEYS = {*BEFORE, *AFTER, *LAST, "fields", "answers", "edits", "verdicts", "compared"}


class RecordReader:
    """Turns rows of a file into records of one protocol; what cannot be understood becomes a problem."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.problems: list[Problem] = []
        self._droppable = {name for rule in protocol.rules for name in rule.drop}

    def from_json(self, data: Any, line: int) -> Record | None:
        """A record from a line of JSON."""
        if not isinstance(data, dict):
            return self._refuse(line, "not a JSON object", "json", "Each line holds one judgement.", None)
        unknown = sorted(data.keys() - _KEYS)
        if unknown:
            fix = f"Known: {', '.join(sorted(_KEYS))}."
            return self._refuse(line, f"unknown keys: {', '.join(unknown)}", "unknown_key", fix, unknown)
        try:
            answers = {name: self._json_answer(name, value) for name, value in (data.get("answers") or {}).items()}
            edits = tuple(map(_edit, data.get("edits") or ()))
            fields = {str(key): _text(text) for key, text in (data.get("fields") or {}).items()}
            metadata = {str(key): _text(text) for key, text in (data.get("metadata") or {}).items()}
        except _WRONG_FORM as error:
            what = f"answers, edits, fields or metadata have a wrong form ({_reason(error)})"
            return self._refuse(line, what, "form", _SEE, None)
        return self._record(data, line, answers, edits, fields, metadata)

    def _json_answer(self, name: str, value: Any) -> Answer:
        """An answer as JSON has it. Whole numbers may be written 3.0, as other tools do."""
        answer = _answer(name, value)
        if not isinstance(answer, float) or not answer.is_integer():
            return answer
        question = self.protocol.questions_by_id.get(name)
        numeric = question is not None and isinstance(self.protocol.scale_of(question), Ordinal | Slider)
        return int(answer) if numeric else answer

    def from_row(self, row: Mapping[str, str], line: int) -> Record | None:
        """A record from a row of a table."""
        answers: dict[str, Answer] = {}
        for question in self.protocol.questions:
            text = row.get(question.id)
            if text not in (None, ""):
                value = self._row_answer(question, str(text))
                if value is None:
                    what = f"{question.id} is {text!r}, which is not a JSON list"
                    self._refuse(line, what, "form", 'Write ["one", "two"].', text)
                    continue
                answers[question.id] = value
        try:
            for name in _loaded(row.get("not_applicable"), list):
                answers[str(name)] = NOT_APPLICABLE
            edits = tuple(map(_edit, _loaded(row.get("edits"), list)))
            metadata = {str(key): _text(text) for key, text in _loaded(row.get("metadata"), dict).items()}
        except _WRONG_FORM as error:
            what = f"edits, metadata or not_applicable have a wrong form ({_reason(error)})"
            return self._refuse(line, what, "form", _SEE, None)
        fields = {field.id: row[field.id] for field in self.protocol.fields if row.get(field.id)}
        return self._record(row, line, answers, edits, fields, metadata)

    def _row_answer(self, question: Question, text: str) -> Answer | None:
        if text == NOT_APPLICABLE_WORD and question.id in self._droppable:
            return NOT_APPLICABLE
        scale = self.protocol.scale_of(question)
        if isinstance(scale, Choices | ShortAnswers):
            try:
                value = parse_json(text)
            except ValueError:
                return None
            return tuple(map(str, value)) if isinstance(value, list) else None
        if isinstance(scale, Ordinal | Slider):
            said = number(text)
            return text if isinstance(said, Fault) else said
        return text

    def _record(
        self,
        data: Mapping[str, Any],
        line: int,
        answers: dict[str, Answer],
        edits: tuple[edit_values.Edit, ...],
        fields: dict[str, str],
        metadata: dict[str, str],
    ) -> Record | None:
        for key in ("item", "annotator"):
            if not isinstance(data.get(key), str | int | None):
                return self._refuse(line, f"{key} is {data[key]!r}", "form", f"A {key} is a text.", None)
        item, annotator = _text(data.get("item")), _text(data.get("annotator"))
        if not item or not annotator:
            missing = "item" if not item else "annotator"
            return self._refuse(line, f"no {missing}", "required", f"Every judgement names its {missing}.", None)
        at, seconds, revision = self._numbers(data, line)
        try:
            known = self._known(data.get("known"))
        except _WRONG_FORM as error:
            return self._refuse(line, f"known has a wrong form ({_reason(error)})", "form", _SEE, None)
        return Record(
            study=_text(data.get("study")),
            stage=_text(data.get("stage")) or self.protocol.stages[0].id,
            item=Item(
                item,
                fields,
                _text(data.get("system")),
                _text(data.get("author")),
                _text(data.get("group")),
                metadata,
            ),
            annotator=annotator,
            judgement=Judgement(answers, edits, _text(data.get("outcome")) or ANSWERED),
            revision=revision,
            planted=_text(data.get("planted")),
            duplicate_of=_text(data.get("duplicate_of")),
            known=known,
            submitted_at=at,
            seconds=seconds,
            protocol=_text(data.get("protocol")),
        )

    def _known(self, value: Any) -> dict[str, Answer]:
        """The known answers of a gold item, as an object or, in a table, as its text."""
        given = _loaded(value, dict) if isinstance(value, str | None) else value
        return {name: self._json_answer(name, answer) for name, answer in given.items()}

    def _numbers(self, data: Mapping[str, Any], line: int) -> tuple[datetime | None, float | None, int]:
        try:
            at = datetime.fromisoformat(str(data["submitted_at"])) if data.get("submitted_at") else None
            if at is not None and at.tzinfo is None:
                at = at.replace(tzinfo=UTC)
            seconds, revision = _number(data.get("seconds")), _number(data.get("revision")) or 1
            if not isinstance(revision, int) or not 1 <= revision < 2**31:
                raise ValueError(f"revision {revision} is not a whole number from 1")
            if seconds is not None and not 0 <= seconds < 1e9:
                raise ValueError(f"seconds {seconds} is not a time")
        except (TypeError, ValueError, OverflowError) as error:
            self._refuse(line, f"a date or number cannot be read: {error}", "form", _SEE, None)
            return None, None, 1
        return at, seconds, revision

    def _refuse(self, line: int, what: str, rule: str, fix: str, value: Any) -> Record | None:
        self.problems.append(Problem(what=what, rule=rule, fix=fix, line=line, value=value))
        return None


_SEE = "Compare with a line of `rubrica export --format jsonl`."
_WRONG_FORM = (TypeError, ValueError, KeyError, AttributeError)


def _reason(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else str(error)


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _number(value: Any) -> int | float | None:
    """A number as JSON has it, or as it stands in a table; None of none."""
    if value in (None, ""):
        return None
    found = number(str(value))
    if isinstance(found, Fault):
        raise ValueError(f"{str(value)[:40]!r} {found.what}")
    return found


def _loaded(value: str | None, kind: type) -> Any:
    """A JSON list or object from a cell; empty if the cell is."""
    if not value:
        return kind()
    found = parse_json(value)
    if not isinstance(found, kind):
        raise ValueError(f"{value[:60]} is not a JSON {'list' if kind is list else 'object'}")
    return found


def _answer(name: str, value: Any) -> Answer:
    """An answer from JSON: text, a number, a list of texts, or what stands for *not applicable*."""
    if type(value) in (str, int, float):
        plain: Answer = value
        return plain
    listed = isinstance(value, list) and all(isinstance(part, str) for part in value)
    if not listed and value != {NOT_APPLICABLE_WORD: True}:
        raise ValueError(f"{name} is {json.dumps(value)[:60]}")
    return answer_values.from_json({name: value})[name]


def _edit(data: Any) -> edit_values.Edit:
    """An edit from JSON, its offsets whole numbers."""
    if not isinstance(data, dict):
        raise ValueError("an edit is not a JSON object")
    for side in edit_values.SIDES:
        for span in data.get(side, ()):
            if not (isinstance(span, list) and len(span) == 2 and all(type(offset) is int for offset in span)):
                raise ValueError(f"{side} spans are [start, end], not {json.dumps(span)[:60]}")
    answers = {str(name): _answer(name, value) for name, value in data.get("answers", {}).items()}
    return attrs.evolve(edit_values.from_json({**data, "answers": {}}), answers=answers)
