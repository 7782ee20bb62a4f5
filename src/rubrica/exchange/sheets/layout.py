"""What stands in which column of an annotator's sheet, and of its list of edits.

Row 1 is the header. First the texts, then the answers, then the way out, last (hidden) the row's own id, which
survives sorting and filtering. Multiple choices and short answers take several columns. Headers are words in the
sheet's language: what the protocol calls the column, the wording that its document names, or the question itself.
Earlier versions wrote ids there, by which their files are still read.

The Edits sheet: one row for each edit. An edit names its pair by number, its operation, the words it marks (quoted
from the texts; ``…_nth`` says which, where they occur more than once; several spans are joined by `` // ``), the
composite edit it is part of, and its answers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import attrs

from rubrica.core.edit_overlay import with_answers_of
from rubrica.core.edits import Edit
from rubrica.core.errors import wrong
from rubrica.core.protocol import UNCOMFORTABLE, Field, Protocol, Question, Stage
from rubrica.core.scales import Choices, Ordinal, Scale, ShortAnswers, Slider
from rubrica.core.study import Item, Judgement
from rubrica.core.target_words import Target, context_field, substituted, target_of
from rubrica.core.text_helpers import shortened
from rubrica.core.texts import AnyText, Text, shown
from rubrica.language.catalogues import on_sheet, sheet_text

META_SHEET = "_rubrica"
FORMAT = "1"
ROW_ID = "row"
WAY_OUT = "way_out"
NUMBER = "no"
DONE = "done"
MARK = "x"
NOT_APPLICABLE_CELL = "N/A"
NAMES = (sheet_text("Judgements"), sheet_text("Edits"), sheet_text("Guidelines"))
_NO_NAME = re.compile(r"[\[\]:*?/\\]")
LONGEST_NAME = 31
"""The most characters that Excel allows in the name of a sheet."""
_HEADERS = {
    WAY_OUT: sheet_text("Instead of answering"),
    NUMBER: sheet_text("No."),
    DONE: sheet_text("Done"),
    ROW_ID: sheet_text("Row id"),
}
LONGEST_HEADER = 120
_FIRST_SENTENCE = re.compile(r".+?[.?!…](?=\s)", re.DOTALL)
_UNCOMFORTABLE = sheet_text("I would rather not judge this")


@attrs.frozen
class SheetRow:
    """One item on a sheet: the lease's public id, the item, what was answered before, edits to start from."""

    id: str
    item: Item
    judgement: Judgement | None = None
    edits: tuple[Edit, ...] = ()


@attrs.frozen
class SheetFile:
    """Everything that one Excel file holds. The protocol is resolved: its texts can be shown.

    ``stage_key`` is what the study calls the stage, where that is not the protocol's own id for it.
    """

    study: str
    study_pid: str
    pid: str
    stage: Stage
    annotator: str
    number: int
    protocol: Protocol
    language: str
    rows: Sequence[SheetRow]
    stage_key: str = ""

    @property
    def file_name(self) -> str:
        """What the file is called: safe for file systems, as different from others as the annotator's own name."""
        safe = re.sub(r"[^\w.@-]+", "_", self.annotator)[:60]
        if safe != self.annotator:
            safe += f"-{hashlib.sha256(self.annotator.encode()).hexdigest()[:6]}"
        return f"{self.study}-{self.stage_key or self.stage.id}-{safe}-{self.number:02d}"

    @property
    def names(self) -> tuple[str, str, str]:
        """Names of the sheets for judgements, edits and guidelines."""
        judgements, edits, guidelines = (
            _NO_NAME.sub(" ", on_sheet(name, self.language))[:LONGEST_NAME] for name in NAMES
        )
        return judgements, edits, guidelines

    def meta(self) -> dict[str, str]:
        """What the hidden sheet records, so that the file can be recognised."""
        judgements, edits, _ = self.names
        return {
            "format": FORMAT,
            "study": self.study_pid,
            "study_name": self.study,
            "sheet": self.pid,
            "stage": self.stage.id,
            "annotator": self.annotator,
            "protocol": self.protocol.id,
            "hash": self.protocol.hash,
            "language": self.language,
            "judgements": judgements,
            "edits": edits if self.has_edits else "",
            "rows": str(len(self.rows)),
        }

    @property
    def has_edits(self) -> bool:
        """Whether there is an Edits sheet."""
        return self.protocol.edits is not None and self.stage.edits != "none"

    def questions(self) -> list[Question]:
        """The questions on items that the stage asks."""
        return questions_at(self.protocol, self.stage)

    def edit_questions(self) -> list[Question]:
        """The questions on edits that the stage asks."""
        asks = self.stage.asks
        about_edits = self.protocol.edits.questions if self.protocol.edits else ()
        return [question for question in about_edits if asks is None or question.id in asks]


