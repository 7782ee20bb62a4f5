"""Live hints: what is noticed about rewrites and short answers, and that nothing is noticed where nothing is known."""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.conditions import AllOf, AnswerIs, FieldsSame
from rubrica.core.hints import KINDS, MOST_WORDS, Remark, ambiguous_pronouns, remarks
from rubrica.core.protocol import Field, Hint, Question, Stage
from rubrica.core.scales import RewrittenText, ShortAnswers
from rubrica.core.study import Item, Judgement
from rubrica.core.texts import Text, plain, shown
from rubrica.protocols.catalog import load_shipped
from tests.core.sample import ITEM, PROTOCOL, SAME, SCALES, WORDS

WRITING = attrs.evolve(
    PROTOCOL,
    fields=(*PROTOCOL.fields, Field("word", "target", WORDS, required=False)),
    scales={**SCALES, "rewriting": RewrittenText("source"), "few": ShortAnswers(1, 3, WORDS)},
    questions=(
        Question("decision", "decision", WORDS, required=False),
        Question("text", "rewriting", WORDS, when=AnswerIs("decision", ("reject",))),
        Question("substitutes", "few", WORDS, required=False),
    ),
    rules=(),
    edits=None,
)
SPLIT = load_shipped("split_rewrite").protocol


def on_text(text: str, source: str = "A cat sat.", language: str = "en") -> dict[str, tuple[int | str, ...]]:
    """The remarks on a rewrite, by kind."""
    judgement = Judgement({"decision": "reject", "text": text})
    return {found.kind: found.values for found in remarks(WRITING, Item("i", {"source": source}), judgement, language)}


def on_words(target: str, *answers: str) -> dict[str, tuple[int | str, ...]]:
    """The remarks on short answers, by kind."""
    found = remarks(WRITING, Item("i", {"word": target}), Judgement({"substitutes": answers}), "xx")
    return {remark.kind: remark.values for remark in found}


def test_counts_sentences_in_every_language() -> None:
    """An unknown language gets the count and nothing else."""
    assert on_text("彼は来た。彼女は去った。", "彼は来て、彼女は去った。", "ja") == {"sentences": (2,)}
    assert on_text("Yksi. Kaksi.", language="fi") == {"sentences": (2,)}


def test_names_words_gone_and_new() -> None:
    """Content words of one text that the other lacks are listed as written; case and function words are ignored."""
    found = on_text("Cats built THE Tower in 1,840.", "The tower, which was built by monks in 1,840, shines.", "en-GB")
    assert found == {"sentences": (1,), "words_gone": ("monks", "shines"), "words_new": ("Cats",)}
    spanish = on_text("La casa está aquí.", "La casa que construyó mi abuela está aquí.", "es-MX")
    assert spanish == {"sentences": (1,), "words_gone": ("construyó", "abuela")}


def test_lists_no_more_words_than_are_read() -> None:
    """At most twelve words are listed, the first ones."""
    source = " ".join(f"word{number}" for number in range(30))
    assert on_text("Nothing.", source)["words_gone"] == tuple(source.split()[:MOST_WORDS])


@pytest.mark.parametrize(
    ("language", "text", "pronouns"),
    [
        ("en", "Ingrid Holm shared the prize with her colleague Petra Lang. She had designed it.", ["She"]),
        ("en", "Rosa Quintero wrote the manual with Elena Paz. She later moved to Chile.", ["She"]),
        ("en", "Tom thanked Bill because he had won.", ["he"]),
        ("en", "The dog chased the cat. It ran away. Then it slept.", ["It"]),
        ("en", "Edda Lund is a potter. Maya Ferro is a potter, too. She lives in a village near Bergen.", ["She"]),
        ("es", "Edda Lund es alfarera. Maya Ferro también es alfarera. Ella vive en Bergen.", ["Ella"]),
        ("en", "The nurse called the doctor and he came.", ["he"]),
        ("en", "The museum bought a painting. This was a surprise.", ["This"]),
        ("en", "Dr. Smith met Ana Ruiz. She laughed.", ["She"]),
        ("es", "Ana llamó a Marta. Ella no contestó.", ["Ella"]),
        ("es", "El perro vio al gato. Eso fue malo.", ["Eso"]),
        ("es", "Los niños y las niñas jugaban. Ellos ganaron.", ["Ellos"]),
    ],
)
def test_notices_a_pronoun_that_may_mean_several_things(language: str, text: str, pronouns: list[str]) -> None:
    """A pronoun after two names or nouns that compete is given as it was first written, once."""
    assert ambiguous_pronouns(text, language) == pronouns


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Rosa Quintero designs bridges. Quintero has taught in Quito since May. She grew up on a farm."),
        ("en", "The hospital was opened in May 2011 by the governor. It has 60 beds."),
        ("en", "The dog saw the cat. This house is near the lake, and I know that house."),
        ("en", "It rained. She left."),
        ("en", "Amara Obi was born in Enugu, Nigeria. She studied in Lagos."),
        ("en", "Juan Vela governed the former Spanish colony. He retired late."),
        ("en", "The Harbour Trust is a charity. It restored the old pier. It sold the tower to a hotel in 2010."),
        ("en", "Edda Lund is a potter. Maya Ferro is a potter, too. Lund works in Bergen. She sells bowls."),
        ("en", "Piet sings. He taught Anke. He lives in Delft."),
        ("en", "Piet sings. Piet taught Anke. He lives in Delft."),
        ("en", "Rosa Quintero, who grew up on a sheep farm, designs bridges. She has taught engineering since 2009."),
        ("en", "Rosa Quintero won two Harbour Prizes. She retired in 1934."),
        ("es", "Rosa Quintero se crio en una granja. Ella diseña puentes."),
        ("fi", "The dog chased the cat. It ran away."),
    ],
)
def test_is_silent_about_clear_pronouns(language: str, text: str) -> None:
    """One candidate, a repeated name, what is set aside by a preposition, or a clear topic are no reason to remark."""
    assert ambiguous_pronouns(text, language) == []


