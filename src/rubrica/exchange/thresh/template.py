"""A Thresh template in objects: edits, their questions and options, and whatever else it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from rubrica.protocols.yaml_source import Path


@attrs.frozen(kw_only=True)
class TemplateQuestion:
    """A question; ``form`` is its kind of answer where there are no options."""

    name: str
    label: str = ""
    prompt: str = ""
    form: str = ""
    options: tuple[TemplateOption, ...] = ()
    required: bool = True
    kept: Mapping[str, Any] = attrs.field(factory=dict)
    path: Path = attrs.field(default=(), eq=False)


@attrs.frozen(kw_only=True)
class TemplateOption:
    """An option, with the question that follows it."""

    name: str
    label: str = ""
    then: TemplateQuestion | None = None
    kept: Mapping[str, Any] = attrs.field(factory=dict)
    path: Path = attrs.field(default=(), eq=False)


@attrs.frozen(kw_only=True)
class TemplateEdit:
    """A category of edits: where it marks words, or that it is made of other edits."""

    name: str
    label: str = ""
    kind: str = ""
    sides: tuple[str, ...] = ()
    several: bool = False
    color: str = ""
    icon: str = ""
    questions: tuple[TemplateQuestion, ...] = ()
    kept: Mapping[str, Any] = attrs.field(factory=dict)
    path: Path = attrs.field(default=(), eq=False)


@attrs.frozen(kw_only=True)
class Template:
    """A whole template. ``labels`` are those of source, target and context."""

    name: str = ""
    label: str = ""
    description: str = ""
    instructions: str = ""
    language: str = ""
    snap: str = "words"
    paper: str = ""
    labels: Mapping[str, str] = attrs.field(factory=dict)
    edits: tuple[TemplateEdit, ...] = ()
    kept: Mapping[str, Any] = attrs.field(factory=dict)
