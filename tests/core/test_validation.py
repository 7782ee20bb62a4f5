"""The validator: every kind of problem, each with question, rule, value and fix."""

from typing import Any

import attrs
import pytest

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.conditions import FieldIs
from rubrica.core.edits import Edit, Span
from rubrica.core.errors import Problem
from rubrica.core.protocol import Rule
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.protocols.catalog import load_shipped
from tests.core.sample import CLOSED, DELETION, GOOD, ITEM, PROTOCOL, SAME, SELECT, WORDS

RATE = Validator(PROTOCOL, PROTOCOL.stage("rate"))


def problems(answers: dict[str, Any], item: Item = ITEM, **options: Any) -> list[Problem]:
    """What is wrong with these answers."""
    return RATE.problems(item, Judgement(answers), **options)


def named(found: list[Problem]) -> list[tuple[str, str]]:
    """Question and rule of each problem."""
    return [(problem.question, problem.rule) for problem in found]


def test_a_good_judgement_has_no_problem() -> None:
    """Valid answers, optional ones included, pass."""
    assert problems(GOOD) == []
    assert problems({**GOOD, "concern": "yes", "kinds": ("rude",), "comment": "so-so"}) == []


@pytest.mark.parametrize(
    ("answers", "item", "question", "rule", "value"),
    [
        ({**GOOD, "speed": 3}, ITEM, "speed", "unknown_question", 3),
        ({**GOOD, "harm": 3}, ITEM, "harm", "unknown_question", 3),
        ({**GOOD, "quality": 4}, ITEM, "quality", "scale", 4),
        ({**GOOD, "quality": True}, ITEM, "quality", "scale", True),
        ({**GOOD, "quality": NOT_APPLICABLE}, ITEM, "quality", "scale", NOT_APPLICABLE),
        ({"quality": 2, "decision": "keep"}, ITEM, "concern", "required", None),
        ({**GOOD, "decision": "reject"}, ITEM, "severity", "required", None),
        ({**GOOD, "severity": 2}, ITEM, "severity", "not_shown", 2),
        ({**GOOD, "severity": NOT_APPLICABLE}, ITEM, "severity", "not_shown", NOT_APPLICABLE),
        ({**GOOD, "missed": "no"}, ITEM, "missed", "not_shown", "no"),
        ({"quality": 2, "concern": "no", "missed": "no"}, SAME, "quality", "rule:identical", 2),
        ({"quality": 3.0, "concern": "no", "missed": "no"}, SAME, "quality", "rule:identical", 3.0),
        ({"decision": "keep", "concern": "no", "missed": "no"}, SAME, "decision", "rule:identical", "keep"),
        ({"concern": "no"}, SAME, "missed", "required", None),
    ],
)
def test_finds_each_kind_of_problem(
    answers: dict[str, Any], item: Item, question: str, rule: str, value: object
) -> None:
    """One mistake gives one problem that names the question, the rule, the value and a way to mend it."""
    found = problems(answers, item)
    assert named(found) == [(question, rule)]
    assert found[0].value == value
    assert question in found[0].what
    assert found[0].fix.endswith(".")


def test_finds_all_problems_at_once() -> None:
    """Six mistakes in one judgement give six problems."""
    found = problems({"quality": 9, "severity": 1, "speed": 1, "kinds": ("rude",), "concern": "maybe"})
    assert sorted(rule for _, rule in named(found)) == [
        "not_shown",
        "not_shown",
        "required",
        "scale",
        "scale",
        "unknown_question",
    ]


@pytest.mark.parametrize("value", [[], {}, ["rude"], {"not_applicable": 1}, ({},), None, float("nan"), b"x"])
@pytest.mark.parametrize("question", ["quality", "concern", "kinds", "decision", "comment", "nobody"])
def test_junk_is_a_problem_and_never_a_crash(question: str, value: object) -> None:
    """Whatever an imported file holds as an answer is refused with the question named."""
    assert question in [name for name, _ in named(problems({**GOOD, "concern": "yes", question: value}))]


def test_a_draft_may_have_gaps_but_no_mistakes() -> None:
    """What is missing is no problem before submitting; what is wrong is one already."""
    assert problems({}, complete=False) == []
    assert named(problems({"quality": 9, "severity": 1}, complete=False)) == [
        ("quality", "scale"),
        ("severity", "not_shown"),
    ]


