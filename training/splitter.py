"""`make splitter`: train the model that splits by copying, from the cuts that editors of Wikipedia made.

Source and rewrite are aligned word by word. What stands between two kept words in the rewrite and holds the cut is the
phrase before the second; other changes are no part of the task, so that their words are taken as kept. The last
thousand pairs are not learned from: figures are of these. What else was tried: design/040-copying.md.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import spacy
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Adam, fix_random_seed, use_ops

from rubrica.language.models import FOLDER, pack
from rubrica.rewriting.split.copying import CUT, DROP, KEEP, MODEL, tags_of

SEED, EPOCHS, WORDS, DROPOUT = 20261118, 14, 1_500, 0.25
HELD_OUT, TOP, NEAR = 1_000, 120, 4
"""Pairs that are kept out, phrases that are known, and how far from a cut words may be dropped."""
BREAK = "<::::>"
ARCHITECTURE = {
    "@architectures": "spacy.Tagger.v2",
    "tok2vec": {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {
            "@architectures": "spacy.MultiHashEmbed.v2",
            "width": 96,
            "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"],
            "rows": [5000, 500, 1000, 500],
            "include_static_vectors": False,
        },
        "encode": {
            "@architectures": "spacy.MaxoutWindowEncoder.v2",
            "width": 96,
            "depth": 8,
            "window_size": 1,
            "maxout_pieces": 3,
        },
    },
}


class Pair(NamedTuple):
    """The words of a sentence and a tag for each."""

    words: list[str]
    tags: list[str]


def pairs(path: Path) -> list[Pair | None]:
    """Each line of WikiSplit as words and tags; None where no cut could be found."""
    with path.open(encoding="utf-8") as file:
        return [_tagged(*line.rstrip("\n").split("\t")[:2]) for line in file]


def _tagged(source: str, rewrite: str) -> Pair | None:
    words, after = source.split(), rewrite.split()
    matcher = SequenceMatcher(None, [word.lower() for word in words], [word.lower() for word in after], autojunk=False)
    tags, dropped, cut = [KEEP] * len(words), [], None
    pending = ""
    for kind, start, end, begin, stop in matcher.get_opcodes():
        inserted = after[begin:stop]
        if BREAK in inserted:
            where = inserted.index(BREAK)
            pending = " ".join([CUT, *inserted[where + 1 :]])
            cut = end
        if kind in {"delete", "replace"}:
            dropped += range(start, end)
        elif kind == "equal" and pending:
            tags[start], pending = pending, ""
    if cut is None or cut >= len(words) - 1:
        return None
    for place in dropped:
        if abs(place - cut) <= NEAR and tags[place] == KEEP:
            tags[place] = DROP
    return Pair(words, tags)


def train(data: Sequence[Pair], epochs: int = EPOCHS) -> bytes:
    """The trained pipeline as bytes; figures of each epoch go to stderr."""
    fix_random_seed(SEED)
    rng = random.Random(SEED)
    counted = Counter(tag for pair in data for tag in pair.tags if CUT in tag)
    known = {KEEP, DROP, *(tag for tag, _ in counted.most_common(TOP))}
    usable = [pair for pair in data if all(tag in known for tag in pair.tags)]
    print(f"{len(usable):,} of {len(data):,} pairs have one of {TOP} phrases", file=sys.stderr)
    with use_ops("numpy", use_blis=False):
        nlp = spacy.blank("en")
        tagger = nlp.add_pipe("tagger", config={"model": ARCHITECTURE, "label_smoothing": 0.0})
        for tag in sorted(known):
            tagger.add_label(tag)
        examples = [_example(nlp, pair) for pair in usable]
        nlp.initialize(lambda: examples[:500])
        nlp.meta |= {"name": "rubrica_copier", "version": "1.0", "license": "CC BY-SA 4.0"}
        optimizer = Adam(0.001, L2=0.01, L2_is_weight_decay=True, grad_clip=1.0, use_averages=True)
        begun = time.monotonic()
        for epoch in range(epochs):
            optimizer.learn_rate = 0.001 if epoch < epochs * 0.6 else 0.0003
            rng.shuffle(examples)
            losses: dict[str, float] = {}
            for batch in _batches(examples):
                nlp.update(batch, sgd=optimizer, drop=DROPOUT, losses=losses)
            spent = time.monotonic() - begun
            print(
                f"epoch {epoch + 1} of {epochs}, {spent:.0f} s: loss {losses['tagger']:.0f}",
                file=sys.stderr,
                flush=True,
            )
        with nlp.use_params(optimizer.averages):
            model: bytes = nlp.to_bytes()
    kept: bytes = rounded(nlp.from_bytes(model)).to_bytes()
    return kept


def _example(nlp: spacy.language.Language, pair: Pair) -> Example:
    return Example(Doc(nlp.vocab, words=pair.words), Doc(nlp.vocab, words=pair.words, tags=pair.tags))


def _batches(examples: Sequence[Example]) -> Iterator[list[Example]]:
    batch: list[Example] = []
    words = 0
    for example in examples:
        batch.append(example)
        words += len(example.reference)
        if words >= WORDS:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch


def figures(nlp: spacy.language.Language, held: Sequence[Pair | None]) -> dict[str, float]:
    """How often the cut is where the editor made it, and with the same words, in percent of the pairs with a cut."""
    there = [pair for pair in held if pair]
    same = phrase = 0
    for pair in there:
        found = tags_of(nlp, Doc(nlp.vocab, words=pair.words))
        cuts = {place: tag for place, tag in enumerate(pair.tags) if CUT in tag}
        same += any(CUT in found[place] for place in cuts)
        phrase += any(found[place] == tag for place, tag in cuts.items())
    return {"pairs": len(there), "cut": 100 * same / len(there), "phrase": 100 * phrase / len(there)}


BITS = 7
"""Of a weight's mantissa: the rest of its 23 is noise, and zeros pack well."""


def rounded(nlp: spacy.language.Language) -> spacy.language.Language:
    """The pipeline with weights of BITS bits, to the nearest."""
    drop = np.uint32(23 - BITS)
    for _, component in nlp.pipeline:
        for layer in component.model.walk():
            for name in layer.param_names:
                if layer.has_param(name):
                    weights = np.ascontiguousarray(layer.get_param(name), dtype=np.float32).view(np.uint32)
                    nearest = (weights + (np.uint32(1) << (drop - np.uint32(1)))) >> drop << drop
                    layer.set_param(name, nearest.view(np.float32))
    return nlp


if __name__ == "__main__":
    if "RUBRICA_DATA" not in os.environ:
        sys.exit("make splitter: name the folder of data in RUBRICA_DATA; it has split/wikisplit_10000.tsv.")
    every = pairs(Path(os.environ["RUBRICA_DATA"]) / "split" / "wikisplit_10000.tsv")
    packed = train([pair for pair in every[:-HELD_OUT] if pair])
    size = pack(MODEL, packed)
    from rubrica.language.parsing import english

    print(f"{FOLDER / MODEL}: {size:,} bytes; {figures(english(packed), every[-HELD_OUT:])}")
