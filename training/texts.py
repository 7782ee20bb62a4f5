"""Sentences as numbers, for the recipe of the parser: pieces of words, classes of what is told, batches."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rubrica.language.lemma_rules import rule
from rubrica.language.wordpieces import Pieces, kind
from training.treebank import Sentence, has_subject, read

BATCH, LONGEST, ALIKE = 700, 220, 600
"""Pieces in a batch and in a text; of so many texts those of like lengths come together."""
MIXED = 0.4
"""What an automatic sentence counts."""
KNOWN, RARE, RARE_RULE = 10_000, 6, 3
"""The most frequent pieces, kept whether seen or not; how often another must be seen, and a lemma's rule."""
SIGNS = frozenset("–—‘’“”…•€°£×½·§")
NOT_LEARNED = -100


class Corpus(NamedTuple):
    """What is learned from, and what decides how."""

    gold: list[Sentence]
    silver: list[Sentence]
    development: list[Sentence]


class Classes(NamedTuple):
    """What is told of words, by number."""

    pieces: list[str]
    labels: list[str]
    tags: list[str]
    morphs: list[str]
    lemmas: list[str]


class Text(NamedTuple):
    """Sentences one after another as numbers; NOT_LEARNED says what it does, heads are columns (0 is the root)."""

    ids: list[int]
    kinds: list[int]
    first: list[int]
    last: list[int]
    heads: list[int]
    labels: list[int]
    tags: list[int]
    morphs: list[int]
    lemmas: list[int]
    starts: list[int]
    weight: float


def corpus(folder: Path) -> Corpus:
    """The files of ``parser/`` in the folder of data."""
    gold, development = (list(read(folder / f"en_ewt-ud-{part}.conllu.xz")) for part in ("train", "dev"))
    silver = [sentence for sentence in read(folder / "wikisplit_silver.conllu.xz") if has_subject(sentence)]
    return Corpus(gold, silver, development)


def classes(data: Corpus, known: Sequence[str]) -> Classes:
    """Classes of the treebank, and of the encoder's pieces those that are frequent, seen, or a single sign."""
    every = Pieces(known)
    seen = Counter(piece for one in (*data.gold, *data.silver) for word in one for piece in every.of(word.text))
    kept = [
        piece
        for number, piece in enumerate(known)
        if seen[number] >= RARE
        or (piece.isascii() and number < KNOWN and not piece.startswith("[unused"))
        or (_is_sign(piece) and (seen[number] or piece.isascii() or piece in SIGNS))
    ]
    words = [word for sentence in data.gold for word in sentence]
    lemmas = Counter(rule(word.text, word.lemma) for word in words)
    return Classes(
        kept,
        ["root", *sorted({word.label for word in words} - {"root"})],
        sorted({word.xpos for word in words}),
        sorted({f"{word.upos}|{word.feats}" for word in words}),
        [one for one, count in lemmas.most_common() if count >= RARE_RULE],
    )


def _is_sign(piece: str) -> bool:
    return len(piece.removeprefix("##")) == 1


class Reader:
    """Turns sentences into numbers."""

    def __init__(self, known: Classes) -> None:
        self.pieces = Pieces(known.pieces)
        self.label, self.tag, self.morph, self.lemma = (
            {one: place for place, one in enumerate(names)} for names in known[1:]
        )

    def text(self, sentences: Sequence[Sentence], *, gold: bool) -> Text:
        """Sentences that follow each other; lemmas are learned of gold ones alone."""
        text = Text([self.pieces.begin], [0], [], [], [], [], [], [], [], [], 1.0 if gold else MIXED)
        for sentence in sentences:
            before = len(text.first)
            for place, word in enumerate(sentence):
                pieces, written = self.pieces.of(word.text), kind(word.text)
                text.first.append(len(text.ids))
                text.ids.extend(pieces)
                text.kinds.extend([written] * len(pieces))
                text.last.append(len(text.ids) - 1)
                text.heads.append(0 if word.head == place else before + word.head + 1)
                text.labels.append(self.label.get(word.label, NOT_LEARNED))
                text.tags.append(self.tag.get(word.xpos, NOT_LEARNED))
                text.morphs.append(self.morph.get(f"{word.upos}|{word.feats}", NOT_LEARNED))
                text.lemmas.append(self.lemma.get(rule(word.text, word.lemma), NOT_LEARNED) if gold else NOT_LEARNED)
                text.starts.append(int(place == 0))
        text.ids.append(self.pieces.end)
        text.kinds.append(0)
        return text


def texts(gold: Sequence[Sentence], silver: Sequence[Sentence], reader: Reader, rng: random.Random) -> list[Text]:
    """Every gold sentence with its neighbours, and the automatic ones, in random order."""
    found = []
    for known, sentences in ((True, gold), (False, silver)):
        place = 0
        while place < len(sentences):
            size = rng.choice((1, 1, 2, 3) if known else (1, 1, 1, 2))
            part = list(sentences[place : place + size])
            place += size
            text = reader.text(part if known else [_requoted(one, rng) for one in part], gold=known)
            if len(text.ids) <= LONGEST:
                found.append(text)
            else:
                each = [reader.text([one], gold=known) for one in part]
                found += [one for one in each if len(one.ids) <= LONGEST]
    rng.shuffle(found)
    return found


def _requoted(sentence: Sentence, rng: random.Random) -> Sentence:
    """WikiSplit and some other data have two apostrophes for a quotation mark."""
    if rng.random() < 0.9:
        return sentence
    return tuple(word._replace(text="''" if word.text == '"' else word.text) for word in sentence)


def batches(found: Sequence[Text], rng: random.Random) -> Iterator[list[Text]]:
    """Texts of like lengths together."""
    every: list[list[Text]] = []
    for start in range(0, len(found), ALIKE):
        batch: list[Text] = []
        for text in sorted(found[start : start + ALIKE], key=lambda one: len(one.ids)):
            if batch and (len(batch) + 1) * len(text.ids) > BATCH:
                every.append(batch)
                batch = []
            batch.append(text)
        every.append(batch)
    rng.shuffle(every)
    yield from every
