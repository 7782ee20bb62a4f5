"""Mistakes in conditions and rules.

Conditions and answers in a protocol file: complete, about the right things, with values that exist.

Rules: each changes something, and rules that apply together agree.
"""

import pytest

from tests.protocols.sample import SAMPLE, Mistake, check_one, mistakes, problems_of, spoil

WHEN = "    when: {question: concern, is: yes}\n    text"
KINDS = "required: false\n    when: {question: concern, is: yes}"
IF = "if: {field: source, same_as: rewrite}"


def hint(condition: str) -> tuple[str, str]:
    """The sample's hint with another condition."""
    return WHEN, f"    when: {condition}\n    text"


@pytest.mark.parametrize(
    "condition",
    [
        "{question: concern}",
        "{is: yes}",
        "{}",
        "{question: concern, is: yes, is_not: no}",
        "{question: concern, field: source, is: yes}",
        "{question: concern, same_as: source}",
        "{field: source, includes: rude}",
        "{field: source, answered: true}",
        "{all: [{question: concern, is: yes}], question: concern}",
        "{all: [{question: concern, is: yes}], is: yes}",
    ],
)
def test_a_condition_is_one_test(condition: str) -> None:
    """A condition that lacks its test, or has two, or one that does not fit, is refused with an example."""
    old, new = hint(condition)
    assert "Write one test" in check_one(Mistake(old, new, "condition", condition)).fix


@pytest.mark.parametrize("condition", ["{question: concern, is: []}", "{field: source, is_not: []}"])
def test_an_empty_list_fits_nothing(condition: str) -> None:
    """A list without values could never be met and is refused."""
    old, new = hint(condition)
    assert "fits no answer" in check_one(Mistake(old, new, "condition", condition)).what


@pytest.mark.parametrize("condition", ["{all: []}", "{any: []}", "{not: {all: []}}"])
def test_all_and_any_have_parts(condition: str) -> None:
    """All or any of nothing is refused."""
    old, new = hint(condition)
    check_one(Mistake(old, new, "type", condition))


@pytest.mark.parametrize(
    ("condition", "rule"),
    [
        ("{question: concerns, is: yes}", "unknown_question"),
        ("{question: quality, is: 4}", "scale"),
        ("{question: quality, is: [1, 4]}", "scale"),
        ("{question: quality, is_not: high}", "scale"),
        ("{question: concern, is: maybe}", "scale"),
        ("{question: effort, is: 0.25}", "scale"),
        ("{question: decision, is: accept}", "scale"),
        ("{question: kinds, includes: nobody}", "unknown_option"),
        ("{question: kinds, includes: [rude, nobody]}", "unknown_option"),
        ("{question: kinds, is: rude}", "condition"),
        ("{question: simpler, is: easy}", "condition"),
        ("{question: decision, includes: keep}", "condition"),
        ("{question: change, is: same}", "order"),
        ("{field: sauce, is: x}", "unknown_field"),
        ("{field: source, same_as: sauce}", "unknown_field"),
        ("{field: source, same_as: source}", "condition"),
        ("{field: source, is: 5}", "type"),
        ("{outcome: skip}", "condition"),
        ("{operation: swap}", "condition"),
        ("{not: {any: [{question: concern, is: yes}, {question: nobody, is: x}]}}", "unknown_question"),
    ],
)
def test_a_hint_asks_about_what_exists(condition: str, rule: str) -> None:
    """Unknown names, values outside their scale and tests that do not fit the question are refused."""
    old, new = hint(condition)
    check_one(Mistake(old, new, rule, condition))


@pytest.mark.parametrize(
    "condition",
    [
        "{question: concern, is_not: no}",
        "{question: effort, is: [0.5, 1]}",
        "{question: kinds, includes: [rude, other]}",
        "{question: simpler, answered: true}",
        "{field: source, is_not: [x, y]}",
        "{all: [{question: concern, is: 'yes'}, {not: {field: remark, is: x}}]}",
    ],
)
def test_good_conditions_load(condition: str) -> None:
    """Each kind of test is accepted where it fits."""
    assert problems_of(spoil(SAMPLE, Mistake(*hint(condition), ""))) == []


