"""Suggested edits against those of people, beside two word diffs; and their speed.

Annotated pairs are read from the folder that RUBRICA_DATA names: SALSA's, `thresh/salsa_25.json`, and, if they are
there, pairs that were annotated otherwise, `suggest/development.json` and `suggest/held_out.json`, in the same format.
Weights are learned from the first two, so each of their pairs is measured with weights learned without it;
nothing is learned from the last. Definitions are in `edit_selection.py`, the reasoning and the figures of record in
design/005-edit-suggestions.md.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from benchmarks.edit_selection import EDITS, SCORES, Annotated, counts, f1, lead, marks, read_annotated
from benchmarks.report import Figure
from rubrica.core.edits import Edit
from rubrica.edits.suggesting.alignment import align
from rubrica.edits.suggesting.phrases import WEIGHTS, Weights, operation_for, spans
from rubrica.edits.suggesting.suggest import splits_in, suggest
from rubrica.edits.suggesting.words import Word, grammar_of, words_of
from rubrica.protocols.catalog import load_shipped
from training.suggester import SALSA, fitted, lattices

PAIRS, WORDS, SECONDS = 1000, 40, 10
LEAST = {EDITS: 1.2, "deletion": 1.2, "insertion": 1.2, "substitution": 1.05}
"""How many times the F1 of the diff without case and punctuation the suggestions must reach on SALSA's pairs.

A diff finds no reorder.
"""
LEAST_REORDER, LEAST_SPLIT = 45, 80
Counts = list[dict[str, Counter[str]]]


def word_diff(
    source: str, rewrite: str, compared: Callable[[str, Word], str] = lambda text, word: text[word.start : word.end]
) -> list[Edit]:
    """Plain words, plain diff: what difflib calls deleted, inserted and replaced."""
    old, new = words_of(source), words_of(rewrite)
    texts = [compared(source, word) for word in old], [compared(rewrite, word) for word in new]
    return [
        Edit("", operation_for((first, last), (start, end)), spans((first, last), old), spans((start, end), new))
        for tag, first, last, start, end in SequenceMatcher(None, *texts, autojunk=False).get_opcodes()
        if tag != "equal"
    ]


def plain_diff(source: str, rewrite: str) -> list[Edit]:
    """A diff that ignores case and the punctuation around words."""
    return word_diff(source, rewrite, lambda _, word: word.key)


WAYS: dict[str, Callable[[str, str], Sequence[Edit]]] = {
    "word diff": word_diff,
    "diff without case and punctuation": plain_diff,
    "suggested": lambda source, rewrite: suggest(source, rewrite, "en"),
}


def _scored(annotated: Sequence[Annotated], way: Callable[[str, str], Sequence[Edit]]) -> Counts:
    return [
        counts(
            marks(pair.source, pair.rewrite, pair.edits),
            marks(pair.source, pair.rewrite, way(pair.source, pair.rewrite)),
        )
        for pair in annotated
    ]


def _with(weights: Weights) -> Callable[[str, str], Sequence[Edit]]:
    return lambda source, rewrite: suggest(source, rewrite, "en", weights=weights)


def _left_out(annotated: Sequence[Annotated], weight: float, others: Sequence[Annotated], their: float) -> Counts:
    """The counts of each pair by weights learned from all pairs but it."""
    every, rest = lattices(annotated, weight), lattices(others, their)
    return [
        _scored([pair], _with(fitted([*every[:at], *every[at + 1 :], *rest])))[0] for at, pair in enumerate(annotated)
    ]


def _accuracy(name: str, found: dict[str, Counts], limits: bool) -> Iterator[Figure]:
    for score in SCORES:
        for way, pairs in found.items():
            limit = LEAST_REORDER if limits and (score, way) == ("reorder", "suggested") else None
            yield Figure(f"{name}, {score}: {way}", f1(pairs, score), "% F1", limit, True)
        for way in list(WAYS)[:2]:
            if theirs := f1(found[way], score):
                low, high = lead(found["suggested"], found[way], score)
                least = LEAST.get(score) if limits and way != "word diff" else None
                detail = f"lead {low:+.1f} to {high:+.1f} in 95 % of resamples"
                yield Figure(f"  suggested to {way}", f1(found["suggested"], score) / theirs, "x", least, True, detail)


def _annotated(data: Path) -> Iterator[Figure]:
    """SALSA's pairs and those annotated for development each left out, then those that nothing was learned from."""
    salsa = read_annotated(data / "thresh" / "salsa_25.json")
    more, held_out = (
        read_annotated(path) if (path := data / "suggest" / f"{name}.json").is_file() else []
        for name in ("development", "held_out")
    )
    for name, pairs, suggested in (
        (f"SALSA's {len(salsa)} each left out", salsa, lambda: _left_out(salsa, SALSA, more, 1)),
        (f"{len(more)} for development each left out", more, lambda: _left_out(more, 1, salsa, SALSA)),
        (f"{len(held_out)} held out", held_out, lambda: _scored(held_out, WAYS["suggested"])),
    ):
        if pairs:
            found = {way: _scored(pairs, WAYS[way]) for way in list(WAYS)[:2]} | {"suggested": suggested()}
            yield from _accuracy(name, found, limits=pairs is salsa)
    yield Figure("SALSA's, with the weights learned from them too", f1(_scored(salsa, _with(WEIGHTS)), EDITS), "% F1")
    yield from _composites(salsa)


def _practice() -> Iterator[Figure]:
    """The practice items of `salsa`, whose edits were written to teach people, not to measure this."""
    items = load_shipped("salsa").protocol.practice
    pairs = [Annotated(item.fields["source"], item.fields["rewrite"], tuple(item.edits), ()) for item in items]
    for name, way in WAYS.items():
        yield Figure(f"{len(items)} practice items, {EDITS}: {name}", f1(_scored(pairs, way), EDITS), "% F1")


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
    data = Path(os.environ.get("RUBRICA_DATA", ""))
    if "RUBRICA_DATA" in os.environ and (data / "thresh" / "salsa_25.json").is_file():
        yield from _annotated(data)
    else:
        print("  left out: SALSA's annotations, which need the folder of data in RUBRICA_DATA")
    yield from _practice()
    yield from _speed()
