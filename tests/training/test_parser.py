"""The recipe of the parser on a treebank of our own: what it reads, what it learns from, and what it counts."""

from __future__ import annotations

import lzma
import random
from pathlib import Path

import pytest

pytest.importorskip("spacy")

import spacy

from rubrica.language.wordpieces import BEGIN, END, UNKNOWN
from training.attachment import bare, counts, shares
from training.texts import NOT_LEARNED, Corpus, Reader, batches, classes, corpus, texts
from training.treebank import Sentence, Word, has_subject, read

KNOWN = ["[PAD]", "[unused0]", UNKNOWN, BEGIN, END, *"abdehiknorstw.()?'", "they", "boat", "##s", "##n", "##t"]
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
    assert bare(spacy.blank("en").vocab, sentences).text == "They don't row. Boats here "
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


def test_a_text_has_the_pieces_heads_and_classes_of_its_sentences(sentences: list[Sentence]) -> None:
    """Heads are columns after that of the root; rare rules of lemmas are not learned, and none of automatic ones."""
    known = classes(Corpus(sentences * 3, [], sentences), KNOWN)
    assert "[unused0]" not in known.pieces
    assert known.labels[0] == "root"
    reader = Reader(known)
    text = reader.text(sentences, gold=True)
    assert text.heads == [4, 4, 4, 0, 4, 0, 6]
    assert text.starts == [1, 0, 0, 0, 0, 1, 0]
    assert [known.pieces[place] for place in text.ids][1:2] == ["they"]
    assert text.kinds[1] == 1
    assert [known.pieces[place] for place in text.ids[text.first[5] : text.last[5] + 1]] == ["boat", "##s"]
    assert [known.lemmas[place] for place in text.lemmas][5] == "lower|1|"
    assert set(reader.text(sentences, gold=False).lemmas) == {NOT_LEARNED}
    rare = Reader(classes(Corpus(sentences, [], sentences), KNOWN))
    assert set(rare.text(sentences[1:], gold=True).lemmas) == {NOT_LEARNED, rare.lemma["lower|0|"]}


def test_every_sentence_is_in_a_batch(sentences: list[Sentence]) -> None:
    """Gold ones and automatic ones, whatever comes together; the same with the same seed."""
    reader = Reader(classes(Corpus(sentences * 3, [], sentences), KNOWN))

    def words(seed: int) -> list[int]:
        rng = random.Random(seed)
        found = batches(texts(sentences * 100, sentences * 50, reader, rng), rng)
        return [sum(len(text.first) for text in batch) for batch in found]

    assert sum(words(1)) == 150 * 7
    assert words(1) == words(1)


def test_automatic_sentences_without_a_subject_are_left_out(tmp_path: Path) -> None:
    """Gold ones are not: the treebank knows better."""
    for name in ("en_ewt-ud-train", "en_ewt-ud-dev", "wikisplit_silver"):
        with lzma.open(tmp_path / f"{name}.conllu.xz", "wt", encoding="utf-8") as file:
            file.write(CONLLU)
    found = corpus(tmp_path)
    assert [len(part) for part in found] == [2, 1, 2]
