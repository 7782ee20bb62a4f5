"""The shape of a protocol file: which keys there are and what each may hold.

The same models give the JSON Schema in the reference and the canonical form that is hashed. What a shape
cannot say (references, translations, scales) is in ``references.py``.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from rubrica.protocols.course_schema import CourseStageFile, OptionFile
from rubrica.protocols.thresh_schema import ThreshFile
from rubrica.protocols.values import (
    LANGUAGE,
    Default,
    Guidelines,
    Id,
    Letter,
    Model,
    Names,
    Number,
    Test,
    TextValue,
    Value,
    Words,
)

LANGUAGE_CODE = rf"^{LANGUAGE.pattern}$"
VERSION = r"^[0-9]+(\.[0-9]+)*$"
LETTER = r"^[a-z]$"
MAX_HEADER = 60

Language = Annotated[str, StringConstraints(pattern=LANGUAGE_CODE)]


class ConditionFile(Model):
    """One test (`question` or `field` with how, `outcome`, `operation`), or `all`, `any`, `not` of others."""

    question: Id | None = None
    field: Id | None = None
    is_: Test | None = Field(None, alias="is")
    is_not: Test | None = None
    includes: Names | None = None
    answered: Literal[True] | None = None
    same_as: Id | None = None
    outcome: Names | None = None
    operation: Names | None = None
    all: Annotated[list[ConditionFile], Field(min_length=1)] | None = None
    any: Annotated[list[ConditionFile], Field(min_length=1)] | None = None
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
    options: list[Id] = []
    default: Default


class PointFile(Model):
    """A point of an ordinal scale; without a label it is its number, as where only the ends are labelled."""

    value: int
    label: TextValue | None = None
    meaning: TextValue | None = None


class OrdinalFile(Model):
    """Labelled whole numbers in order."""

    type: Literal["ordinal"]
    points: list[PointFile] = Field(min_length=2)


class SliderFile(Model):
    """A number between two ends."""

    type: Literal["slider"]
    minimum: Number
    maximum: Number
    step: Annotated[Number, Field(gt=0)] = 1
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
    maximum: Annotated[int, Field(ge=1)] | None = None


class FreeTextFile(Model):
    """Any text."""

    type: Literal["text"]


class RewriteFile(Model):
    """A text that rewrites a field; it must not, or had better not, read the same as certain fields."""

    type: Literal["rewrite"]
    starts_from: Id
    minimum_sentences: Annotated[int, Field(ge=1, le=50)] = 1
    filled: bool = False
    differs_from: list[Id] = []
    asks_if_same: list[Id] = []


class ShortAnswersFile(Model):
    """One to n short answers; `none` is what leaving it blank means, `none_label` how one chooses that on a page."""

    type: Literal["short_answers"]
    minimum: Annotated[int, Field(ge=1)] = 1
    maximum: Annotated[int, Field(ge=1, le=10)] = 3
    none: TextValue | None = None
    none_label: TextValue | None = None


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
    header: Annotated[Words, StringConstraints(max_length=MAX_HEADER)] | None = None
    column: TextValue | None = None
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
    share_by: Id | None = None
    at_least: Annotated[int, Field(ge=1)] = 1
    first: Annotated[int, Field(ge=1)] | None = None


class OperationFile(Model):
    """A kind of edit."""

    id: Id
    label: TextValue
    meaning: TextValue
    key: Annotated[Letter, StringConstraints(pattern=LETTER)] | None = None
    sides: list[Literal["source", "rewrite"]] = []
    several: bool = False
    constituents: list[Id] = []
    whole: bool = False
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
    suggest: bool = False
    suggest_by: Id | None = None
    items_from: Id | None = None
    other_people_than: list[Id] = []
    same_people_as: Id | None = None
    not_authors: bool = False
    requires: TextValue | None = None


class PracticeEditFile(Model):
    """An edit of a practice item; spans are quoted, `words` or `words#2` for the second occurrence."""

    id: Words
    operation: Id
    source: list[Words] = []
    rewrite: list[Words] = []
    answers: dict[Id, Value] = {}
    parent: str = ""


class PracticeFile(Model):
    """A practice item with the right answer and an explanation; with `language`, for texts in that language only."""

    id: Id
    language: Language | None = None
    fields: dict[Id, str]
    explanation: TextValue
    stage: Id | None = None
    outcome: Id | None = None
    answers: dict[Id, Value] = {}
    edits: list[PracticeEditFile] = []


class ProtocolFile(Model):
    """A protocol file. Guidelines, practice items and a course may also lie beside it in files of their own."""

    id: Id
    version: Annotated[str, StringConstraints(pattern=VERSION)]
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
    duplicates: Annotated[float, Field(ge=0, le=100)] = 0
    thresh: ThreshFile | None = None
    guidelines: Guidelines
    practice: list[PracticeFile] = []
    course: list[CourseStageFile] = []
