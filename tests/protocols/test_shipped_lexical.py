"""Readings of 004: the three lexical protocols of MLSP."""

from __future__ import annotations

import pytest

from rubrica.core.scales import Ordinal, ShortAnswers
from rubrica.core.study import Item, Judgement
from rubrica.core.texts import Text, Wordings, shown
from rubrica.core.validation import Validator
from rubrica.protocols.catalog import load_shipped

LEXICAL = ["lexical_complexity", "lexical_simplification", "lexical_posthoc"]
MLSP = {"ca", "en", "fil", "fr", "de", "it", "ja", "pt", "si", "es"}
CONTEXT = "The ferry was cancelled because of the dense fog."

every_lexical = pytest.mark.parametrize("protocol_id", LEXICAL)


def spoken(text: Text | Wordings | None) -> list[set[str]]:
    """The languages of a text, or of each of its wordings."""
    assert text is not None
    return [set(part.languages) for part in (text.options.values() if isinstance(text, Wordings) else [text])]


@every_lexical
def test_what_is_shown_beside_an_item_is_in_ten_languages(protocol_id: str) -> None:
    """Labels and meanings of scale points, prompts, fields and stages exist in all languages of the task."""
    protocol = load_shipped(protocol_id).protocol
    ordinals = [scale for scale in protocol.scales.values() if isinstance(scale, Ordinal)]
    texts = [text for scale in ordinals for point in scale.points for text in (point.label, point.meaning)]
    texts += [scale.none for scale in protocol.scales.values() if isinstance(scale, ShortAnswers)]
    texts += [question.prompt for question in protocol.questions]
    texts += [part.label for part in (*protocol.fields, *protocol.stages)]
    assert all(languages == MLSP for text in texts for languages in spoken(text))


@every_lexical
def test_every_language_of_the_task_is_whole(protocol_id: str) -> None:
    """From the title to the guidelines; every language but English awaits a native speaker's review."""
    protocol = load_shipped(protocol_id).protocol
    assert {*protocol.languages, *protocol.partly_translated} == MLSP
    assert set(protocol.unreviewed) == MLSP - {"en"}


@every_lexical
def test_practice_is_in_the_language_of_the_texts(protocol_id: str) -> None:
    """Three items or more in each language, with the word in its sentence, explained in it and in English."""
    protocol = load_shipped(protocol_id).protocol
    stage = protocol.stages[0].id
    for language in protocol.languages:
        items = protocol.practice_at(stage, language)
        assert len(items) >= 3
        assert {item.language for item in items} == ({""} if language == "en" else {language})
        for item in items:
            assert item.fields["target"] in item.fields["context"]
            assert {"en", language} <= set(item.explanation.languages)  # type: ignore[union-attr]
    assert protocol.practice_at(stage, "nl") == protocol.practice_at(stage)


@every_lexical
def test_difficulty_is_for_you_or_for_the_audience(protocol_id: str) -> None:
    """A study chooses between the two wordings and may name its readers, in every language."""
    protocol = load_shipped(protocol_id).protocol
    wording, audience = protocol.parameters
    assert (wording.options, wording.default.get("en")) == (("you", "audience"), "you")
    assert set(audience.default.languages) == MLSP
    first = protocol.questions[0].id
    for language in MLSP:
        for_you = shown(protocol.resolve({}).questions_by_id[first].prompt, language)
        for_them = shown(
            protocol.resolve({"wording": "audience", "audience": "XYZ"}).questions_by_id[first].prompt, language
        )
        assert for_you != for_them
        assert "XYZ" in for_them
        assert "{" not in for_you + for_them


@pytest.mark.parametrize(
    ("protocol_id", "overlap"), [("lexical_complexity", 10), ("lexical_simplification", 10), ("lexical_posthoc", 2)]
)
def test_enough_people_judge_each_word(protocol_id: str, overlap: int) -> None:
    """Ten or more annotators a word, and two judges or more afterwards."""
    (stage,) = load_shipped(protocol_id).protocol.stages
    assert stage.overlap == overlap


@pytest.mark.parametrize("protocol_id", LEXICAL[:2])
def test_the_words_of_a_context_are_shown_together(protocol_id: str) -> None:
    """Items with the same context make a group, each word an item of its own."""
    protocol = load_shipped(protocol_id).protocol
    assert protocol.group_by == "context"
    assert [(field.id, field.role) for field in protocol.fields] == [("context", "context"), ("target", "target")]


def test_complexity_has_five_named_points() -> None:
    """From very easy to very difficult, as the shared task names them."""
    scale = load_shipped("lexical_complexity").protocol.scales["complexity5"]
    assert isinstance(scale, Ordinal)
    assert [(point.value, shown(point.label, "en")) for point in scale.points] == [
        (1, "Very Easy"), (2, "Easy"), (3, "Neutral"), (4, "Difficult"), (5, "Very Difficult"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("substitutes", "valid"),
    [
        (("thick",), True),
        (("thick", "heavy", "deep"), True),
        (("dense",), True),
        ((), True),
        (("a", "b", "c", "d"), False),
        (("thick", "thick"), False),
    ],
)
def test_one_to_three_substitutes_or_none(substitutes: tuple[str, ...], valid: bool) -> None:
    """One to three different words; the word itself or a blank mean that there is no simpler one."""
    protocol = load_shipped("lexical_simplification").protocol
    found = Validator(protocol, protocol.stages[0]).problems(
        Item("i", {"context": CONTEXT, "target": "dense"}), Judgement({"substitutes": substitutes})
    )
    assert (found == []) is valid


def test_both_ways_of_none_are_explained() -> None:
    """The scale says what blank means, and the notes that agreement with other words need not be perfect."""
    protocol = load_shipped("lexical_simplification").protocol
    scale = protocol.scales["substitutes3"]
    assert isinstance(scale, ShortAnswers)
    assert "blank" in shown(scale.none, "en")
    assert "same word" in shown(scale.none, "en")
    notes = " ".join(shown(note, "en") for note in protocol.questions_by_id["substitutes"].notes)
    assert "need not be perfect" in notes
    assert "order does not matter" in notes


def test_posthoc_rates_three_criteria() -> None:
    """Simplicity, fluency and meaning from 1 to 5, under these headers, on a substitute in its context."""
    protocol = load_shipped("lexical_posthoc").protocol
    rated = [question for question in protocol.questions if question.required]
    assert [question.header for question in rated] == ["Simplicity", "Fluency", "Meaning Preservation"]
    assert all(protocol.scale_of(question).values() == [1, 2, 3, 4, 5] for question in rated)
    assert [field.id for field in protocol.fields] == ["context", "target", "substitute"]
