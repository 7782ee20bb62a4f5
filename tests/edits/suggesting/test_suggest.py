"""Suggested edits.

Suggested edits: each operation on texts of our own, marked as a person would mark them.

Suggested edits of any two texts: inside their texts, never overlapping, always the same, no character cut.

Suggested edits in another protocol's operations: by id where it is the same, else by the sides they mark.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rubrica.core.edit_validation import EditValidator
from rubrica.core.edits import SIDES, Edit, Span
from rubrica.core.protocol import EditScheme, Operation
from rubrica.core.study import Item
from rubrica.core.texts import plain
from rubrica.edits.suggesting.similarity import Synonyms
from rubrica.edits.suggesting.suggest import VERSION, fitted, suggest, suggested_by
from rubrica.edits.suggesting.words import words_of
from rubrica.protocols.catalog import load_shipped
from tests.edits.suggesting.reading import read


@pytest.mark.parametrize(
    ("source", "rewrite", "expected"),
    [
        ("The old red barn burned.", "The barn burned.", ["deletion: old red ->"]),
        (
            "The mayor (a keen cyclist) opened the bridge, which cost ten million, yesterday.",
            "The mayor opened the bridge yesterday.",
            ["deletion: (a keen cyclist) ->", "deletion: which cost ten million, ->"],
        ),
        ("She quickly sold the farm.", "She sold the farm.", ["deletion: quickly ->"]),
    ],
)
def test_deletions_are_phrases(source: str, rewrite: str, expected: list[str]) -> None:
    """Words that are gone with nothing in their place are one deletion, with the punctuation that belongs to them."""
    assert read(source, rewrite) == expected


@pytest.mark.parametrize(
    ("source", "rewrite", "expected"),
    [
        (
            "She studies lichens.",
            "She studies lichens, small growths on stones.",
            ["insertion: -> small growths on stones."],
        ),
        ("The ferry leaves at noon.", "The big ferry leaves at noon.", ["insertion: -> big"]),
    ],
)
def test_insertions_are_phrases(source: str, rewrite: str, expected: list[str]) -> None:
    """New words that stand for nothing are one insertion."""
    assert read(source, rewrite) == expected


@pytest.mark.parametrize(
    ("source", "rewrite", "expected"),
    [
        ("He purchased a boat.", "He bought a boat.", ["substitution: purchased -> bought"]),
        ("The ship sank approximately here.", "The ship sank about here.", ["substitution: approximately -> about"]),
        (
            "The inhabitants abandoned the village.",
            "The people who lived there left the village.",
            ["substitution: inhabitants abandoned -> people who lived there left"],
        ),
        (
            "The board unanimously rejected the plan.",
            "The board threw out the plan.",
            ["deletion: unanimously ->", "substitution: rejected -> threw out"],
        ),
        ("Two dogs bark.", "2 dogs bark.", ["substitution: Two -> 2"]),
        ("The children have eaten.", "The children eat.", ["substitution: have eaten. -> eat."]),
    ],
)
def test_substitutions_are_phrases(source: str, rewrite: str, expected: list[str]) -> None:
    """Other words in the same place are a substitution; an adverb that is gone is a deletion of its own."""
    assert read(source, rewrite) == expected


@pytest.mark.parametrize(
    ("source", "rewrite", "expected"),
    [
        (
            "On Sundays the old market is closed.",
            "The old market is closed on Sundays.",
            ["reorder: On Sundays -> on Sundays."],
        ),
        (
            "The lake froze after a cold week in January 1893.",
            "In January 1893 the lake froze after a cold week.",
            ["reorder: in January 1893. -> In January 1893"],
        ),
        (
            "To everyone who asked, the mayor wrote.",
            "The mayor wrote to everyone who asked.",
            ["reorder: To everyone who asked, -> to everyone who asked."],
        ),
    ],
)
def test_moved_words_are_a_reorder(source: str, rewrite: str, expected: list[str]) -> None:
    """The lighter of two parts that changed places is what moved, or the one that a comma sets before the sentence."""
    assert read(source, rewrite) == expected


@pytest.mark.parametrize(
    ("source", "rewrite", "expected"),
    [
        (
            "The committee, which met in May, rejected the plan, and the mayor resigned.",
            "The committee, which met in May, rejected the plan. || The mayor resigned.",
            ["split: ->", "* deletion: and ->"],
        ),
        (
            "Mira paints boats in the harbour, who sell well in spring.",
            "Mira paints boats in the harbour. They sell well in spring.",
            ["split: ->", "* deletion: who ->", "* insertion: -> They"],
        ),
        (
            "The team won the final game, ending a long wait.",
            "The team won the final game. This ended a long wait.",
            ["split: ->", "* insertion: -> This", "substitution: ending -> ended"],
        ),
        (
            "The castle, which was built in 1340, is now a school.",
            "The castle was built in 1340. It is now a school.",
            ["split: ->", "* deletion: which ->", "* insertion: -> It"],
        ),
        (
            "The tide was low; the boats lay on the sand.",
            "The tide was low. The boats lay on the sand.",
            ["split: ->", "* substitution: low; -> low."],
        ),
    ],
)
def test_splits_hold_what_they_needed(source: str, rewrite: str, expected: list[str]) -> None:
    """A split consists of what joined the clauses and what opens the new sentence, marked by ``||`` or by a stop."""
    assert read(source, rewrite) == expected


def test_sentences_that_were_there_before_are_no_split() -> None:
    """A rewrite with as many sentences as its source has no split, and a sentence added to it is an insertion."""
    two = "The tide was low. The boats lay on the sand."
    assert read(two, "The tide was low. The ships lay on the sand.") == ["substitution: boats -> ships"]
    assert read(two, f"{two} Nobody cared.") == ["insertion: -> Nobody cared."]


def test_the_mark_of_a_split_is_in_no_edit() -> None:
    """No span covers ``||``, even where everything around it is new."""
    rewrite = "Rain fell on the quiet town. || Later, everyone went home. || The end came slowly."
    for edit in suggest("Snow fell on the town until everyone had gone to bed slowly.", rewrite, "en"):
        assert all("||" not in span.of(rewrite) for span in edit.rewrite)


@pytest.mark.parametrize(
    ("source", "rewrite"),
    [
        ("", ""),
        ("Same.", "Same."),
        ("A small town", "a small  town."),
        ('He said "no" - twice.', "He said “no” – twice."),
        ("Cafe\u0301 is open", "Café is open"),
    ],
)
def test_case_punctuation_and_space_are_no_edits(source: str, rewrite: str) -> None:
    """Texts that differ in nothing a reader would call a change have no edits."""
    assert suggest(source, rewrite, "en") == ()


def test_one_empty_text_is_one_edit() -> None:
    """Everything deleted, or everything inserted."""
    assert read("All is gone.", "") == ["deletion: All is gone. ->"]
    assert read("", "All is new.") == ["insertion: -> All is new."]


def test_spanish_has_small_words_and_stems_of_its_own() -> None:
    """Passive to active in Spanish: the verb took another form, the subject moved, the small words are gone."""
    assert read("El informe fue presentado por la directora.", "La directora presentó el informe.", "es-MX") == [
        "deletion: fue ->",
        "deletion: por ->",
        "substitution: presentado -> presentó",
        "reorder: El informe -> el informe.",
    ]


def test_scripts_without_spaces_are_cut_into_characters() -> None:
    """Japanese: only the characters that changed are marked, with the punctuation that follows them."""
    assert read("駅は近い。", "駅は遠い。", "ja") == ["substitution: 近 -> 遠"]


def test_right_to_left_texts_are_marked_by_code_points() -> None:
    """Hebrew: the words, not their places on the screen, are compared."""
    assert read("הבית הגדול נמכר אתמול", "הבית נמכר אתמול", "he") == ["deletion: הגדול ->"]


def test_synonyms_link_words_that_moved() -> None:
    """With a list of synonyms a word is recognised elsewhere; without it, it is gone here and new there."""
    source, rewrite = "A physician in the small town saw him.", "In the small town a doctor saw him."
    synonyms = Synonyms([("physician", "doctor")], "mine")
    without = {edit.operation for edit in suggest(source, rewrite, "en")}
    with_list = [edit for edit in suggest(source, rewrite, "en", synonyms) if edit.operation == "substitution"]
    assert "substitution" not in without
    assert [(edit.source[0].of(source), edit.rewrite[0].of(rewrite)) for edit in with_list] == [
        ("A physician", "a doctor")
    ]


def test_the_version_names_the_source_of_meanings() -> None:
    """What is recorded with a suggestion tells with and without synonyms apart."""
    assert suggested_by() == VERSION == "rubrica-suggest/2"
    assert suggested_by(Synonyms([], "synonyms:abc")) == "rubrica-suggest/2+synonyms:abc"


def test_suggestions_are_valid_edits_of_salsa() -> None:
    """The protocol's own validator finds nothing wrong with them, except that their questions are not yet answered."""
    protocol = load_shipped("salsa").protocol
    source = "The mill, which the owner sold in 1990, is now the museum of the old town, and it is popular."
    rewrite = "The mill was sold in 1990. It is now the town museum. People like it very much."
    validator = EditValidator(protocol, protocol.stage("select"))
    edits = suggest(source, rewrite, "en")
    item = Item("1", {"source": source, "rewrite": rewrite})
    assert {edit.operation for edit in edits} >= {"deletion", "split", "reorder"}
    assert {problem.rule for problem in validator.problems(item, edits)} <= {"required"}
    assert validator.problems(item, edits, complete=False) == []


