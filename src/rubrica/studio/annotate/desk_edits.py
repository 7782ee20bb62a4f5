"""The edits of a desk: what the editor is told, and what the page shows of them without script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubrica.core import edits as edit_values
from rubrica.core.edit_marks import looks
from rubrica.core.edit_overlay import Overlay
from rubrica.core.edits import SIDES, Edit
from rubrica.core.protocol import EditScheme, Operation
from rubrica.core.study import Item
from rubrica.core.texts import shown
from rubrica.core.validation import Validator
from rubrica.language.names import told_language
from rubrica.studio.annotate.desk_questions import Asking, ShownQuestion, ask_about_edits, condition_data
from rubrica.studio.annotate.desk_texts import ShownText
from rubrica.studio.marked_texts import MarkedText, marked_text


@dataclass(frozen=True)
class ShownOperation:
    """An operation as its button shows it."""

    id: str
    key: str
    label: str
    meaning: str
    look: int
    whole: bool


@dataclass(frozen=True)
class ShownEdits:
    """The editor of one item: its two texts, the operations, and each question on edits once, to be copied.

    ``people`` is how many people's edits are settled in it; 0 where it is not about that. ``suggests``: edits may be
    suggested in it.
    """

    texts: tuple[MarkedText, ...]
    operations: tuple[ShownOperation, ...]
    questions: tuple[ShownQuestion, ...]
    fixed: bool
    count: int
    people: int = 0
    suggests: bool = False


def build_edits(asking: Asking, edits: Sequence[Edit], overlay: Overlay | None = None) -> ShownEdits | None:
    """What the page of this item shows of edits; None where there are none."""
    validator, language = asking.validator, asking.language
    if validator.edits is None:
        return None
    scheme, look = validator.edits.scheme, looks(validator.edits.scheme)
    labels = {field.id: shown(field.label, language) for field in asking.protocol.fields}
    texts = [
        marked_text(scheme, side, labels[side], asking.item.fields[side], edits, told_language(asking.item.metadata))
        for side in SIDES
        if asking.item.fields.get(side)
    ]
    operations = [
        ShownOperation(
            one.id, one.key, shown(one.label, language), shown(one.meaning, language), look[one.id], one.whole
        )
        for one in scheme.operations
    ]
    questions, people = tuple(ask_about_edits(asking)), overlay.people if overlay else 0
    fixed, suggests = is_fixed(validator), validator.suggests
    return ShownEdits(tuple(texts), tuple(operations), questions, fixed, len(edits), people, suggests)


def is_fixed(validator: Validator) -> bool:
    """Whether the edits are given, and only questions about them are answered."""
    return validator.stage is not None and validator.stage.edits == "fixed"


def without_edited(texts: tuple[ShownText, ...]) -> tuple[ShownText, ...]:
    """The texts of a page that are not drawn by the editor."""
    return tuple(text for text in texts if text.field not in SIDES)


def scheme_data(validator: Validator, language: str) -> dict[str, Any] | None:
    """What the script is told of the protocol's edits; None where there are none."""
    if validator.edits is None:
        return None
    scheme, look = validator.edits.scheme, looks(validator.edits.scheme)
    return {
        "snap": scheme.snap,
        "fixed": is_fixed(validator),
        "operations": [_operation(validator, scheme, one, look[one.id], language) for one in scheme.operations],
        "types": _types(validator, scheme, language),
    }


def _types(validator: Validator, scheme: EditScheme, language: str) -> list[dict[str, Any]]:
    """The types that edits turn out to be, where all is asked that decides on them."""
    stage = validator.stage
    if stage is not None and stage.asks and not {question.id for question in scheme.questions} <= set(stage.asks):
        return []
    return [
        {"label": shown(one.label, language), "when": condition_data(one.when), "added": one.added}
        for one in scheme.types
    ]


def _operation(validator: Validator, scheme: EditScheme, one: Operation, look: int, language: str) -> dict[str, Any]:
    assert validator.edits is not None
    asked = [question.id for question in validator.edits.questions_for(one.id) if question.id not in one.preset]
    return {
        "id": one.id,
        "key": one.key,
        "label": shown(one.label, language),
        "look": look,
        "sides": list(one.sides),
        "several": one.several,
        "constituents": list(one.constituents),
        "preset": {name: list(value) if isinstance(value, tuple) else value for name, value in one.preset.items()},
        "questions": asked,
    }


def item_data(
    item: Item,
    edits: Sequence[Edit],
    proposed: Sequence[Edit] = (),
    became: Mapping[str, str] | None = None,
    together: Mapping[str, bool] | None = None,
) -> dict[str, Any]:
    """The texts and edits of one item as the script reads them; offsets are code points."""
    tokens = {side: item.metadata.get(f"{side}_tokens", "") for side in SIDES}
    return {
        "texts": {side: item.fields.get(side, "") for side in SIDES},
        "tokens": {side: given for side, given in tokens.items() if given},
        "edits": [edit_values.to_json(edit) for edit in edits],
        "proposed": [edit_values.to_json(edit) for edit in proposed],
        "became": dict(became or {}),
        "together": dict(together or {}),
    }
