"""Names in a protocol file: each stands once, and none takes a column or a word that Rubrica uses itself."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from rubrica.core.protocol import UNCOMFORTABLE
from rubrica.core.study import ANSWERED
from rubrica.protocols.report import Report, entries, listed, mapping
from rubrica.protocols.yaml_source import Path

RESERVED = frozenset(
    [
        "study",
        "duplicate_of",
        "known",
        "stage",
        "item",
        "group",
        "system",
        "author",
        "annotator",
        "revision",
        "outcome",
        "submitted_at",
        "seconds",
        "protocol",
        "signature",
        "edits",
        "metadata",
        "about_texts",
        "planted",
        "not_applicable",
        "id",
        "answered",
        "row",
    ]
)
"""Column names of Rubrica's own exports: no field, question or verdict may take them."""

COLUMNS: dict[tuple[str, ...], str] = {
    ("fields",): "a field",
    ("questions",): "a question",
    ("verdicts",): "a verdict",
    ("edits", "questions"): "a question on edits",
}
"""What stands side by side in exports, and so needs ids of its own."""

LISTS: tuple[tuple[str, ...], ...] = (
    *(
        (name,)
        for name in [
            "fields",
            "parameters",
            "questions",
            "rules",
            "hints",
            "ways_out",
            "verdicts",
            "stages",
            "practice",
            "course",
        ]
    ),
    *(("edits", name) for name in ("operations", "questions", "types")),
)
"""Where things with ids are listed."""


def check_names(report: Report, data: dict[Any, Any]) -> None:
    """Every name that stands twice or is taken."""
    for where in LISTS:
        _unique(report, data, where, "id")
    _unique(report, data, ("edits", "operations"), "key")
    _unique(report, data, ("questions",), "header")
    _unique(report, data, ("ways_out",), "keyword")
    for name in mapping(data.get("scales")):
        _unique(report, data, ("scales", name, "options"), "id")
        _unique(report, data, ("scales", name, "points"), "value")
    _check_columns(report, data)
    _check_aliases(report, data)
    _check_roles(report, data)
    for place, way in entries(data, "ways_out"):
        if way.get("id") in (ANSWERED, UNCOMFORTABLE):
            fix = "Every protocol has it already: choose another id, or remove it."
            report.say((*place, "id"), f"{way['id']!r} is not a way out of its own", "reserved", fix, way["id"])
    _check_repeated(
        report, {key: part for key, part in data.items() if key not in ("practice", "course", "thresh")}, ()
    )


def _unique(report: Report, data: dict[Any, Any], path: tuple[str, ...], key: str) -> None:
    seen: set[Any] = set()
    for place, entry in entries(data, *path):
        name = entry.get(key)
        if name is None or not isinstance(name, Hashable):
            continue
        if name in seen:
            what = f"the {key} {name!r} stands twice in {'.'.join(map(str, path))}"
            report.say((*place, key), what, "duplicate_id", "Rename one.", name)
        seen.add(name)


def _check_columns(report: Report, data: dict[Any, Any]) -> None:
    taken: dict[str, str] = {}
    for path, kind in COLUMNS.items():
        for place, entry in entries(data, *path):
            name = entry.get("id")
            if not isinstance(name, str):
                continue
            if name in RESERVED:
                what = f"{name!r} is a column of Rubrica's own exports"
                report.say((*place, "id"), what, "reserved", "Choose another id.", name)
            elif taken.setdefault(name, kind) != kind:
                fix = "Fields, questions and verdicts share the columns of exports: choose another id."
                report.say((*place, "id"), f"{name!r} is already the id of {taken[name]}", "duplicate_id", fix, name)


def _check_aliases(report: Report, data: dict[Any, Any]) -> None:
    """A column of a researcher's file must mean one field only."""
    meant: dict[str, Any] = {str(field.get("id")): field.get("id") for _, field in entries(data, "fields")}
    for place, field in entries(data, "fields"):
        for index, alias in enumerate(listed(field.get("aliases"))):
            other = meant.setdefault(alias.casefold(), field.get("id")) if isinstance(alias, str) else field.get("id")
            if other != field.get("id"):
                what = f"the column name {alias!r} already means the field {other!r}"
                report.say((*place, "aliases", index), what, "duplicate_id", "Keep it in one of the two fields.", alias)


def _check_roles(report: Report, data: dict[Any, Any]) -> None:
    """References may be several, and contexts that hold no target word: of every other role, pages and statistics look
    for the one field."""
    seen: dict[str, Any] = {}
    roles = [field.get("role") for _, field in entries(data, "fields")]
    single = ("source", "rewrite", "target", *(("context",) if "target" in roles else ()))
    for place, field in entries(data, "fields"):
        role = field.get("role")
        if isinstance(role, str) and role in single and seen.setdefault(role, place) != place:
            what = f"two fields have the role {role!r}"
            report.say((*place, "role"), what, "duplicate_role", "Give one of them another role.", role)


def _check_repeated(report: Report, data: Any, path: Path) -> None:
    """A word that stands twice in the same list."""
    if isinstance(data, dict):
        for key, part in data.items():
            _check_repeated(report, part, (*path, key))
    seen: set[str] = set()
    for index, part in enumerate(listed(data)):
        _check_repeated(report, part, (*path, index))
        if isinstance(part, str):
            if part in seen:
                report.say((*path, index), f"{part!r} stands twice in this list", "duplicate", "Remove one.", part)
            seen.add(part)
