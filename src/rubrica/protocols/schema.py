"""The shape of a protocol file: which keys there are and what each may hold.

The same models give the JSON Schema in the reference and the canonical form that is hashed. What a shape
cannot say (references, translations, scales) is in ``references.py``.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationInfo

from rubrica.protocols.yaml_source import BooleanWord

ID = re.compile(r"[a-z][a-z0-9_]*")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def _as_id(value: Any) -> Any:
    if isinstance(value, (bool, BooleanWord)):
        word = str(value).lower() if isinstance(value, bool) else str(value)
        raise ValueError(
            f"`{word}` is a YAML boolean in many tools and cannot be an id: choose another word, or put it in quotes"
        )
    if isinstance(value, str) and not ID.fullmatch(value):
        raise ValueError("an id is a lower-case letter followed by lower-case letters, digits and _")
    return value


def _as_text(value: Any, info: ValidationInfo) -> Any:
    """A plain string is a text in the fallback language."""
    if isinstance(value, str):
        if not value.strip():
            raise ValueError("a text cannot be blank")
        return {(info.context or {}).get("fallback", "en"): str(value)}
    if isinstance(value, dict) and value:
        if "wording_by" in value:
            return value
        for language, text in value.items():
            if not isinstance(language, str) or not LANGUAGE.fullmatch(language):
                raise ValueError(f"{language!r} is not a language code such as en, es or pt-BR")
            if not isinstance(text, str) or not text.strip():
                raise ValueError(f"the text in {language} is missing: write one, or remove the line")
        return {language: str(text) for language, text in value.items()}
    raise ValueError("expected a text, or a mapping from language codes to texts")


Id = Annotated[str, BeforeValidator(_as_id)]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
TextValue = Annotated[dict[str, Any], BeforeValidator(_as_text)]
Language = Annotated[str, StringConstraints(pattern=rf"^{LANGUAGE.pattern}$")]
Value = int | float | str | list[str]


class Model(BaseModel):
    """Strict, closed: a key that is not listed is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ConditionFile(Model):
    """One test (`question` or `field` with how, `outcome`, `operation`), or `all`, `any`, `not` of others."""

    question: Id | None = None
    field: Id | None = None
    is_: Value | None = Field(None, alias="is")
    is_not: Value | None = None
    includes: str | list[str] | None = None
    answered: Literal[True] | None = None
    same_as: Id | None = None
    outcome: str | list[str] | None = None
    operation: str | list[str] | None = None
    all: list[ConditionFile] | None = None
    any: list[ConditionFile] | None = None
    not_: ConditionFile | None = Field(None, alias="not")


class FieldFile(Model):
    """A text of the item that is shown."""

    id: Id
    role: Literal["source", "rewrite", "reference", "context", "target"]
    label: TextValue
    required: bool = True
    aliases: list[Words] = []


class ParameterFile(Model):
    """Something that a study sets."""

    id: Id
    label: TextValue
    default: TextValue | str
    options: list[Id] = []


class PointFile(Model):
    """A point of an ordinal scale."""

    value: int
    label: TextValue
    meaning: TextValue | None = None


class OptionFile(Model):
    """An option of a choice."""

    id: Id
    label: TextValue
    meaning: TextValue | None = None


class OrdinalFile(Model):
    """Labelled whole numbers in order."""

    type: Literal["ordinal"]
    points: list[PointFile] = Field(min_length=2)


class SliderFile(Model):
    """A number between two ends."""

    type: Literal["slider"]
    minimum: int | float
    maximum: int | float
    step: Annotated[int | float, Field(gt=0)] = 1
    low: TextValue | None = None
    high: TextValue | None = None


class YesNoFile(Model):
    """Yes or no; the labels have defaults in many languages."""

    type: Literal["yes_no"]
    yes: TextValue | None = None
    no: TextValue | None = None


class ChoiceFile(Model):
    """Exactly one option."""

    type: Literal["choice"]
    options: list[OptionFile] = Field(min_length=2)


class ChoicesFile(Model):
    """Several options at once."""

    type: Literal["choices"]
    options: list[OptionFile] = Field(min_length=2)
    minimum: Annotated[int, Field(ge=0)] = 1
    maximum: int | None = None


class FreeTextFile(Model):
    """Any text."""

    type: Literal["text"]


class RewriteFile(Model):
    """A text that rewrites a field."""

    type: Literal["rewrite"]
    starts_from: Id
    minimum_sentences: Annotated[int, Field(ge=1)] = 1


class ShortAnswersFile(Model):
    """One to n short answers; `none` is what leaving it blank means."""

    type: Literal["short_answers"]
    minimum: Annotated[int, Field(ge=1)] = 1
    maximum: Annotated[int, Field(ge=1, le=10)] = 3
    none: TextValue | None = None