WORDS = st.sampled_from(
    [
        "the", "The", "of", "and", "who", "old", "old,", "mill", "mill.", "mills", "sold", "(sell)", "1990", "1,990",
        "quickly", "||", "|", ".", "“old”", "...", "—", "😀", "👩‍👧", "👍🏽", "cafe\u0301", "café", "𝔸𝔹", "שלום,",
        "العربية.", "字がある。", "ไทย", "\u202e", "\u0301", "-", "It", "They", "Dr.",
    ]
)  # fmt: skip
SPACES = st.sampled_from([" ", " ", " ", "  ", "\n", "\u00a0", "\t"])
PHRASES = st.lists(st.tuples(WORDS, SPACES), max_size=25).map(lambda parts: "".join(a + b for a, b in parts))
TEXTS = PHRASES | PHRASES.map(str.strip) | st.text(max_size=60)
LANGUAGES = st.sampled_from(["en", "es", "he", "ja", ""])


@st.composite
def rewritten(draw: st.DrawFn) -> tuple[str, str]:
    """A text and one made from its words, shuffled, dropped and added to, as rewrites are."""
    words = draw(st.lists(WORDS, max_size=25))
    kept = draw(st.lists(st.integers(0, max(len(words) - 1, 0)), max_size=25))
    new = [words[at] if words and not draw(st.booleans()) else draw(WORDS) for at in kept]
    return " ".join(words), " ".join(new)