def test_rules_settle_an_identical_pair() -> None:
    """Preset answers are filled in and dropped questions become not applicable, and then there is no problem."""
    settled = RATE.settle(SAME, Judgement({"concern": "no", "missed": "yes"}))
    assert settled.answers == {
        "quality": 3,
        "decision": NOT_APPLICABLE,
        "severity": NOT_APPLICABLE,
        "concern": "no",
        "missed": "yes",
    }
    assert RATE.problems(SAME, settled) == []


def test_settling_does_not_hide_a_contradiction() -> None:
    """An answer that goes against a rule stays, and is reported."""
    settled = RATE.settle(SAME, Judgement({"quality": 1, "concern": "no", "missed": "yes"}))
    assert named(RATE.problems(SAME, settled)) == [("quality", "rule:identical")]


def test_a_dropped_question_is_dropped_even_if_another_rule_presets_it() -> None:
    """When two rules apply, not applicable wins over a preset answer, so that the judgement can be settled."""
    other = Rule("short", FieldIs("rewrite", (SAME.fields["rewrite"],)), WORDS, preset={"decision": "keep"})
    validator = Validator(attrs.evolve(PROTOCOL, rules=(*PROTOCOL.rules, other)))
    settled = validator.settle(SAME, Judgement({"concern": "no", "missed": "no"}))
    assert settled.answers["decision"] is NOT_APPLICABLE
    assert validator.problems(SAME, settled) == []


@pytest.mark.parametrize(
    ("item", "answers", "expected"),
    [
        (ITEM, {}, ["quality", "concern", "decision", "comment", "agree"]),
        (ITEM, {"concern": "yes", "decision": "reject"},
         ["quality", "concern", "kinds", "decision", "severity", "comment", "agree"]),
        (SAME, {}, ["concern", "missed", "comment", "agree"]),
        (SAME, {"decision": "reject"}, ["concern", "missed", "comment", "agree"]),
    ],
)  # fmt: skip
def test_shows_the_questions_that_are_open(item: Item, answers: dict[str, Any], expected: list[str]) -> None:
    """Hidden, locked and dropped questions are not shown; those of a rule only under that rule."""
    assert [question.id for question in RATE.shown(item, answers)] == expected


def test_a_stage_asks_only_its_part() -> None:
    """At a stage with ``asks``, other questions are neither required nor taken."""
    validator = Validator(PROTOCOL, SELECT)
    assert validator.problems(ITEM, Judgement({"quality": 1})) == []
    assert named(validator.problems(ITEM, Judgement(GOOD))) == [("concern", "not_shown"), ("decision", "not_shown")]


def test_rules_stay_within_the_stage() -> None:
    """A rule settles only questions that the stage asks."""
    assert Validator(PROTOCOL, SELECT).settle(SAME, Judgement()).answers == {"quality": 3}


def test_edits_are_refused_where_none_are_made() -> None:
    """A stage without edits takes none, and says which stage it is."""
    found = Validator(PROTOCOL, CLOSED).problems(ITEM, Judgement({"quality": 1}, (DELETION,)))
    assert [(problem.rule, problem.value) for problem in found] == [("edits", 1)]
    assert "closed" in found[0].what


def test_problems_of_edits_are_found_too() -> None:
    """The edits of a judgement are checked together with its answers."""
    found = RATE.problems(ITEM, Judgement({**GOOD, "quality": 4}, (Edit("1", "swap", (Span(0, 1),)),)))
    assert [(problem.edit, problem.rule) for problem in found] == [
        ("", "scale"), ("1", "span"), ("1", "required"),
    ]  # fmt: skip


@pytest.mark.parametrize("outcome", ["too_simple", "skip", "uncomfortable"])
def test_ways_out_need_no_answers(outcome: str) -> None:
    """A way out is complete by itself; a remark may say why."""
    assert RATE.problems(ITEM, Judgement(outcome=outcome)) == []
    assert RATE.problems(ITEM, Judgement({"comment": "Too short."}, outcome=outcome)) == []


@pytest.mark.parametrize(
    ("judgement", "question"),
    [
        (Judgement(outcome="bored"), ""),
        (Judgement(outcome=""), ""),
        (Judgement({"quality": 3}, outcome="skip"), "quality"),
        (Judgement({"agree": "keep"}, outcome="skip"), "agree"),
        (Judgement({"nobody": "x"}, outcome="skip"), "nobody"),
        (Judgement({"comment": 5}, outcome="skip"), "comment"),
        (Judgement(edits=(DELETION,), outcome="skip"), ""),
    ],
)
def test_ways_out_take_nothing_else(judgement: Judgement, question: str) -> None:
    """An unknown way out, and answers or edits beside a way out, are refused."""
    assert named(RATE.problems(ITEM, judgement)) == [(question, "way_out")]


