"""Simulated annotators: whatever the protocol, stage and item, what they say is valid."""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import Protocol, Question, Stage
from rubrica.core.scales import Choices, Option, RewrittenText, Scale, ShortAnswers, Slider
from rubrica.core.simulation import Simulator
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.protocols.catalog import load_shipped, shipped
from tests.core.sample import PROTOCOL, WORDS

STAGES = [(name, stage.id) for name in shipped() for stage in load_shipped(name).protocol.stages]
TEXTS = [
    "",
    "x",
    "Mr. A. B.",
    "日本語の文です。",
    "The hut, built in 1900, is small.",
    "e.g. i.e. vs.",
    "a\nb",
    "—",
    "x" * 25_000,
]


def at(protocol_id: str, stage_id: str) -> tuple[Protocol, Stage]:
    """A shipped protocol and one of its stages."""
    protocol = load_shipped(protocol_id).protocol
    return protocol, protocol.stage(stage_id)


@pytest.mark.parametrize(("protocol_id", "stage_id"), STAGES)
@given(texts=st.lists(st.sampled_from(TEXTS) | st.text(max_size=40), min_size=3, max_size=3), seed=st.integers(0, 99))
def test_judgements_are_always_valid(protocol_id: str, stage_id: str, texts: list[str], seed: int) -> None:
    """For every protocol and stage, any item gets a judgement without a problem."""
    protocol, stage = at(protocol_id, stage_id)
    item = Item("i", {field.id: text for field, text in zip(protocol.fields, texts, strict=False)})
    judgement = Simulator(protocol, stage, str(seed)).judge(item)
    assert Validator(protocol, stage).problems(item, judgement) == []


@pytest.mark.parametrize(("protocol_id", "stage_id"), STAGES)
def test_the_same_seed_judges_the_same(protocol_id: str, stage_id: str) -> None:
    """A simulated annotator can be repeated, and another one differs somewhere."""
    protocol, stage = at(protocol_id, stage_id)
    items = [
        Item(str(n), {field.id: f"{field.id} number {n} is a text, which is long." for field in protocol.fields})
        for n in range(30)
    ]
    one, same, other = (Simulator(protocol, stage, seed) for seed in ("1", "1", "2"))
    said = [one.judge(item) for item in items]
    assert said == [same.judge(item) for item in items]
    assert said != [other.judge(item) for item in items]


def test_mostly_says_what_is_right() -> None:
    """Where the right judgement is known, it is given more often than not, but not always."""
    protocol, stage = at("split_rate", "rate")
    simulator, item = Simulator(protocol, stage, "1"), Item("i", {"source": "A.", "rewrite": "B."})
    right = Judgement({"sensible": 2, "grammatical": 1, "missing_facts": "yes", "new_facts": "no",
                       "wrong_split": "yes", "further_split": "no"})  # fmt: skip
    times = sum(simulator.judge(item, right) == right for _ in range(200))
    assert 100 < times < 200


def test_a_wrong_right_answer_is_not_repeated() -> None:
    """A judgement that is not valid at this stage is never given, even if it was called right."""
    protocol, stage = at("split_rate", "rate")
    simulator, item = Simulator(protocol, stage, "1"), Item("i", {"source": "A.", "rewrite": "B."})
    assert all(simulator.judge(item, Judgement({"sensible": 9})).answers["sensible"] != 9 for _ in range(20))


def test_keeps_the_edits_it_is_given() -> None:
    """At a stage that starts from earlier edits, spans and constituents stay and only questions are answered."""
    protocol, stage = at("salsa", "classify")
    given_edits = (
        Edit("1", "structure"),
        Edit("2", "deletion", (Span(0, 1),), parent="1"),
        Edit("3", "substitution", (Span(2, 5),), (Span(0, 1),)),
    )
    item = Item("i", {"source": "A cat sat.", "rewrite": "B sat."})
    judgement = Simulator(protocol, stage, "1").judge(item, edits=given_edits)
    assert [attrs.evolve(edit, answers={}) for edit in judgement.edits] == list(given_edits)
    assert Validator(protocol, stage).problems(item, judgement) == []


OPTIONS = tuple(Option(name, WORDS) for name in "abc")


@pytest.mark.parametrize(
    "scale",
    [
        Slider(0, 1000, 5),
        Slider(0.25, 100.25, 0.5),
        Choices(OPTIONS, 0, 3),
        Choices(OPTIONS, 3, 3),
        ShortAnswers(3, 5),
        ShortAnswers(2, 2, WORDS),
        RewrittenText("source", 5),
        RewrittenText("nowhere", 3),
    ],
    ids=lambda scale: scale.expects(),
)
@given(text=st.sampled_from(TEXTS), seed=st.integers(0, 50))
def test_answers_lie_on_unusual_scales(scale: Scale, text: str, seed: int) -> None:
    """Long sliders, many wanted answers and many wanted sentences get valid answers too."""
    stage = Stage("only", WORDS, "annotator", 1, edits="none")
    changes: dict[str, Any] = {"scales": {"it": scale}, "questions": (Question("q", "it", WORDS),), "rules": ()}
    protocol = attrs.evolve(PROTOCOL, **changes, edits=None, stages=(stage,))
    item = Item("i", {"source": text})
    judgement = Simulator(protocol, stage, str(seed)).judge(item)
    assert Validator(protocol, stage).problems(item, judgement) == []


def test_japanese_substitutes_are_no_particles() -> None:
    """Runs of hiragana between other words are endings and particles."""
    protocol, stage = at("lexical_simplification", "annotate")
    item = Item("1", {"context": "彼は突然の豪雨に驚愕した。", "target": "驚愕"})
    said = [Simulator(protocol, stage, str(seed)).judge(item).answers["substitutes"] for seed in range(60)]
    words = {word for answer in said if isinstance(answer, tuple) for word in answer}
    assert words <= {"彼", "突然", "豪雨", "驚愕"}
    assert len(words) == 4
