"""The shape of a protocol file, checked by pydantic and told in our words, each mistake at its line."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import ValidationError

from rubrica.core.errors import Problem
from rubrica.protocols import schema
from rubrica.protocols.yaml_source import Path, Source

SCALE_TYPES = "ordinal, slider, yes_no, choice, choices, text, rewrite, short_answers"

_FIXES = {
    "bool_type": "Write true or false.",
    "dict_type": "Write lines of `key: value`.",
    "int_type": "Write a whole number.",
    "list_type": "Write a list, such as [one, two].",
    "literal_error": "Use {expected}.",
    "model_attributes_type": "Write lines of `key: value`.",
    "model_type": "Write lines of `key: value`.",
    "greater_than": "Use more than {gt}.",
    "greater_than_equal": "Use {ge} or more.",
    "less_than_equal": "Use {le} or less.",
    "string_pattern_mismatch": "It must match {pattern}.",
    "string_too_short": "Write a text, or remove the key.",
    "string_type": "Write a text.",
    "too_short": "Give at least {min_length}.",
}

_PATTERNS = {
    schema.LANGUAGE_CODE: "Use a language code such as en, es or pt-BR.",
    schema.VERSION: 'Use numbers with points between them, in quotes: "1.0".',
    schema.LETTER: "Use one lower-case letter.",
}


def shape_problems(source: Source) -> list[Problem]:
    """Every key or value that a protocol file cannot have."""
    fallback = source.data.get("fallback")
    context = {"fallback": fallback if isinstance(fallback, str) else "en"}
    empty = list(_without_value(source.data, ()))
    found = [
        source.problem(path, f"{_where(path)} has no value", "empty", "Write one, or remove the key.") for path in empty
    ]
    try:
        schema.ProtocolFile.model_validate(source.data, context=context)
    except ValidationError as error:
        details = [(_path_in(source.data, detail["loc"]), detail) for detail in error.errors(include_url=False)]
        meant = {_meant(path, source) for path, detail in details if detail["type"] == "extra_forbidden"}
        for path, detail in details:
            misspelt = detail["type"] == "missing" and (*path, detail["loc"][-1]) in meant
            if path not in empty and not misspelt:
                found += _in_our_words(detail, path, source, empty)
    return found


def _meant(path: Path, source: Source) -> Path:
    """The place of the key that an unknown key was probably meant to be."""
    nearest = difflib.get_close_matches(str(path[-1]), _keys_at(path[:-1], source.data), n=1, cutoff=0.5)
    return (*path[:-1], *nearest)


def _without_value(data: Any, path: Path) -> Iterator[Path]:
    """Where a key or a list entry was left empty."""
    if data is None:
        yield path
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield from _without_value(part, (*path, key))


def _in_our_words(detail: Any, path: Path, source: Source, empty: list[Path]) -> list[Problem]:
    kind, value, where = detail["type"], detail["input"], _where(path)
    match kind:
        case "parts":
            places = [((*path, *keys), message) for keys, message in detail["ctx"]["mistakes"]]
            return [_told(source, place, message, "text") for place, message in places if place not in empty]
        case "extra_forbidden" | "invalid_key":
            name = str(path[-1])
            nearest = _meant(path, source)[len(path) - 1 :]
            known = ", ".join(_keys_at(path[:-1], source.data))
            fix = f"Did you mean {nearest[0]!r}?" if nearest else f"Known keys: {known}."
            return [source.problem(path, f"unknown key {name!r} in {_where(path[:-1])}", "unknown_key", fix, name)]
        case "missing":
            key = detail["loc"][-1]
            return [source.problem(path, f"{where} lacks the key {key!r}", "missing_key", f"Add `{key}:`.", key)]
        case "value_error":
            return [_told(source, path, str(detail["ctx"]["error"]), "value", value)]
        case "string_type" if isinstance(value, int | float) and not isinstance(value, bool):
            what = f"{where} must be text, not the number {value}"
            return [source.problem(path, what, "type", f'Put it in quotes: "{value}".', value)]
        case "union_tag_invalid" | "union_tag_not_found":
            value = value.get("type") if isinstance(value, dict) else value
            return [
                source.problem(
                    path, f"{where} has an unknown type {value!r}", "type", f"Use one of {SCALE_TYPES}.", value
                )
            ]
    fix = _FIXES.get(kind, "Correct it.").format_map(detail.get("ctx", {}))
    if kind == "string_pattern_mismatch":
        fix = _PATTERNS.get(detail["ctx"]["pattern"], fix)
    return [source.problem(path, f"{where}: {detail['msg']}", "type", fix, value)]


def _told(source: Source, path: Path, message: str, rule: str, value: Any = None) -> Problem:
    """A message of a validator: what is wrong and, after a colon, what to do."""
    what, _, fix = message.partition(": ")
    return source.problem(path, f"{_where(path)}: {what}", rule, f"{fix[:1].upper()}{fix[1:]}.", value)


def _path_in(data: Any, loc: tuple[Any, ...]) -> Path:
    """The part of an error's location that exists in the data; pydantic adds names of its own types."""
    path: list[Any] = []
    for part in loc:
        if isinstance(data, dict):
            known = {str(key): key for key in data} | {key: key for key in data}
            if part in known:
                data = data[known[part]]
                path.append(known[part])
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
            path.append(part)
    return tuple(path)


def _where(path: Path) -> str:
    return ".".join(map(str, path)) or "the protocol"


def _keys_at(path: Path, data: Any) -> list[str]:
    """The keys that the schema knows at a place, for "did you mean"."""
    definition = _json_schema()
    definitions = definition.get("$defs", {})
    level: list[dict[str, Any]] = [definition]
    for part in path:
        data = data[part]
        following: list[Any] = []
        for node in level:
            if isinstance(part, int):
                following.append(node.get("items", {}))
            else:
                following.append(node.get("properties", {}).get(part) or node.get("additionalProperties") or {})
        level = [option for node in following for option in _unfold(node, definitions)]
        kind = data.get("type") if isinstance(data, dict) else None
        level = [node for node in level if _type_of(node) in (None, kind)]
    return sorted({key for node in level for key in node.get("properties", {})})


@cache
def _json_schema() -> dict[str, Any]:
    return schema.ProtocolFile.model_json_schema(by_alias=True)


def _type_of(node: dict[str, Any]) -> Any:
    """The type of scale that a definition is for; None for everything else."""
    kind: Any = node.get("properties", {}).get("type", {}).get("const")
    return kind


def _unfold(node: Any, definitions: dict[str, Any]) -> list[dict[str, Any]]:
    if not isinstance(node, dict):
        return []
    if "$ref" in node:
        return _unfold(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    unions = node.get("anyOf", []) + node.get("oneOf", [])
    return [option for part in unions for option in _unfold(part, definitions)] or [node]
