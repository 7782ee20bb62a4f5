"""YAML to :class:`rubrica.core.protocol.Protocol`: strict, every problem at once, each with its line.

A built-in protocol is a folder (``protocol.yaml``, ``guidelines.<lang>.md``, ``practice.jsonl``); a
researcher's own is usually a single file, with `guidelines` and `practice` as keys in it.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.protocols import schema
from rubrica.protocols.build import build
from rubrica.protocols.references import check_references
from rubrica.protocols.yaml_source import Place, Source, read_yaml


class Loaded(NamedTuple):
    """A protocol and its canonical form, from which it can be built again."""

    protocol: Protocol
    canonical: str


def load(path: Path) -> Loaded:
    """Read a protocol file, or a folder with one. Raises InputError with every problem found."""
    file = path / "protocol.yaml" if path.is_dir() else path
    source = _with_files_beside(file, read_yaml(_read_text(file)))
    problems = list(source.problems)
    if isinstance(source.data, dict):
        problems += _shape_problems(source)
        problems += check_references(source)
    elif not problems:
        problems.append(source.problem((), "a protocol is a mapping of keys", "shape", "Start with `id: my_protocol`."))
    if not problems:
        loaded = from_data(source.data)
        problems = _practice_problems(loaded.protocol, source)
    if problems:
        placed = [problem.at(file=problem.file or str(file)) for problem in problems]
        raise InputError(*sorted(placed, key=lambda problem: (problem.file, problem.line or 0)))
    return loaded


def from_data(data: dict[str, Any]) -> Loaded:
    """Build from plain data that is known to be valid, for instance the canonical form in the database."""
    file = schema.ProtocolFile.model_validate(data, context={"fallback": data.get("fallback", "en")})
    canonical = canonical_form(file)
    return Loaded(build(file, hash_of(canonical)), canonical)


def canonical_form(file: schema.ProtocolFile) -> str:
    """The same bytes for the same protocol, however its YAML is laid out."""
    data = file.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def hash_of(canonical: str) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical.encode()).hexdigest()


def _with_files_beside(file: Path, source: Source) -> Source:
    """The YAML of a protocol folder with its guidelines and practice items merged in."""
    if file.name != "protocol.yaml" or not isinstance(source.data, dict):
        return source
    data, places, problems = dict(source.data), dict(source.places), list(source.problems)
    guides = sorted(file.parent.glob("guidelines.*.md"))
    if guides and "guidelines" not in data:
        data["guidelines"] = {guide.name.split(".")[1]: _read_text(guide) for guide in guides}
        places[("guidelines",)] = Place(1, str(guides[0]))
    practice = file.parent / "practice.jsonl"
    if practice.exists() and "practice" not in data:
        data["practice"] = []
        for number, line in enumerate(_read_text(practice).split("\n"), start=1):
            place = Place(number, str(practice))
            try:
                item = json.loads(line) if line.strip() else None
            except json.JSONDecodeError as error:
                fix = "Each line holds one practice item as a JSON object."
                problems.append(
                    Problem(what=f"not JSON: {error.msg}", rule="json", fix=fix, line=number, file=str(practice))
                )
                continue
            if item is not None:
                places[("practice", len(data["practice"]))] = place
                data["practice"].append(item)
    return Source(data, places, problems)


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise wrong("this is not UTF-8 text", "encoding", "Save it as UTF-8.", file=str(path), line=line) from error
    except OSError as error:
        raise wrong(
            f"cannot be read: {error.strerror}", "file", "Check the name of the file.", file=str(path)
        ) from error


def _shape_problems(source: Source) -> list[Problem]:
    """What pydantic finds, in our words, at its line."""
    fallback = source.data.get("fallback")
    context = {"fallback": fallback if isinstance(fallback, str) else "en"}
    try:
        schema.ProtocolFile.model_validate(source.data, context=context)
    except ValidationError as error:
        return [_in_our_words(detail, source) for detail in error.errors(include_url=False)]
    return []


def _in_our_words(detail: Any, source: Source) -> Problem:
    path = _path_in(source.data, detail["loc"])
    where = ".".join(map(str, path)) or "the protocol"
    value = detail["input"]
    what, rule, fix = f"{where}: {detail['msg']}", "type", f"Received {value!r}."
    match detail["type"]:
        case "extra_forbidden":
            value, known = str(path[-1]), _keys_at(path[:-1])
            nearest = difflib.get_close_matches(value, known, n=1, cutoff=0.5)
            what, rule = f"unknown key {value!r} in {_parent(path)}", "unknown_key"
            fix = f"Did you mean {nearest[0]!r}?" if nearest else f"Known keys: {', '.join(known)}."
        case "missing":
            value = detail["loc"][-1]
            what, rule, fix = f"{where} lacks the key {value!r}", "missing_key", f"Add `{value}:`."
        case "value_error":
            what, rule = f"{where}: {detail['ctx']['error']}", "value"
        case "string_type" if isinstance(value, int | float) and not isinstance(value, bool):
            what, fix = f"{where} must be text, not the number {value}", f'Put it in quotes: "{value}".'
        case "union_tag_invalid" | "union_tag_not_found":
            value = value.get("type") if isinstance(value, dict) else value
            what = f"{where} has an unknown type {value!r}"
            fix = "Use one of ordinal, slider, yes_no, choice, choices, text, rewrite, short_answers."
    return source.problem(path, what, rule, fix, value)


def _path_in(data: Any, loc: tuple[Any, ...]) -> tuple[Any, ...]:
    """The part of an error's location that exists in the data; pydantic adds names of its own types."""
    path: list[Any] = []
    for part in loc:
        if (isinstance(data, dict) and (part in data)) or (
            isinstance(data, list) and isinstance(part, int) and part < len(data)
        ):
            data = data[part]
        else:
            continue
        path.append(part)
    return tuple(path)


