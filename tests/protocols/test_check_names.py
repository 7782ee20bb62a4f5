"""Names: each stands once, and none is Rubrica's own."""

import pytest

from rubrica.protocols.check_names import RESERVED
from tests.protocols.sample import SAMPLE, Mistake, check_one, mistakes, problems_of, spoil


@mistakes(
    Mistake("{id: effort,", "{id: quality,", "duplicate_id"),
    Mistake("{id: remark, role", "{id: source, role: reference, label: Remark, required: false}\n  - {id: remark, role",
            "duplicate_id", "{id: source, role: reference"),
    Mistake("- {id: flagged,", "- {id: fine,", "duplicate_id"),
    Mistake("{id: skip,", "{id: too_simple, label: No}\n  - {id: skip,", "duplicate_id", "label: No}"),
    Mistake("  - id: rate\n", "  - id: settle\n", "duplicate_id", "- id: settle\n    label: Rate"),
    Mistake("{id: reject, label: Reject}", "{id: reject, label: Reject}\n      - {id: keep, label: Again}",
            "duplicate_id", "label: Again"),
    Mistake("{value: 3, label: High}", "{value: 3, label: High}\n      - {value: 3, label: Again}", "duplicate_id",
            "label: Again"),
    Mistake("key: s,", "key: d,", "duplicate_id", "- {id: swap"),
    Mistake("{id: effort,", "{id: effort, header: Quality,", "duplicate_id"),
    Mistake("{id: skip, label: Skip,", "{id: skip, label: Skip, keyword: SIMPLE,", "duplicate_id"),
)  # fmt: skip
def test_names_stand_once(mistake: Mistake) -> None:
    """Two things of one kind with the same id, value, key, header or keyword are refused at the second."""
    assert "stands twice" in check_one(mistake).what


@mistakes(
    Mistake("{id: effort, scale", "{id: remark, scale", "duplicate_id"),
    Mistake("- {id: flagged, label", "- {id: comment, label", "duplicate_id"),
    Mistake("    - id: harm", "    - id: effort", "duplicate_id"),
    Mistake("    - id: harm", "    - id: remark", "duplicate_id"),
)
def test_columns_of_exports_do_not_clash(mistake: Mistake) -> None:
    """Fields, questions and verdicts stand side by side in exports and cannot share an id."""
    assert "already the id of a" in check_one(mistake).what


@pytest.mark.parametrize("name", sorted(RESERVED))
@pytest.mark.parametrize("place", ["{id: remark,", "{id: effort,", "- {id: flagged,", "    - id: harm"])
def test_columns_of_rubrica_are_reserved(place: str, name: str) -> None:
    """No field, question or verdict may take the name of a column that every export has."""
    new = place.rstrip(",").rpartition(" ")[0] + f" {name}" + ("," if place.endswith(",") else "")
    check_one(Mistake(place, new, "reserved"))


@pytest.mark.parametrize("name", ["answered", "uncomfortable"])
def test_ways_out_of_every_protocol_are_reserved(name: str) -> None:
    """The way out that every protocol has, and the word for none, cannot be declared again."""
    check_one(Mistake("{id: skip,", f"{{id: {name},", "reserved"))


@mistakes(
    Mistake("aliases: [output]", "aliases: [output, Original]", "duplicate_id"),
    Mistake("aliases: [output]", "aliases: [source]", "duplicate_id"),
)
def test_a_column_means_one_field(mistake: Mistake) -> None:
    """The same alias for two fields, whatever its case, or the id of another field as alias, is refused."""
    assert "already means the field 'source'" in check_one(mistake).what


@mistakes(
    Mistake("languages: [en]", "languages: [en, en]", "duplicate"),
    Mistake("drop: [decision, better]", "drop: [decision, decision]", "duplicate"),
    Mistake("sides: [source, rewrite]", "sides: [source, source]", "duplicate"),
    Mistake("aliases: [output]", "aliases: [output, output]", "duplicate"),
    Mistake("operations: [deletion, swap, split]", "operations: [deletion, swap, swap]", "duplicate"),
)
def test_lists_hold_no_word_twice(mistake: Mistake) -> None:
    """A word that stands twice in one list is a slip."""
    check_one(mistake)


def test_repeated_words_in_practice_texts_are_fine() -> None:
    """The same substitute or quote in two practice items is no mistake."""
    again = "practice:\n  - {id: p0, stage: rate, outcome: skip, explanation: x, fields: {source: a, rewrite: b}}"
    assert problems_of(spoil(SAMPLE, Mistake("practice:", again, ""))) == []


def test_what_stands_twice_is_named() -> None:
    """The message says which key stands twice, with its value."""
    found = check_one(Mistake("{id: effort,", "{id: effort, header: Quality,", "duplicate_id"))
    assert found.what.startswith("the header 'Quality' stands twice")


@mistakes(
    Mistake("{id: remark, role: context,", "{id: remark, role: source,", "duplicate_role"),
    Mistake("{id: remark, role: context,", "{id: remark, role: rewrite,", "duplicate_role"),
)
def test_roles_stand_once(mistake: Mistake) -> None:
    """Two fields cannot have the same role."""
    check_one(mistake)


def test_contexts_may_be_several_without_a_target() -> None:
    """Several texts may stand around; where a target word lies in the context, there is only one."""
    two = "role: context, label: Before, required: false}\n  - {id: after, role: context, label: Remark"
    assert problems_of(spoil(SAMPLE, Mistake("role: context, label: Remark", two, ""))) == []
    three = two.replace("after, role", "word, role: target, label: Word}\n  - {id: after, role")
    found = problems_of(spoil(SAMPLE, Mistake("role: context, label: Remark", three, "")))
    assert [problem.rule for problem in found] == ["duplicate_role"]


def test_references_may_be_several() -> None:
    """Any number of fields may be references."""
    several = "role: reference, label: A, required: false}\n  - {id: second, role: reference, label: Remark"
    assert problems_of(spoil(SAMPLE, Mistake("role: context, label: Remark", several, ""))) == []
