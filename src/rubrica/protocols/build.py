"""From a valid protocol file to the frozen objects of ``core``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rubrica.core import conditions, scales
from rubrica.core import protocol as core
from rubrica.core.edits import Edit
from rubrica.core.texts import AnyText, Text
from rubrica.protocols import schema
from rubrica.protocols.build_course import CourseBuilder
from rubrica.protocols.course_schema import OptionFile
from rubrica.protocols.text_building import answer_from, quoted_spans, text_from
from rubrica.protocols.thresh_schema import thresh_names

THRESH = "thresh"
"""The family of protocols that are Thresh templates."""

YES = {
    "en": "Yes",
    "es": "Sí",
    "ca": "Sí",
    "fil": "Oo",
    "fr": "Oui",
    "de": "Ja",
    "it": "Sì",
    "ja": "はい",
    "pt": "Sim",
    "si": "ඔව්",
}
NO = {
    "en": "No",
    "es": "No",
    "ca": "No",
    "fil": "Hindi",
    "fr": "Non",
    "de": "Nein",
    "it": "No",
    "ja": "いいえ",
    "pt": "Não",
    "si": "නැත",
}


def build(file: schema.ProtocolFile, content_hash: str) -> core.Protocol:
    """The protocol that a checked file describes."""
    return _Builder(file).protocol(content_hash)


def condition_from(file: schema.ConditionFile | None) -> conditions.Condition | None:
    """A condition as ``core`` has it."""
    return None if file is None else _condition(file)


def _condition(file: schema.ConditionFile) -> conditions.Condition:
    if file.all is not None:
        return conditions.AllOf(tuple(map(_condition, file.all)))
    if file.any is not None:
        return conditions.AnyOf(tuple(map(_condition, file.any)))
    if file.not_ is not None:
        return conditions.Not(_condition(file.not_))
    if file.outcome is not None:
        return conditions.OutcomeIs(_several(file.outcome))
    if file.operation is not None:
        return conditions.OperationIs(_several(file.operation))
    if file.field is not None:
        if file.same_as is not None:
            return conditions.FieldsSame(file.field, file.same_as)
        if file.is_not is not None:
            return conditions.Not(conditions.FieldIs(file.field, _several(file.is_not)))
        return conditions.FieldIs(file.field, _several(file.is_))
    question = file.question or ""
    if file.includes is not None:
        return conditions.AnswerIncludes(question, _several(file.includes))
    if file.answered:
        return conditions.Answered(question)
    if file.is_not is not None:
        return conditions.Not(conditions.AnswerIs(question, _several(file.is_not)))
    return conditions.AnswerIs(question, _several(file.is_))


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def scale_from(file: Any, fallback: str) -> scales.Scale:
    """A scale as ``core`` has it."""

    def text(value: dict[str, Any] | None) -> AnyText | None:
        return None if value is None else text_from(value, fallback)

    def options(listed: Iterable[OptionFile]) -> tuple[scales.Option, ...]:
        return tuple(
            scales.Option(option.id, text_from(option.label, fallback), text(option.meaning)) for option in listed
        )

    match file:
        case schema.OrdinalFile():
            return scales.Ordinal(
                tuple(scales.Point(point.value, text(point.label), text(point.meaning)) for point in file.points)
            )
        case schema.SliderFile():
            return scales.Slider(file.minimum, file.maximum, file.step, text(file.low), text(file.high))
        case schema.YesNoFile():
            return scales.YesNo(text_from(file.yes or YES, fallback), text_from(file.no or NO, fallback))
        case schema.ChoiceFile():
            return scales.Choice(options(file.options))
        case schema.ChoicesFile():
            return scales.Choices(options(file.options), file.minimum, file.maximum or len(file.options))
        case schema.RewriteFile():
            differs, asks = tuple(file.differs_from), tuple(file.asks_if_same)
            return scales.RewrittenText(file.starts_from, file.minimum_sentences, file.filled, differs, asks)
        case schema.ShortAnswersFile():
            return scales.ShortAnswers(
                file.minimum, file.maximum, text(file.none), text(file.none and (file.none_label or file.none))
            )
        case _:
            return scales.FreeText()


class _Builder:
    def __init__(self, file: schema.ProtocolFile) -> None:
        self.file = file
        self.fallback = file.fallback

    def text(self, value: dict[str, Any]) -> AnyText:
        return text_from(value, self.fallback)

    def maybe(self, value: dict[str, Any] | None) -> AnyText | None:
        return None if value is None else self.text(value)

    def protocol(self, content_hash: str) -> core.Protocol:
        file = self.file
        built = {name: scale_from(scale, self.fallback) for name, scale in file.scales.items()}
        course = CourseBuilder(self.fallback, built, file_default_stage(file))
        return core.Protocol(
            id=file.id,
            version=file.version,
            hash=content_hash,
            title=self.text(file.title),
            summary=self.text(file.summary),
            document=file.document,
            family=file.family,
            fallback=file.fallback,
            languages=tuple(file.languages),
            partly_translated=tuple(file.partly_translated),
            unreviewed=tuple(file.unreviewed),
            audience=self.text(file.audience),
            guidelines=Text(dict(file.guidelines), file.fallback),
            fields=tuple(
                core.Field(field.id, field.role, self.text(field.label), field.required, tuple(field.aliases))
                for field in file.fields
            ),
            scales=built,
            questions=tuple(map(self._question, file.questions)),
            stages=tuple(map(self._stage, file.stages)),
            parameters=tuple(map(self._parameter, file.parameters)),
            rules=tuple(map(self._rule, file.rules)),
            hints=tuple(
                core.Hint(hint.id, hint.question, self.text(hint.text), condition_from(hint.when))
                for hint in file.hints
            ),
            ways_out=tuple(
                core.WayOut(way.id, self.text(way.label), self.maybe(way.meaning), way.keyword or "", way.passes_on)
                for way in file.ways_out
            ),
            verdicts=tuple(
                core.Verdict(
                    verdict.id,
                    self.text(verdict.label),
                    condition_from(verdict.when),
                    verdict.counts or "",
                    verdict.share,
                    verdict.at_least,
                    verdict.share_by or "",
                    verdict.first,
                )
                for verdict in file.verdicts
            ),
            edits=self._edits(file.edits, _template_colours(file)) if file.edits else None,
            practice=tuple(map(self._practice, file.practice)),
            thresh=thresh_names(file.thresh) if file.thresh else None,
            course=tuple(map(course.stage, file.course)),
            group_by=file.group_by or "",
            one_sheet_at_a_time=file.one_sheet_at_a_time,
            duplicates=file.duplicates / 100,
        )

    def _question(self, file: schema.QuestionFile) -> core.Question:
        return core.Question(
            id=file.id,
            scale=file.scale,
            prompt=self.text(file.prompt),
            header=file.header or "",
            column=self.text(file.column) if file.column is not None else None,
            required=file.required,
            when=condition_from(file.when),
            notes=tuple(map(self.text, file.notes)),
            examples=tuple(
                core.Example(
                    example.good,
                    self.text(example.shows),
                    self.text(example.why),
                    None if example.answer is None else answer_from(example.answer),
                )
                for example in file.examples
            ),
            hides=tuple(file.hides),
            dims=tuple(file.dims),
            operations=tuple(getattr(file, "operations", ())),
        )

    def _parameter(self, file: schema.ParameterFile) -> core.Parameter:
        default = {self.fallback: file.default} if isinstance(file.default, str) else file.default
        return core.Parameter(file.id, self.text(file.label), Text(dict(default), self.fallback), tuple(file.options))

    def _rule(self, file: schema.RuleFile) -> core.Rule:
        return core.Rule(
            id=file.id,
            condition=_condition(file.if_),
            note=self.text(file.note),
            preset={question: answer_from(value) for question, value in file.preset.items()},
            drop=tuple(file.drop),
            ask=tuple(file.ask),
            reword={question: self.text(text) for question, text in file.reword.items()},
        )

    def _edits(self, file: schema.EditsFile, colours: Mapping[str, str]) -> core.EditScheme:
        return core.EditScheme(
            snap=file.snap,
            families={family: self.text(label) for family, label in file.families.items()},
            operations=tuple(
                core.Operation(
                    id=operation.id,
                    label=self.text(operation.label),
                    meaning=self.text(operation.meaning),
                    key=operation.key or "",
                    sides=tuple(operation.sides),
                    several=operation.several,
                    constituents=tuple(operation.constituents),
                    preset={question: answer_from(value) for question, value in operation.preset.items()},
                    colour=colours.get(operation.id, ""),
                )
                for operation in file.operations
            ),
            questions=tuple(map(self._question, file.questions)),
            types=tuple(
                core.EditType(
                    id=kind.id,
                    label=self.text(kind.label),
                    meaning=self.text(kind.meaning),
                    family=kind.family,
                    side=kind.side,
                    when=_condition(kind.when),
                    added=kind.added,
                )
                for kind in file.types
            ),
        )

    def _stage(self, file: schema.StageFile) -> core.Stage:
        return core.Stage(
            id=file.id,
            label=self.text(file.label),
            role=file.role,
            overlap=file.overlap,
            overlap_comparing=file.overlap_comparing,
            asks=None if file.asks is None else tuple(file.asks),
            edits=file.edits if self.file.edits else "none",
            suggest=file.suggest,
            suggest_by=file.suggest_by or "",
            items_from=file.items_from or "",
            other_people_than=tuple(file.other_people_than),
            same_people_as=file.same_people_as or "",
            not_authors=file.not_authors,
            requires=self.maybe(file.requires),
        )

    def _practice(self, file: schema.PracticeFile) -> core.PracticeItem:
        return core.PracticeItem(
            id=file.id,
            fields=dict(file.fields),
            explanation=self.text(file.explanation),
            outcome=file.outcome or "answered",
            answers={question: answer_from(value) for question, value in file.answers.items()},
            edits=tuple(
                Edit(
                    id=edit.id,
                    operation=edit.operation,
                    source=quoted_spans(file.fields.get("source", ""), edit.source),
                    rewrite=quoted_spans(file.fields.get("rewrite", ""), edit.rewrite),
                    answers={question: answer_from(value) for question, value in edit.answers.items()},
                    parent=edit.parent,
                )
                for edit in file.edits
            ),
            stage=file.stage or file_default_stage(self.file),
            language=file.language or "",
        )


def file_default_stage(file: schema.ProtocolFile) -> str:
    """Practice is for the last stage that people other than adjudicators see: it asks the most."""
    stages = [stage.id for stage in file.stages if stage.role != "adjudicator"]
    return (stages or [file.stages[-1].id])[-1]


def _template_colours(file: schema.ProtocolFile) -> dict[str, str]:
    """The colours that a Thresh template gives to its edits; our own protocols have looks of their own."""
    named = file.thresh.categories if file.thresh and file.family == THRESH else ()
    return {category.operation: category.color for category in named if category.color}
