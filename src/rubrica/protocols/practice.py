"""Practice items: read from ``practice.jsonl`` and, for texts in one language only, from ``practice.<lang>.jsonl``.

They are checked by name, and then as the judgements that they are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rubrica.core.edits import SIDES, NotFound
from rubrica.core.errors import Problem
from rubrica.core.json_text import parse_json
from rubrica.core.protocol import PracticeItem, Protocol
from rubrica.core.study import Item, Judgement
from rubrica.core.target_words import context_field, find_targets, target_of
from rubrica.core.typed import storable
from rubrica.core.validation import Validator
from rubrica.protocols.check_conditions import Known
from rubrica.protocols.report import entries, ids, listed, mapping, names
from rubrica.protocols.text_building import find_words
from rubrica.protocols.yaml_source import MAX_DEPTH, Path, Source

ONE_A_LINE = "Each line holds one practice item as a JSON object."


class PracticeLines(NamedTuple):
    """What a file of practice items holds: each item with its line, and what could not be read."""

    items: list[tuple[int, Any]]
    problems: list[Problem]


def read_practice(text: str) -> PracticeLines:
    """One JSON object a line; blank lines are skipped. Duplicate keys, NaN and half characters are refused."""
    found = PracticeLines([], [])
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            item = parse_json(line)
            _refuse_unstorable(item)
        except ValueError as error:
            found.problems.append(Problem(what=f"not JSON: {error}", rule="json", fix=ONE_A_LINE, line=number))
            continue
        if item is None:
            found.problems.append(Problem(what="there is no item here", rule="json", fix=ONE_A_LINE, line=number))
        else:
            found.items.append((number, item))
    return found


def _refuse_unstorable(value: Any, depth: int = 0) -> None:
    if depth > MAX_DEPTH:
        raise ValueError("too deeply nested")
    if isinstance(value, str) and not storable(value):
        raise ValueError("a text holds NUL or half a character")
    for part in value if isinstance(value, list) else mapping(value).values():
        _refuse_unstorable(part, depth + 1)
    for key in mapping(value):
        _refuse_unstorable(key, depth + 1)


def check_practice(known: Known) -> None:
    """Names in practice items that refer to nothing, and quoted words that are not in the text."""
    stages = ids(known.data, "stages")
    languages = names([*listed(known.data.get("languages")), *listed(known.data.get("partly_translated"))])
    for place, item in entries(known.data, "practice"):
        known.report.known((*place, "stage"), item.get("stage"), stages, "stage")
        known.report.known((*place, "language"), item.get("language"), languages, "language")
        texts = mapping(item.get("fields"))
        for name in texts:
            known.report.known((*place, "fields", name), name, known.fields, "field")
        for index, edit in enumerate(listed(item.get("edits"))):
            for side in SIDES:
                for number, quote in enumerate(listed(mapping(edit).get(side))):
                    check_quote(known, (*place, "edits", index, side, number), texts.get(side), quote)


def check_quote(known: Known, place: tuple[Any, ...], text: Any, quote: Any) -> None:
    """Note quoted words that are not in the text, or that stand there several times without a number."""
    if not isinstance(text, str) or not isinstance(quote, str):
        return
    found = find_words(text, quote.strip())
    if isinstance(found, NotFound):
        what = f"the words {quote!r} stand {found.times} times in the {place[-2]}"
        fix = "Quote words as they stand there; write `words#2` for the second of several."
        known.report.say(place, what, "quote", fix, quote)


def practice_problems(protocol: Protocol, source: Source) -> list[Problem]:
    """The practice items must themselves be valid judgements."""
    problems = []
    for index, practice in enumerate(protocol.practice):
        validator = Validator(protocol, protocol.stage(practice.stage))
        judgement = Judgement(practice.answers, practice.edits, practice.outcome)
        found = validator.problems(Item(practice.id, practice.fields), judgement)
        found += [
            Problem(what=f"the field {field.id} is missing", rule="required", fix="Add its text.")
            for field in protocol.fields
            if field.required and not practice.fields.get(field.id, "").strip()
        ]
        found += _lost_target(protocol, practice)
        for problem in found:
            place = source.place(("practice", index, *_part(practice, problem)))
            what = f"practice item {practice.id}: {problem.what}"
            problems.append(problem.at(line=place.line, file=place.file, what=what))
    return problems


def _lost_target(protocol: Protocol, practice: PracticeItem) -> list[Problem]:
    """A target that does not stand in its context, so that no word would be marked."""
    target = target_of(protocol, Item(practice.id, practice.fields))
    text = practice.fields.get(context_field(protocol), "")
    if not text or not target.word or find_targets(text, [target])[0]:
        return []
    fix = "Write the word as it stands in the text."
    return [Problem(what=f"the word {target.word!r} does not stand in its text", rule="target", fix=fix)]


def _part(practice: PracticeItem, problem: Problem) -> Path:
    """Which part of a practice item a problem is with; nothing if it is with the whole."""
    answer = ("answers", problem.question) if problem.question else ()
    numbers = {edit.id: number for number, edit in enumerate(practice.edits)}
    if problem.edit in numbers:
        return ("edits", numbers[problem.edit], *answer)
    if answer:
        return answer
    if problem.rule == "way_out":
        return ("outcome",) if problem.value == practice.outcome else ("edits",)
    return ("edits",) if problem.rule == "edits" else ()
