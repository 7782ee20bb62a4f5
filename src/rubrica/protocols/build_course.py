"""From a checked course file to the frozen objects of ``core``."""

from __future__ import annotations

from typing import Any

from rubrica.core import course as core
from rubrica.core.edits import Edit
from rubrica.core.scales import Choice, Option, Scale
from rubrica.core.texts import AnyText
from rubrica.protocols import course_schema as schema
from rubrica.protocols.text_building import answer_from, quoted_spans, text_from


class CourseBuilder:
    """Builds the stages of one protocol's course; ``stage`` is the protocol's stage where a course names none."""

    def __init__(self, fallback: str, scales: dict[str, Scale], stage: str) -> None:
        self.fallback = fallback
        self.scales = scales
        self.default_stage = stage

    def stage(self, file: schema.CourseStageFile) -> core.CourseStage:
        """One stage."""
        return core.CourseStage(
            id=file.id,
            title=self._text(file.title),
            summary=self._text(file.summary),
            steps=tuple(self._step(step, file.stage or self.default_stage) for step in file.steps),
            round=file.round or 0,
        )

    def _text(self, value: dict[str, Any]) -> AnyText:
        return text_from(value, self.fallback)

    def _maybe(self, value: dict[str, Any] | None) -> AnyText | None:
        return None if value is None else self._text(value)

    def _step(self, file: Any, stage: str) -> core.Step:
        if isinstance(file, schema.TextStepFile):
            return core.Step(file.id, file.kind, self._text(file.text), self._maybe(file.title))
        listed: list[schema.CourseEditFile] = getattr(file, "edits", [])
        answer = getattr(file, "answer", None)
        return core.Step(
            id=file.id,
            kind=file.kind,
            why=self._text(file.why),
            title=self._maybe(file.title),
            prompt=self._maybe(file.prompt),
            fields=dict(file.fields),
            edits=tuple(edit for number, one in enumerate(listed) for edit in _edits(one, number, file.fields)),
            also={
                str(number + 1): {name: tuple(map(answer_from, values)) for name, values in one.also.items()}
                for number, one in enumerate(listed)
                if one.also
            },
            stage=file.stage or stage,
            asks=tuple(getattr(file, "asks", ())),
            of=getattr(file, "type", None) or "",
            good=getattr(file, "good", True),
            options=tuple(file.options) if isinstance(file, schema.TypeStepFile) else (),
            scale=self._scale(file) if isinstance(file, schema.AskStepFile) else None,
            answer=None if answer is None else answer_from(answer),
            accepts=tuple(map(answer_from, getattr(file, "accepts", ()))),
            source=quoted_spans(file.fields.get("source", ""), getattr(file, "source", ())),
            rewrite=quoted_spans(file.fields.get("rewrite", ""), getattr(file, "rewrite", ())),
            facts=self._facts(file) if isinstance(file, schema.FactsStepFile) else (),
            pass_mark=getattr(file, "pass_mark", None) or core.PASS_MARK.get(file.kind, 1.0),
        )

    def _scale(self, file: schema.AskStepFile) -> Scale:
        if file.scale is not None:
            return self.scales[file.scale]
        return Choice(
            tuple(Option(option.id, self._text(option.label), self._maybe(option.meaning)) for option in file.options)
        )

    def _facts(self, file: schema.FactsStepFile) -> tuple[core.Fact, ...]:
        return tuple(
            core.Fact(
                id=f"f{number}",
                text=self._text(fact.text),
                source=quoted_spans(file.fields.get("source", ""), fact.source),
                rewrite=quoted_spans(file.fields.get("rewrite", ""), fact.rewrite),
                main=fact.main,
                lost=fact.lost,
            )
            for number, fact in enumerate(file.facts, start=1)
        )


def _edits(file: schema.CourseEditFile, number: int, fields: dict[str, str]) -> list[Edit]:
    """An edit, numbered from 1 by its place in the list, and its parts: 2.1, 2.2, …"""
    name = str(number + 1)
    answers = {question: answer_from(value) for question, value in file.answers.items()}
    source, rewrite = (quoted_spans(fields.get(side, ""), getattr(file, side)) for side in ("source", "rewrite"))
    return [
        Edit(name, file.operation, source, rewrite, answers),
        *(
            Edit(
                f"{name}.{place}",
                part.operation,
                quoted_spans(fields.get("source", ""), part.source),
                quoted_spans(fields.get("rewrite", ""), part.rewrite),
                parent=name,
            )
            for place, part in enumerate(file.parts, start=1)
        ),
    ]