PAIRS = st.tuples(TEXTS, TEXTS) | rewritten()
unhurried = settings(deadline=None)


def texts_of(pair: tuple[str, str]) -> dict[str, str]:
    """The two texts by their side."""
    return dict(zip(SIDES, pair, strict=True))


@unhurried
@given(PAIRS, LANGUAGES)
@example(("a || b", "b || a"), "en")
def test_spans_lie_in_their_text_and_never_overlap(pair: tuple[str, str], language: str) -> None:
    """On each side every word is in one edit at most, and no span is empty."""
    edits = suggest(*pair, language)
    for side, text in texts_of(pair).items():
        spans = sorted(span for edit in edits for span in edit.spans(side))
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
        assert all(one.end <= other.start for one, other in pairwise(spans))


@unhurried
@given(PAIRS, LANGUAGES)
def test_spans_begin_and_end_between_words(pair: tuple[str, str], language: str) -> None:
    """A span starts and ends where a word does; in scripts without spaces that may be between two characters."""
    for edit in suggest(*pair, language):
        for side, text in texts_of(pair).items():
            for span in edit.spans(side):
                assert not text[span.start].isspace()
                assert not text[span.end - 1].isspace()
                for at in (span.start, span.end):
                    around = text[max(at - 1, 0) : at + 1]
                    spaced = at in (0, len(text)) or any(map(str.isspace, around))
                    assert spaced or any(ord(character) > 0xE00 for character in text)
                    if not spaced:
                        assert unicodedata.category(text[at])[0] != "M"
                        assert "\u200d" not in around


@unhurried
@given(PAIRS, LANGUAGES)
def test_each_operation_has_its_sides(pair: tuple[str, str], language: str) -> None:
    """A deletion marks the source, an insertion the rewrite, the others both, and a split only has constituents."""
    edits = suggest(*pair, language)
    sides = {"deletion": (1, 0), "insertion": (0, 1), "substitution": (1, 1), "reorder": (1, 1), "split": (0, 0)}
    for edit in edits:
        assert (len(edit.source), len(edit.rewrite)) == sides[edit.operation]
        assert (edit.operation == "split") == any(part.parent == edit.id for part in edits)
        assert edit.parent in {"", *(other.id for other in edits if other.operation == "split")}
    assert [edit.id for edit in edits] == [str(number) for number in range(1, len(edits) + 1)]


@unhurried
@given(PAIRS, LANGUAGES)
def test_the_same_texts_have_the_same_edits(pair: tuple[str, str], language: str) -> None:
    """Nothing depends on chance or on what was suggested before."""
    assert suggest(*pair, language) == suggest(*pair, language)


