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
from rubrica.core.answers import NOT_APPLICABLE, NOT_APPLICABLE_WORD, Answer
from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.scales import Choices, Ordinal, ShortAnswers, Slider
from rubrica.core.study import ANSWERED, Item, Judgement

BEFORE = ("study", "stage", "item", "group", "system", "author", "planted")
AFTER = ("annotator", "revision", "outcome")
LAST = ("submitted_at", "seconds", "metadata", "protocol", "signature")


@attrs.frozen(kw_only=True)
class Record:
    """One revision of one judgement, with everything needed to understand it."""

    study: str
    stage: str
    item: Item
    annotator: str
    judgement: Judgement
    revision: int = 1
    planted: str = ""
    verdicts: Mapping[str, bool] = attrs.field(factory=dict)
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
        "fields": dict(item.fields),
        "metadata": dict(item.metadata),
        "annotator": record.annotator,
        "revision": record.revision,
        "outcome": judgement.outcome,
        "answers": answer_values.to_json(judgement.answers),
        "edits": [edit_values.to_json(edit) for edit in judgement.edits],
        "verdicts": dict(record.verdicts),
        "submitted_at": _iso(record.submitted_at),
        "seconds": record.seconds,
        "protocol": record.protocol,
        "signature": record.signature,
    }
    optional = ("group", "system", "author", "planted", "metadata", "edits", "verdicts", "seconds", "submitted_at")
    return {key: value for key, value in result.items() if value not in ("", None, {}, []) or key not in optional}


def _iso(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None


def table_columns(protocol: Protocol) -> list[str]:
    """The columns of a table of judgements."""
    columns = [*BEFORE, *(field.id for field in protocol.fields), *AFTER, *(q.id for q in protocol.questions)]
    columns += ["edits"] if protocol.edits else []
    columns += [verdict.id for verdict in protocol.verdicts if not verdict.of_item]
    return [*columns, *LAST]


def to_row(record: Record, protocol: Protocol) -> dict[str, Any]:
    """A record as a row of text and numbers."""
    nested = to_json(record)
    row: dict[str, Any] = {column: nested.get(column) for column in (*BEFORE, *AFTER, *LAST)}
    row |= {field.id: record.item.fields.get(field.id) for field in protocol.fields}
    row |= {question.id: _cell(record.judgement.answers.get(question.id)) for question in protocol.questions}
    row["metadata"] = _json(record.item.metadata)
    if protocol.edits:
        row["edits"] = _json([edit_values.to_json(edit) for edit in record.judgement.edits])
    return row | {name: "yes" if holds else "no" for name, holds in record.verdicts.items()}


def _cell(value: Answer | None) -> Any:
    if value is NOT_APPLICABLE:
        return NOT_APPLICABLE_WORD
    return _json(list(value)) if isinstance(value, tuple) else value


def _json(value: Any) -> str | None:
    return json.dumps(value, ensure_ascii=False) if value else ("[]" if value == [] else None)


class RecordReader:
    """Turns rows of a file into records of one protocol; what cannot be understood becomes a problem."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.problems: list[Problem] = []

    def from_json(self, data: Any, line: int) -> Record | None:
        """A record from a line of JSON."""
        if not isinstance(data, dict):
            return self._refuse(line, "not a JSON object", "json", "Each line holds one judgement.", data)
        known = {*BEFORE, *AFTER, *LAST, "fields", "answers", "edits", "verdicts"}
        unknown = sorted(data.keys() - known)
        if unknown:
            fix = f"Known: {', '.join(sorted(known))}."
            return self._refuse(line, f"unknown keys: {', '.join(unknown)}", "unknown_key", fix, unknown)
        try:
            answers = answer_values.from_json(data.get("answers") or {})
            edits = tuple(map(edit_values.from_json, data.get("edits") or ()))
            fields = {str(key): str(text) for key, text in (data.get("fields") or {}).items()}
            metadata = {str(key): str(text) for key, text in (data.get("metadata") or {}).items()}
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            return self._refuse(line, f"answers, edits or fields have a wrong form ({error!r})", "form", _SEE, None)
        return self._record(data, line, answers, edits, fields, metadata)

    def from_row(self, row: Mapping[str, str], line: int) -> Record | None:
        """A record from a row of a table."""
        answers: dict[str, Answer] = {}
        for question in self.protocol.questions:
            text = row.get(question.id)
            if text not in (None, ""):
                value = self._answer(question.scale, str(text))
                if value is None:
                    what = f"{question.id} is {text!r}, which is not a JSON list"
                    self._refuse(line, what, "form", 'Write ["one", "two"].', text)
                    continue
                answers[question.id] = value
        for name in _listed(row.get("not_applicable")):
            answers[name] = NOT_APPLICABLE
        try:
            edits = tuple(map(edit_values.from_json, json.loads(row.get("edits") or "[]")))
            metadata = json.loads(row.get("metadata") or "{}")
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            return self._refuse(line, f"edits or metadata have a wrong form ({error!r})", "form", _SEE, None)
        fields = {field.id: row[field.id] for field in self.protocol.fields if row.get(field.id)}
        return self._record(row, line, answers, edits, fields, metadata)

    def _answer(self, scale_name: str, text: str) -> Answer | None:
        if text == NOT_APPLICABLE_WORD:
            return NOT_APPLICABLE
        scale = self.protocol.scales[scale_name]
        if isinstance(scale, Choices | ShortAnswers):
            try:
                value = json.loads(text)
            except ValueError:
                return None
            return tuple(map(str, value)) if isinstance(value, list) else None
        if isinstance(scale, Ordinal | Slider):
            try:
                number = float(text)
            except ValueError:
                return text
            return int(number) if number.is_integer() else number
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
        item, annotator = str(data.get("item") or ""), str(data.get("annotator") or "")
        if not item or not annotator:
            missing = "item" if not item else "annotator"
            return self._refuse(line, f"no {missing}", "required", f"Every judgement names its {missing}.", None)
        at, seconds, revision = self._numbers(data, line)
        return Record(
            study=str(data.get("study") or ""),
            stage=str(data.get("stage") or self.protocol.stages[0].id),
            item=Item(
                item,
                fields,
                str(data.get("system") or ""),
                str(data.get("author") or ""),
                str(data.get("group") or ""),
                metadata,
            ),
            annotator=annotator,
            judgement=Judgement(answers, edits, str(data.get("outcome") or ANSWERED)),
            revision=revision,
            planted=str(data.get("planted") or ""),
            submitted_at=at,
            seconds=seconds,
        )

    def _numbers(self, data: Mapping[str, Any], line: int) -> tuple[datetime | None, float | None, int]:
        try:
            at = datetime.fromisoformat(str(data["submitted_at"])) if data.get("submitted_at") else None
            if at is not None and at.tzinfo is None:
                at = at.replace(tzinfo=UTC)
            seconds = float(data["seconds"]) if data.get("seconds") not in (None, "") else None
            revision = int(data.get("revision") or 1)
        except (TypeError, ValueError) as error:
            self._refuse(line, f"a date or number cannot be read: {error}", "form", _SEE, None)
            return None, None, 1
        return at, seconds, revision

    def _refuse(self, line: int, what: str, rule: str, fix: str, value: Any) -> Record | None:
        self.problems.append(Problem(what=what, rule=rule, fix=fix, line=line, value=value))
        return None


_SEE = "Compare with a line of `rubrica export --format jsonl`."


def _listed(value: Any) -> list[str]:
    if not value:
        return []
    found = json.loads(value) if isinstance(value, str) else value
    return [str(part) for part in found]
