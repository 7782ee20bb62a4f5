"""Sentences with their trees in CoNLL-U, the format of Universal Dependencies."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

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
