"""Suggested edits against those of people, beside a word diff and a sentence-blind alignment; and their speed.

Annotated pairs are SALSA's, `thresh/salsa_25.json` in the folder that RUBRICA_DATA names, and the practice items of the
protocol `salsa`. Definitions are in `edit_selection.py`, the reasoning and the figures of record in
design/005-edit-suggestions.md.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path

from benchmarks.edit_selection import (
    EDITS,
    SCORES,
    SELECTED,
    Annotated,
    counts,
    f1,
    left_out,
    marks,
    read_annotated,
    surely_better,
)
from benchmarks.report import Figure
from rubrica.core.edits import Edit
from rubrica.edits.suggesting.alignment import Link, align
from rubrica.edits.suggesting.changes import operation_for, spans
from rubrica.edits.suggesting.grammar import grammar_of
from rubrica.edits.suggesting.order import Range, in_order
from rubrica.edits.suggesting.similarity import SAME
from rubrica.edits.suggesting.splits import splits_in
from rubrica.edits.suggesting.suggest import suggest
from rubrica.edits.suggesting.tokens import Word, words_of
from rubrica.protocols.catalog import load_shipped

PAIRS, WORDS, SECONDS = 1000, 40, 10
LEAST = {
    EDITS: (1.4, 1.15),
    SELECTED: (1.03, 0.98),
    "deletion": (2.0, 1.2),
    "insertion": (1.5, 1.2),
    "substitution": (1.15, 1.05),
}
"""How many times the F1 of the word diff, and of the sentence-blind links, the suggestions must reach.

