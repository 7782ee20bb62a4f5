"""Sentences with their trees in CoNLL-U, the format of Universal Dependencies, as records and as spaCy's documents."""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from spacy.tokens import Doc
from spacy.vocab import Vocab

SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
"""What a subject is called, before a colon."""


class Word(NamedTuple):
    """A syntactic word; ``head`` is the place of its head in the sentence, its own for the root."""

    text: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    label: str
    space: bool


Sentence = tuple[Word, ...]


def read(path: Path) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file packed with xz, without empty nodes; words of one token have no space between."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            rows = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
            if rows:
                yield _sentence(rows)


def _sentence(rows: list[list[str]]) -> Sentence:
    spaced: dict[int, bool] = {}
    for row in rows:
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            spaced |= dict.fromkeys(range(first, last), False)
            spaced[last] = "SpaceAfter=No" not in row[9]
    words = []
    for number, text, lemma, upos, xpos, feats, head, label, _, misc in rows:
        if number.isdecimal():
            space = spaced.get(int(number), "SpaceAfter=No" not in misc)
            place = int(head if int(head) else number) - 1
            words.append(Word(text, lemma, upos, xpos, feats.removeprefix("_"), place, label, space))
    return tuple(words)


def has_subject(sentence: Sentence) -> bool:
    """Whether the root has a subject of its own: where a parser lost the main verb, it mostly has none."""
    roots = {place for place, word in enumerate(sentence) if word.head == place}
    return any(word.head in roots and word.label.split(":")[0] in SUBJECTS for word in sentence)


def document(vocab: Vocab, sentences: Sequence[Sentence], *, lemmas: bool = True) -> Doc:
    """Sentences one after another as a document; without ``lemmas`` those are missing, not wrong."""
    words = [word for sentence in sentences for word in sentence]
    before = accumulate((len(sentence) for sentence in sentences), initial=0)
    return Doc(
        vocab,
        words=[word.text for word in words],
        spaces=_spaces(sentences),
        tags=[word.xpos for word in words],
        pos=[word.upos for word in words],
        morphs=[word.feats for word in words],
        lemmas=[word.lemma for word in words] if lemmas else None,
        heads=[first + word.head for first, one in zip(before, sentences, strict=False) for word in one],
        deps=["ROOT" if word.label == "root" else word.label for word in words],
    )


def bare(vocab: Vocab, sentences: Sequence[Sentence]) -> Doc:
    """The same document with nothing but its words."""
    return Doc(vocab, words=[word.text for sentence in sentences for word in sentence], spaces=_spaces(sentences))


def _spaces(sentences: Sequence[Sentence]) -> list[bool]:
    """Whether a space follows each word; one follows every sentence that another follows."""
    apart = [(*sentence[:-1], sentence[-1]._replace(space=True)) for sentence in sentences[:-1]]
    return [word.space for sentence in (*apart, sentences[-1]) for word in sentence]