def sheet_language(protocol: Protocol, wanted: str) -> str:
    """The language of a sheet: the wanted one, or the protocol's own. Raises InputError for one it does not have."""
    languages = [*protocol.languages, *protocol.partly_translated]
    if wanted and wanted.split("-", maxsplit=1)[0] not in languages:
        what, fix = f"{protocol.id} is not translated into {wanted!r}", f"It has {', '.join(languages)}."
        raise wrong(what, "language", fix, value=wanted)
    return wanted or protocol.fallback


def questions_at(protocol: Protocol, stage: Stage) -> list[Question]:
    """The questions on items that a stage asks."""
    return [question for question in protocol.questions if stage.asks is None or question.id in stage.asks]


def blank_questions(protocol: Protocol, stage: Stage) -> list[str]:
    """Questions for which a blank cell is an answer ("no simpler word")."""
    scales = {question.id: protocol.scale_of(question) for question in questions_at(protocol, stage)}
    return [name for name, scale in scales.items() if isinstance(scale, ShortAnswers) and scale.none is not None]


def blank_row_answers(protocol: Protocol, stage: Stage) -> bool:
    """Whether a row that is blank altogether can be an answer."""
    blank = blank_questions(protocol, stage)
    asked = questions_at(protocol, stage)
    return bool(blank) and all(not question.required or question.id in blank for question in asked)


@attrs.frozen
class Column:
    """A column: ``kind`` is field, answer, way_out, done, number or id; ``part`` tells expanded answers apart.

    ``whole`` is the header of the question where there are several parts; ``old`` what earlier versions wrote.
    """

    header: str
    kind: str
    name: str
    question: Question | None = None
    scale: Scale | None = None
    part: str = ""
    title: str = ""
    whole: str = ""
    old: str = ""


def columns(sheet: SheetFile) -> list[Column]:
    """The columns of the judgements sheet, from left to right."""
    words = {name: on_sheet(text, sheet.language) for name, text in _HEADERS.items()}
    result = [Column(words[NUMBER], "number", NUMBER, old=NUMBER)] if sheet.has_edits else []
    for field in sheet.protocol.fields:
        result.append(Column(field_header(field, sheet.language), "field", field.id))
    for question in sheet.questions():
        result += answer_columns(question, sheet.protocol, sheet.language)
    if sheet.has_edits:
        result.append(Column(words[DONE], "done", DONE, old=DONE))
    result.append(Column(words[WAY_OUT], "way_out", WAY_OUT, old=WAY_OUT))
    result.append(Column(words[ROW_ID], "id", ROW_ID, old=ROW_ID))
    return apart(result)


class FieldText(NamedTuple):
    """A text of an item as it stands in its cell, and the word that is marked in it, if one is."""

    text: str
    marked: Target | None = None


def field_text(protocol: Protocol, item: Item, name: str) -> FieldText:
    """What the cell of this field says: a substitute stands in its sentence, in the place of the target."""
    text = item.fields.get(name, "")
    if name == context_field(protocol):
        return FieldText(text, target_of(protocol, item))
    replaced = substituted(protocol, item) if name in protocol.rewrites else None
    if replaced is None:
        return FieldText(text)
    return FieldText(replaced.text, Target(replaced.word, start=len(replaced.before)))


def field_header(field: Field, language: str) -> str:
    """The header of a text: its label, or its id in every language where the document itself names the column so."""
    return field.id if _named_so(field) else shown(field.label, language)


def _named_so(field: Field) -> bool:
    return isinstance(field.label, Text) and field.label.get("") == field.id


def question_header(question: Question, protocol: Protocol, language: str) -> str:
    """What the column of a question is called: as the protocol says, or as its document does, or what is asked.

    What the document calls it is no word of the languages that the protocol was translated into, unless the document
    names all its columns.
    """
    if question.column is not None:
        return shown(question.column, language)
    spoken = language.split("-", maxsplit=1)[0] == "en"
    prompt = question.prompt
    translated = isinstance(prompt, Text) and language in prompt.languages and language != prompt.fallback
    foreign = translated and not any(map(_named_so, protocol.fields))
    return (
        ("" if foreign else question.header)
        or (question.id.replace("_", " ").capitalize() if spoken else "")
        or _asked(shown(question.prompt, language))
    )


def _asked(prompt: str) -> str:
    """What is asked, whole; of several sentences the first."""
    first = _FIRST_SENTENCE.match(prompt)
    return shortened(first[0] if first else prompt, LONGEST_HEADER)