Which words changed is a matter of the links alone, so there the suggestions can only match the second. Neither baseline
finds a reorder.
"""
LEAST_REORDER, LEAST_SPLIT = 45, 80


def word_diff(source: str, rewrite: str) -> list[Edit]:
    """Plain words, plain diff: what difflib calls deleted, inserted and replaced."""
    old, new = words_of(source), words_of(rewrite)
    texts = [source[word.start : word.end] for word in old], [rewrite[word.start : word.end] for word in new]
    matcher = SequenceMatcher(None, *texts, autojunk=False)
    return [
        _edit((first, last), (start, end), old, new)
        for tag, first, last, start, end in matcher.get_opcodes()
        if tag != "equal"
    ]


def sentence_blind(source: str, rewrite: str) -> list[Edit]:
    """Our links between words, read as a diff: no moved words, no phrases, no sentences, no splits."""
    old, new, grammar = words_of(source), words_of(rewrite), grammar_of("en")
    kept = in_order(align(old, new, grammar), old, new, grammar).kept
    found = []
    for left, right in pairwise([Link(-1, -1, SAME, 0), *kept, Link(len(old), len(new), SAME, 0)]):
        gap, other = (left.source + 1, right.source), (left.rewrite + 1, right.rewrite)
        if gap[0] < gap[1] or other[0] < other[1]:
            found.append(_edit(gap, other, old, new))
        if right.kind != SAME:
            here, there = (right.source, right.source + 1), (right.rewrite, right.rewrite + 1)
            found.append(_edit(here, there, old, new))
    return found


def _edit(gone: Range, come: Range, old: tuple[Word, ...], new: tuple[Word, ...]) -> Edit:
    return Edit("", operation_for(gone, come), spans(gone, old), spans(come, new))


WAYS: dict[str, Callable[[str, str], Sequence[Edit]]] = {
    "word diff": word_diff,
    "sentence-blind": sentence_blind,
    "suggested": lambda source, rewrite: suggest(source, rewrite, "en"),
}


def _scored(annotated: Sequence[Annotated]) -> dict[str, list[dict[str, Counter[str]]]]:
    """The counts of each pair, for each way to find edits."""
    people = [marks(pair.source, pair.rewrite, pair.edits) for pair in annotated]
    return {
        name: [
            counts(wanted, marks(pair.source, pair.rewrite, way(pair.source, pair.rewrite)))
            for pair, wanted in zip(annotated, people, strict=True)
        ]
        for name, way in WAYS.items()
    }


def _accuracy(annotated: Sequence[Annotated]) -> Iterator[Figure]:
    found = _scored(annotated)
    for score in SCORES:
        values = {name: f1(pairs, score) for name, pairs in found.items()}
        for name, value in values.items():
            low, high = left_out(found[name], score)
            limit = LEAST_REORDER if (score, name) == ("reorder", "suggested") else None
            yield Figure(
                f"{score}: {name}", value, "% F1", limit, True, f"{low:.1f} to {high:.1f} without any one pair"
            )
        for name, least in zip(WAYS, LEAST.get(score, ()), strict=False):
            sure = surely_better(found["suggested"], found[name], score)
            detail = f"{sure:+.1f} or more in 97.5 % of resamples"
            yield Figure(f"  suggested to {name}", values["suggested"] / values[name], "x", least, True, detail)
    yield from _composites(annotated)


def _practice() -> Iterator[Figure]:
    """The practice items of `salsa`, whose edits were written to teach people, not to measure this."""
    items = load_shipped("salsa").protocol.practice
    found = _scored([Annotated(item.fields["source"], item.fields["rewrite"], tuple(item.edits), ()) for item in items])
    values = {name: f1(pairs, EDITS) for name, pairs in found.items()}
    for name, value in values.items():
        yield Figure(f"{len(items)} practice items, {EDITS}: {name}", value, "% F1")
    for name, least in zip(WAYS, LEAST[EDITS], strict=False):
        yield Figure(f"  suggested to {name}", values["suggested"] / values[name], "x", least, True)


def _composites(annotated: Sequence[Annotated]) -> Iterator[Figure]:
    """Splits: where people wrote ``||``, told without it. Structure edits are not suggested, but their words are."""
    hit = given = wanted = covered = words = 0
    for pair in annotated:
        old, new = words_of(pair.source), words_of(pair.rewrite.replace(" || ", " "))
        marked = words_of(pair.rewrite)
        people = {at for at in range(1, len(marked)) if "||" in pair.rewrite[marked[at - 1].end : marked[at].start]}
        links = align(old, new, grammar_of("en"))
        machine = set(splits_in(old, new, links, grammar_of("en")))
        hit, given, wanted = hit + len(people & machine), given + len(machine), wanted + len(people)
        of_structure = {mark[:2] for mark in marks(pair.source, pair.rewrite, pair.structure)}
        suggested = marks(pair.source, pair.rewrite, suggest(pair.source, pair.rewrite, "en"))
        covered += len(of_structure & {mark[:2] for mark in suggested})
        words += len(of_structure)
    yield Figure("split points without their marks", 200 * hit / (given + wanted), "% F1", LEAST_SPLIT, True)
    yield Figure("words of structure edits in some suggestion", 100 * covered / words, "%")


def _made_up(seed: int) -> list[tuple[str, str]]:
    """Pairs of ``WORDS`` words: a made-up source, and a rewrite with words dropped, replaced, added and moved."""
    generator = random.Random(seed)
    syllables = ["ba", "ne", "tor", "li", "ska", "mu", "ren", "po", "ti", "gal", "ver", "so"]
    content = ["".join(generator.choices(syllables, k=generator.randint(2, 4))) for _ in range(3000)]
    small = ["the", "of", "and", "in", "to", "a", "was", "which", "for", "by", "that", "with"]
    pairs = []
    for _ in range(PAIRS):
        source = [generator.choice(small if generator.random() < 0.45 else content) for _ in range(WORDS)]
        rewrite = [generator.choice(content) if generator.random() < 0.15 else word for word in source]
        start, end = sorted(generator.sample(range(WORDS), 2))
        rewrite = rewrite[start:end] + rewrite[:start] + rewrite[end:]
        middle = WORDS // 2
        source[middle] += ","
        rewrite[middle] += "."
        rewrite[middle + 1] = rewrite[middle + 1].capitalize()
        pairs.append((" ".join(source) + ".", " ".join(rewrite) + "."))
    return pairs


def _speed() -> Iterator[Figure]:
    pairs = _made_up(4)
    start = time.process_time()
    edits = sum(len(suggest(source, rewrite, "en")) for source, rewrite in pairs)
    seconds = time.process_time() - start
    start = time.process_time()
    for source, rewrite in pairs:
        word_diff(source, rewrite)
    diff = time.process_time() - start
    name = f"{PAIRS:,} pairs of {WORDS} words"
    yield Figure(
        name, seconds, "s", SECONDS, detail=f"{edits / PAIRS:.1f} edits a pair; a word diff takes {diff:.1f} s"
    )


def run() -> Iterator[Figure]:
    """Accuracy, on SALSA's annotations if they are there, and speed."""
    path = Path(os.environ.get("RUBRICA_DATA", "")) / "thresh" / "salsa_25.json"
    if "RUBRICA_DATA" in os.environ and path.is_file():
        yield from _accuracy(read_annotated(path))
    else:
        print("  left out: SALSA's annotations, which need the folder of data in RUBRICA_DATA")
    yield from _practice()
    yield from _speed()
