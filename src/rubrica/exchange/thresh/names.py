"""Under which names a protocol's edits stand in Thresh files: its own dictionary, or one that follows from its ids."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from rubrica.core.protocol import Protocol, Question
from rubrica.core.scales import Choice, Ordinal, YesNo
from rubrica.core.thresh import ThreshCategory, ThreshNames, ThreshOption, ThreshQuestion
from rubrica.protocols.thresh_schema import ThreshFile, thresh_names
from rubrica.protocols.yaml_source import read_yaml


def names_of(protocol: Protocol) -> ThreshNames:
    """The names in the protocol's file; for a shipped protocol those in its folder; else its ids, without nesting."""
    if protocol.thresh is not None:
        return protocol.thresh
    shipped = _shipped(protocol.id)
    if shipped is not None and _fits(shipped, protocol):
        return shipped
    return _by_ids(protocol)


@cache
def _shipped(protocol_id: str) -> ThreshNames | None:
    """The names that published Thresh files have for a shipped protocol, in `thresh.yaml` of its folder.

    They stand beside the protocol and not in it: no annotator sees them, so its hash does not depend on them.
    """
    file = files("rubrica.protocols").joinpath(protocol_id, "thresh.yaml")
    if not file.is_file():
        return None
    return thresh_names(ThreshFile.model_validate(read_yaml(file.read_text(encoding="utf-8")).data))


def _fits(names: ThreshNames, protocol: Protocol) -> bool:
    """Whether a protocol, perhaps somebody's own version of it, still has every question that the names lead to."""
    scheme = protocol.edits
    return scheme is not None and all(
        category.operation in scheme.by_id and {*answer.questions()} <= protocol.questions_by_id.keys()
        for category in names.categories
        for answer in category.answers
    )


def _by_ids(protocol: Protocol) -> ThreshNames:
    scheme = protocol.edits
    operations = scheme.operations if scheme else ()
    return ThreshNames(
        tuple(
            ThreshCategory(
                operation.id,
                operation.id,
                tuple(_by_id(protocol, question) for question in scheme.questions_for(operation.id)) if scheme else (),
            )
            for operation in operations
        )
    )


def _by_id(protocol: Protocol, question: Question) -> ThreshQuestion:
    scale = protocol.scale_of(question)
    match scale:
        case Choice(options):
            named = tuple(ThreshOption(option.id, option.id) for option in options)
            return ThreshQuestion(question.id, question.id, options=named)
        case YesNo():
            return ThreshQuestion(question.id, question.id, "binary")
        case Ordinal(points):
            return ThreshQuestion(question.id, question.id, f"likert-{len(points)}")
    return ThreshQuestion(question.id, question.id, "textarea")
