"""Items, annotators and judgements, as every part of Rubrica passes them around."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rubrica.core.answers import Answers
from rubrica.core.edits import Edit

ANSWERED = "answered"
"""The outcome of a judgement that answers the questions; the others are the protocol's ways out."""


@attrs.frozen
class Item:
    """One thing to judge. ``key`` is the researcher's own id, unique in the study."""

    key: str
    fields: Mapping[str, str]
    system: str = ""
    author: str = ""
    group: str = ""
    metadata: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class Annotator:
    """Who judges: a person, a language model or a metric."""

    name: str
    kind: str = "person"


@attrs.frozen
class Judgement:
    """The answers and edits of one annotator to one item at one stage."""

    answers: Answers = attrs.field(factory=dict)
    edits: tuple[Edit, ...] = ()
    outcome: str = ANSWERED
