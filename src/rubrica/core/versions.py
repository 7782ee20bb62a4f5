"""A new version of a protocol: how it differs, and whether it can take the place of the one that a study runs.

How two versions of a protocol differ, as a list that a page can say in plain words.

Whether a protocol can take the place of the one that a study runs, as its new version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rubrica.core.answers import Answers
from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol, Question
from rubrica.core.study import Item, Judgement
from rubrica.core.texts import AnyText, Wordings
from rubrica.core.validation import Validator

ASPECTS = {
    "prompt": "wording",
    "scale": "scale",
    "required": "required",
    "when": "condition",
    "notes": "notes",
    "examples": "examples",
    "hides": "texts_shown",
    "dims": "texts_shown",
    "operations": "operations",
}
"""Attributes of a question, and what a change of them is called."""


class Change(NamedTuple):
    """One thing that was added, removed or changed; ``before`` and ``after`` are texts where they help."""

    kind: str
    how: str
    id: str = ""
    aspects: tuple[str, ...] = ()
    before: str = ""
    after: str = ""


def differences(old: Protocol, new: Protocol, language: str) -> list[Change]:
    """Everything that differs, questions first. Both protocols as they are shown, that is, resolved."""
    changes = _questions(old, new, language)
    changes += _compare("scale", old.scales, new.scales, _scale_change)
    changes += _compare("field", _by_id(old.fields), _by_id(new.fields))
    changes += _compare("way_out", _by_id(old.ways_out), _by_id(new.ways_out))
    changes += _compare("rule", _by_id(old.rules), _by_id(new.rules))
    changes += _compare("hint", _by_id(old.hints), _by_id(new.hints))
    changes += _compare("verdict", _by_id(old.verdicts), _by_id(new.verdicts))
    changes += _compare("parameter", _by_id(old.parameters), _by_id(new.parameters))
    changes += _compare("stage", _by_id(old.stages), _by_id(new.stages))
    for kind, one, other in (
        ("operations", _operations(old), _operations(new)),
        ("guidelines", old.guidelines, new.guidelines),
        ("practice", old.practice, new.practice),
        ("course", old.course, new.course),
    ):
        if one != other:
            changes.append(Change(kind, "changed"))
    return changes


def _questions(old: Protocol, new: Protocol, language: str) -> list[Change]:
    def change(name: str, before: Question, after: Question) -> Change:
        differs = [word for key, word in ASPECTS.items() if getattr(before, key) != getattr(after, key)]
        one, other = _shown(before.prompt, language), _shown(after.prompt, language)
        reworded = one != other
        return Change(
            "question",
            "changed",
            name,
            tuple(dict.fromkeys(differs)) or ("heading",),
            one if reworded else "",
            other if reworded else "",
        )

    found = []
    for entry in _compare("question", old.questions_by_id, new.questions_by_id, change):
        before = old.questions_by_id[entry.id].prompt if entry.how == "removed" else None
        after = new.questions_by_id[entry.id].prompt if entry.how == "added" else None
        found.append(
            entry._replace(
                before=_shown(before, language) or entry.before, after=_shown(after, language) or entry.after
            )
        )
    kept = [[name for name in one if name in other] for one, other in _both_ways(old, new)]
    return found + ([Change("order", "changed")] if kept[0] != kept[1] else [])


def _both_ways(old: Protocol, new: Protocol) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    one, other = old.questions_by_id, new.questions_by_id
    return (one, other), (other, one)


def _scale_change(name: str, before: Any, after: Any) -> Change:
    one, other = before.expects(), after.expects()
    if one == other and type(before) is type(after):
        return Change("scale", "changed", name, ("labels",))
    return Change("scale", "changed", name, ("answers",), one, other)


def _compare(
    kind: str,
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    change: Callable[[str, Any, Any], Change] | None = None,
) -> list[Change]:
    found = [Change(kind, "removed", name) for name in old if name not in new]
    found += [Change(kind, "added", name) for name in new if name not in old]
    for name in old:
        if name in new and old[name] != new[name]:
            found.append(change(name, old[name], new[name]) if change else Change(kind, "changed", name))
    return found


def _by_id(things: Iterable[Any]) -> dict[str, Any]:
    return {thing.id: thing for thing in things}


def _operations(protocol: Protocol) -> Any:
    """What is said of edits beside their questions, which are compared one by one."""
    edits = protocol.edits
    return (edits.operations, edits.types, edits.families, edits.snap) if edits else None


def _shown(text: AnyText | None, language: str) -> str:
    return "" if text is None or isinstance(text, Wordings) else text.get(language)


class Running(NamedTuple):
    """A stage as it runs now: its step of the protocol, version and hash; ``begun`` with judgements or sheets."""

    part: str
    version: str
    hash: str
    begun: bool


def version_problems(
    old: Protocol, new: Protocol, running: Sequence[Running], items: Iterable[Mapping[str, str]]
) -> list[Problem]:
    """Why the new version does not fit the study; ``items`` are the texts of its items by field."""
    if all(one.hash == new.hash for one in running):
        fix = "Change the file, give it a new version number, and upload it again."
        return [Problem(what="the study runs this version already", rule="same_version", fix=fix, value=new.version)]
    found = []
    if new.id != old.id:
        fix = "A new version keeps its id. For another protocol, make a new study."
        what = f"this is the protocol {new.id!r}, the study runs {old.id!r}"
        found.append(Problem(what=what, rule="protocol", fix=fix, value=new.id))
    if any(one.begun for one in running) and any(one.version == new.version for one in running):
        fix = "Write another number at `version:`, so that results can name which version was asked."
        what = f"the version is still {new.version}, although its content changed"
        found.append(Problem(what=what, rule="version", fix=fix, value=new.version))
    have, wanted = {one.part for one in running}, {stage.id for stage in new.stages}
    if have != wanted:
        what = f"its stages are {', '.join(sorted(wanted))}, the study has {', '.join(sorted(have))}"
        fix = "Keep the stages as they are, or make a new study."
        found.append(Problem(what=what, rule="stage", fix=fix, value=sorted(wanted)))
    return found + _missing_texts(new, items)


def _missing_texts(new: Protocol, items: Iterable[Mapping[str, str]]) -> list[Problem]:
    """Fields that the new version requires and items do not have."""
    required = [field.id for field in new.fields if field.required]
    missing: Counter[str] = Counter()
    number = 0
    for fields in items:
        number += 1
        missing.update(name for name in required if not fields.get(name, "").strip())
    return [
        Problem(
            what=f"{count} of {number} items have no text for the field {name!r}",
            rule="fields",
            fix="Keep the names of the fields, or make the field optional with `required: false`.",
            value=name,
        )
        for name, count in missing.items()
    ]


def spoilt(new: Protocol, known: Iterable[tuple[Item, Answers]]) -> int:
    """How many planted items have known answers that the new version does not take."""
    validator = Validator(new.resolve({}))
    return sum(
        not answers.keys() <= new.questions_by_id.keys()
        or bool(validator.problems(item, Judgement(answers), complete=False))
        for item, answers in known
    )
