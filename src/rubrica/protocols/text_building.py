"""Texts and answers of a checked file as ``core`` has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rubrica.core.answers import Answer
from rubrica.core.texts import AnyText, Text, Wordings


def text_from(value: Mapping[str, Any], fallback: str) -> AnyText:
    """A text, or the wordings that a parameter chooses from."""
    if "wording_by" in value:
        wordings = {key: text for key, text in value.items() if key != "wording_by"}
        options = {key: Text(_in_languages(text, fallback), fallback) for key, text in wordings.items()}
        return Wordings(value["wording_by"], options)
    return Text(dict(value), fallback)


def _in_languages(value: Any, fallback: str) -> dict[str, str]:
    return {fallback: value} if isinstance(value, str) else dict(value)


def answer_from(value: Any) -> Answer:
    """An answer as written in a file."""
    if isinstance(value, list):
        return tuple(str(part) for part in value)
    answer: Answer = str(value) if isinstance(value, str) else value
    return answer
