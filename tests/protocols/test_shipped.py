"""Every protocol folder is complete, and says what its document says where that is easy to get wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from rubrica.core.conditions import AnswerIs, FieldsSame
from rubrica.core.protocol import Protocol
from rubrica.core.scales import Choice, Choices, Ordinal, RewrittenText, YesNo
from rubrica.core.study import Item, Judgement
from rubrica.core.texts import Text, Wordings, shown
from rubrica.core.validation import Validator
from rubrica.protocols.catalog import FOLDER, load_shipped, shipped

every_protocol = pytest.mark.parametrize("protocol_id", shipped())
BREVE_AND_CLARO = pytest.mark.parametrize("protocol_id", ["breve", "claro"])


def protocol_of(protocol_id: str) -> Protocol:
    """A shipped protocol."""
    return load_shipped(protocol_id).protocol


def texts_in(part: Any) -> Iterator[Text]:
    """Every text anywhere in a protocol."""
    if isinstance(part, Text):
        yield part
    elif isinstance(part, Wordings):
        yield from part.options.values()
    elif isinstance(part, tuple | list):
        yield from (text for inner in part for text in texts_in(inner))
    elif isinstance(part, dict):
        yield from (text for inner in part.values() for text in texts_in(inner))
    elif attrs.has(type(part)):
        yield from (text for field in attrs.fields(type(part)) for text in texts_in(getattr(part, field.name)))


def anchors(protocol_id: str, language: str) -> list[str]:
    """The anchors of the headings in the guidelines."""
    return re.findall(r"\{#([a-z0-9_]+)\}", protocol_of(protocol_id).guidelines.languages[language])


def points(protocol: Protocol, question: str) -> list[int]:
    """The points of a question's ordinal scale."""
    scale = protocol.scale_of(protocol.questions_by_id[question])
    assert isinstance(scale, Ordinal)
    return scale.values()


@every_protocol
def test_loads_without_a_problem(protocol_id: str) -> None:
    """A shipped protocol loads, its practice items included, and is called like its folder."""
    protocol = protocol_of(protocol_id)
    assert protocol.id == protocol_id
    assert len(protocol.practice) >= 10


@every_protocol
def test_guidelines_explain_every_question(protocol_id: str) -> None:
    """Each question has a heading with its anchor in the guidelines, the same in every language, each once."""
    english = anchors(protocol_id, "en")
    assert set(protocol_of(protocol_id).questions_by_id) <= set(english)
    assert all(english == anchors(protocol_id, language) for language in protocol_of(protocol_id).languages)
    assert len(english) == len(set(english))


@every_protocol
def test_every_text_is_in_the_protocols_languages(protocol_id: str) -> None:
    """At least English and Spanish; every other language than English awaits a native speaker's review."""
    protocol = protocol_of(protocol_id)
    chosen = {name for parameter in protocol.parameters if parameter.options for name in parameter.options}
    without_practice = attrs.evolve(protocol, practice=())
    texts = [text for text in texts_in(without_practice) if not set(text.languages.values()) <= chosen]
    assert len(texts) > 30
    assert all(text.languages.get(language, "").strip() for text in texts for language in protocol.languages)
    assert protocol.languages[:2] == ("en", "es")
    assert set(protocol.unreviewed) == {*protocol.languages, *protocol.partly_translated} - {"en"}


@every_protocol
def test_the_folder_is_complete(protocol_id: str) -> None:
    """A README introduces the protocol by its document; guidelines lie beside it in all its languages."""
    folder = FOLDER / protocol_id
    assert protocol_id in (folder / "README.md").read_text(encoding="utf-8")
    assert {file.name for file in folder.glob("guidelines.*.md")} == {
        f"guidelines.{language}.md" for language in protocol_of(protocol_id).languages
    }
    assert protocol_of(protocol_id).document


@every_protocol
def test_anybody_may_leave_an_item(protocol_id: str) -> None:
    """Every protocol lets people leave an uncomfortable item to others, and its guidelines say so beforehand."""
    protocol = protocol_of(protocol_id)
    stage = protocol.stages[0]
    assert Validator(protocol, stage).problems(Item("i", {}), Judgement(outcome="uncomfortable")) == []
    assert protocol.passes_on("uncomfortable")
    assert "You may skip any" in protocol.guidelines.get("en")


