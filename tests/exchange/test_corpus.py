"""Rows of rewrites as sentences with the systems side by side.

Several texts in one cell: JSON, and what pandas and NumPy print.
"""

import pytest

from rubrica.core.errors import InputError
from rubrica.exchange.corpus import corpus_of, with_references
from rubrica.exchange.corpus_rows import CorpusRow, texts_of, without_marks


def test_ids_that_systems_share_are_sentences() -> None:
    """Two systems, one id: one sentence, whose source may even be written differently."""
    corpus = corpus_of([CorpusRow("1", "A b.", "a", system="x"), CorpusRow("1", "A  b.", "b", system="y")])
    (block,) = corpus.blocks(10)
    assert block.outputs == {"x": ["a"], "y": ["b"]}


def test_ids_of_single_rewrites_are_not() -> None:
    """As items of a study have them: sentences are told by their source, and each rewrite keeps its id."""
    rows = [CorpusRow("1", "A b.", "a", system="x"), CorpusRow("2", "A b.", "b", system="y")]
    (block,) = corpus_of(rows).blocks(10)
    assert block.outputs == {"x": ["a"], "y": ["b"]}
    assert block.keys == {"x": ["1"], "y": ["2"]}


def test_a_source_that_was_rewritten_twice_is_two_sentences() -> None:
    """And a system that has it once has None in the second."""
    rows = [CorpusRow("", "A.", text, system=who) for who, text in (("x", "a"), ("x", "b"), ("y", "c"))]
    (block,) = corpus_of(rows).blocks(10)
    assert block.outputs == {"x": ["a", "b"], "y": ["c", None]}


def references(*rows: CorpusRow, human: tuple[str, ...] = ()) -> dict[str, list[tuple[str, ...]]]:
    """What each system's rewrites are held against, sentence by sentence."""
    (block,) = corpus_of(rows, human=human).blocks(10)
    return {name: [tuple(own) for own in block.references_of(name)] for name in block.outputs}


def test_references_of_a_row_are_its_own() -> None:
    """Rows of one sentence do not lend each other theirs; a page that shows the sentence has all of them once."""
    rows = [CorpusRow("", "A.", "a", ("r", "s"), "x"), CorpusRow("", "A.", "b", ("s", "t"), "y")]
    assert references(*rows) == {"x": [("r", "s")], "y": [("s", "t")]}
    assert next(corpus_of(rows).blocks(5)).references_at(0) == ["r", "s", "t"]


def test_the_same_reference_by_two_people_counts_twice() -> None:
    """As in parallel files, where EASSE weighs what each reference keeps; so do those of a table by source."""
    rows = [CorpusRow("", "A.", "a", ("r", "s", "r"), "x"), CorpusRow("", "A.", "b", ("r", "r", "s"), "y")]
    assert references(*rows) == {"x": [("r", "s", "r")], "y": [("r", "r", "s")]}
    assert references(*with_references(rows[:1], {"A.": ["s"]})) == {"x": [("r", "s", "r", "s")]}


HUMAN = [CorpusRow(str(number), "A.", text, ("a", "b", "c"), "human") for number, text in enumerate("abc")]


def test_a_persons_rewrite_is_never_its_own_reference() -> None:
    """It is left out of its own row; a system that wrote the same keeps it, and so does a person nobody calls one."""
    rows = [*HUMAN, CorpusRow("9", "A.", "a", ("a", "b", "c"), "rules")]
    corpus = corpus_of(rows)
    assert references(*rows)["human"] == [("b", "c"), ("a", "c"), ("a", "b")]
    assert references(*rows)["rules"] == [("a", "b", "c"), (), ()]
    assert corpus.held_back() == {"human": (3, 0), "rules": (0, 0)}
    assert references(*rows, human=("none",))["human"] == [("a", "b", "c")] * 3
    by_name = [row._replace(system="Ann", author="Ann") for row in HUMAN[:1]]
    assert references(*by_name) == {"Ann": [("b", "c")]}


def test_the_same_by_another_person_is_a_reference() -> None:
    """Two people wrote a: each is the other's reference, whether the row has left itself out already or not."""
    whole = [row._replace(rewrite=text, references=("a", "a", "c")) for row, text in zip(HUMAN, "aac", strict=True)]
    assert references(*whole)["human"] == [("a", "c"), ("a", "c"), ("a", "a")]
    others = [
        row._replace(references=kept) for row, kept in zip(whole, (("a", "c"), ("a", "c"), ("a", "a")), strict=True)
    ]
    assert references(*others) == references(*whole)


