"""Suggested edits: each operation on texts of our own, marked as a person would mark them."""

import pytest

from rubrica.core.edit_validation import EditValidator
from rubrica.core.study import Item
from rubrica.edits.suggesting.meanings import Synonyms
from rubrica.edits.suggesting.suggest import VERSION, suggest, suggested_by
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
