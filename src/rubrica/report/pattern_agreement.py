"""Patterns of sentences as people see them beside the rules: Table 1 of Zhang et al. (2020), and how far they agree.

The rules are a rater of another kind among those of the study, so that agreement is computed where all agreement is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import attrs

from rubrica.core.errors import wrong
from rubrica.core.ratings import Rater, Rating, Ratings
from rubrica.report.agreement import Agreement, Asked
from rubrica.report.agreement_parts import ACROSS, WITHIN, per_group
from rubrica.report.tables import DECIMAL, WHOLE, Column, Table
from rubrica.rewriting.split.operations import PATTERNS
from rubrica.rewriting.split.patterns import marks

RULES, KIND, PERSON = "rules", "model", "person"
YES, NO = "yes", "no"
MEASURES = ("alpha", "percent")


class PatternRow(NamedTuple):
    """One pattern. ``people`` is in how many sentences they see it: a sentence counts by its share of *yes*.

    ``among`` is the agreement of people with each other, ``with_rules`` of people with the rules, each by measure.
    """

    pattern: str
    people: float
    rules: int
    among: dict[str, Agreement]
    with_rules: dict[str, Agreement]

    def as_json(self) -> dict[str, Any]:
        """The row as scripts read it."""
        return {
            "pattern": self.pattern,
            "people": self.people,
            "rules": self.rules,
            "among_people": [one.as_json() for one in self.among.values()],
            "people_with_rules": [one.as_json() for one in self.with_rules.values()],
        }


def pattern_agreement(ratings: Ratings, asked: Asked, parser: str) -> list[PatternRow]:
    """The seven patterns of a study in which people said which of them its sentences have.

    Raises InputError if they were asked something else, or nobody answered yet.
    """
    if not {one.id for one in ratings.criteria} >= PATTERNS.keys():
        fix = "Use a study with the protocol split_patterns, or a file of sentences."
        raise wrong(f"{ratings.name}: its people were not asked about patterns", "protocol", fix, value=ratings.name)
    people = attrs.evolve(
        ratings, every=tuple(one for one in ratings.counted if ratings.raters[one.rater].kind == PERSON)
    )
    if not people.counted:
        raise wrong(f"{ratings.name}: nobody has answered yet", "empty", "Collect judgements first.")
    both = _with_rules(people, parser)
    found = per_group(both, asked)
    rows = []
    for pattern in PATTERNS:
        seen: dict[str, list[bool]] = {}
        for one in people.counted:
            if pattern in one.answers:
                seen.setdefault(one.unit, []).append(one.answers[pattern] == YES)
        rules = sum(one.answers[pattern] == YES for one in both.counted if one.rater == RULES)
        parts = {
            part: {one.measure.name: one for one in found if one.question == pattern and one.part == part}
            for part in (WITHIN.format(PERSON), ACROSS.format(PERSON, KIND))
        }
        rows.append(PatternRow(pattern, sum(sum(said) / len(said) for said in seen.values()), rules, *parts.values()))
    return rows


def _with_rules(people: Ratings, parser: str) -> Ratings:
    """The same with the rules' answers to every sentence that somebody judged."""
    units = list(dict.fromkeys(one.unit for one in people.counted))
    texts = [people.units[unit].texts.get("source", "") for unit in units]
    said = []
    for unit, found in zip(units, marks(texts, parser), strict=True):
        has = {mark.pattern for mark in found}
        said.append(Rating(unit, RULES, {pattern: YES if pattern in has else NO for pattern in PATTERNS}))
    raters = {**people.raters, RULES: Rater(RULES, KIND)}
    return attrs.evolve(people, every=(*people.every, *said), raters=raters)


def pattern_table(rows: list[PatternRow], sentences: int, signature: str) -> Table:
    """The paper's Table 1 by people and by rules, with the agreement of both; the last row is patterns a sentence."""
    columns = (
        Column("pattern", "pattern"),
        Column("people", "people", DECIMAL, 1),
        Column("rules", "rules", WHOLE),
        Column("alpha_people", "alpha, people", DECIMAL),
        Column("alpha_rules", "alpha, with the rules", DECIMAL),
        Column("same_rules", "same as the rules", DECIMAL),
    )
    cells = tuple(
        (
            f"{row.pattern}: {PATTERNS[row.pattern]}",
            row.people,
            row.rules,
            row.among["alpha"].estimate,
            row.with_rules["alpha"].estimate,
            row.with_rules["percent"].estimate,
        )
        for row in rows
    )
    each = [sum(getattr(row, who) for row in rows) / sentences for who in ("people", "rules")]
    note = (
        f"Of {sentences} sentences, how many have each pattern: by the share of people who see it, and by the rules. "
        f"Patterns a sentence: {each[0]:.2f} and {each[1]:.2f}. Brackets are 95 % intervals."
    )
    return Table("patterns", "Patterns", columns, cells, note, signature)
