"""Mistakes in edits and in their names in Thresh.

Edits in a protocol file: operations, presets, questions and types that can be used.

The `thresh` part of a protocol file: names that lead to operations, questions and options that are there.
"""

from __future__ import annotations

from rubrica.protocols.loader import check_text
from tests.protocols.sample import SAMPLE, Mistake, check_one, line_of, mistakes, problems_of

SPLIT = "meaning: Two sentences, constituents: [deletion, swap]}"
HARM = "when: {question: change, is: less}\n  types"


@mistakes(
    Mistake(SPLIT, "meaning: Two sentences}", "operation"),
    Mistake(SPLIT, "meaning: Two sentences, sides: [source], constituents: [swap]}", "operation"),
    Mistake(SPLIT, "meaning: Two sentences, constituents: []}", "operation"),
    Mistake(SPLIT, "meaning: Two sentences, constituents: [split]}", "unknown_simple_operation"),
    Mistake(SPLIT, "meaning: Two sentences, constituents: [swop]}", "unknown_simple_operation"),
    Mistake("preset: {change: less}}", "preset: {change: less, quality: 1}}", "unknown_question_on_edits"),
    Mistake(SPLIT, "meaning: Two sentences, constituents: [swap], preset: {change: less}}", "operation"),
    Mistake("operations: [deletion, swap, split]", "operations: [deletion, insertion]", "unknown_operation"),
    Mistake("operations: [deletion, swap, split]", "operations: [split]", "operation", HARM),
    Mistake("family: form\n", "family: forms\n", "unknown_family", "family: forms"),
)
def test_operations_and_questions_fit(mistake: Mistake) -> None:
    """Operations have sides or constituents, presets are of their own questions, and questions can be reached."""
    check_one(mistake)


def test_a_question_on_edits_names_its_operations() -> None:
    """A question on edits of no operation would never be asked."""
    check_one(Mistake("operations: [deletion, swap, split]", "operations: []", "type"))


def test_edits_lie_in_source_and_rewrite() -> None:
    """The fields that edits mark are called source and rewrite; without them nothing could be marked."""
    text = SAMPLE.replace("{id: rewrite, role", "{id: result, role").replace("same_as: rewrite", "same_as: result")
    (found,) = problems_of(text.replace('rewrite: "A cat ran."', 'result: "A cat ran."'))
    assert (found.rule, found.value) == ("unknown_field", "rewrite")
    assert "id: rewrite" in found.fix


PART = """thresh:
  categories:
    - name: Left out
      operation: deletion
      color: red
      answers:
        - name: "yes"
          question: change
          options:
            - {name: fewer, means: less, then: {question: harm, form: likert-3}}
            - {name: equal, means: same}
    - {name: swapped, operation: swap}
  kept: {label: "{anything}", list: [a, a]}
"""


def test_names_are_read() -> None:
    """Categories, questions and options lead to ours; what is kept may hold anything."""
    names = check_text(SAMPLE + PART, "sample.yaml").protocol.thresh
    assert names is not None
    assert names.by_operation["deletion"].name == "Left out"
    (answer,) = names.by_name["Left out"].answers
    assert answer.name == "yes"
    assert list(answer.questions()) == ["change", "harm"]


def test_the_hash_covers_the_names() -> None:
    """Another name is another protocol: files that were written under it would not be found again."""
    first = check_text(SAMPLE + PART, "a").protocol.hash
    assert first != check_text(SAMPLE, "a").protocol.hash
    assert first != check_text(SAMPLE + PART.replace("swapped", "exchanged"), "a").protocol.hash


def test_names_that_mean_nothing_are_refused() -> None:
    """Each at its line, all at once."""
    wrong = {
        "operation: deletion": ("operation: removal", "unknown_operation"),
        "question: harm": ("question: harms", "unknown_question_on_edits"),
        "means: same": ("means: equal", "unknown_option"),
        "- {name: swapped,": ("- {name: Left out,", "duplicate_id"),
    }
    for old, (new, rule) in wrong.items():
        text = SAMPLE + PART.replace(old, new)
        found = [(problem.rule, problem.line) for problem in problems_of(text)]
        assert found == [(rule, line_of(text, new))], new


def test_forms_fit_the_scale() -> None:
    """A likert needs that many points, a choice its options, and nothing has both."""
    for old, new in (
        ("form: likert-3", "form: likert-5"),
        ("form: likert-3", "form: binary"),
        (", form: likert-3", ""),
        ("question: change\n", "question: change\n          form: binary\n"),
        ("form: likert-3", "options: [{name: a, means: less}]"),
    ):
        assert [problem.rule for problem in problems_of(SAMPLE + PART.replace(old, new))] == ["form"], new


def test_a_question_of_another_operation_is_refused() -> None:
    """The answer could never be given."""
    part = PART.replace("operation: swap}", "operation: split, answers: [{name: c, question: change, form: binary}]}")
    assert {problem.rule for problem in problems_of(SAMPLE + part)} == {"operation", "form"}
