"""What comes back from a desk: the fields of a form without script, or the JSON of the script, as one shape.

Spans of edits are half-open code points of the texts as they were imported.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple, Protocol, cast

from ninja import Schema
from pydantic import Field, TypeAdapter, ValidationError

from rubrica.core import answers as answer_values
from rubrica.core.answers import from_json
from rubrica.core.edits import Edit, Span
from rubrica.core.errors import wrong
from rubrica.core.protocol import Question
from rubrica.core.scales import MAX_TEXT, Choices, Ordinal, ShortAnswers, Slider
from rubrica.core.study import ANSWERED
from rubrica.core.typed import Fault, number, storable
from rubrica.core.validation import Validator

_VISIT = re.compile(r"[A-Za-z0-9-]{0,40}")
MOST_SECONDS = 60 * 60 * 24 * 30


class Form(Protocol):
    """The fields of a form, as Django's QueryDict gives them."""

    def getlist(self, key: str) -> list[Any]:
        """Every value of that name."""


class Posted(NamedTuple):
    """What a page says about one lease, not yet checked against the protocol."""

    lease: str
    key: str
    answers: dict[str, answer_values.Answer]
    outcome: str = ANSWERED
    visit: str = ""
    seconds: float = 0.0
    base: int = 0
    edits: tuple[Edit, ...] = ()


def said_from_post(post: Form, validator: Validator, leases: Sequence[str]) -> list[Posted]:
    """The judgements of a form sent without script. ``outcome`` is one button for the whole page.

    Boxes left blank are no answer, unless their own choice says that there is none, or the button that answers when the
    page asks (``none``). Words beside that choice contradict it: an empty one among them makes the validator refuse.
    """
    outcome, none = _last(post, "outcome") or ANSWERED, post.getlist("none")
    questions = [question for question in validator.protocol.questions if validator.asks(question)]
    said = []
    for lease in leases:
        answers = {}
        for question in questions:
            name = f"{lease}.{question.id}"
            chosen = bool(post.getlist(f"{name}.none"))
            value = _answer(validator, question, post.getlist(name), none=chosen or bool(none))
            if chosen and value:
                value = (*cast("tuple[str, ...]", value), "")
            if value is not None:
                answers[question.id] = value
        said.append(
            Posted(
                lease,
                _clean(_last(post, f"{lease}.key"))[:64],
                answers,
                _clean(outcome)[:100],
                _visit(_last(post, f"{lease}.visit")),
                _seconds(_last(post, f"{lease}.seconds")),
                int(base) if (base := _last(post, f"{lease}.base")).isdecimal() and len(base) < 10 else 0,
            )
        )
    return said


def _answer(validator: Validator, question: Question, values: list[str], *, none: bool) -> answer_values.Answer | None:
    """A question's answer; None if it was left open. What is no answer at all is kept, for the validator to refuse."""
    scale = validator.protocol.scale_of(question)
    texts = [_clean(value) for value in values]
    match scale:
        case Choices():
            return tuple(option for option in scale.values() if option in texts) or None
        case ShortAnswers():
            given = tuple(text for text in texts if text.strip())
            return given if given or (scale.none is not None and texts and none) else None
        case Slider():
            return _slid(scale, texts)
        case Ordinal():
            return _number(texts[-1]) if texts and texts[-1] else None
    return texts[-1] if texts and texts[-1].strip() else None


def _slid(scale: Slider, texts: list[str]) -> answer_values.Answer | None:
    """Without script there is a box for the number beside the track; a track alone counts only if it was moved."""
    if len(texts) > 1:
        return _number(texts[-1]) if texts[-1].strip() else None
    middle = scale.at(scale.steps // 2)
    moved = _number(texts[0]) if texts else middle
    return None if moved == middle else moved


def _number(text: str) -> int | float | str:
    found = number(text)
    return text if isinstance(found, Fault) else found


def _last(post: Form, name: str) -> str:
    values = post.getlist(name)
    return str(values[-1]) if values else ""


def _clean(text: str) -> str:
    """The text with the line ends that we store; what no database holds is left for the validator to refuse."""
    return text.replace("\r\n", "\n")[: MAX_TEXT + 1]


def _visit(text: str) -> str:
    return text if _VISIT.fullmatch(text) else ""


def _seconds(text: str) -> float:
    try:
        return _bounded(float(text))
    except ValueError:
        return 0.0


def _bounded(seconds: float) -> float:
    return min(seconds, MOST_SECONDS) if math.isfinite(seconds) and seconds > 0 else 0.0


def said_from_json(data: Any, leases: Sequence[str]) -> list[Posted]:
    """The judgements of ``{"judgements": […]}``, one for each of ``leases`` in their order. InputError otherwise."""
    found = data.get("judgements") if isinstance(data, Mapping) else None
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise wrong("the request has no list of judgements", "form", 'Send {"judgements": [{"lease": …}]}.')
    by_lease = {str(one.get("lease")): one for one in found}
    if set(by_lease) != set(leases):
        listed = ", ".join(leases)
        raise wrong("the judgements are not those of this page", "form", f"Send one for each of {listed}.")
    return [_from_json(lease, by_lease[lease]) for lease in leases]


def _from_json(lease: str, data: Mapping[str, Any]) -> Posted:
    answers, outcome = data.get("answers", {}), data.get("outcome", ANSWERED)
    key, visit = data.get("key", ""), data.get("visit", "")
    seconds, base = data.get("seconds", 0), data.get("base", 0)
    right = (
        isinstance(answers, Mapping)
        and all(isinstance(text, str) and storable(text) for text in (outcome, key, visit))
        and isinstance(seconds, int | float)
        and isinstance(base, int)
    )
    if not right:
        raise wrong("a judgement has not the right form", "form", "See the API's description.", value=lease)
    return Posted(
        lease,
        key[:64],
        answer_values.from_json(answers),
        outcome,
        _visit(visit),
        _bounded(float(seconds)),
        max(0, base),
        read_edits(data.get("edits", [])),
    )


Offset = Annotated[int, Field(ge=0, le=10_000_000, strict=True)]
SpanIn = tuple[Offset, Offset]


class EditIn(Schema):
    """One edit. ``parent`` is the id of the composite edit that it is part of."""

    id: str = Field(min_length=1, max_length=100)
    operation: str = Field(max_length=100)
    source: list[SpanIn] = Field(default=[], max_length=200)
    rewrite: list[SpanIn] = Field(default=[], max_length=200)
    answers: dict[str, Any] = {}
    parent: str = Field(default="", max_length=100)


def edits_from(given: Sequence[EditIn]) -> tuple[Edit, ...]:
    """The edits as ``core`` knows them."""
    return tuple(
        Edit(
            id=one.id,
            operation=one.operation,
            source=tuple(Span(*span) for span in one.source),
            rewrite=tuple(Span(*span) for span in one.rewrite),
            answers=from_json(one.answers),
            parent=one.parent,
        )
        for one in given
    )


_many = TypeAdapter(list[EditIn])


def read_edits(data: Any) -> tuple[Edit, ...]:
    """The edits of a body that no schema has read. InputError if they have not the right form."""
    try:
        return edits_from(_many.validate_python(data))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise wrong(f"edits.{place}: {first['msg']}", "form", "See the API's description.") from None
