"""Rules of a protocol file: each changes something, and no two that apply together contradict each other."""

from __future__ import annotations

from typing import Any

from rubrica.protocols.check_conditions import Known
from rubrica.protocols.report import entries, listed, mapping
from rubrica.protocols.yaml_source import Path

CHANGES = ("preset", "drop", "ask", "reword")


def check_rules(known: Known) -> None:
    """Every rule that names what is not there, does nothing, or contradicts itself or another."""
    earlier: list[dict[Any, Any]] = []
    for place, rule in entries(known.data, "rules"):
        known.check_condition((*place, "if"), rule.get("if"), {"field"})
        if not any(rule.get(key) for key in CHANGES) and not any(key in rule and rule[key] is None for key in CHANGES):
            what = f"the rule {rule.get('id')!r} changes nothing"
            known.report.say(place, what, "rule", "Add `preset`, `drop`, `ask` or `reword`, or remove the rule.")
        _check_questions(known, place, rule)
        for other in earlier:
            if isinstance(rule.get("if"), dict) and rule["if"] == other.get("if"):
                _check_together(known, place, rule, other)
        earlier.append(rule)


def _check_questions(known: Known, place: Path, rule: dict[Any, Any]) -> None:
    seen: dict[Any, str] = {}
    for key in CHANGES:
        for where, name, value in _named(rule, key):
            path = (*place, key, where)
            if not known.report.known(path, name, known.questions, "question"):
                continue
            if key == "preset":
                known.check_value(path, known.questions[name], value)
            before = seen.setdefault(name, key)
            if {before, key} not in ({key}, {"ask", "reword"}):
                what = f"{name!r} is in `{before}` and in `{key}` at the same time"
                known.report.say(path, what, "contradiction", "Keep one of the two.", name)


def _check_together(known: Known, place: Path, rule: dict[Any, Any], other: dict[Any, Any]) -> None:
    """Two rules with the same condition always apply together."""
    there, fix = mapping(other.get("preset")), "Keep one of the two."
    rules = f"by the rules {other.get('id')!r} and {rule.get('id')!r}, which apply together"
    for name, value in mapping(rule.get("preset")).items():
        path = (*place, "preset", name)
        if name in there and there[name] != value:
            what = f"{name!r} is set to {there[name]!r} and to {value!r} {rules}"
            known.report.say(path, what, "contradiction", fix, value)
        elif name in listed(other.get("drop")):
            known.report.say(path, f"{name!r} is dropped and preset {rules}", "contradiction", fix, name)
    for index, name in enumerate(listed(rule.get("drop"))):
        if isinstance(name, str) and name in there:
            what = f"{name!r} is preset and dropped {rules}"
            known.report.say((*place, "drop", index), what, "contradiction", fix, name)


def _named(rule: dict[Any, Any], key: str) -> list[tuple[Any, Any, Any]]:
    """The questions that one part of a rule names: where, which, and with what."""
    if key in ("preset", "reword"):
        return [(name, name, value) for name, value in mapping(rule.get(key)).items()]
    return [(index, name, None) for index, name in enumerate(listed(rule.get(key)))]
