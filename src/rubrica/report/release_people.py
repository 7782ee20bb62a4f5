"""Who annotated a release: their answers one by one, and what they told about themselves, without pointing at anybody.

Ids are numbers of the archive, of each task its own; the same person has the same number in both tasks only where that
was asked for. What people told stands in ranges and categories of at least three people, as ``report.people`` has it
for groups: the rule is in the archive's README.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rubrica.core.simulation import SIMULATED, simulated_among
from rubrica.prepare.words import hashed
from rubrica.report.people import FEWEST, NUMBERS, WORDS, shared

WITHHELD = ""
OTHER = "other"
RULE = (
    f"Numbers stand as ranges, and categories together as “{OTHER}”, so that each is shared by at least {FEWEST} "
    "people of the task (of both tasks together where a person has one id in both); what fewer than "
    f"{FEWEST} share is left blank, as is what somebody did not say. This holds for each column by itself. Only people "
    "whose consent covers it are listed."
)


class Person(NamedTuple):
    """Somebody who annotated for one task: who that is in both studies, and what they told, None without consent."""

    name: str
    identity: str
    told: Mapping[str, Any] | None = None


def ids(tasks: Mapping[str, Sequence[Person]], *, same: bool, seed: int = 0) -> dict[str, dict[str, str]]:
    """By task: the number of each person, by name. With ``same`` one number for both tasks.

    Numbers are dealt by what is drawn from the seed and the person's identity, which is a secret of the home: by names
    the same ten people would have the same numbers in both tasks, and their alphabetical order could be read off.
    Ids of simulated people say that they are.
    """
    if not same:
        return {task: _numbered(f"{task}-", people, seed) for task, people in tasks.items()}
    known: dict[str, str] = {}
    everybody: dict[str, Person] = {}
    for one in (one for people in tasks.values() for one in people):
        key = known.get(f"i {one.identity}") if one.identity else None
        key = key or known.get(f"n {one.name}") or one.name
        known |= {f"n {one.name}": key, **({f"i {one.identity}": key} if one.identity else {})}
        everybody.setdefault(key, one._replace(name=key))
    numbers = _numbered("p-", list(everybody.values()), seed)
    return {task: {one.name: numbers[known[f"n {one.name}"]] for one in people} for task, people in tasks.items()}


def _numbered(kind: str, people: Sequence[Person], seed: int) -> dict[str, str]:
    drawn = sorted(people, key=lambda one: hashed(seed, f"{kind}\0{one.identity or one.name}"))
    mark = {one.name: f"{SIMULATED.strip('_')}-" if simulated_among([one.name]) else "" for one in drawn}
    return {one.name: f"{kind}{mark[one.name]}{number}" for number, one in enumerate(drawn, start=1)}


def number_of(known_as: str) -> int:
    """The number of an id, by which rows are ordered."""
    return int(known_as.rpartition("-")[2])


def annotators_csv(tasks: Mapping[str, Sequence[Person]], numbers: Mapping[str, Mapping[str, str]], same: bool) -> str:
    """One row for each person and task whose consent covers it, by the stated rule.

    With the ``same`` ids in both tasks a person stands in the same ranges in both: of two the overlap would tell more.
    """
    asked = [*NUMBERS, *WORDS]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("task", "annotator", *asked))
    covered = {
        task: {numbers[task][one.name]: one.told for one in people if one.told is not None}
        for task, people in tasks.items()
    }
    everybody: dict[str, Mapping[str, Any]] = {}
    for own in covered.values():
        everybody = {**own, **everybody}
    for task, own in covered.items():
        shown = _shown(everybody if same else own, asked)
        for known_as in sorted(own, key=number_of):
            writer.writerow((task, known_as, *shown[known_as]))
    return out.getvalue()


def _shown(told: Mapping[str, Mapping[str, Any]], asked: Sequence[str]) -> dict[str, list[str]]:
    """What stands for each person, by their ids."""
    columns = [(ranges if name in NUMBERS else categories)([one.get(name) for one in told.values()]) for name in asked]
    return {known_as: [column[place] for column in columns] for place, known_as in enumerate(told)}


def ranges(values: Sequence[Any]) -> list[str]:
    """Neighbouring values together until each range has three people; all withheld if fewer answered."""
    said = sorted(float(one) for one in values if isinstance(one, int | float) and not isinstance(one, bool))
    if len(said) < FEWEST:
        return [WITHHELD] * len(values)
    parts: list[list[float]] = [[]]
    for one in said:
        if len(parts[-1]) >= FEWEST and one != parts[-1][-1]:
            parts.append([])
        parts[-1].append(one)
    if len(parts[-1]) < FEWEST and len(parts) > 1:
        parts[-2:] = [parts[-2] + parts[-1]]
    named = {one: _range(part[0], part[-1]) for part in parts for one in part}
    return [
        named[float(one)] if isinstance(one, int | float) and not isinstance(one, bool) else WITHHELD for one in values
    ]


def _range(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g}-{high:g}"


def categories(values: Sequence[Any]) -> list[str]:
    """Categories as `report.people` tells them, others together; all withheld if that leaves none or fewer answered."""
    texts = [_text(one) for one in values]
    times = Counter(text for text in texts if text)
    kept = set(shared(times))
    rest = OTHER if kept else WITHHELD
    return [text if text in kept else rest if text else WITHHELD for text in texts]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).strip() if value not in (None, "") else ""