@mistakes(
    Mistake(IF, "if: {question: concern, is: yes}", "condition"),
    Mistake("when: {outcome: too_simple}", "when: {outcome: simple}", "unknown_way_out"),
    Mistake("when: {outcome: too_simple}", "when: {operation: swap}", "condition"),
    Mistake("when: {outcome: too_simple}", "when: {question: harm, is: 1}", "order"),
    Mistake("operation: [deletion, swap]", "operation: [deletion, swop]", "unknown_operation"),
    Mistake("          - {question: change, is: less}", "          - {question: concern, is: yes}", "order"),
    Mistake("          - {question: change, is: less}", "          - {outcome: skip}", "condition"),
    Mistake("      when: {question: change, is: less}", "      when: {question: concern, is: yes}", "order"),
    Mistake("      when: {question: change, is: less}", "      when: {operation: swap}", "condition"),
    Mistake(KINDS, KINDS.replace("concern, is: yes", "decision, is: keep"), "order", "when: {question: decision"),
    Mistake(KINDS, KINDS.replace("concern, is: yes", "kinds, includes: rude"), "order", "when: {question: kinds, "),
    Mistake(KINDS, KINDS.replace("question: concern, is: yes", "field: source, is: x"), "condition", "when: {field"),
)
def test_each_place_has_its_own_questions(mistake: Mistake) -> None:
    """Rules look at the item, questions at earlier ones of their list, types at edits, verdicts at judgements."""
    check_one(mistake)


@mistakes(
    Mistake("answer: 3}", "answer: 4}", "scale"),
    Mistake("answer: 3}", 'answer: "3"}', "scale"),
    Mistake("preset: {quality: 3}", "preset: {quality: 0}", "scale"),
    Mistake("preset: {change: less}}", "preset: {change: more}}", "scale"),
    Mistake("is: [2, 3]", "is: [2, 3.0]", "scale"),
)
def test_answers_lie_on_their_scale(mistake: Mistake) -> None:
    """Examples, presets and conditions cannot hold a value that nobody could give; the fix says what could be."""
    assert check_one(mistake).fix.startswith("Use ")


def test_each_value_of_a_list_is_checked() -> None:
    """Two values outside the scale are two problems."""
    found = problems_of(spoil(SAMPLE, Mistake("is: [2, 3]", "is: [2, 8, 7]", "")))
    assert [(problem.rule, problem.value) for problem in found] == [("scale", 8), ("scale", 7)]


SAME = "hints:\n"
SECOND = "  - id: second\n    if: {same_as: rewrite, field: source}\n    note: Again.\n"


@mistakes(
    Mistake(SAME, f"{SECOND}    preset: {{quality: 2}}\n{SAME}", "contradiction", "preset: {quality: 2}"),
    Mistake(SAME, f"{SECOND}    preset: {{decision: keep}}\n{SAME}", "contradiction", "preset: {decision: keep}"),
    Mistake(SAME, f"{SECOND}    drop: [quality]\n{SAME}", "contradiction", "drop: [quality]"),
)
def test_rules_that_apply_together_agree(mistake: Mistake) -> None:
    """Two rules with the same condition cannot preset different values, or preset and drop the same question."""
    assert "apply together" in check_one(mistake).what


def test_rules_may_say_the_same() -> None:
    """The same preset twice is fine, and so are different presets under different conditions."""
    same = f"{SECOND}    preset: {{quality: 3}}\n{SAME}"
    assert problems_of(spoil(SAMPLE, Mistake(SAME, same, ""))) == []
    other = same.replace("same_as: rewrite", "same_as: remark").replace("3}", "2}")
    assert problems_of(spoil(SAMPLE, Mistake(SAME, other, ""))) == []


def test_a_rule_changes_something() -> None:
    """A rule with none of preset, drop, ask and reword is refused."""
    assert "'second' changes nothing" in check_one(Mistake(SAME, SECOND + SAME, "rule", "- id: second")).what
