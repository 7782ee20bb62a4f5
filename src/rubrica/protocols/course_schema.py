"""The shape of a course: a file for each stage in the folder `course/`, or the key `course` of a protocol file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rubrica.protocols.values import Id, Model, TextValue, Value, Words

Share = Annotated[float, Field(gt=0, le=1)]


class OptionFile(Model):
    """An option of a choice."""

    id: Id
    label: TextValue
    meaning: TextValue | None = None


class PartFile(Model):
    """A part of a composite edit; spans are quoted, `words` or `words#2` for the second occurrence."""

    operation: Id
    source: list[Words] = []
    rewrite: list[Words] = []


class CourseEditFile(PartFile):
    """A gold edit of a course. `also` lists answers that are accepted beside those in `answers`."""

    answers: dict[Id, Value] = {}
    also: dict[Id, list[Value]] = {}
    parts: list[PartFile] = []


class FactFile(Model):
    """Something that the texts tell, and the words that carry it. `lost` if the rewrite no longer tells it."""

    text: TextValue
    source: list[Words] = []
    rewrite: list[Words] = []
    main: bool = False
    lost: bool = False


class StepFile(Model):
    """What every step has."""

    id: Id
    title: TextValue | None = None


class TextStepFile(StepFile):
    """Something to read, in Markdown."""

    kind: Literal["text"]
    text: TextValue


class PairStepFile(StepFile):
    """What every step about a pair of texts has. `stage` is the protocol's stage whose questions `edits` answer."""

    fields: dict[Id, str]
    prompt: TextValue | None = None
    why: TextValue
    stage: Id | None = None


class ExampleStepFile(PairStepFile):
    """A pair with edits laid over it. A good example of a `type` has an edit of it; a bad one could be taken for it."""

    kind: Literal["example"]
    edits: list[CourseEditFile] = []
    type: Id | None = None
    good: bool = True


class FactsStepFile(PairStepFile):
    """Facts to point at, to see which words carry each. If some are `lost`, the learner says which."""

    kind: Literal["facts"]
    facts: list[FactFile] = Field(min_length=2, max_length=9)


class SelectStepFile(PairStepFile):
    """Mark the edits: all of the operations that `edits` has, and of no other."""

    kind: Literal["select"]
    edits: list[CourseEditFile] = Field(min_length=1)
    pass_mark: Share | None = None


class WholeStepFile(PairStepFile):
    """Annotate the whole pair, as in the work. `asks` limits the questions on each edit."""

    kind: Literal["whole"]
    edits: list[CourseEditFile] = []
    asks: list[Id] = []
    pass_mark: Share | None = None


class AnswerStepFile(PairStepFile):
    """Answer questions of the protocol about the first of the edits."""

    kind: Literal["answer"]
    edits: list[CourseEditFile] = Field(min_length=1)
    asks: list[Id] = Field(min_length=1)


class TypeStepFile(PairStepFile):
    """Name the type of the first of the edits, among `options`; `answer` says which if it has several."""

    kind: Literal["type"]
    edits: list[CourseEditFile] = Field(min_length=1)
    options: list[Id] = Field(min_length=2)
    answer: Id | None = None


class AskStepFile(PairStepFile):
    """A question of the course itself, on a `scale` of the protocol or with `options`; words can be pointed at."""

    kind: Literal["ask"]
    fields: dict[Id, str] = {}
    source: list[Words] = []
    rewrite: list[Words] = []
    scale: Id | None = None
    options: list[OptionFile] = []
    answer: Value
    accepts: list[Value] = []


class ComposeStepFile(PairStepFile):
    """Build the first of the edits, a composite: choose its parts among all the simple edits."""

    kind: Literal["compose"]
    edits: list[CourseEditFile] = Field(min_length=2)


AnyStepFile = Annotated[
    TextStepFile
    | ExampleStepFile
    | FactsStepFile
    | SelectStepFile
    | WholeStepFile
    | AnswerStepFile
    | TypeStepFile
    | AskStepFile
    | ComposeStepFile,
    Field(discriminator="kind"),
]


class CourseStageFile(Model):
    """A stage of the course. `round` makes it a round of the qualification; `stage` is the default of its steps."""

    id: Id
    title: TextValue
    summary: TextValue
    stage: Id | None = None
    round: Annotated[int, Field(ge=1, le=20)] | None = None
    steps: list[AnyStepFile] = Field(min_length=1)