def test_an_unknown_way_out_names_the_known_ones() -> None:
    """The fix lists what could have been meant."""
    (found,) = RATE.problems(ITEM, Judgement(outcome="bored"))
    assert "skip, too_simple, uncomfortable" in found.fix


def test_settling_leaves_ways_out_alone() -> None:
    """No answers are filled in for an item that was not judged."""
    judgement = Judgement(outcome="skip")
    assert RATE.settle(SAME, judgement) == judgement


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (("began", "began ", "started"), ("began", "started")),
        (("Easy", " EASY", "éasy"), ("Easy", "éasy")),
        (("easy", " "), ("easy", "")),
        (("easy", 3), ("easy", 3)),
    ],
)
def test_repeated_short_answers_count_once(typed: tuple[Any, ...], kept: tuple[Any, ...]) -> None:
    """Spaces and capitals make no other word, accents do; what is no word is left to be refused."""
    resolved = load_shipped("lexical_simplification").protocol.resolve({})
    validator = Validator(resolved, resolved.stages[0])
    item = Item("a", {"context": "A vast hall.", "target": "vast"})
    assert validator.settle(item, Judgement({"substitutes": typed})).answers == {"substitutes": kept}


def test_split_rewrite_refuses_one_sentence_and_offers_the_ways_out() -> None:
    """A rewrite that was not split is refused with every way out named; two sentences pass."""
    protocol = load_shipped("split_rewrite").protocol
    validator = Validator(protocol, protocol.stages[0])
    item = Item("i", {"source": "The hut, built in 1900, is small."})
    (found,) = validator.problems(item, Judgement({"rewrite": "The hut was built in 1900 and is small."}))
    assert (found.question, found.rule) == ("rewrite", "scale")
    assert all(way in found.fix for way in ("too_simple", "too_problematic", "skip", "uncomfortable"))
    assert found.fix.startswith("Write a text of at least 2 sentences, or choose a way out: ")
    assert validator.problems(item, Judgement({"rewrite": "The hut is small. It was built in 1900."})) == []


@pytest.mark.parametrize(("protocol_id", "rated"), [("breve", {"simplification": 2}), ("claro", {})])
def test_an_identical_pair_is_asked_less_but_not_nothing(protocol_id: str, rated: dict[str, Any]) -> None:
    """For the same sentence twice, meaning and fluency are 3, acceptance is not applicable, the rest is asked."""
    protocol = load_shipped(protocol_id).protocol
    validator = Validator(protocol, protocol.stages[0])
    item = Item("i", {"source": "Llueve mucho.", "rewrite": "Llueve mucho."})
    said = {**rated, "concern": "no", "needed": "yes"}
    settled = validator.settle(item, Judgement(said))
    dropped = dict.fromkeys(("acceptance", "edit", "severity", "corrected"), NOT_APPLICABLE)
    assert settled.answers == {"meaning": 3, "fluency": 3, **dropped, **said}
    assert validator.problems(item, settled) == []
    assert {question.id for question in validator.shown(item, {})} == {*said, "comment"}
    for name in said:
        lacking = {other: value for other, value in said.items() if other != name}
        assert named(validator.problems(item, Judgement(lacking))) == [(name, "required")]


@pytest.mark.parametrize("protocol_id", ["breve", "claro"])
@pytest.mark.parametrize(("question", "value"), [("meaning", 2), ("fluency", 1), ("acceptance", "accept")])
def test_an_identical_pair_cannot_be_judged_otherwise(protocol_id: str, question: str, value: object) -> None:
    """For the same sentence twice, another meaning or fluency, or an acceptance, contradicts the rule."""
    protocol = load_shipped(protocol_id).protocol
    item = Item("i", {"source": "Llueve mucho.", "rewrite": "Llueve  mucho. "})
    answers = {"simplification": 3, "concern": "no", "needed": "no", question: value}
    if protocol_id == "claro":
        del answers["simplification"]
    found = Validator(protocol, protocol.stages[0]).problems(item, Judgement(answers))
    assert named(found) == [(question, "rule:identical")]
    assert found[0].value == value
