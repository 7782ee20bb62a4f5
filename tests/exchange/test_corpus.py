"""Rows of rewrites as sentences with the systems side by side."""

import pytest

from rubrica.core.errors import InputError
from rubrica.exchange.corpus import corpus_of, with_references
from rubrica.exchange.corpus_rows import CorpusRow, without_marks


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


def test_references_of_all_rows_come_together() -> None:
    """In the order in which they come; what two rows repeat is there once."""
    rows = [CorpusRow("", "A.", "a", ("r", "s"), "x"), CorpusRow("", "A.", "b", ("s", "t"), "y")]
    assert next(corpus_of(rows).blocks(5)).references == [["r", "s", "t"]]


def test_the_same_reference_by_two_people_counts_twice() -> None:
    """As in parallel files, where EASSE weighs what each reference keeps; rows of two systems do not double it."""
    rows = [CorpusRow("", "A.", "a", ("r", "s", "r"), "x"), CorpusRow("", "A.", "b", ("r", "r", "s"), "y")]
    corpus = corpus_of(rows)
    assert next(corpus.blocks(5)).references == [["r", "s", "r"]]
    assert next(with_references(corpus, {"A.": ["s"]}).blocks(5)).references == [["r", "s", "r", "s"]]


def test_nothing_is_refused() -> None:
    """A study or table without rewrites."""
    with pytest.raises(InputError, match="nothing to score"):
        corpus_of([])


def test_marks_of_splits_are_no_words() -> None:
    """SALSA's files mark where a sentence was split; a metric must not count the mark."""
    assert without_marks("He left. || She stayed.") == "He left. She stayed."
    assert without_marks("a||b || c ||") == "a||b c"
    (block,) = corpus_of([CorpusRow("", "A.", "b. || c.", ("d. || e.",))]).blocks(5)
    assert (block.rewrites["system"], block.references) == (["b. c."], [["d. e."]])