def _parent(path: tuple[Any, ...]) -> str:
    return ".".join(map(str, path[:-1])) or "the protocol"


def _keys_at(path: tuple[Any, ...]) -> list[str]:
    """The keys that the schema knows at a place, for "did you mean"."""
    definition = schema.ProtocolFile.model_json_schema(by_alias=True)
    definitions = definition.get("$defs", {})
    level: list[dict[str, Any]] = [definition]
    for part in path:
        following: list[dict[str, Any]] = []
        for node in level:
            if isinstance(part, int):
                following.append(node.get("items", {}))
            else:
                following.append(node.get("properties", {}).get(part) or node.get("additionalProperties") or {})
        level = [option for node in following for option in _unfold(node, definitions)]
    return sorted({key for node in level for key in node.get("properties", {})})


def _unfold(node: Any, definitions: dict[str, Any]) -> list[dict[str, Any]]:
    if not isinstance(node, dict):
        return []
    if "$ref" in node:
        return _unfold(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    unions = node.get("anyOf", []) + node.get("oneOf", [])
    return [option for part in unions for option in _unfold(part, definitions)] or [node]


def _practice_problems(protocol: Protocol, source: Source) -> list[Problem]:
    """The practice items must themselves be valid judgements."""
    problems = []
    for index, practice in enumerate(protocol.practice):
        validator = Validator(protocol, protocol.stage(practice.stage))
        judgement = Judgement(practice.answers, practice.edits, practice.outcome)
        found = validator.problems(Item(practice.id, practice.fields), judgement)
        found += [
            Problem(what=f"the field {field.id} is missing", rule="required", fix="Add its text.")
            for field in protocol.fields
            if field.required and not practice.fields.get(field.id)
        ]
        place = source.place(("practice", index))
        problems += [
            problem.at(line=place.line, file=place.file, what=f"practice item {practice.id}: {problem.what}")
            for problem in found
        ]
    return problems
