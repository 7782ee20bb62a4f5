"""The shape of a protocol file, checked by pydantic and told in our words, each mistake at its line."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from functools import cache
from itertools import islice
from typing import Any

from pydantic import ValidationError

from rubrica.core.course import KINDS
from rubrica.core.errors import MOST_LISTED, Problem
from rubrica.core.text_helpers import did_you_mean, nearest, shortened
from rubrica.protocols import schema
from rubrica.protocols.report import Report
from rubrica.protocols.yaml_source import Path, Source

SHAPES = {
    "type": "ordinal, slider, yes_no, choice, choices, text, rewrite, short_answers",
    "kind": ", ".join(KINDS),
}
"""Keys that say which of several shapes a mapping has: the type of a scale, the kind of a step of a course."""

MAX_SHOWN = 60

_MAPPING = "a mapping, lines of `key: value`"
_EXPECTED = {
    "bool_type": "true or false",
    "dict_type": _MAPPING,
    "int_type": "a whole number",
    "list_type": "a list, such as [one, two]",
    "model_attributes_type": _MAPPING,
    "model_type": _MAPPING,
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
    "string_too_long": "a text of at most {max_length} characters",
    "string_too_short": "a text",
    "string_type": "a text",
    "too_long": "a list of at most {max_length}",
    "too_short": "a list of at least {min_length}",
}

_PATTERNS = {
    schema.LANGUAGE_CODE: "a language code such as en, es or pt-BR",
    schema.VERSION: "numbers with points between them, in quotes",
    schema.LETTER: "one lower-case letter",
}


def shape_problems(source: Source) -> list[Problem]:
    """Every key or value that a protocol file cannot have."""
    fallback = source.data.get("fallback")
    context = {"fallback": fallback if isinstance(fallback, str) else "en"}
    empty = set(_without_value(source.data, ()))
    report = Report(source)
    for path in sorted(empty, key=lambda path: source.place(path).line):
        fix = source.place(path).fix or "Write one, or remove the key."
        report.say(path, f"{_where(path)} has no value", "empty", fix)
    try:
        schema.ProtocolFile.model_validate(source.data, context=context)
    except ValidationError as error:
        keys = _Keys()
        details = [(keys.path(source.data, detail["loc"]), detail) for detail in error.errors(include_url=False)]
        unknown = (path for path, detail in details if detail["type"] == "extra_forbidden")
        meant = {_meant(path, source) for path in islice(unknown, MOST_LISTED)}
        for path, detail in details:
            misspelt = detail["type"] == "missing" and (*path, detail["loc"][-1]) in meant
            if path in empty or misspelt:
                continue
            if report.full:
                report.more += 1
            else:
                report.problems += _in_our_words(detail, path, source, empty)
    return report.told()


def _meant(path: Path, source: Source) -> Path:
    """The place of the key that an unknown key was probably meant to be."""
    return (*path[:-1], *nearest(str(path[-1]), _keys_at(path[:-1], source.data)))


def _without_value(data: Any, path: Path) -> Iterator[Path]:
    """Where a key or a list entry was left empty."""
    if data is None:
        yield path
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield from _without_value(part, (*path, key))


def _in_our_words(detail: Any, path: Path, source: Source, empty: Collection[Path]) -> list[Problem]:
    kind, value, where = detail["type"], detail["input"], _where(path)
    match kind:
        case "parts":
            places = [((*path, *keys), message) for keys, message in detail["ctx"]["mistakes"]]
            return [_told(source, place, message, "text") for place, message in places if place not in empty]
        case "extra_forbidden" | "invalid_key":
            name = str(path[-1])
            known = list(_keys_at(path[:-1], source.data))
            fix = did_you_mean(name, known, f"Known keys: {', '.join(known)}.")
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
            return [_unknown_shape(detail, path, source)]
    expected = _expected(kind, detail.get("ctx", {}))
    what = f"{where} is {_shown(value)}, which is not {expected}"
    fix = did_you_mean(str(value), _allowed(detail.get("ctx", {})), f"Write {expected}.")
    return [source.problem(path, what, "type", fix, value)]


def _unknown_shape(detail: Any, path: Path, source: Source) -> Problem:
    """A mapping that does not say which of several shapes it has, or names one that there is not."""
    key = detail["ctx"]["discriminator"].strip("'")
    value = detail["input"].get(key) if isinstance(detail["input"], dict) else detail["input"]
    what = f"{_where(path)} has an unknown {key} {value!r}"
    return source.problem(path, what, "type", f"Use one of {SHAPES[key]}.", value)


def _expected(kind: str, context: dict[str, Any]) -> str:
    """What could stand there, in our words."""
    if kind == "literal_error":
        words = _allowed(context)
        return f"one of {', '.join(words)}" if len(words) > 1 else "".join(words) or str(context["expected"]).lower()
    if kind == "string_pattern_mismatch":
        return _PATTERNS[context["pattern"]]
    return _EXPECTED.get(kind, "possible here").format_map(context)


def _allowed(context: dict[str, Any]) -> list[str]:
    """The words that a literal may be; pydantic lists them in quotes."""
    return re.findall(r"'([^']*)'", str(context.get("expected", "")))


def _shown(value: Any) -> str:
    """A value as it may stand in a message: as YAML has it, and not too long."""
    text = repr(str(value)) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return shortened(text, MAX_SHOWN)


def _told(source: Source, path: Path, message: str, rule: str, value: Any = None) -> Problem:
    """A message of a validator: what is wrong and, after a colon, what to do."""
    what, _, fix = message.partition(": ")
    head = f"{_where(path)} is {_shown(value)}" if what.startswith("this ") and value is not None else _where(path)
    return source.problem(path, f"{head}: {what}", rule, f"{fix[:1].upper()}{fix[1:]}.", value)


class _Keys:
    """The keys of mappings by what pydantic calls them: its own text where the file has a number or a boolean."""

    def __init__(self) -> None:
        self._known: dict[int, dict[Any, Any]] = {}

    def _of(self, data: dict[Any, Any]) -> dict[Any, Any]:
        if id(data) not in self._known:
            self._known[id(data)] = {str(key): key for key in data} | {key: key for key in data}
        return self._known[id(data)]

    def path(self, data: Any, loc: tuple[Any, ...]) -> Path:
        """The part of an error's location that exists in the data; pydantic adds names of its own types.

        In a mapping that has one of several shapes the first name is that of the shape, which may also be a key of it.
        """
        path: list[Any] = []
        entered = False
        for part in loc:
            named, entered = not entered and isinstance(data, dict) and part in map(data.get, SHAPES), True
            if named:
                continue
            if isinstance(data, dict):
                known = self._of(data)
                if part in known:
                    data, entered = data[known[part]], False
                    path.append(known[part])
            elif isinstance(data, list) and isinstance(part, int) and part < len(data):
                data, entered = data[part], False
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
        level = [node for node in level if _fits(node, data)]
    return sorted({key for node in level for key in node.get("properties", {})})


@cache
def _json_schema() -> dict[str, Any]:
    return schema.ProtocolFile.model_json_schema(by_alias=True)


def _fits(node: dict[str, Any], data: Any) -> bool:
    """Whether a definition can be that of the data: one for a certain type or kind is for no other."""
    given = data if isinstance(data, dict) else {}
    properties = node.get("properties", {})
    wanted = {key: properties[key]["const"] for key in SHAPES if "const" in properties.get(key, {})}
    return all(given.get(key) == value for key, value in wanted.items())


def _unfold(node: Any, definitions: dict[str, Any]) -> list[dict[str, Any]]:
    if not isinstance(node, dict):
        return []
    if "$ref" in node:
        return _unfold(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    unions = node.get("anyOf", []) + node.get("oneOf", [])
    return [option for part in unions for option in _unfold(part, definitions)] or [node]
