"""Edits in a protocol file: operations, presets, questions and types that can be used."""

from tests.protocols.sample import SAMPLE, Mistake, check_one, mistakes, problems_of

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
