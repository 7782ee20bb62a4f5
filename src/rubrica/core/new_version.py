"""Whether a protocol can take the place of the one that a study runs, as its new version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rubrica.core.answers import Answers
from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator


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
