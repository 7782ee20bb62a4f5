"""From a valid file to the objects of core."""

import attrs
import pytest

from rubrica.core import conditions as c
from rubrica.core.edits import NotFound, Span
from rubrica.core.scales import Choices, RewrittenText, ShortAnswers, Slider, YesNo
from rubrica.core.texts import Text, Wordings
from rubrica.protocols.text_building import find_words
from tests.protocols.sample import SAMPLE, Mistake, load_text, spoil

SAMPLE_PROTOCOL = load_text(SAMPLE).protocol


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("{question: concern, is: yes}", c.AnswerIs("concern", ("yes",))),
        ("{question: quality, is: [1, 2]}", c.AnswerIs("quality", (1, 2))),
        ("{question: quality, is_not: 1}", c.Not(c.AnswerIs("quality", (1,)))),
        ("{question: kinds, includes: rude}", c.AnswerIncludes("kinds", ("rude",))),
        ("{question: comment, answered: true}", c.Answered("comment")),
        ("{field: source, same_as: rewrite}", c.FieldsSame("source", "rewrite")),
        ("{field: remark, is: x}", c.FieldIs("remark", ("x",))),
        ("{field: remark, is_not: [x, y]}", c.Not(c.FieldIs("remark", ("x", "y")))),
        ("{outcome: [skip, answered]}", c.OutcomeIs(("skip", "answered"))),
        ("{not: {all: [{outcome: skip}]}}", c.Not(c.AllOf((c.OutcomeIs(("skip",)),)))),
        ("{any: [{outcome: skip}, {outcome: too_simple}]}",
         c.AnyOf((c.OutcomeIs(("skip",)), c.OutcomeIs(("too_simple",))))),
    ],
)  # fmt: skip
def test_conditions_mean_what_is_written(written: str, meant: c.Condition) -> None:
    """Each form of a condition becomes its own test."""
    protocol = load_text(spoil(SAMPLE, Mistake("{outcome: too_simple}", written, ""))).protocol
    assert protocol.verdicts[1].when == meant


def test_scales_become_objects() -> None:
    """Each scale keeps its numbers, and what is left out has its default."""
    scales = SAMPLE_PROTOCOL.scales
    assert scales["half"] == Slider(0, 5, 0.5)
    assert scales["rewriting"] == RewrittenText("source", 2)
    assert isinstance(scales["substitutes"], ShortAnswers)
    assert isinstance(scales["some_of"], Choices)
    assert (scales["some_of"].minimum, scales["some_of"].maximum) == (1, 2)
    every = load_text(spoil(SAMPLE, Mistake("    maximum: 2\n", "", ""))).protocol.scales["some_of"]
    assert isinstance(every, Choices)
    assert every.maximum == 3


def test_yes_and_no_are_known_in_ten_languages() -> None:
    """The labels of a yes/no scale need no translation of their own."""
    scale = SAMPLE_PROTOCOL.scales["yes_no"]
    assert isinstance(scale, YesNo)
    assert isinstance(scale.yes, Text)
    assert set(scale.yes.languages) == {"en", "es", "ca", "fil", "fr", "de", "it", "ja", "pt", "si"}


def test_wordings_become_objects() -> None:
    """A text whose wording a parameter chooses keeps all its wordings until a study settles them."""
    prompt = SAMPLE_PROTOCOL.questions[0].prompt
    assert isinstance(prompt, Wordings)
    assert set(prompt.options) == {"you", "others"}
    resolved = SAMPLE_PROTOCOL.resolve({"wording": "others", "reader": "Ana"}).questions[0].prompt
    assert resolved == Text({"en": "How good is it for Ana?"}, "en")


def test_stages_without_edits_have_none() -> None:
    """A protocol that describes no edits has no stage that takes them."""
    text = SAMPLE[: SAMPLE.index("edits:\n  families")] + "stages: [{id: rate, label: Rate, overlap: 2}]\n"
    text += "guidelines: Read.\n"
    assert [stage.edits for stage in load_text(text).protocol.stages] == ["none"]
    assert [stage.edits for stage in SAMPLE_PROTOCOL.stages] == ["free", "free", "fixed"]


def test_practice_is_for_the_last_stage_that_is_not_an_adjudicators() -> None:
    """A practice item without a stage belongs to the stage that asks most; if all adjudicate, to the last."""
    item = "  - {id: p0, outcome: skip, explanation: x, fields: {source: a, rewrite: b}}\n"
    text = spoil(SAMPLE, Mistake("practice:\n", f"practice:\n{item}", ""))
    assert load_text(text).protocol.practice[0].stage == "rate"
    only = text.replace("label: Rate\n", "label: Rate\n    role: adjudicator\n")
    only = only.replace("{id: mark, label: Mark,", "{id: mark, label: Mark, role: adjudicator,")
    assert load_text(only).protocol.practice[0].stage == "rate"


def test_practice_edits_have_spans() -> None:
    """Quoted words become offsets into the item's own text."""
    assert SAMPLE_PROTOCOL.practice[0].edits[0].source == (Span(2, 5),)


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("a cat, a cat", "cat#2", Span(9, 12)),
        ("a cat", "cat", Span(2, 5)),
        ("item #2 here", "item #2", Span(0, 7)),
        ("a cat#2", "cat#2", Span(2, 7)),
        ("a cat, a cat", "cat", NotFound("cat", 2)),
        ("a cat", "cat#²", NotFound("cat#²", 0)),
        ("a cat", "#1", NotFound("", 0)),
        ("this is it", "is", Span(5, 7)),
        ("this is what is", "is#2", Span(13, 15)),
        ("this", "is", Span(2, 4)),
        ("he said he, the heir", "he#2", Span(8, 10)),
        ("a cat", "cat#2", NotFound("cat", 1)),
    ],
)
def test_quotes_name_their_occurrence(text: str, quote: str, expected: Span | NotFound) -> None:
    """``words#2`` is the second occurrence, unless the text itself reads so."""
    assert find_words(text, quote) == expected


def test_nothing_is_shared_with_the_file() -> None:
    """The built protocol is frozen all the way: an attribute cannot be set."""
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        SAMPLE_PROTOCOL.questions[0].id = "other"  # type: ignore[misc]