def test_spacing_is_no_other_text_where_all_have_their_own() -> None:
    """A table that tidied its references has each rewrite among them; where some rows have not, spacing tells apart."""
    tidied = [CorpusRow("1", "A.", "a  b", ("a b", "c"), "human"), CorpusRow("2", "B.", "d", ("d", "e"), "human")]
    assert references(*tidied)["human"] == [("c",), ("e",)]
    others = [tidied[0], tidied[1]._replace(references=("e", "f"))]
    assert references(*others)["human"] == [("a b", "c"), ("e", "f")]


def test_one_own_reference_among_others_is_left_out() -> None:
    """Rows that have left themselves out do not make another row's own rewrite somebody else's."""
    rows = [HUMAN[0], HUMAN[1]._replace(references=("a", "c")), HUMAN[2]._replace(references=("a", "b"))]
    assert references(*rows)["human"] == [("b", "c"), ("a", "c"), ("a", "b")]
    rated = [HUMAN[0]._replace(id=str(number)) for number in range(3)]
    assert references(*rated)["human"] == [("b", "c")] * 3


def test_rows_of_every_rating_are_no_other_people() -> None:
    """Rows without ids that say the same may be one rewrite that was rated twice: it is still left out."""
    rows = [HUMAN[0]._replace(id="")] * 2
    assert references(*rows)["human"] == [("b", "c"), ("b", "c")]


def test_without_references_people_are_those_of_the_others() -> None:
    """A system is held against all of them, each person against the others, never against what they wrote besides."""
    rows = [row._replace(references=(), author=who) for row, who in zip(HUMAN, ("Ann", "Ben", "Ann"), strict=True)]
    rows.append(CorpusRow("9", "A.", "a", system="rules"))
    found = references(*rows)
    assert found["rules"][0] == ("a", "b", "c")
    assert found["human"] == [("b",), ("a", "c"), ("b",)]
    assert corpus_of(rows).by_people
    assert references(*(row._replace(author="", system="x") for row in rows[:3])) == {"x": [(), (), ()]}


def test_the_same_source_in_another_data_set_is_another_sentence() -> None:
    """Data sets keep their order, and no block has sentences of two."""
    rows = [
        CorpusRow("", source, "a", ("r",), system, dataset=dataset)
        for source in "AB"
        for dataset in ("news", "law")
        for system in "xy"
    ]
    corpus = corpus_of(rows)
    assert [(block.first, block.dataset, len(block)) for block in corpus.blocks(10)] == [(0, "news", 2), (2, "law", 2)]
    assert corpus.datasets == ("news", "law")


def test_nothing_is_refused() -> None:
    """A study or table without rewrites."""
    with pytest.raises(InputError, match="nothing to score"):
        corpus_of([])


def test_marks_of_splits_are_no_words() -> None:
    """SALSA's files mark where a sentence was split; a metric must not count the mark."""
    assert without_marks("He left. || She stayed.") == "He left. She stayed."
    assert without_marks("a||b || c ||") == "a||b c"
    (block,) = corpus_of([CorpusRow("", "A.", "b. || c.", ("d. || e.",))]).blocks(5)
    assert (block.rewrites["system"], block.references) == (["b. c."], [("d. e.",)])


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ('["It rained.", " ", "We saw \\"rain\\"."]', ["It rained.", 'We saw "rain".']),
        ("['It rained.', \"They didn't mind.\"]", ["It rained.", "They didn't mind."]),
        ("['It rained.'\n \"They didn't mind.\"]", ["It rained.", "They didn't mind."]),
        ("[]", []),
        ("  ", []),
        (" It rained. ", ["It rained."]),
        ("[It rained.]", ["[It rained.]"]),
        ("['It] rained.", ["['It] rained."]),
        ("[sic] it's [so]", ["[sic] it's [so]"]),
        ("[1, 2]", ["[1, 2]"]),
        ("['a', 2]", ["['a', 2]"]),
        ("[b'a']", ["[b'a']"]),
        ("['open]", ["['open]"]),
    ],
)
def test_a_list_is_several_texts(cell: str, texts: list[str]) -> None:
    """Whoever printed it; anything else in brackets is one text as it stands."""
    assert texts_of(cell) == texts