ScaleFile = Annotated[
    OrdinalFile | SliderFile | YesNoFile | ChoiceFile | ChoicesFile | FreeTextFile | RewriteFile | ShortAnswersFile,
    Field(discriminator="type"),
]


class ExampleFile(Model):
    """A positive or negative example of an answer."""

    good: bool
    shows: TextValue
    why: TextValue
    answer: Value | None = None


class QuestionFile(Model):
    """One question on the item."""

    id: Id
    scale: Id
    prompt: TextValue
    header: Words | None = None
    required: bool = True
    when: ConditionFile | None = None
    notes: list[TextValue] = []
    examples: list[ExampleFile] = []
    hides: list[Id] = []
    dims: list[Id] = []


class EditQuestionFile(QuestionFile):
    """One question on edits of the named operations."""

    operations: list[Id] = Field(min_length=1)


class RuleFile(Model):
    """What changes when something is true of the item itself."""

    id: Id
    if_: ConditionFile = Field(alias="if")
    note: TextValue
    preset: dict[Id, Value] = {}
    drop: list[Id] = []
    ask: list[Id] = []
    reword: dict[Id, TextValue] = {}


class HintFile(Model):
    """A remark that never blocks."""

    id: Id
    question: Id
    text: TextValue
    when: ConditionFile | None = None


class WayOutFile(Model):
    """A way to end an item without answering; `passes_on` gives the item to somebody else."""

    id: Id
    label: TextValue
    meaning: TextValue | None = None
    keyword: Words | None = None
    passes_on: bool = False


class VerdictFile(Model):
    """A yes or no derived from one judgement (`when`) or from all of an item (`counts`)."""

    id: Id
    label: TextValue
    when: ConditionFile | None = None
    counts: Id | None = None
    share: Literal["every", "any", "most"] = "every"
    at_least: Annotated[int, Field(ge=1)] = 1


class OperationFile(Model):
    """A kind of edit."""

    id: Id
    label: TextValue
    meaning: TextValue
    key: Annotated[str, StringConstraints(pattern=r"^[a-z]$")]
    sides: list[Literal["source", "rewrite"]] = []
    several: bool = False
    constituents: list[Id] = []
    preset: dict[Id, Value] = {}


class EditTypeFile(Model):
    """What an edit turns out to be."""

    id: Id
    label: TextValue
    meaning: TextValue
    family: Id
    side: Literal["quality", "error"]
    when: ConditionFile
    added: bool = False


class EditsFile(Model):
    """Everything about edits."""

    snap: Literal["words", "characters", "tokens"] = "words"
    families: dict[Id, TextValue] = {}
    operations: list[OperationFile] = Field(min_length=1)
    questions: list[EditQuestionFile] = []
    types: list[EditTypeFile] = []


class StageFile(Model):
    """A step of a study."""

    id: Id
    label: TextValue
    role: Literal["annotator", "writer", "rater", "adjudicator", "judge"] = "annotator"
    overlap: Annotated[int, Field(ge=1)] = 1
    overlap_comparing: Annotated[int, Field(ge=1)] | None = None
    asks: list[Id] | None = None
    edits: Literal["free", "fixed", "none"] = "free"
    items_from: Id | None = None
    other_people_than: list[Id] = []
    same_people_as: Id | None = None
    not_authors: bool = False
    requires: TextValue | None = None


class PracticeEditFile(Model):
    """An edit of a practice item; spans are quoted, `words` or `words#2` for the second occurrence."""

    id: str
    operation: Id
    source: list[Words] = []
    rewrite: list[Words] = []
    answers: dict[Id, Value] = {}
    parent: str = ""


class PracticeFile(Model):
    """A practice item with the right answer and an explanation."""

    id: Id
    fields: dict[Id, str]
    explanation: TextValue
    stage: Id | None = None
    outcome: Id | None = None
    answers: dict[Id, Value] = {}
    edits: list[PracticeEditFile] = []


class ProtocolFile(Model):
    """A protocol file. Guidelines and practice items may also lie beside it in files of their own."""

    id: Id
    version: Annotated[str, StringConstraints(pattern=r"^[0-9]+(\.[0-9]+)*$")]
    title: TextValue
    summary: TextValue
    document: Words
    family: Id
    fallback: Language = "en"
    languages: list[Language] = Field(min_length=1)
    partly_translated: list[Language] = []
    unreviewed: list[Language] = []
    audience: TextValue
    parameters: list[ParameterFile] = []
    fields: list[FieldFile] = Field(min_length=1)
    scales: dict[Id, ScaleFile] = {}
    questions: list[QuestionFile] = []
    rules: list[RuleFile] = []
    hints: list[HintFile] = []
    ways_out: list[WayOutFile] = []
    verdicts: list[VerdictFile] = []
    edits: EditsFile | None = None
    stages: list[StageFile] = Field(min_length=1)
    group_by: Id | None = None
    one_sheet_at_a_time: bool = False
    guidelines: TextValue
    practice: list[PracticeFile] = []