def test_the_hint_agrees_with_the_guidelines() -> None:
    """Of the examples that the protocol shows, the ambiguous pronoun alone is remarked on."""
    examples = [example for question in SPLIT.questions for example in question.examples]
    remarked = {
        shown(example.why, "en"): found
        for example in examples
        if (found := ambiguous_pronouns(shown(example.shows, "en").rpartition("Rewrite: ")[2], "en"))
    }
    assert list(remarked.values()) == [["She"]]
    assert "ambiguous pronoun" in next(iter(remarked))


def test_the_practice_answers_get_no_remark_on_pronouns() -> None:
    """The rewrites that we show as good are not called ambiguous."""
    for practice in SPLIT.practice:
        judgement = Judgement(practice.answers, outcome=practice.outcome)
        found = remarks(SPLIT, Item(practice.id, practice.fields), judgement, "en")
        assert "pronoun" not in {remark.kind for remark in found}


def test_notices_short_answers() -> None:
    """The same word, a repetition, a phrase and another script are each named, in any language."""
    assert on_words("café", "CAFE\u0301") == {"same_word": ("CAFE\u0301",)}
    assert on_words("begin", "start", "Start ", "set off") == {"repeated": ("Start",), "several_words": ("set off",)}
    assert on_words("begin", "стaрт") == {"other_script": ("стaрт",)}
    assert on_words("begin", "go", " ", "") == {}


@pytest.mark.parametrize(
    ("target", "answer"), [("図書館", "としょカン"), ("ＣＤ", "disc"), ("2º", "segundo"), ("", "go")]
)
def test_mixed_writing_is_one_script(target: str, answer: str) -> None:
    """Kana and Han go together, wide letters are letters, and without a target there is nothing to compare."""
    assert on_words(target, answer) == {}


@pytest.mark.parametrize(
    "judgement",
    [
        Judgement({}),
        Judgement({"decision": "reject", "text": " \n"}),
        Judgement({"decision": "keep", "text": "Hidden."}),
        Judgement({"decision": "reject", "text": "Left."}, outcome="skip"),
    ],
)
def test_is_silent_where_nothing_is_written(judgement: Judgement) -> None:
    """A missing, blank or hidden answer and a way out get no remark."""
    assert remarks(WRITING, ITEM, judgement, "en") == []


def test_a_keyword_is_not_a_rewrite() -> None:
    """The keyword of a way out is not compared with the source; other words are."""
    item = Item("i", {"source": "A cat sat."})
    assert remarks(SPLIT, item, Judgement({"rewrite": "Simple."}), "en") == []
    assert remarks(SPLIT, item, Judgement({"rewrite": "Simply."}), "en") != []


def test_a_stage_limits_the_questions() -> None:
    """A question that the stage does not ask gets no remark."""
    stage = Stage("words", WORDS, "annotator", 1, asks=("decision",))
    assert remarks(WRITING, ITEM, Judgement({"substitutes": ("a b",)}), "en", stage=stage) == []


def test_gives_the_protocols_hints_that_hold() -> None:
    """A hint may look at answers, preset ones included, and at the item; it is worded for the reader."""
    text = Text({"en": "Say why.", "es": "Di por qué."}, "en")
    same = AllOf((FieldsSame("source", "rewrite"), AnswerIs("quality", (3,))))
    hints = (
        Hint("always", "comment", plain("Thanks.")),
        Hint("low", "comment", text, AnswerIs("quality", (1,))),
        Hint("same", "comment", text, same),
        Hint("hidden", "severity", plain("Hidden.")),
    )
    protocol = attrs.evolve(PROTOCOL, hints=hints)
    thanks = Remark("comment", "protocol", ("Thanks.",))
    assert remarks(protocol, ITEM, Judgement({"quality": 2}), "en") == [thanks]
    low = remarks(protocol, ITEM, Judgement({"quality": 1}), "en", reader="es")
    assert low == [thanks, Remark("comment", "protocol", ("Di por qué.",))]
    assert remarks(protocol, SAME, Judgement({}), "en") == [thanks, Remark("comment", "protocol", ("Say why.",))]


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(["en", "es", "ja", ""]))
def test_any_text_gets_remarks_of_known_kinds(source: str, text: str, language: str) -> None:
    """Nothing that can be typed makes the hints fail."""
    answers: dict[str, Any] = {"decision": "reject", "text": text, "substitutes": (text, source)}
    item = Item("i", {"source": source, "word": source})
    assert {remark.kind for remark in remarks(WRITING, item, Judgement(answers), language)} <= set(KINDS)


@pytest.mark.parametrize("part", ["Ana{0} Ruiz{0}. ", "The x{0} is it. ", "She "])
def test_long_texts_get_remarks(part: str) -> None:
    """A text as long as an answer may be gets its remarks, however it is made up."""
    text = "".join(part.format(number) for number in range(20_000 // len(part)))
    assert on_text(text, text[::-1])