def answer_columns(question: Question, protocol: Protocol, language: str) -> list[Column]:
    """The column of an answer, or one for each option or short answer."""
    header, old = question_header(question, protocol, language), question.header or question.id
    scale = protocol.scale_of(question)
    prompt = shown(question.prompt, language)
    base = Column(header, "answer", question.id, question, scale, title=prompt, whole=header, old=old)
    if isinstance(scale, Choices):
        options = [(option.id, shown(option.label, language)) for option in scale.options]
        return [
            attrs.evolve(base, header=f"{header}: {label}", part=name, title=label, old=f"{old}: {name}")
            for name, label in options
        ]
    if isinstance(scale, ShortAnswers):
        return [
            attrs.evolve(base, header=f"{header} {number}", part=str(number), old=f"{old}_{number}")
            for number in range(1, scale.maximum + 1)
        ]
    return [base]


def apart(listed: list[Column]) -> list[Column]:
    """Headers must differ to be found again: one that is there already gets a number."""
    result: list[Column] = []
    taken: set[str] = set()
    own = {column.header for column in listed if column.kind not in ("field", "answer")}
    for column in listed:
        header, number = column.header, 2
        while header in taken or (column.kind in ("field", "answer") and header in own):
            header, number = f"{column.header} ({number})", number + 1
        taken.add(header)
        result.append(attrs.evolve(column, header=header))
    return result


def as_written(listed: list[Column], meta: Mapping[str, str], page: str = "") -> list[Column]:
    """The columns with our own headers as a file says it has them: our words for them may have been corrected since."""
    return [
        one if one.kind == "answer" else attrs.evolve(one, header=meta.get(f"column:{page}{one.old}") or one.header)
        for one in listed
    ]


def labels(scale: Scale, language: str) -> dict[Any, Any]:
    """What the drop-down list shows for each value; empty where there is no list."""
    if isinstance(scale, Ordinal | Slider):
        return {value: value for value in scale.values()}
    if isinstance(scale, Choices):
        return {}
    options = getattr(scale, "options", ())
    return {option.id: shown(option.label, language) for option in options}


def ways_out(protocol: Protocol, language: str) -> list[tuple[str, AnyText]]:
    """Every way out with its label, our own in a sheet's language and in English."""
    own = Text({"en": _UNCOMFORTABLE, language: on_sheet(_UNCOMFORTABLE, language)}, "en")
    return [*((way.id, way.label) for way in protocol.ways_out), (UNCOMFORTABLE, own)]


def way_out_labels(sheet: SheetFile) -> dict[str, str]:
    """What the drop-down list of ways out shows."""
    return {way: shown(label, sheet.language) for way, label in ways_out(sheet.protocol, sheet.language)}


ITEM, EDIT, OPERATION, PARENT = "item", "edit", "operation", "parent"
EDITS_LAYOUT__HEADERS = {
    ITEM: sheet_text("Pair no."),
    EDIT: sheet_text("Edit no."),
    OPERATION: sheet_text("Operation"),
    PARENT: sheet_text("Part of edit"),
    "source_span": sheet_text("Words in the source"),
    "source_nth": sheet_text("Which ones in the source"),
    "rewrite_span": sheet_text("Words in the rewrite"),
    "rewrite_nth": sheet_text("Which ones in the rewrite"),
}
SPAN, NTH = "{side}_span", "{side}_nth"
BETWEEN = " // "
SPARE_ROWS = 8
"""Empty rows that each pair gets; more can be added below."""
MORE_ROWS = 500
"""Rows below the table that have its lists and colours, for edits that do not fit into the spare ones."""


def edit_columns(sheet: SheetFile) -> list[Column]:
    """The columns of the Edits sheet, from left to right."""
    words = {name: on_sheet(text, sheet.language) for name, text in EDITS_LAYOUT__HEADERS.items()}
    result = [Column(words[ITEM], "number", ITEM, old=ITEM)]
    result += [
        Column(field_header(field, sheet.language), "field", field.id)
        for field in sheet.protocol.fields
        if field.role in ("source", "rewrite")
    ]
    result += [Column(words[name], name, name, old=name) for name in (EDIT, OPERATION)]
    for side in ("source", "rewrite"):
        span, nth = SPAN.format(side=side), NTH.format(side=side)
        result += [Column(words[span], "span", side, old=span), Column(words[nth], "nth", side, old=nth)]
    result.append(Column(words[PARENT], "parent", PARENT, old=PARENT))
    for question in sheet.edit_questions():
        result += answer_columns(question, sheet.protocol, sheet.language)
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
