"""The protocol file as tables: every key, what it holds, whether it must be there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rubrica.protocols.schema import LANGUAGE, ProtocolFile

GUIDES = {
    "ProtocolFile": "index.md",
    "FieldFile": "fields-and-scales.md",
    "QuestionFile": "questions.md",
    "ExampleFile": "questions.md",
    "ConditionFile": "questions.md#conditions",
    "RuleFile": "rules.md",
    "HintFile": "rules.md#hints",
    "WayOutFile": "rules.md#ways-out",
    "VerdictFile": "verdicts-and-stages.md",
    "StageFile": "verdicts-and-stages.md#stages",
    "EditsFile": "edits.md",
    "EditQuestionFile": "edits.md#questions-on-edits",
    "EditTypeFile": "edits.md#types",
    "OperationFile": "edits.md#operations",
    "ParameterFile": "texts.md",
    "ThreshFile": "edits.md#names-in-thresh-files",
    "ThreshCategoryFile": "edits.md#names-in-thresh-files",
    "ThreshQuestionFile": "edits.md#names-in-thresh-files",
    "ThreshFollowUpFile": "edits.md#names-in-thresh-files",
    "ThreshOptionFile": "edits.md#names-in-thresh-files",
    "PracticeFile": "guidelines-and-practice.md#practice-items",
    "PracticeEditFile": "guidelines-and-practice.md#practice-items",
    "CourseStageFile": "course.md",
    "CourseEditFile": "course.md#edits",
    "PartFile": "course.md#edits",
    "FactFile": "course.md#kinds-of-steps",
    **{
        f"{kind}StepFile": "course.md#kinds-of-steps"
        for kind in ("Text", "Example", "Facts", "Select", "Whole", "Answer", "Type", "Ask", "Compose")
    },
}
"""Where the guide for authors explains a part; scales are all on one page."""

PATTERNS = {
    "^[0-9]+(\\.[0-9]+)*$": 'version in quotes, such as `"1.0"`',
    f"^{LANGUAGE.pattern}$": "language code",
    "^[a-z]$": "one lower-case letter",
}
"""What the patterns of the schema mean; a new pattern needs its words here."""

HEAD = """# Protocol files

Every key of a protocol file, from the schema that `rubrica protocols check` uses. A key that is not listed here is an
error. The [guide for authors](../authors/index.md) explains them one topic at a time.

- **id**: a lower-case letter, then lower-case letters, digits and `_`.
- **text**: a string (in the fallback language), or a mapping from language codes to strings.
- **value**: a number, a string, or a list of strings.
"""


def page() -> str:
    """The page."""
    schema = ProtocolFile.model_json_schema(by_alias=True)
    definitions = {"ProtocolFile": schema, **schema["$defs"]}
    lines = [HEAD]
    for name in sorted(definitions, key=lambda name: (name != "ProtocolFile", _title(name))):
        lines += _section(name, definitions[name])
    return "\n".join(lines)


def _title(name: str) -> str:
    """``EditTypeFile`` as ``Edit type``."""
    words = "".join(f" {char.lower()}" if char.isupper() else char for char in name.removesuffix("File")).strip()
    return words.capitalize()


def _section(name: str, definition: dict[str, Any]) -> Iterator[str]:
    yield f"## {_title(name)} {{#{name.lower()}}}"
    yield ""
    yield " ".join(definition.get("description", "").split())
    yield ""
    guide = GUIDES.get(name, "fields-and-scales.md#scales" if "type" in definition["properties"] else "")
    if guide:
        yield f"[In the guide](../authors/{guide})"
        yield ""
    yield "| key | holds | |"
    yield "| --- | --- | --- |"
    for key, value in definition["properties"].items():
        yield f"| `{key}` | {kind(value)} | {_presence(key, value, definition)} |"
    yield ""


def _presence(key: str, value: dict[str, Any], definition: dict[str, Any]) -> str:
    if key in definition.get("required", ()):
        return "required"
    default = value.get("default")
    if default in (None, [], {}, ""):
        return "optional"
    return f"default `{str(default).lower() if isinstance(default, bool) else default}`"


def kind(value: dict[str, Any]) -> str:
    """What a value of this schema is, in words."""
    if "$ref" in value:
        name = value["$ref"].rsplit("/", 1)[-1]
        return f"[{_title(name).lower()}](#{name.lower()})"
    options = [option for option in value.get("anyOf", value.get("oneOf", [])) if option.get("type") != "null"]
    if options:
        return _one_of(options)
    if "const" in value:
        return f"`{str(value['const']).lower()}`"
    if "enum" in value:
        return ", ".join(f"`{word}`" for word in value["enum"])
    if value.get("type") == "array":
        most = f", at least {value['minItems']}" if value.get("minItems") else ""
        return f"list of {kind(value['items'])}{most}"
    if value.get("title") == "anything":
        return "anything"
    if value.get("type") == "object":
        inside = value.get("additionalProperties")
        if inside is True or inside is None:
            return "text"
        return f"mapping from id to {'string' if inside == {'type': 'string'} else kind(inside)}"
    return _simple(value)


def _one_of(options: list[dict[str, Any]]) -> str:
    types = [option.get("type") for option in options]
    if types == ["integer", "number", "string", "array"]:
        return "value"
    if types == ["integer", "number"]:
        return "number"
    if types == ["string", "array"]:
        return "id, or list of ids"
    return " or ".join(dict.fromkeys(map(kind, options)))


def _simple(value: dict[str, Any]) -> str:
    names = {"integer": "whole number", "number": "number", "boolean": "`true` or `false`"}
    if value.get("type") in names:
        low, high = value.get("minimum"), value.get("maximum")
        bounds = f" from {low}" if low is not None else ""
        bounds += f" to {high}" if high is not None else ""
        return names[value["type"]] + bounds
    if "pattern" in value:
        return PATTERNS[value["pattern"]]
    return "string" if "minLength" in value else "id"
