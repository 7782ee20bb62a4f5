"""How good the English parser that Rubrica ships is, on the treebank's test set, on running text and on long sentences.

Needs `parser/` and `split/` in the folder that RUBRICA_DATA names, and spaCy. `parser_main_verbs.tsv` has the places of
the main verb (the predicate, as Universal Dependencies has it) and of its subject in a hundred sentences of `split/`
with 25 words and more, read once by a language model, not a person, before any parse was seen; of a name any word
counts. No text is kept: a checksum says whether a line is still the one that was read. RUBRICA_PARSER names another
pipeline to measure.
"""

from __future__ import annotations

import csv
import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from spacy.tokens import Doc

from benchmarks.report import Figure
from rubrica.language.models import FOLDER, MODEL
from rubrica.language.parsing import ENGLISH, Parse, parse, parser
from rubrica.stats.bootstrap import ratio_intervals
from training.attachment import FIGURES, bare, counts
from training.treebank import SUBJECTS, Sentence, read

MAIN_VERBS = Path(__file__).with_name("parser_main_verbs.tsv")
REPLICATES, SEED = 2_000, 20261118
LIMITS = {"las": 88, "main verb and subject": 92}
"""What must not be lost again; the aim for main verbs and subjects is 95 (design/057-parser-transformer.md)."""
TOGETHER = 10
"""Sentences of the treebank that make a running text."""


def _treebank(sentences: Sequence[Sentence], name: str) -> Iterator[Figure]:
    """With the treebank's own words and sentences, as the field's tables have it; intervals over sentences."""
    rows = counts(parser(name), sentences).astype(float)
    words = np.repeat(rows[:, :1], len(FIGURES), axis=1)
    ends = ratio_intervals(rows[:, 1:], words, replicates=REPLICATES, seed=SEED)
    for figure, right, interval in zip(FIGURES, rows[:, 1:].sum(axis=0), ends, strict=True):
        low, high = (100 * (end.value or 0.0) for end in (interval.low, interval.high))
        share = 100 * right / rows[:, 0].sum()
        detail = f"95 %: {low:.2f} to {high:.2f}, {len(rows):,} sentences"
        limit = LIMITS.get(figure) if name == ENGLISH else None
        yield Figure(f"EWT test, {figure}", share, "%", limit, at_least=True, detail=detail)


class Shape(NamedTuple):
    """What is compared in a running text: words, sentences, and words with label and head, all by their places."""

    words: set[tuple[int, int]]
    sentences: set[tuple[int, int]]
    arcs: set[tuple[int, int, str]]


def _running(sentences: Sequence[Sentence], name: str) -> Iterator[Figure]:
    """From plain text, with words and sentences found, too: F1, as in CoNLL's shared task of 2018."""
    vocab = parser(name).vocab
    parts = [sentences[start : start + TOGETHER] for start in range(0, len(sentences), TOGETHER)]
    docs = [bare(vocab, part) for part in parts]
    begun = time.process_time()
    parsed = list(parse((doc.text for doc in docs), name))
    seconds = time.process_time() - begun
    gold = [_gold(doc, part) for doc, part in zip(docs, parts, strict=True)]
    found = [_found(one) for one in parsed]
    for what, field in (("words", 0), ("sentences", 1), ("LAS", 2)):
        both = sum(len(a[field] & b[field]) for a, b in zip(gold, found, strict=True))
        there = sum(len(a[field]) + len(b[field]) for a, b in zip(gold, found, strict=True))
        yield Figure(f"running text, {what}", 200 * both / there, "% F1", detail=f"{len(parts)} texts")
    words = sum(len(one.words) for one in parsed)
    yield Figure("speed", words / seconds, "words a second of processor time")


def _gold(doc: Doc, sentences: Sequence[Sentence]) -> Shape:
    places = iter([token.idx for token in doc])
    starts = [[next(places) for _ in sentence] for sentence in sentences]
    rows = [[(word.text, word.head, word.label) for word in sentence] for sentence in sentences]
    return _shape(list(zip(starts, rows, strict=True)))


def _shape(sentences: Sequence[tuple[list[int], list[tuple[str, int, str]]]]) -> Shape:
    shape = Shape(set(), set(), set())
    for starts, words in sentences:
        ends = [start + len(text) for start, (text, _, _) in zip(starts, words, strict=True)]
        shape.words.update(zip(starts, ends, strict=True))
        shape.sentences.add((starts[0], ends[-1]))
        shape.arcs.update((start, starts[head], label) for start, (_, head, label) in zip(starts, words, strict=True))
    return shape


def _found(one: Parse) -> Shape:
    sentences = []
    for sentence in one.sentences:
        words = [one.words[place] for place in sentence]
        rows = [(word.text, word.head - sentence.start, word.label) for word in words]
        sentences.append(([word.start for word in words], rows))
    return _shape(sentences)


class Read(NamedTuple):
    """A sentence that a person read: its text, and where its main verb and the verb's subject stand."""

    text: str
    verb: range
    subject: range


def _sentences_read(folder: Path) -> Iterator[Read]:
    """The hundred sentences; a line that is another now is a mistake of the data."""
    lines: dict[str, list[str]] = {}
    with MAIN_VERBS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            path = folder / row["file"]
            known = lines.setdefault(row["file"], path.read_text(encoding="utf-8").splitlines())
            text = known[int(row["line"]) - 1].split("\t")[0]
            if hashlib.sha256(text.encode()).hexdigest()[:12] != row["sha256"]:
                raise ValueError(f"{path}:{row['line']}: another sentence than the one that was read")
            verb, subject = (range(*map(int, row[what].split("-"))) for what in ("root", "subject"))
            yield Read(text, verb, subject)


def _main_verbs(folder: Path, name: str) -> Iterator[Figure]:
    known = list(_sentences_read(folder))
    parsed = parse((one.text for one in known), name, one_sentence=True)
    right = [_right(one, found) for one, found in zip(known, parsed, strict=True)]
    yield Figure("long sentences, main verb", 100 * sum(verb for verb, _ in right) / len(known), "%")
    share = 100 * sum(map(all, right)) / len(known)
    lost = ", ".join(str(line) for line, both in enumerate(right, start=2) if not all(both))
    detail = f"not so: lines {lost or 'none'} of {MAIN_VERBS.name}"
    limit = LIMITS["main verb and subject"] if name == ENGLISH else None
    yield Figure("long sentences, main verb and subject", share, "%", limit, at_least=True, detail=detail)


def _right(known: Read, found: Parse) -> tuple[bool, bool]:
    """Whether the root is the main verb, and whether a subject of the root is the verb's."""
    root = next(place for place, word in enumerate(found.words) if word.head == place)
    subjects = [word for word in found.words if word.head == root and word.label.split(":")[0] in SUBJECTS]
    return found.words[root].start in known.verb, any(word.start in known.subject for word in subjects)


def run() -> Iterator[Figure]:
    """All figures; without the data only the size of the model."""
    yield Figure("size", (FOLDER / "english_parser" / MODEL).stat().st_size / 1e6, "MB", 15)
    data = Path(os.environ.get("RUBRICA_DATA", ""))
    test = data / "parser" / "en_ewt-ud-test.conllu.xz"
    if "RUBRICA_DATA" not in os.environ or not test.is_file():
        print("  RUBRICA_DATA names no folder with parser/: figures of quality are left out")
        return
    name = os.environ.get("RUBRICA_PARSER", ENGLISH)
    sentences = list(read(test))
    yield from _treebank(sentences, name)
    yield from _running(sentences, name)
    yield from _main_verbs(data / "split", name)
