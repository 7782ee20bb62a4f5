"""What a single value in a protocol file may be: ids, texts, answers, names, numbers.

Each has one validator and gives one message, where a union of types would give one for each of its members.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationInfo
from pydantic_core import PydanticCustomError

from rubrica.protocols.yaml_source import BooleanWord, Path

ID = re.compile(r"[a-z][a-z0-9_]*")
MAX_ID = 60
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


class Model(BaseModel):
    """Strict, closed: a key that is not listed is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Mistake = tuple[Path, str]
"""A mistake in a part of a value: which keys lead to it, and what it is."""


def _as_id(value: Any) -> Any:
    if isinstance(value, (bool, BooleanWord)):
        word = str(value).lower() if isinstance(value, bool) else str(value)
        raise ValueError(
            f"`{word}` is a YAML boolean in many tools and cannot be an id: choose another word, or put it in quotes"
        )
    if isinstance(value, int | float) or (isinstance(value, str) and not ID.fullmatch(value)):
        raise ValueError(
            f"{value!r} cannot be an id: use a lower-case letter followed by lower-case letters, digits and _"
        )
    if isinstance(value, str) and len(value) > MAX_ID:
        raise ValueError(f"the id {value!r} has {len(value)} characters: use at most {MAX_ID}")
    return value


def _as_text(value: Any, info: ValidationInfo) -> Any:
    """A plain string is a text in the fallback language; each wording is a text of its own."""
    fallback = (info.context or {}).get("fallback", "en")
    mistakes: list[Mistake] = []
    if isinstance(value, dict) and "wording_by" in value:
        if not isinstance(value["wording_by"], str) or len(value) < 2:
            mistakes.append(
                (
                    ("wording_by",),
                    "`wording_by` chooses nothing: name a parameter, and give a wording for each of its options",
                )
            )
        text: dict[str, Any] = {
            str(key): _in_languages(part, fallback, (key,), mistakes)
            for key, part in value.items()
            if key != "wording_by"
        }
        text["wording_by"] = str(value["wording_by"])
    else:
        text = _in_languages(value, fallback, (), mistakes)
    if mistakes:
        raise PydanticCustomError("parts", "a text is wrong", {"mistakes": mistakes})
    return text


def _in_languages(value: Any, fallback: str, place: Path, mistakes: list[Mistake]) -> dict[str, Any]:
    if isinstance(value, str):
        if not value.strip():
            mistakes.append((place, "the text is blank: write one, or remove the key"))
        return {fallback: value.strip()}
    if not isinstance(value, dict) or not value:
        mistakes.append((place, "this is not a text: write one, or a mapping from language codes to texts"))
        return {}
    for language, text in value.items():
        if not isinstance(language, str) or not LANGUAGE.fullmatch(language):
            whole = f', or put the whole text in quotes: "{language}: {text}"' if isinstance(text, str) else ""
            fix = f"use a code such as en, es or pt-BR{whole}"
            mistakes.append(((*place, language), f"{language!r} is not a language: {fix}"))
        elif not isinstance(text, str):
            mistakes.append(((*place, language), f"the text in {language} is not a text: put it in quotes"))
        elif not text.strip():
            mistakes.append(((*place, language), f"the text in {language} is blank: write one, or remove the line"))
    return {str(language): str(text).strip() for language, text in value.items()}


def _as_plain_text(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, dict) and "wording_by" in value:
        raise ValueError("this text has one wording only: remove `wording_by`")
    return _as_text(value, info)


def _as_guidelines(value: Any, info: ValidationInfo) -> Any:
    """White space at the ends of lines says nothing, and editors remove it."""
    text = _as_plain_text(value, info)
    return {language: "\n".join(line.rstrip() for line in words.split("\n")) for language, words in text.items()}


def _as_default(value: Any, info: ValidationInfo) -> Any:
    """A text like any other; with options, whatever is given, for it must be one of them anyway."""
    if not info.data.get("options"):
        return _as_plain_text(value, info)
    return str(value)


def _as_value(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError(f"`{str(value).lower()}` is no answer: write yes or no, or put an id of that name in quotes")
    if isinstance(value, list):
        if not all(isinstance(part, str) for part in value):
            raise ValueError("this list holds something else than words: put numbers in quotes")
        return [str(part) for part in value]
    if isinstance(value, str):
        return str(value)
    if not isinstance(value, int | float):
        raise ValueError("this is not an answer: write a number, a text or a list of words")
    return value


def _as_test(value: Any) -> Any:
    """What an answer is compared with: one value, or several of which one must fit."""
    if isinstance(value, list) and not any(isinstance(part, list | dict) for part in value):
        return [_as_value(part) for part in value]
    return _as_value(value)


def _as_names(value: Any) -> Any:
    if isinstance(value, str):
        return str(value)
    if not isinstance(value, list) or not value or not all(isinstance(part, str) for part in value):
        raise ValueError("this is not a name: write one, or a list of names")
    return [str(part) for part in value]


def _as_number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("this is not a number: write one without quotes")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _as_letter(value: Any) -> Any:
    """A digit gets the message on letters, not the advice to put it in quotes."""
    return str(value) if isinstance(value, int | float) else value


Id = Annotated[str, BeforeValidator(_as_id)]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
TextValue = Annotated[dict[str, Any], BeforeValidator(_as_text)]
Guidelines = Annotated[dict[str, Any], BeforeValidator(_as_guidelines)]
Default = Annotated[dict[str, Any] | str, BeforeValidator(_as_default)]
Value = Annotated[int | float | str | list[str], BeforeValidator(_as_value)]
Test = Annotated[int | float | str | list[int | float | str], BeforeValidator(_as_test)]
Names = Annotated[str | list[str], BeforeValidator(_as_names)]
Letter = Annotated[str, BeforeValidator(_as_letter)]
Number = Annotated[int | float, BeforeValidator(_as_number)]
