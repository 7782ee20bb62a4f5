"""Courses: read from the files of the folder ``course/``, and checked as the annotations that they show and ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rubrica.core.course import ANSWER, COMPOSE, EXAMPLE, TYPE, Step
from rubrica.core.course_grading import added_types, types_of
from rubrica.core.edit_scoring import SPLIT_MARK, words_of
from rubrica.core.edit_validation import EditValidator
from rubrica.core.edits import SIDES, Span
from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item
from rubrica.protocols.yaml_source import Path, Place, Source, read_yaml


def read_course(files: Sequence[tuple[str, str]]) -> Source:
    """The stages in files, each given by its name and text, as a list that lies under the key ``course``."""
    stages, places, problems = [], dict[Path, Place](), list[Problem]()
    for index, (name, text) in enumerate(files):
        source = read_yaml(text)
        places[("course", index)] = Place(1, name)
        places |= {("course", index, *path): Place(place.line, name) for path, place in source.places.items()}
        problems += [problem.at(file=name) for problem in source.problems]
        if isinstance(source.data, dict):
            stages.append(source.data)
        else:
            stages.append({})
            if not source.problems:
                what, fix = "a stage of a course is a mapping of keys", "Start with `id: my_stage`."
                problems.append(Problem(what=what, rule="shape", fix=fix, file=name, line=1))
    return Source(stages, places, problems)


class Finding(NamedTuple):
    """Something wrong with a part of a step."""

    path: Path
    what: str
    rule: str
    fix: str


def course_problems(protocol: Protocol, source: Source) -> list[Problem]:
    """What is shown and asked in the course must itself be right: complete, valid edits, of the types they are for."""
    validators = {
        stage.id: EditValidator(protocol, stage)
        for stage in protocol.stages
        if protocol.edits is not None and stage.edits != "none"
    }
    found = []
    for number, stage in enumerate(protocol.course):
        for index, step in enumerate(stage.steps):
            place: Path = ("course", number, "steps", index)
            for finding in _findings(protocol, step, validators.get(step.stage)):
                what = f"step {step.id}: {finding.what}"
                found.append(source.problem((*place, *finding.path), what, finding.rule, finding.fix))
    return found


def _findings(protocol: Protocol, step: Step, validator: EditValidator | None) -> Iterator[Finding]:
    yield from _texts(protocol, step)
    if step.edits and validator is None:
        yield Finding(("edits",), f"no edits are marked at {step.stage}", "edits", "Name another `stage`.")
        return
    if validator is None:
        return
    problems = list(_invalid(step, validator))
    yield from problems
    yield from _parts_of_words(protocol, step)
    if not problems:
        yield from _unfit(protocol, step)


def _texts(protocol: Protocol, step: Step) -> Iterator[Finding]:
    if step.fields:
        for field in protocol.fields:
            if field.required and not step.fields.get(field.id, "").strip():
                yield Finding(("fields",), f"the field {field.id} is missing", "required", "Add its text.")


def _invalid(step: Step, validator: EditValidator) -> Iterator[Finding]:
    """The gold edits are complete and valid under the protocol."""
    paths = dict(_places(step))
    for problem in validator.problems(Item(step.id, step.fields), step.edits):
        answer = ("answers", problem.question) if problem.question else ()
        yield Finding((*paths[problem.edit], *answer), problem.what, problem.rule, problem.fix)


def _places(step: Step) -> Iterator[tuple[str, Path]]:
    for edit in step.edits:
        number, _, part = edit.id.partition(".")
        yield edit.id, ("edits", int(number) - 1, *(("parts", int(part) - 1) if part else ()))


def _parts_of_words(protocol: Protocol, step: Step) -> Iterator[Finding]:
    """Where selections snap to words, a gold span that covers part of one could not be made by anybody."""
    if protocol.edits is None or protocol.edits.snap != "words":
        return
    for edit_id, path in _places(step):
        edit = next(edit for edit in step.edits if edit.id == edit_id)
        for side in SIDES:
            words = words_of(step.fields.get(side, ""))
            for number, span in enumerate(edit.spans(side)):
                if not _whole(span, words) or SPLIT_MARK in span.of(step.fields[side]).split():
                    what = f"{span.of(step.fields[side])!r} is not made of whole words with their punctuation"
                    fix = f"Quote whole words, without {SPLIT_MARK}."
                    yield Finding((*path, side, number), what, "quote", fix)


def _whole(span: Span, words: Iterable[Span]) -> bool:
    listed = list(words)
    return any(word.start == span.start for word in listed) and any(word.end == span.end for word in listed)


def _unfit(protocol: Protocol, step: Step) -> Iterator[Finding]:
    """Examples and exercises that do not show or ask what they say."""
    if step.kind == EXAMPLE and step.of:
        has = any(step.of in types_of(protocol, edit) for edit in step.top_level())
        if has != step.good:
            lacks = "a good example lacks" if step.good else "a bad example has"
            what = f"{lacks} an edit of the type {step.of}"
            yield Finding(("type",), what, "type", "Correct its answers, or `type` and `good`.")
    if step.kind == TYPE:
        yield from _unfit_type(protocol, step)
    if step.kind == ANSWER:
        for number, name in enumerate(step.asks):
            if name not in step.edit.answers:
                what, fix = f"the edit does not answer {name}", "Ask what its `answers` say."
                yield Finding(("asks", number), what, "required", fix)
    if step.kind == COMPOSE:
        loose = [edit for edit in step.top_level() if not step.parts(edit.id)]
        if not step.parts(step.edit.id) or not loose:
            what = "the first edit is not composite, or nothing is there beside its parts"
            yield Finding(("edits",), what, "constituents", "Begin with a composite, and add simple edits after it.")
    answered = {edit.id: edit.answers for edit in step.edits}
    for edit_id, accepted in step.also.items():
        for name in accepted.keys() - answered[edit_id].keys():
            what = f"`also` accepts answers to {name}, which has none"
            yield Finding(("edits", int(edit_id) - 1, "also", name), what, "required", "Answer it as well.")


def _unfit_type(protocol: Protocol, step: Step) -> Iterator[Finding]:
    kinds = types_of(protocol, step.edit)
    own = [kind for kind in kinds if kind not in added_types(protocol)]
    wanted = str(step.answer) if step.answer is not None else own[0] if own else ""
    if wanted not in kinds:
        what = f"the edit is not of the type {wanted!r}" if wanted else "the edit has no type yet"
        yield Finding(("edits", 0), what, "type", f"Its answers make it {', '.join(kinds) or 'none'}.")
    elif wanted not in step.options:
        yield Finding(("options",), f"the right type {wanted!r} is not offered", "type", f"Add {wanted}.")