@unhurried
@given(TEXTS, LANGUAGES)
def test_a_text_has_no_edits_against_itself(text: str, language: str) -> None:
    """Identical texts have no edits, nor have texts that differ in white space around words."""
    assert suggest(text, text, language) == ()
    assert suggest(text, " ".join(text.split()), language) == ()


@unhurried
@given(st.lists(st.sampled_from(["house", "tree", "old", "runs"]), max_size=8), LANGUAGES)
def test_words_of_one_text_only_are_all_marked(words: list[str], language: str) -> None:
    """A text against the empty text is one edit over all its words."""
    text = " ".join(words)
    gone, new = suggest(text, "", language), suggest("", text, language)
    assert [edit.source[0].of(text) for edit in gone] == ([text] if words else [])
    assert [edit.rewrite[0].of(text) for edit in new] == ([text] if words else [])


def covered(edits: tuple[Edit, ...], side: str, text: str) -> str:
    """The text with every edit cut out."""
    for span in sorted((span for edit in edits for span in edit.spans(side)), reverse=True):
        text = text[: span.start] + text[span.end :]
    return text


@unhurried
@given(rewritten())
def test_what_is_in_no_edit_is_the_same_in_both(pair: tuple[str, str]) -> None:
    """Cut out of both texts, the edits leave the same words in the same order, punctuation and case aside."""
    edits = suggest(*pair, "en")
    old, new = (
        "".join(word.key for word in words_of(covered(edits, side, text))) for side, text in texts_of(pair).items()
    )
    assert old == new


@pytest.mark.parametrize("word", ["a ", "house tree ", "日本の首都"])
def test_long_and_monotonous_texts_end(word: str) -> None:
    """The longest text that a sheet can hold, made of one word, is compared with half of it."""
    text = word * (32_000 // len(word))
    assert suggest(text, text[: len(text) // 2], "en")


HERE, THERE = (Span(0, 3),), (Span(4, 7),)
EDITS = (
    Edit("1", "deletion", HERE),
    Edit("2", "split"),
    Edit("3", "insertion", (), HERE, parent="2"),
    Edit("4", "substitution", THERE, THERE),
    Edit("5", "reorder", HERE, HERE),
)


def operation(name: str, *sides: str, parts: tuple[str, ...] = ()) -> Operation:
    """An operation of a made-up protocol."""
    return Operation(name, plain(name), plain(name), name[0], sides, constituents=parts)


def names(*operations: Operation) -> list[tuple[str, str]]:
    """The operation and parent of each edit in a protocol with these operations."""
    return [(edit.operation, edit.parent) for edit in fitted(EDITS, EditScheme(operations, ())).edits]


def test_salsa_takes_them_as_they_are() -> None:
    """The suggestions have the operations of ``salsa``."""
    scheme = load_shipped("salsa").protocol.edits
    assert scheme is not None
    assert fitted(EDITS, scheme) == (EDITS, 0)


def test_operations_are_found_by_their_sides() -> None:
    """Other names: source only is a deletion, rewrite only an insertion, both sides a substitution or a reorder."""
    lost, new, swap = operation("lost", "source"), operation("new", "rewrite"), operation("swap", "source", "rewrite")
    assert names(swap, new, lost) == [("lost", ""), ("new", ""), ("swap", ""), ("swap", "")]


def test_an_operation_with_the_same_name_and_other_sides_is_another_thing() -> None:
    """A protocol whose deletion marks the rewrite does not get deletions of the source under that name."""
    lost, other = operation("lost", "source"), operation("deletion", "rewrite")
    assert names(other, lost) == [("lost", "")]


def test_a_split_needs_its_constituents() -> None:
    """A protocol whose split may hold no insertion gets the insertion alone."""
    new = operation("insertion", "rewrite")
    assert names(new, operation("split", parts=("insertion",))) == [("split", ""), ("insertion", "2")]
    assert names(new, operation("split", parts=("deletion",))) == [("insertion", "")]


def test_what_nothing_fits_is_left_out_and_counted() -> None:
    """With deletions alone, the other three primitive edits are left out; the split is no edit without its parts."""
    found = fitted(EDITS, EditScheme((operation("lost", "source"),), ()))
    assert [edit.id for edit in found.edits] == ["1"]
    assert found.left_out == 3


def test_a_reorder_without_its_own_operation_is_a_substitution() -> None:
    """Both mark both sides, and a protocol that has no word for moving calls it that."""
    assert names(operation("substitution", "source", "rewrite")) == [("substitution", ""), ("substitution", "")]
