"""The page of the API: every operation with its parameters and bodies, drawn on the server from ``openapi.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

DEEPEST = 4
"""How far an example of a body goes into its parts."""


class Part(NamedTuple):
    """A parameter, or a key of a schema: its type in words, and the schema that it refers to, if it does."""

    name: str
    type: str
    required: bool
    text: str
    link: str
    place: str = ""


class Operation(NamedTuple):
    """One method of one address."""

    id: str
    method: str
    path: str
    text: str
    parameters: list[Part]
    body: str
    answers: list[tuple[str, str, str]]
    curl: str


class Group(NamedTuple):
    """The operations of one tag."""

    tag: str
    operations: list[Operation]


class Described(NamedTuple):
    """A schema with its keys."""

    name: str
    called: str
    text: str
    parts: list[Part]


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """What the API can do, readable without script."""
    origin = f"{request.scheme}://{request.get_host()}"
    groups, schemas = _everything(origin)
    return render(request, "api/docs.html", {"groups": groups, "schemas": schemas, "origin": origin})


@lru_cache(maxsize=4)
def _everything(origin: str) -> tuple[list[Group], list[Described]]:
    """The whole description, its examples for this address of the server; it changes only with the program."""
    from rubrica.studio.api.urls import api

    described: Mapping[str, Any] = api.get_openapi_schema()
    schemas: Mapping[str, Any] = described["components"]["schemas"]
    groups: dict[str, list[Operation]] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            groups.setdefault(operation["tags"][0], []).append(_operation(origin, path, method, operation, schemas))
    listed = [Described(name, _called(name), _text(schema), _keys(schema)) for name, schema in sorted(schemas.items())]
    return [Group(tag, found) for tag, found in groups.items()], [found for found in listed if found.parts]


def _operation(
    origin: str, path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Operation:
    parameters = [
        Part(
            given["name"],
            _type(given["schema"]),
            given.get("required", False),
            given.get("description", ""),
            _link(given["schema"]),
            given["in"],
        )
        for given in operation.get("parameters", [])
    ]
    content = operation.get("requestBody", {}).get("content", {})
    body = content.get("application/json", {}).get("schema")
    form = content.get("multipart/form-data", {}).get("schema")
    parameters += [part._replace(place="form") for part in _keys(form or {})]
    answers = [
        (str(status), _link(content.get("schema", {})), _called(_link(content.get("schema", {}))))
        for status, answer in operation["responses"].items()
        for content in [answer.get("content", {}).get("application/json", {})]
        if int(status) < 300
    ]
    return Operation(
        operation["operationId"],
        method.upper(),
        path,
        operation.get("description", ""),
        parameters,
        _link(body or {}),
        answers,
        _curl(method, origin + path, body, schemas) + (" -F file=@items.csv" if form else ""),
    )


def _curl(method: str, path: str, body: Mapping[str, Any] | None, schemas: Mapping[str, Any]) -> str:
    """A line to try it with; ``$TOKEN`` and the names in capitals are the reader's."""
    place = path.replace("{", "$").replace("}", "").replace("$action", "pause")
    names = [part[1:] for part in place.split("/") if part.startswith("$")]
    for name in names:
        place = place.replace(f"${name}", f"${name.upper()}")
    method_part = "" if method == "get" else f" -X {method.upper()}"
    line = f'curl{method_part} -H "Authorization: Bearer $TOKEN" "{place}"'
    if body is None:
        return line
    example = json.dumps(_example(body, schemas), ensure_ascii=False)
    return f"{line} -H 'Content-Type: application/json' -d '{example}'"


def _example(schema: Mapping[str, Any], schemas: Mapping[str, Any], depth: int = 0) -> Any:
    """A value that the schema describes: what is required, and the first choice of what can be chosen."""
    schema = schemas[_link(schema)] if "$ref" in schema else schema
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _example(schema["anyOf"][0], schemas, depth)
    if schema.get("type") == "object" and "properties" in schema:
        required = schema.get("required") or list(schema["properties"])[:1]
        return (
            {}
            if depth > DEEPEST
            else {name: _example(schema["properties"][name], schemas, depth + 1) for name in required}
        )
    if schema.get("type") == "array":
        return [_example(schema["items"], schemas, depth + 1)] if depth <= DEEPEST else []
    plain = {"integer": schema.get("minimum", 1), "number": 0.1, "boolean": True, "object": {}}
    return plain.get(schema.get("type", ""), "…")


def _keys(schema: Mapping[str, Any]) -> list[Part]:
    required = schema.get("required", ())
    return [
        Part(name, _type(part), name in required, part.get("description", ""), _link(part))
        for name, part in schema.get("properties", {}).items()
    ]


def _type(schema: Mapping[str, Any]) -> str:
    """The type in a few words: ``list of ItemOut``, ``text, at most 200 characters``, ``"good" or "bad"``."""
    if "$ref" in schema:
        return _link(schema)
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(part) for part in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    kind = schema.get("type", "")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"object of {_type(inner)}" if isinstance(inner, dict) and inner else "object"
    if schema.get("format") == "binary":
        return "file"
    words = {"string": "text", "integer": "whole number", "null": "null"}.get(kind, kind or "anything")
    if schema.get("format") == "date-time":
        words = "time"
    limits = [
        f"{word} {schema[key]:,}"
        for key, word in (("minimum", "from"), ("maximum", "to"), ("minLength", "at least"), ("maxLength", "at most"))
        if key in schema
    ]
    return " ".join([words, *limits])


def _link(schema: Mapping[str, Any]) -> str:
    """The name of the schema that this one is, lists or may be; nothing if there is none."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    for inner in (*schema.get("anyOf", ()), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict) and (found := _link(inner)):
            return found
    return ""


def _called(name: str) -> str:
    """A schema's name as people read it: ``ListOut_ItemOut_`` is a list of ItemOut."""
    return f"list of {name[8:-1]}" if name.startswith("ListOut_") else name


def _text(schema: Mapping[str, Any]) -> str:
    return str(schema.get("description", "")).replace("``", "")