@every_protocol
def test_good_and_bad_examples_are_there(protocol_id: str) -> None:
    """Each protocol has positive and negative examples of answers."""
    examples = [
        example for question in protocol_of(protocol_id).questions_by_id.values() for example in question.examples
    ]
    assert {example.good for example in examples} == {True, False}


class TestBreveAndClaro:
    """Readings of 000: concise (breve) and plain (claro) rewrites."""

    def test_only_breve_asks_about_simplification(self) -> None:
        """Simplification has three points in breve and is not asked in claro."""
        assert points(protocol_of("breve"), "simplification") == [1, 2, 3]
        assert "simplification" not in protocol_of("claro").questions_by_id

    @BREVE_AND_CLARO
    def test_meaning_fluency_and_severity_have_three_points(self, protocol_id: str) -> None:
        """Meaning, fluency and severity are rated from 1 to 3."""
        protocol = protocol_of(protocol_id)
        assert [points(protocol, name) for name in ("meaning", "fluency", "severity")] == [[1, 2, 3]] * 3

    @BREVE_AND_CLARO
    def test_columns_are_called_as_in_the_document(self, protocol_id: str) -> None:
        """Sheets have the document's own headers."""
        headers = [question.header for question in protocol_of(protocol_id).questions if question.header]
        expected = ["Simplification", "Meaning Preservation", "Fluency", "Concerning Content"]
        assert headers == expected[protocol_id == "claro" :]

    @BREVE_AND_CLARO
    def test_concern_has_six_kinds_and_needs_no_comment(self, protocol_id: str) -> None:
        """Concerning content is yes or no; its kinds, only after yes, and the comment may be left out."""
        protocol = protocol_of(protocol_id)
        kinds, comment = (protocol.questions_by_id[name] for name in ("concern_kinds", "comment"))
        scale = protocol.scale_of(kinds)
        assert isinstance(protocol.scale_of(protocol.questions_by_id["concern"]), YesNo)
        assert isinstance(scale, Choices)
        assert scale.values() == ["offensive", "stereotypes", "discrimination", "hate", "sensitive", "other"]
        assert kinds.when == AnswerIs("concern", ("yes",))
        assert not kinds.required
        assert not comment.required
        assert "concern_comment" in [hint.id for hint in protocol.hints]

    @BREVE_AND_CLARO
    def test_acceptance_asks_for_what_follows(self, protocol_id: str) -> None:
        """Accept with edit requires the edit; reject requires severity and a corrected sentence; accept neither."""
        protocol = protocol_of(protocol_id)
        scale = protocol.scale_of(protocol.questions_by_id["acceptance"])
        assert isinstance(scale, Choice)
        assert scale.values() == ["accept", "accept_with_edit", "reject"]
        conditional = {q.id: q for q in protocol.questions if q.id in ("edit", "severity", "corrected")}
        assert all(question.required for question in conditional.values())
        assert {name: question.when for name, question in conditional.items()} == {
            "edit": AnswerIs("acceptance", ("accept_with_edit",)),
            "severity": AnswerIs("acceptance", ("reject",)),
            "corrected": AnswerIs("acceptance", ("reject",)),
        }
        assert protocol.scale_of(conditional["edit"]) == RewrittenText(
            "rewrite", filled=True, differs_from=("rewrite",)
        )
        assert protocol.scale_of(conditional["corrected"]) == RewrittenText(
            "source", filled=True, asks_if_same=("source", "rewrite")
        )

    @BREVE_AND_CLARO
    def test_identical_sentences_have_one_rule(self, protocol_id: str) -> None:
        """The same sentence twice: meaning and fluency 3, acceptance and what follows dropped, the rest reworded."""
        (rule,) = protocol_of(protocol_id).rules
        assert rule.condition == FieldsSame("source", "rewrite")
        assert rule.preset == {"meaning": 3, "fluency": 3}
        assert rule.drop == ("acceptance", "edit", "severity", "corrected")
        assert set(rule.reword) == {"simplification", "concern", "needed", "comment"} - (
            {"simplification"} if protocol_id == "claro" else set()
        )
        assert "miss something" in shown(rule.reword["comment"], "en")

    @BREVE_AND_CLARO
    def test_three_people_judge_each_pair(self, protocol_id: str) -> None:
        """One stage, three judgements a pair."""
        assert [(stage.id, stage.overlap) for stage in protocol_of(protocol_id).stages] == [("rate", 3)]

    def test_claro_prefers_plain_to_short(self) -> None:
        """The questions that ask for a text in claro say that plain language goes before length."""
        protocol = protocol_of("claro")
        for name in ("edit", "corrected"):
            notes = " ".join(shown(note, "en") for note in protocol.questions_by_id[name].notes)
            assert "Plain comes before short" in notes

    @BREVE_AND_CLARO
    def test_examples_hold_the_hard_cases(self, protocol_id: str) -> None:
        """A broken tense is meaning 1, an extra comma fluency 2, a repeated word or a calque from English fluency 1."""
        questions = protocol_of(protocol_id).questions_by_id
        reasons = {
            (name, example.answer): shown(example.why, "en")
            for name in ("meaning", "fluency")
            for example in questions[name].examples
        }
        assert "comma" in reasons[("fluency", 2)]
        notes = " ".join(shown(note, "en") for name in ("meaning", "fluency") for note in questions[name].notes)
        for words in (
            "tense agreement is a 1",
            "comma is a 2",
            "misspelt word is a 1",
            "translated from English is a 1",
        ):
            assert words in notes


