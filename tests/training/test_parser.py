"""The recipe of the parser on a treebank of our own: what it reads, what it counts, and a model that loads."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

pytest.importorskip("spacy")

import spacy

from rubrica.language.models import pack, unpacked
from rubrica.language.parsing import english
from training.attachment import counts, shares
from training.parser import Corpus, corpus, train
from training.treebank import Sentence, Word, document, has_subject, read

CONLLU = """\
# text = They don't row. (Or do they?)
1\tThey\tthey\tPRON\tPRP\tCase=Nom\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
3.1\trow\trow\tVERB\tVB\t_\t_\t_\t_\t_
4\trow\trow\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\tSpaceAfter=No

# text = Boats here
1\tBoats\tboat\tNOUN\tNNS\tNumber=Plur\t0\troot\t_\t_
2\there\there\tADV\tRB\t_\t1\tadvmod\t_\t_
"""


@pytest.fixture
def sentences(tmp_path: Path) -> list[Sentence]:
    """Two sentences: one with a contraction and an empty node, one without a verb."""
    with lzma.open(tmp_path / "two.conllu.xz", "wt", encoding="utf-8") as file:
        file.write(CONLLU)
    return list(read(tmp_path / "two.conllu.xz"))


def test_words_of_one_token_are_close_and_empty_nodes_are_left_out(sentences: list[Sentence]) -> None:
    """The text of the document is that of the treebank; a space stands between its sentences."""
    doc = document(spacy.blank("en").vocab, sentences)
    assert doc.text == "They don't row. Boats here "
    assert [token.head.i for token in doc] == [3, 3, 3, 3, 3, 5, 5]
    assert [sentence.text for sentence in doc.sents] == ["They don't row.", "Boats here"]
    assert sentences[0][2] == Word("n't", "not", "PART", "RB", "", 3, "advmod", True)


def test_a_sentence_whose_root_has_no_subject_is_told(sentences: list[Sentence]) -> None:
    """A subject below another word is none of the root's."""
    assert [has_subject(sentence) for sentence in sentences] == [True, False]
    moved = (sentences[0][0]._replace(head=1), *sentences[0][1:])
    assert not has_subject(moved)


def test_counts_are_of_words_with_the_right_tag_head_label_and_lemma(sentences: list[Sentence]) -> None:
    """A pipeline that knows nothing makes every word a root: of seven heads two are right, without their labels."""
    nlp = spacy.blank("en")
    rows = counts(nlp, sentences)
    assert rows[:, 0].tolist() == [5, 2]
    assert rows[:, 1:].tolist() == [[0, 1, 0, 0], [0, 1, 0, 0]]
    assert shares(rows)["uas"] == pytest.approx(200 / 7)


def test_a_few_steps_make_a_model_that_can_be_packed_and_loaded(sentences: list[Sentence], tmp_path: Path) -> None:
    """The recipe runs from data to package; the model gives every word a tag, a lemma and a label."""
    data = Corpus(gold=sentences * 40, silver=sentences[:1] * 40, development=sentences)
    pack("tiny", train(data, steps=1, look=1), tmp_path)
    nlp = english(unpacked("tiny", tmp_path))
    assert nlp.meta["license"] == "CC BY-SA 4.0"
    assert all(token.dep_ and token.tag_ and token.lemma_ for token in nlp("They row."))


def test_automatic_sentences_without_a_subject_are_left_out(tmp_path: Path) -> None:
    """Gold ones are not: the treebank knows better."""
    for name in ("en_ewt-ud-train", "en_ewt-ud-dev", "wikisplit_silver"):
        with lzma.open(tmp_path / f"{name}.conllu.xz", "wt", encoding="utf-8") as file:
            file.write(CONLLU)
    found = corpus(tmp_path)
    assert [len(part) for part in found] == [2, 1, 2]
