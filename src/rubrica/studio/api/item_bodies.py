"""Items in request bodies, held to the same rules as the rows of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from rubrica.core.answers import Answers, from_json
from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.engine.limits import limits
from rubrica.exchange.columns import OWN_COLUMNS
from rubrica.exchange.items import read_items
from rubrica.exchange.tables import Row, Table
from rubrica.exchange.target_places import NOT_FOUND, leave_out
from rubrica.studio.api.schemas import Body, Text, Values

MOST = 5000
"""Items in one request; more go in several."""


class ItemIn(Body):
    """An item: its texts by the fields of the protocol. Without an id it gets a number."""

    id: Text = Field(default="", max_length=200)
    fields: dict[Text, Text]
    system: Text = Field(default="", max_length=200)
    author: Text = Field(default="", max_length=200)
    group: Text = Field(default="", max_length=200)
    metadata: dict[Text, Text] = {}


class GoldIn(ItemIn):
    """An item with known answers."""

    answers: Values


LeaveOut = Annotated[
    list[Text],
    Field(
        max_length=MOST,
        description="Rows whose target word is not found in its context and that are left out: their numbers as the "
        "refusal names them, or unmarked for all of them. Metadata start or occurrence say where a target stands.",
    ),
]


def items_from(given: Sequence[ItemIn], protocol: Protocol, left_out: Sequence[str] = ()) -> list[Item]:
    """Items for a study of this protocol. Raises InputError with every problem; its line is the place in the list."""
    problems = [problem for line, item in enumerate(given, start=1) for problem in _misfits(item, line, protocol)]
    if problems:
        raise InputError(*problems)
    if not given:
        return []
    known = [*OWN_COLUMNS, *(field.id for field in protocol.fields)]
    extra = list(dict.fromkeys(name for item in given for name in item.metadata))
    limits().check_shape(len(given), len(known) + len(extra))
    rows = [
        Row(
            line,
            {
                **dict.fromkeys(known, ""),
                **item.metadata,
                **item.fields,
                "id": item.id,
                "system": item.system,
                "author": item.author,
                "group": item.group,
            },
        )
        for line, item in enumerate(given, start=1)
    ]
    table = Table("", (*known, *extra), rows, "JSON", [])
    try:
        return read_items(table, protocol, {name: name for name in known}, leave_out(left_out)).items
    except InputError as error:
        raise InputError(*map(as_sent, error.problems)) from error


def as_sent(problem: Problem) -> Problem:
    """A problem of items with the fix as requests have it."""
    words = {"--map ": "columns=", "--no-header": "header=false", "a column start": "metadata start"}
    words |= {"--leave-out ": "leave_out="}
    fix = problem.fix
    for option, field in words.items() if problem.rule in ("columns", "header", NOT_FOUND) else ():
        fix = fix.replace(option, field)
    return problem.at(fix=fix)


def gold_from(given: Sequence[GoldIn], protocol: Protocol) -> list[tuple[Item, Answers]]:
    """Items with known answers, each at least one. Raises InputError with every problem."""
    items, validator = items_from(given, protocol), Validator(protocol)
    gold: list[tuple[Item, Answers]] = []
    problems: list[Problem] = []
    for line, (item, one) in enumerate(zip(items, given, strict=True), start=1):
        answers = from_json(one.answers)
        found = validator.problems(item, Judgement(answers), complete=False)
        if not answers:
            fix = f"Answer one of {', '.join(question.id for question in protocol.questions)}."
            found.append(Problem(what="no known answer", rule="gold", fix=fix))
        problems += [problem.at(line=line) for problem in found]
        gold.append((item, answers))
    if problems:
        raise InputError(*problems)
    return gold


def _misfits(item: ItemIn, line: int, protocol: Protocol) -> list[Problem]:
    """Names that mean nothing here, or two things."""
    fields = [field.id for field in protocol.fields]
    found = [
        Problem(
            what=f"{protocol.id} has no field {name!r}",
            rule="unknown_field",
            fix=f"Fields: {', '.join(fields)}. What else is known of an item goes into metadata.",
            line=line,
            value=name,
        )
        for name in item.fields
        if name not in fields
    ]
    return found + [
        Problem(
            what=f"metadata cannot be named {name!r}",
            rule="metadata",
            fix="Give it another name: this one is a field's, or one that every item has.",
            line=line,
            value=name,
        )
        for name in item.metadata
        if not name.strip() or name in fields or name in OWN_COLUMNS
    ]