class TestAdequacyFluency:
    """Readings of 002: content preservation and fluency."""

    PROTOCOL = load_shipped("adequacy_fluency").protocol

    def test_two_questions_of_five_points(self) -> None:
        """Both are rated from 1 to 5 under the document's headers."""
        rated = [question for question in self.PROTOCOL.questions if question.required]
        assert [(q.header, points(self.PROTOCOL, q.id)) for q in rated] == [
            ("Content Preservation", [1, 2, 3, 4, 5]),
            ("Fluency", [1, 2, 3, 4, 5]),
        ]

    def test_columns_come_in_the_documents_order(self) -> None:
        """Reference, hypothesis, content preservation, fluency; original and prediction are understood too."""
        assert [field.id for field in self.PROTOCOL.fields] == ["reference", "hypothesis"]
        assert "original" in self.PROTOCOL.fields[0].aliases
        assert "prediction" in self.PROTOCOL.fields[1].aliases

    def test_fluency_is_judged_without_the_reference(self) -> None:
        """The reference is dimmed while fluency is asked, and only then."""
        assert {q.id: q.dims + q.hides for q in self.PROTOCOL.questions if q.dims or q.hides} == {
            "fluency": ("reference",)
        }

    @pytest.mark.parametrize(("language", "named"), [("Hausa", "Flawless Hausa"), (None, "Flawless English")])
    def test_the_language_in_the_labels_is_a_parameter(self, language: str | None, named: str) -> None:
        """A study names the language that fluency is about."""
        resolved = self.PROTOCOL.resolve({"language": language} if language else {})
        scale = resolved.scale_of(resolved.questions_by_id["fluency"])
        assert isinstance(scale, Ordinal)
        meanings = [shown(point.meaning, "en") for point in scale.points]
        assert meanings[-1] == named
        assert sum(named.split()[1] in meaning for meaning in meanings) == 4

    def test_one_sheet_at_a_time(self) -> None:
        """The next sheet is dealt when the last is read back."""
        assert self.PROTOCOL.one_sheet_at_a_time

    @pytest.mark.parametrize(("answer", "word"), [(1, "topic"), (4, "detail"), (5, "synonym")])
    def test_content_points_mean_what_the_document_says(self, answer: int, word: str) -> None:
        """Different topics are 1, a detail more or less is 4, a synonym is still 5."""
        examples = self.PROTOCOL.questions_by_id["content_preservation"].examples
        assert any(example.answer == answer and word in shown(example.why, "en") for example in examples)
